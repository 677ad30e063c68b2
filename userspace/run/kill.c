// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * kill.c - end a subject: kill all its processes, and unbind it.
 *
 * The lock is held while processes are killed: no cgroup of that path can become somebody
 * else's meanwhile. It is not held while a runner is waited for, which needs it.
 */
#include "run/kill.h"

#include <errno.h>
#include <time.h>

#include "audit/explain.h"
#include "audit/log.h"
#include "audit/orphan.h"
#include "base/cleanup.h"
#include "load/cgroup.h"
#include "load/member.h"

/* How long processes may take to die, and then their runner to clean up. */
#define KILL_MILLISECONDS   10000
#define RUNNER_MILLISECONDS 10000
#define PAUSE_MILLISECONDS  50

static int kill_one(const struct warder_session *session, const struct warder_subject *subject,
		    struct warder_error *reterr)
{
	_cleanup_free_ char *cgroup = NULL;
	int error = warder_subject_cgroup(session, subject, &cgroup);

	if (!error)
		error = warder_cgroup_kill(cgroup, KILL_MILLISECONDS, reterr);
	else if (error == -ENOENT)
		error = 0;
	else
		warder_error_set(reterr, error,
				 "cannot find the cgroup of subject \"%s\":", subject->name);
	/* Also when that failed: these may die. */
	if (!error)
		return warder_member_kill(session, subject->binding, KILL_MILLISECONDS, reterr);
	warder_member_kill(session, subject->binding, 0, NULL);
	return error;
}

/* First itself, which may start more of what is nested in it; then that. */
int warder_kill_processes(const struct warder_session *session,
			  const struct warder_subject *subject, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0, i;
	int error = kill_one(session, subject, reterr), result = error;

	error = warder_subject_list(session, &list, &count);
	for (i = 0; i < count && !error; i++) {
		if (!warder_subject_is_below(&list[i], subject->binding))
			continue;
		error = kill_one(session, &list[i], result ? NULL : reterr);
		result = result ? result : error;
		error = 0;
	}
	if (error < 0 && !result)
		result = warder_error_set(reterr, error, "cannot list the subjects:");
	return result;
}

static int record(const char *type, const struct warder_subject *subject, const char *reason)
{
	const struct warder_deed deed = {.type = type, .subject = subject, .reason = reason};

	return warder_log_deed(&deed);
}

/* The kept policies of what is not loaded any more. */
static void sweep(struct warder_session *session)
{
	int error = warder_session_lock(session, NULL);

	/* -ESTALE: that was the last subject, and everything was unloaded. */
	if (error == -ESTALE)
		warder_policy_sweep(NULL);
	if (error < 0)
		return;
	warder_policy_sweep(session);
	warder_session_unlock(session);
}

/* What its runner would have done, with all processes dead. */
static int clean_up(struct warder_session *session, const struct warder_subject *subject,
		    struct warder_error *reterr)
{
	int error;

	/* What it was refused is still in the ring, which goes with it. */
	warder_orphans_drain(session);
	error = warder_subject_unbind(session, subject->binding, reterr);
	if (error < 0)
		return error;
	record("unbind", subject, NULL);
	sweep(session);
	return 0;
}

/* One try, under the lock: 1 it is ended, 0 its runner has yet to clean up. */
static int try_once(struct warder_session *session, const struct warder_subject *subject,
		    struct warder_error *reterr)
{
	struct warder_subject now;
	int error = warder_subject_read(session, subject->binding, &now);

	if (error == -ESRCH)
		return 1;
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot read subject \"%s\":", subject->name);
	/* Each time: its runner may have been about to start something. */
	error = warder_kill_processes(session, subject, reterr);
	if (error < 0 || warder_subject_has_runner(subject))
		return error;
	error = clean_up(session, subject, reterr);
	return error < 0 ? error : 1;
}

static int end_subject(struct warder_session *session, const struct warder_subject *subject,
		       struct warder_error *reterr)
{
	const struct timespec pause = {.tv_nsec = PAUSE_MILLISECONDS * 1000000};
	unsigned int waited;
	int error;

	for (waited = 0; waited < RUNNER_MILLISECONDS; waited += PAUSE_MILLISECONDS) {
		error = warder_session_lock(session, reterr);
		/* Its runner has unloaded everything. */
		if (error == -ESTALE)
			return 0;
		if (error < 0)
			return error;
		error = try_once(session, subject, reterr);
		warder_session_unlock(session);
		if (error)
			return error < 0 ? error : 0;
		nanosleep(&pause, NULL);
	}
	return warder_error_set(
		reterr, -ETIMEDOUT,
		"the processes of subject \"%s\" are dead, but its runner, process %u, "
		"does not clean up (is it stopped? `kill -CONT %u`)",
		subject->name, subject->runner, subject->runner);
}

int warder_kill(const char *name, const char *reason, bool *ret_recorded,
		struct warder_error *reterr)
{
	struct warder_session_options adopt = {.adopt_only = true};
	_cleanup_session_ struct warder_session *session = NULL;
	struct warder_subject subject;
	int error = warder_session_open(&adopt, &session, reterr);

	if (!error)
		error = warder_subject_find_whole(session, name, &subject, reterr);
	if (error < 0)
		return error;
	/* A full disk must not keep hostile code alive. */
	*ret_recorded = record("kill", &subject, reason) == 0;
	return end_subject(session, &subject, reterr);
}
