/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * lend.h - what `grant` and `revoke` share: who, which tool, and the record of it.
 */
#ifndef WARDER_CLI_LEND_H
#define WARDER_CLI_LEND_H

#include "audit/explain.h"
#include "load/subject.h"

/* A subject and one of its policy's tools. */
struct warder_loan {
	struct warder_session *session;
	struct warder_subject subject;
	struct warder_policy *policy;
	unsigned int key;
};

/* Look both up. The lock is held until warder_loan_close(). */
int warder_loan_open(const char *subject, const char *tool, struct warder_loan *ret_loan,
		     struct warder_error *reterr);
void warder_loan_close(struct warder_loan *loan);

/* "2 subjects, reason" checks: NULL, or what is wrong with the reason. */
const char *warder_loan_reason_fault(const char *reason);

#define _cleanup_loan_ __attribute__((cleanup(warder_loan_close)))

#endif
