/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * stage.h - a child and its test in step: the child says that it is ready, and acts when told.
 *
 * The stage lies in kt_shared(), so there is one at a time.
 */
#ifndef WARDER_TESTS_KERNEL_STAGE_H
#define WARDER_TESTS_KERNEL_STAGE_H

#include "acts.h"

struct stage {
	volatile int ready, go, result;
};

/* The stage, all zero. */
struct stage *stage_reset(void);

/* Wait until the flag is raised; -ETIMEDOUT after twenty seconds. */
int stage_wait(volatile int *flag);

/* An act: say ready, wait for go, then open a file for reading. */
kt_act act_staged_read;

/* What it reads before (NULL: nothing; it then waits without any system call) and after. */
struct staged_read {
	const char *before, *after;
};
#define STAGED(before, after) (&(const struct staged_read){before, after})

/* A new cgroup at the top of the tree, outside of warder's; malloc'ed, NULL on failure. */
char *stage_cgroup(const char *name);

#endif
