/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * syscall.h - system calls by name, and whether denying one can be enforced.
 *
 * A denied call is refused in the LSM hooks that it passes. A call that passes none, or
 * not always, is refused by the seccomp filter that `run` installs.
 */
#ifndef WARDER_POLICY_SYSCALL_H
#define WARDER_POLICY_SYSCALL_H

#include <stdbool.h>

/* The x86-64 number; -ENOENT: no such system call. */
int warder_syscall_number(const char *name);

/* Does the call always pass a hook that this version judges, before it has an effect? */
bool warder_syscall_is_judged(const char *name);

/* Can an io_uring perform what the call does? */
bool warder_syscall_in_ring(const char *name);

/* The known name nearest to a misspelt one; NULL. malloc'ed. */
char *warder_syscall_nearest(const char *name);

/* Name of an x86-64 number, malloc'ed; NULL. */
char *warder_syscall_name(int number);

#endif
