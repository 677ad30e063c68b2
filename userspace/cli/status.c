// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * status.c - a subject with all that is known about it, for whoever shows it.
 */
#include "cli/status.h"

#include <errno.h>
#include <stdlib.h>

#include "audit/explain.h"
#include "base/duration.h"
#include "load/cgroup.h"

static bool has_pid(const struct warder_status *status, __u32 pid)
{
	size_t i;

	for (i = 0; i < status->pid_count; i++) {
		if (status->pids[i] == (pid_t)pid)
			return true;
	}
	return false;
}

/* The subject's members without those in its cgroup. */
static void find_outside(const struct warder_session *session, struct warder_status *status)
{
	size_t count = 0, i;

	if (warder_member_list(session, status->subject->binding, &status->outside, &count) < 0)
		return;
	status->outside_known = true;
	for (i = 0; i < count; i++) {
		if (!has_pid(status, status->outside[i].pid))
			status->outside[status->outside_count++] = status->outside[i];
	}
}

static enum warder_status_state find_state(const struct warder_status *status, bool pids_known)
{
	if (warder_subject_has_runner(status->subject))
		return WARDER_STATUS_RUNNING;
	if (status->pid_count || status->outside_count)
		return WARDER_STATUS_ORPHANED;
	return pids_known && status->outside_known ? WARDER_STATUS_ENDED : WARDER_STATUS_UNKNOWN;
}

void warder_status_read(const struct warder_session *session, const struct warder_subject *subject,
			struct warder_status *ret_status)
{
	struct warder_status status = {.subject = subject, .now = warder_boottime()};
	int error = warder_subject_cgroup(session, subject, &status.cgroup);

	if (!error)
		error = warder_cgroup_pids(status.cgroup, &status.pids, &status.pid_count);
	warder_policy_recall(subject->generation, &status.policy, NULL);
	find_outside(session, &status);
	warder_subject_stats(session, subject->binding, &status.stats);
	status.state = find_state(&status, !error || error == -ENOENT);
	*ret_status = status;
}

void warder_status_release(struct warder_status *status)
{
	warder_policy_free(&status->policy);
	free(status->cgroup);
	free(status->pids);
	free(status->outside);
}

const char *warder_status_name(enum warder_status_state state)
{
	static const char *const names[] = {
		[WARDER_STATUS_RUNNING] = "running",
		[WARDER_STATUS_ORPHANED] = "no runner",
		[WARDER_STATUS_ENDED] = "ended",
		[WARDER_STATUS_UNKNOWN] = "unknown",
	};

	return names[state];
}
