/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * status.h - a subject with all that is known about it, for whoever shows it.
 */
#ifndef WARDER_CLI_STATUS_H
#define WARDER_CLI_STATUS_H

#include "load/member.h"
#include "load/subject.h"
#include "policy/policy.h"

enum warder_status_state {
	WARDER_STATUS_RUNNING,	/* its `warder run` lives */
	WARDER_STATUS_ORPHANED, /* that was killed; processes of it live, and stay confined */
	WARDER_STATUS_ENDED,	/* nor do they; the next `warder run` cleans it up */
	WARDER_STATUS_UNKNOWN,	/* that was killed, and whether any lives cannot be told */
};

struct warder_status {
	const struct warder_subject *subject;
	struct warder_policy *policy; /* NULL: its copy is gone */
	char *cgroup;		      /* NULL: it is gone */
	pid_t *pids;		      /* in the cgroup */
	size_t pid_count;
	struct warder_member *outside; /* moved out of the cgroup; the label holds them */
	size_t outside_count;
	bool outside_known;
	struct warder_stats stats;
	enum warder_status_state state;
	__u64 now; /* when it was looked at, CLOCK_BOOTTIME ns */
};

/* Look at a subject, which must outlive the status. */
void warder_status_read(const struct warder_session *session, const struct warder_subject *subject,
			struct warder_status *ret_status);
void warder_status_release(struct warder_status *status);

/* In a word or two: "running". */
const char *warder_status_name(enum warder_status_state state);

#endif
