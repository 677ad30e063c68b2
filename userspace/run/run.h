/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * run.h - one command as a subject, from the policy to the summary.
 */
#ifndef WARDER_RUN_RUN_H
#define WARDER_RUN_RUN_H

#include "audit/narrator.h"
#include "policy/policy.h"
#include "run/user.h"
#include "warder/image.h"

struct warder_run_request {
	const struct warder_policy *policy;
	const struct warder_image *image;
	unsigned int set;
	const char *name;		/* of the subject; NULL: made up */
	const char *parent;		/* the subject it is started for, whole name; NULL: none */
	const struct warder_user *user; /* NULL: the caller's */
	char *const *arguments;
};

struct warder_run_result {
	int code;	     /* the command's exit status, 128 + signal, or 126/127 */
	int exec_error;	     /* errno when the command could not be started; 0 */
	bool refused;	     /* the command met a refusal of the policy on its way to that */
	char obstacle[1024]; /* what else kept it from being started; "" when it is not known */
	struct warder_stats stats;
	struct warder_summary *summary; /* to be freed by the caller, also when it is empty */
	unsigned int log_failures;	/* records that could not be appended to the audit log */
};

/*
 * Run it. On failure nothing is left behind: no cgroup, no subject, no image, and no
 * programs when nobody else uses them. A failure after the command has run is reported
 * too, with *ret_result filled.
 */
int warder_run(const struct warder_run_request *request, struct warder_run_result *ret_result,
	       struct warder_error *reterr);

#endif
