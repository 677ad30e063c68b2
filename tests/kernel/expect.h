/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * expect.h - what an access has to come to: verdict, errno, and every event with its rule.
 */
#ifndef WARDER_TESTS_KERNEL_EXPECT_H
#define WARDER_TESTS_KERNEL_EXPECT_H

#include "audit/explain.h"
#include "finding.h"

enum verdict {
	VERDICT_ALLOWED,
	VERDICT_DENIED,	  /* by a rule: files.deny, syscalls.deny */
	VERDICT_NO_RULE,  /* no rule of a held key gives it */
	VERDICT_RESERVED, /* it belongs to a tool that is not held */
	VERDICT_WIDENS,	  /* a name with more rights */
	VERDICT_COUNT,
};

const char *verdict_name(enum verdict verdict);

struct expected_event {
	const struct ask *ask; /* the last one of the pass */
	int reason, error;
	__u32 missing;
	__u64 keys;
	char rule[WARDER_RULE_TEXT_MAX]; /* as the event log shows it */
};

struct expectation {
	enum verdict verdict;
	int error; /* what a refused call answers; 0 */
	struct asks asks;
	size_t passed; /* asks before the one that is refused; all of them */
	struct expected_event events[ASKS_MAX];
	size_t event_count;
};

/* `access` has to stay where it is as long as the expectation is used. */
void expect(struct holder *holder, const struct world *world, const struct access *access,
	    struct expectation *ret);

/*
 * A file without a name gets one from the kernel, a number. Completes the access by what was
 * answered, or else by what the event says. True when there was something to complete.
 */
bool expect_settle(struct access *access, int result, const struct kt_event_record *event);

/* Is the event the expected one, with the rule that the event log would show? */
bool expect_event(struct holder *holder, const struct access *access,
		  const struct expected_event *expected, const struct kt_event_record *record);

/* For people: verdict and rule of every event. */
void expect_print(const struct expectation *e, FILE *out);

#endif
