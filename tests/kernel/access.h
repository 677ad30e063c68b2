/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * access.h - one random access: what it touches, what it asks for, and how it is done.
 *
 * A type is a row: `choose` draws objects from a world, `ask` says which hooks judge it for
 * which rights, in order - written from the table HOOKS of warder(8), not from the programs -
 * and `perform` does it by real system calls. Rows are in access_file.c (one file),
 * access_name.c (names come and go), access_exec.c, access_unix.c, access_net.c and
 * access_call.c; expect.c asks the policy what they come to.
 */
#ifndef WARDER_TESTS_KERNEL_ACCESS_H
#define WARDER_TESTS_KERNEL_ACCESS_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "ask.h"
#include "world.h"

/* What an allowed access leaves behind. */
enum effect {
	EFFECT_ANSWER,	/* nothing: it answers a positive number */
	EFFECT_TREE,	/* the tree is another */
	EFFECT_ARRIVAL, /* something arrives at a socket outside */
};

/* The root, a path below it, and what is put around it. */
#define ACCESS_PATH_MAX (128 + WORLD_PATH_MAX + 64)

/* A group that workers are in, and no file is of: to it everybody may give his files. */
#define ACCESS_GROUP 1234

/*
 * Lies in memory that the worker shares, so it holds no pointer but to what was there before
 * the worker was started.
 */
struct access {
	const struct access_type *type;
	enum effect effect;
	int flags;	/* of the call */
	bool directory; /* the object (or either one) is a directory */
	bool replaces;	/* `other` exists */
	/* As the kernel names them: from the top, or "@name". */
	char object[ACCESS_PATH_MAX], other[ACCESS_PATH_MAX];
	/* As the call names them. */
	char path[ACCESS_PATH_MAX], to[ACCESS_PATH_MAX];
	char interpreter[ACCESS_PATH_MAX]; /* of a script, as the kernel names it */
	/* Sockets: their own family and type, and where to. */
	int family, socket_type;
	union {
		struct sockaddr any;
		struct sockaddr_un local;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
		struct sockaddr_storage storage;
	} address;
	socklen_t length;
	char host[INET6_ADDRSTRLEN];
	__u16 port;
};

struct access_type {
	const char *name;
	int call; /* the system call that matters; 0 where `flags` or the like choose it */
	unsigned int weight;
	/* False: the world has no object for it. */
	bool (*choose)(struct access *access, const struct world *world);
	void (*ask)(const struct access *access, struct asks *asks);
	/* 0 or a positive number, or -errno. Runs in a worker; leaves no descriptor behind. */
	int (*perform)(const struct access *access);
};

/* Tables, each ended by a row without name. */
extern const struct access_type access_files[], access_names[], access_execs[], access_unixes[],
	access_nets[], access_calls[];

/* Draw an access. */
void access_choose(struct access *access, const struct world *world);

/* "rename /tmp/x/a -> /tmp/x/b (flags 2)" */
void access_print(const struct access *access, FILE *out);

/* --- for the tables --- */

/* Set the object to a place, and how the call spells it; `follow`: the call follows links. */
void access_object(struct access *access, const struct world *world, const struct place *place,
		   bool follow);

/* Spell a path (from the root) in one of its ways. */
void access_spell(const struct world *world, const char *path, char out[ACCESS_PATH_MAX]);

/* Set the object, or the other, to a name that does not exist. */
void access_new_object(struct access *access, const struct world *world);
void access_new_other(struct access *access, const struct world *world);

/* A place of one of the kinds as object. */
bool access_pick(struct access *access, const struct world *world, unsigned int kinds, bool follow);

/* Set the address of a unix socket; '@' begins an abstract name. */
void access_set_unix(struct access *access, const char *name);

#define ERROR_OF(result) ((result) < 0 ? -errno : 1)

#endif
