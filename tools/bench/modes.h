/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * modes.h - what a row is measured under. Each run is a process of its own, for Landlock and
 * seccomp cannot be undone.
 */
#ifndef WARDER_BENCH_MODES_H
#define WARDER_BENCH_MODES_H

#include "tests/kernel/harness.h"

enum bench_mode {
	BENCH_NOTHING,	/* no program loaded */
	BENCH_LANDLOCK, /* rules that say the same as the policy, no program loaded */
	BENCH_SECCOMP,	/* one call refused, the bitmap for all others; no program loaded */
	BENCH_EMPTY,	/* an empty program on each of warder's hooks */
	BENCH_COSTLY,	/* the same, but the one on file_open is not quite empty */
	BENCH_OUTSIDE,	/* warder is loaded and has a subject: not this one */
	BENCH_SUBJECT,
	BENCH_MODE_COUNT,
};

extern const char *const bench_mode_names[BENCH_MODE_COUNT];

/*
 * Enter a mode: load and take off what it needs, and prove that it refuses what it should and
 * nothing else. False: counted as a failure.
 */
bool bench_enter(enum bench_mode mode);

/* Run an act in the mode that was entered last. */
int bench_run(enum bench_mode mode, kt_act *act, const void *argument);

/* The ABI of this kernel's Landlock; 0: none. */
unsigned int bench_landlock_abi(void);

#endif
