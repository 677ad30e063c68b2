// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * run.c - one command as a subject, from the policy to the summary.
 *
 * The lock is held from the opening of the session until the subject is bound: in
 * between, no other process can unload what this one is about to use.
 */
#include "run/run.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "audit/log.h"
#include "audit/orphan.h"
#include "audit/ring.h"
#include "base/cleanup.h"
#include "load/cgroup.h"
#include "load/subject.h"
#include "run/kill.h"
#include "run/launch.h"
#include "run/limit.h"
#include "run/obstacle.h"
#include "run/supervise.h"

/* One run on its way; what is set has to be undone. */
struct run {
	const struct warder_run_request *request;
	struct warder_session *session;
	char *cgroup;
	__u64 binding;
	struct warder_image_ref image;
	struct warder_ring *ring;
	struct warder_narrator narrator;
	int signal_fd;
};

static int make_cgroup(struct run *run, struct warder_error *reterr)
{
	struct warder_state state;
	char name[64];
	int error = warder_session_state(run->session, &state);

	if (error < 0)
		return error;
	/* The serial the subject is about to get: no two live cgroups share it. */
	snprintf(name, sizeof(name), "%.40s-%llu",
		 run->request->policy->sets[run->request->set].name, state.next_serial);
	return warder_cgroup_create(warder_session_cgroup(run->session), name, &run->cgroup,
				    reterr);
}

/* Before anything runs in it. */
static int set_limits(struct run *run, struct warder_error *reterr)
{
	const struct warder_set *set = &run->request->policy->sets[run->request->set];
	int error = warder_limit_set(warder_session_cgroup(run->session), run->cgroup, &set->limits,
				     reterr);

	return error < 0 ? warder_error_wrap(reterr, error, "set \"%s\"", set->name) : 0;
}

static int bind_subject(struct run *run, struct warder_error *reterr)
{
	const struct warder_run_request *request = run->request;
	const struct warder_policy *policy = request->policy;
	struct warder_subject_request subject = {
		.name = request->name,
		.policy = policy->instance,
		.set = policy->sets[request->set].name,
		.cgroup = run->cgroup,
		.image = &run->image,
		.base = warder_policy_keyring(policy, request->set),
		.separate = policy->sets[request->set].separate,
		.kill = policy->sets[request->set].kill,
	};
	struct warder_subject parent;
	int error;

	if (request->parent) {
		error = warder_subject_find_whole(run->session, request->parent, &parent, reterr);
		if (error < 0)
			return error;
		subject.parent = parent.binding;
	}
	return warder_subject_bind(run->session, &subject, &run->binding, reterr);
}

static int open_ring(struct run *run, struct warder_error *reterr)
{
	int error;

	run->narrator = (struct warder_narrator){
		.session = run->session,
		.policy = run->request->policy,
		.log = true,
	};
	error = warder_subject_read(run->session, run->binding, &run->narrator.subject);
	if (!error)
		error = warder_summary_new(&run->narrator.summary);
	if (!error)
		error = warder_ring_open(run->session, run->binding, warder_narrator_tell,
					 &run->narrator, &run->ring);
	return error < 0 ? warder_error_set(reterr, error, "cannot read the event ring:") : 0;
}

static int log_deed(const struct run *run, const char *type, const struct warder_stats *stats,
		    struct warder_error *reterr)
{
	struct warder_deed deed = {
		.type = type,
		.subject = &run->narrator.subject,
		.command = run->request->arguments[0],
		.stats = stats,
	};
	int error = warder_log_deed(&deed);

	return error < 0 ? warder_error_set(reterr, error,
					    "cannot write the audit log \"" WARDER_LOG_PATH "\":")
			 : 0;
}

/* Images tell keys by number; the text behind an image gives them their names and lines. */
static int keep_policy(struct run *run, struct warder_error *reterr)
{
	const struct warder_policy *policy = run->request->policy;
	int error = warder_policy_keep(run->image.generation, policy);

	if (error == -EEXIST) {
		warder_image_conflict(run->session, policy->instance,
				      "with the same rules but other names or lines", reterr);
		return warder_error_wrap(reterr, error, "%s", policy->source.name);
	}
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot keep the policy below \"" WARDER_RUN_DIR "\":");
	return 0;
}

static int set_up(struct run *run, struct warder_error *reterr)
{
	struct warder_session_options options = {.hold_lock = true};
	const struct warder_policy *policy = run->request->policy;
	int error;

	/* Nobody loads what was read for `check`. */
	if (policy->unenforced)
		return warder_error_set(reterr, -EOPNOTSUPP,
					"policy \"%s\" needs what this version does not enforce",
					policy->name);
	error = warder_session_open(&options, &run->session, reterr);
	/* What dead subjects were refused is still in their rings, which go with them. */
	if (!error)
		warder_orphans_drain(run->session);
	if (!error)
		error = warder_session_reap(run->session, NULL, reterr);
	/* Before: after a reload, generations begin anew, and what is kept is of earlier ones. */
	if (!error)
		warder_policy_sweep(run->session);
	if (!error)
		error = warder_image_install(run->session, run->request->image, policy->instance,
					     policy->source.name, &run->image, reterr);
	if (!error)
		error = keep_policy(run, reterr);
	if (!error)
		error = make_cgroup(run, reterr);
	if (!error)
		error = set_limits(run, reterr);
	if (!error)
		error = bind_subject(run, reterr);
	if (!error)
		error = open_ring(run, reterr);
	if (!error)
		error = log_deed(run, "bind", NULL, reterr);
	if (run->session)
		warder_session_unlock(run->session);
	return error;
}

/* Remove the image, and the kept policies of all that are gone. */
static void drop_image(struct run *run)
{
	/* -ESTALE: the unbind unloaded everything, the image too. */
	if (warder_image_release(run->session, &run->image) == -ESTALE)
		warder_policy_sweep(NULL);
	else
		warder_policy_sweep(run->session);
}

/* Undo, under one lock: whoever loads next must not find our leftovers, nor lose its own. */
static int clean_up(struct run *run, struct warder_error *reterr)
{
	int error;

	if (!run->session)
		return 0;
	error = warder_session_lock(run->session, reterr);
	if (error < 0)
		return error;
	if (run->binding)
		error = warder_subject_unbind(run->session, run->binding, reterr);
	else if (run->cgroup)
		warder_cgroup_remove(run->cgroup);
	if (run->image.generation)
		drop_image(run);
	if (!run->binding)
		warder_session_unload_idle(run->session);
	warder_session_unlock(run->session);
	return error;
}

static const char *path_of(char *const *environment)
{
	for (; *environment; environment++) {
		if (!strncmp(*environment, "PATH=", 5))
			return *environment + 5;
	}
	return NULL;
}

/* The policy, when the child met a refusal; else what else stood in the way. */
static void explain_exec_failure(const struct run *run, const struct warder_child *child,
				 char *const *environment, struct warder_run_result *result)
{
	const char *act, *object;

	result->exec_error = child->exec_error;
	if (!child->exec_error)
		return;
	result->refused = warder_summary_last(run->narrator.summary, child->pid, &act, &object) !=
			  NULL;
	if (!result->refused)
		warder_obstacle_find(run->request->arguments[0], path_of(environment),
				     run->request->user, child->exec_error, result->obstacle,
				     sizeof(result->obstacle));
}

static int kill_leftovers(const struct run *run, struct warder_error *reterr)
{
	const struct warder_subject *subject = &run->narrator.subject;
	int error = warder_kill_processes(run->session, subject, reterr);

	if (error < 0)
		warder_error_add(
			reterr, error,
			"subject \"%s\" stays bound and confined (`warder ps`); `warder kill "
			"%s` tries again, and the next `warder run` after its processes "
			"have ended removes it",
			subject->name, subject->name);
	return error;
}

/* Of the command: the user's own, and what the set lets through of that. */
static int build_environment(const struct warder_run_request *request, char ***ret_environment)
{
	_cleanup_free_ char **users = NULL;
	int error = request->user ? warder_user_environment(request->user, environ, &users) : 0;

	if (error < 0)
		return error;
	return warder_env_build(request->policy, request->set, users ? users : environ,
				ret_environment);
}

static int start_and_wait(struct run *run, struct warder_run_result *result,
			  struct warder_error *reterr)
{
	const struct warder_run_request *request = run->request;
	_cleanup_free_ char **environment = NULL;
	struct warder_launch launch = {
		.cgroup = run->cgroup,
		.arguments = request->arguments,
		.user = request->user,
		.policy = request->policy,
		.set = request->set,
	};
	struct warder_child child;
	int killed, error = build_environment(request, &environment);

	launch.environment = environment;
	if (!error)
		error = warder_launch(&launch, &child, reterr);
	if (error < 0)
		return error;
	error = warder_supervise(&child, run->signal_fd, run->ring, &result->code, reterr);
	close(child.pidfd);
	killed = kill_leftovers(run, error < 0 ? NULL : reterr);
	if (!error)
		error = killed;
	warder_ring_drain(run->ring);
	explain_exec_failure(run, &child, environment, result);
	warder_subject_stats(run->session, run->binding, &result->stats);
	return error;
}

static void run_release(struct run *run)
{
	warder_summary_free(&run->narrator.summary);
	warder_narrator_release(&run->narrator);
	warder_ring_close(&run->ring);
	warder_session_close(&run->session);
	warder_cleanup_close(&run->signal_fd);
	free(run->cgroup);
}

int warder_run(const struct warder_run_request *request, struct warder_run_result *ret_result,
	       struct warder_error *reterr)
{
	struct run run = {.request = request, .signal_fd = -1};
	struct warder_run_result result = {};
	struct warder_error later = {};
	int error, undone;

	error = warder_supervise_prepare(&run.signal_fd);
	if (!error)
		error = set_up(&run, reterr);
	if (!error)
		error = start_and_wait(&run, &result, reterr);
	undone = clean_up(&run, &later);
	if (run.binding && !undone)
		log_deed(&run, "unbind", &result.stats, NULL);
	if (!error && undone < 0) {
		error = undone;
		if (reterr)
			*reterr = later;
	}
	result.summary = TAKE_PTR(run.narrator.summary);
	result.log_failures = run.narrator.log_failures;
	*ret_result = result;
	run_release(&run);
	return error;
}
