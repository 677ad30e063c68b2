/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * access_text.h - "exec /usr/bin/id", "connect tcp:192.0.2.1:443": one act on one object, as text.
 *
 *	RIGHT[+RIGHT...] PATH		read, list, write, create, delete, rename, link, chattr,
 *					exec, map-exec, connect
 *	connect @NAME			an abstract unix socket
 *	VERB PROTO:ADDRESS:PORT		connect, send, bind, accept; tcp or udp
 *	syscall NAME
 *	capability NAME
 *	kernel NAME			a part of the kernel's surface
 *
 * An act asks for what the kernel asks for, and is refused when any of it is. So `exec` is
 * the rights exec and map-exec together, and `read+write` is an open for both.
 */
#ifndef WARDER_POLICY_ACCESS_TEXT_H
#define WARDER_POLICY_ACCESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "policy/endpoint.h"
#include "policy/link.h"

/* Bytes of the longest abstract name: "@" in place of the NUL, and 107 more. */
#define WARDER_ABSTRACT_MAX 108u

enum warder_access_kind {
	WARDER_ACCESS_PATH,	  /* a file, or a unix socket */
	WARDER_ACCESS_ADDRESS,	  /* a network address */
	WARDER_ACCESS_SYSCALL,	  /* a system call */
	WARDER_ACCESS_CAPABILITY, /* a capability */
	WARDER_ACCESS_SURFACE,	  /* a part of the kernel's surface */
};

/* What is done with an address. */
enum warder_access_verb {
	WARDER_VERB_CONNECT,
	WARDER_VERB_SEND,
	WARDER_VERB_BIND,
	WARDER_VERB_ACCEPT,
};

struct warder_access {
	enum warder_access_kind kind;
	char *text;	/* as written; NUL-terminated */
	__u32 rights;	/* of a path: every one of them is asked for */
	char *path;	/* as the kernel feeds it, "/a/b" or "@name"; NUL-terminated */
	size_t length;	/* bytes of the path (an abstract name may hold NUL) */
	bool elsewhere; /* the path is not as written: an alias or a link was followed */
	enum warder_access_verb verb; /* of an address */
	enum warder_proto proto;
	struct warder_address address; /* not normalised */
	__u16 port;
	int number; /* of a system call (x86-64), a capability, or enum warder_surface */
};

/* Why a text is no access. */
struct warder_access_error {
	size_t offset;	   /* byte in the text */
	char message[160]; /* "relative path" */
	char hint[256];	   /* "" when there is none */
};

/* Parse. -EINVAL: *reterr says why. -ENOMEM. Release with warder_access_release(). */
int warder_access_parse(const char *text, size_t length, struct warder_access *ret_access,
			struct warder_access_error *reterr);

/*
 * Follow symbolic links as the kernel would, below the directory `root_fd`: the path becomes what
 * is judged. Acts on a name (create, delete, rename, link) do not follow the last link. Nothing
 * changes where there is no link, or nothing at all. As warder_link_resolve: -EPERM (*reterr),
 * -ENOMEM.
 */
int warder_access_follow(struct warder_access *access, int root_fd, uid_t trusted_uid,
			 struct warder_link_error *reterr);

/* Release the contents, not the struct. */
void warder_access_release(struct warder_access *access);

/* "connect", "send", "bind", "accept". Static. */
const char *warder_access_verb_name(enum warder_access_verb verb);

/* "tcp:192.0.2.1:443", "udp:[::1]:53". Returns `out`. */
#define WARDER_ADDRESS_TEXT_MAX 64
char *warder_address_text(unsigned int proto, struct warder_address address, __u16 port,
			  char out[WARDER_ADDRESS_TEXT_MAX]);

#define _cleanup_access_ __attribute__((cleanup(warder_access_release)))

#endif
