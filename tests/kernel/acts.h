/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * acts.h - things to do with files, each as an act that takes a path (from {DIR}).
 *
 * Acts on two names take a struct act_pair.
 */
#ifndef WARDER_TESTS_KERNEL_ACTS_H
#define WARDER_TESTS_KERNEL_ACTS_H

#include "harness.h"

struct act_pair {
	const char *from, *to;
	unsigned int flags; /* of renameat2, linkat */
};

/* As an argument: PAIR("a", "b"). */
#define PAIR(from, to)		    (&(const struct act_pair){from, to, 0})
#define PAIR_FLAGS(from, to, flags) (&(const struct act_pair){from, to, flags})

/* open(2) with these flags and read or write a byte where the mode allows it. */
struct act_open {
	const char *path;
	int flags;
};
#define OPEN(path, flags) (&(const struct act_open){path, flags})

kt_act act_open, act_read, act_write, act_append, act_list, act_create, act_truncate;
kt_act act_unlink, act_rmdir, act_mkdir, act_mkfifo, act_symlink, act_chmod, act_chown;
kt_act act_link, act_rename;

/* Execute a program without arguments and wait: its exit status, or -errno of execve. */
kt_act act_exec;

/* Write a tiny static program (outside) that exits with this status; the path is whole. */
void make_program(const char *path, unsigned char status);

/* Map a file readable and executable; mprotect a readable mapping to executable. */
kt_act act_map_exec, act_protect_exec;

#endif
