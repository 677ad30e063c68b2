/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * trial.h - one random policy over one random world, and accesses that are tried under it.
 *
 * Everything follows from the seed.
 */
#ifndef WARDER_TESTS_KERNEL_TRIAL_H
#define WARDER_TESTS_KERNEL_TRIAL_H

#include "expect.h"
#include "worker.h"

/* What was tried, over all trials. */
struct tally {
	unsigned long policies, accesses, controls, events, grants;
	unsigned long verdicts[VERDICT_COUNT];
	unsigned long passed[WARDER_HOOK_COUNT], refused[WARDER_HOOK_COUNT]; /* asks by hook */
};

struct trial {
	__u64 seed;
	char *text; /* of the policy, with {DIR} */
	struct kt_subject subject;
	struct world world;
	struct holder holder;
	struct warder_image *image;
	struct worker inside, outside;
	unsigned int differences;
	/* What is tried now. */
	struct access access;
	struct expectation expected;
};

/* Make everything, try `count` accesses, take it down again. False: there was a difference. */
bool trial_run(__u64 seed, unsigned int count, struct tally *tally);

/* A difference: printed with seed, access, verdicts, events and policy, and counted. */
void trial_differs(struct trial *trial, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
