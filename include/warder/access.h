/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * access.h - the file rights: one table, from which bits, names and masks follow.
 *
 * A right is what a rule gives and what a hook asks for. The order is part of the
 * ABI: it is the index into a verdict row.
 */
#ifndef WARDER_ACCESS_H
#define WARDER_ACCESS_H

#include <linux/types.h>

/* X(NAME, "name in policies and events", "what it covers") */
#define WARDER_RIGHTS(X)                                                                      \
	X(READ, "read", "read the contents of a file")                                        \
	X(LIST, "list", "list a directory")                                                   \
	X(WRITE, "write", "write or truncate a file")                                         \
	X(CREATE, "create", "make a file, directory, link, socket or device under this name") \
	X(DELETE, "delete", "remove the name")                                                \
	X(RENAME, "rename", "move the name away")                                             \
	X(LINK, "link", "make another hard link to the file")                                 \
	X(CHATTR, "chattr", "change mode, owner, times or attributes")                        \
	X(IOCTL, "ioctl", "device control calls")                                             \
	X(EXEC, "exec", "start as a program")                                                 \
	X(MAP_EXEC, "map-exec", "map executable: libraries, program text")                    \
	X(CONNECT, "connect", "connect or send to the unix socket of this name")              \
	X(STAT, "stat", "see attributes")

enum warder_right {
#define X(name, text, doc) WARDER_RIGHT_##name,
	WARDER_RIGHTS(X)
#undef X
	WARDER_RIGHT_COUNT,
};

enum {
#define X(name, text, doc) WARDER_##name = 1 << WARDER_RIGHT_##name,
	WARDER_RIGHTS(X)
#undef X
};

/* Coarse words of the policy language (warder-policy(5)). */
#define WARDER_COARSE_READ (WARDER_READ | WARDER_LIST | WARDER_STAT)
#define WARDER_COARSE_WRITE_ONLY                                                      \
	(WARDER_WRITE | WARDER_CREATE | WARDER_DELETE | WARDER_RENAME | WARDER_LINK | \
	 WARDER_CHATTR | WARDER_STAT)
#define WARDER_COARSE_WRITE (WARDER_COARSE_READ | WARDER_COARSE_WRITE_ONLY)
#define WARDER_COARSE_EXEC  (WARDER_EXEC | WARDER_MAP_EXEC)
/*
 * What a tree rule ("/dir" and two stars) gives on the directory itself; create-in is judged
 * on the child.
 */
#define WARDER_ROOT_OF_TREE (WARDER_READ | WARDER_LIST | WARDER_STAT)
#define WARDER_RIGHTS_ALL   ((1u << WARDER_RIGHT_COUNT) - 1)

/* Operations on network addresses: the index into masks of struct warder_port. */
enum warder_net_op {
	WARDER_NET_CONNECT, /* connect, or send to: the peer's address and port */
	WARDER_NET_BIND,    /* bind and listen: the own ones; port 0: one that the kernel picks */
	WARDER_NET_ACCEPT,  /* a connection from: the peer's */
	WARDER_NET_OP_COUNT,
};

/* Transport protocols a rule can name. */
enum warder_proto {
	WARDER_PROTO_TCP = 1,
	WARDER_PROTO_UDP = 2,
};

#endif
