/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * filter.h - the seccomp filter of a run: what no hook of this version sees.
 *
 * Typing into the caller's terminal (TIOCSTI, TIOCLINUX) passes no LSM hook that is
 * attached, and would be a command of the user who started the sandbox.
 */
#ifndef WARDER_RUN_FILTER_H
#define WARDER_RUN_FILTER_H

#include <seccomp.h>

/* Build it; seccomp_release() frees it. */
int warder_filter_build(scmp_filter_ctx *ret_filter);

/* Install it in the calling process, which has no_new_privs set. */
int warder_filter_install(scmp_filter_ctx filter);

#endif
