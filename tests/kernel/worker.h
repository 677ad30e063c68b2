/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * worker.h - a process that does accesses one after the other, inside a subject or outside.
 *
 * A child for each access (kt_inside) would take most of the time of thousands of them.
 */
#ifndef WARDER_TESTS_KERNEL_WORKER_H
#define WARDER_TESTS_KERNEL_WORKER_H

#include "access.h"

struct worker {
	struct kt_child child;
	const char *dir;
	int orders[2], answers[2]; /* pipes */
};

/* Start one that works in `dir`; `s` may be NULL: outside. A failure is counted. */
bool worker_start(struct worker *worker, struct kt_subject *s, const char *dir);

/* Do it; the result, or KT_HUNG. One worker at a time: they share the memory of kt_shared(). */
int worker_do(struct worker *worker, const struct access *access);

/* Accepts a zeroed one. */
void worker_stop(struct worker *worker);

#endif
