/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ask.h - what an access asks for: which hooks judge it, for what, in which order.
 *
 * The rows of the tables HOOKS in warder(8), as data.
 */
#ifndef WARDER_TESTS_KERNEL_ASK_H
#define WARDER_TESTS_KERNEL_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include <warder/access.h>
#include <warder/hook.h>

enum ask_kind {
	ASK_CALL,   /* the hook judges nothing but the system call that runs */
	ASK_PATH,   /* rights on a path, or to the socket "@name" */
	ASK_NET,    /* to connect, or to send to the address of the access */
	ASK_NAILED, /* the directory `text` may leave its name with all below */
	ASK_MOVE,   /* `text` must not give more rights than `from` */
};

struct ask {
	enum ask_kind kind;
	int call;    /* the system call, which every hook judges first */
	int hook;    /* enum warder_hook */
	bool joined; /* in the same pass through the hook as the ask before */
	__u32 rights;
	const char *text, *from;
};

#define ASKS_MAX 8

struct asks {
	struct ask list[ASKS_MAX];
	size_t count;
};

void asks_call(struct asks *asks, int call, int hook);
void asks_path(struct asks *asks, int call, int hook, __u32 rights, const char *path);
void asks_net(struct asks *asks, int call, int hook);

/*
 * In the same pass as the last one: rights on a second path; that nothing below is nailed
 * down; that a name does not widen.
 */
void asks_path_too(struct asks *asks, __u32 rights, const char *path);
void asks_nailed(struct asks *asks, const char *path);
void asks_move(struct asks *asks, const char *from, const char *to);

#endif
