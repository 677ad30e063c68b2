/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * rows.h - what judging is measured on: system calls, each an act that returns the instructions
 * it took, and the world that they need.
 */
#ifndef WARDER_BENCH_ROWS_H
#define WARDER_BENCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/kernel/harness.h"

/* A file system of its own at this place, so that a path has just the depth that it says. */
#define BENCH_DIR "/bench"

struct bench_row {
	const char *name;
	/* Measured in the child that runs it: the least of many, without the two clock readings. */
	int (*measure)(const struct bench_row *row);
	unsigned int rounds;
	int (*before)(void); /* not measured; a descriptor or negative errno */
	int (*act)(int fd);
	void (*after)(int fd);
	bool hooked;	       /* passes a hook of warder's */
	bool noisy;	       /* varies by more than the tax: is shown and not held to the bound */
	unsigned int landlock; /* the ABI from which on Landlock judges it; 0: it does not */
};

extern const struct bench_row bench_rows[];
extern const size_t bench_row_count;

/* For kt_start: measure the struct bench_row `row`. */
int bench_measure(const void *row);

/* Make files and sockets, unless they are there; and empty what was received meanwhile. */
bool bench_world_make(void);
void bench_world_drain(void);

/* The port that is allowed (TCP and UDP), and one (TCP) that is not. */
unsigned short bench_port(void);
unsigned short bench_closed_port(void);

/* What no mode that enforces allows: 0, or negative errno. */
kt_act bench_act_mkdir, bench_act_connect_closed;

#endif
