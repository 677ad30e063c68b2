/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * empty.h - attach empty programs where warder's would be: the same hooks of the kernel, and the
 * same second net at a cgroup in which nobody lives.
 */
#ifndef WARDER_BENCH_EMPTY_H
#define WARDER_BENCH_EMPTY_H

#include <linux/types.h>
#include <stdbool.h>

struct bench_empty;

/*
 * Load and attach; with `costly` one of them, on file_open, is not quite empty. Hooks that this
 * kernel lacks are left out. 0 or negative errno.
 */
int bench_empty_open(bool costly, struct bench_empty **ret_empty);

/* Take them off; accepts *empty == NULL. */
void bench_empty_close(struct bench_empty **empty);

/* Runs of program `name` while `act` runs, or negative errno. They are not counted otherwise. */
long long bench_empty_runs(const struct bench_empty *empty, const char *name, void (*act)(void));

#endif
