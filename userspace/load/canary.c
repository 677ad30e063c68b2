// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * canary.c - the proof that attached programs are asked.
 *
 * With `bpf` missing from the list of security modules everything loads and attaches,
 * and nothing is enforced. Only a refused act proves that the kernel asks.
 */
#include "load/canary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "load/cgroup.h"
#include "load/handle.h"
#include "load/prerequisite.h"
#include "load/subject.h"

/* Acts answer 0 or a positive errno. */
static int act_open(void)
{
	_cleanup_close_ int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? errno : 0;
}

static int act_socket(void)
{
	_cleanup_close_ int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? errno : 0;
}

static const struct {
	const char *text; /* completes "a child that may do nothing could ..." */
	int (*act)(void);
} acts[] = {
	[WARDER_NET_SECOND] = {"create a socket", act_socket},
	[WARDER_NET_GLOBAL] = {"open a directory", act_open},
};

/* The act's answer from inside the scratch cgroup. */
static int try_inside(const char *cgroup, int (*act)(void), int *ret_answer,
		      struct warder_error *reterr)
{
	_cleanup_close_ int cgroup_fd = -1, pidfd = -1;
	int error = warder_cgroup_open(cgroup, &cgroup_fd, reterr);
	pid_t pid;
	int status;

	if (error < 0)
		return error;
	pid = warder_cgroup_fork(cgroup_fd, &pidfd);
	if (pid < 0)
		return warder_error_set(reterr, pid, "cannot start the canary:");
	if (!pid)
		_exit(act());
	if (waitpid(pid, &status, 0) < 0)
		return warder_error_set(reterr, -errno, "cannot wait for the canary:");
	if (!WIFEXITED(status))
		return warder_error_set(reterr, -ECHILD, "the canary was killed by signal %d",
					WTERMSIG(status));
	*ret_answer = WEXITSTATUS(status);
	return 0;
}

/* Attached, and not asked: say what is known about the reason. */
static int not_enforced(const char *text, struct warder_error *reterr)
{
	const struct warder_prerequisite *lsm = warder_prerequisite_find("lsm");
	struct warder_prerequisite_result result = {};
	struct warder_prerequisite_host host;

	warder_prerequisite_host_init(&host);
	lsm->probe(&host, &result);
	warder_error_set(reterr, -EOPNOTSUPP,
			 "attached but not enforced: a child that may do nothing could %s", text);
	if (result.state == WARDER_PREREQUISITE_MISSING)
		return warder_error_add(reterr, -EOPNOTSUPP,
					"`bpf` is not in the list of security modules (%s): %s",
					result.found, result.remedy);
	return warder_error_add(
		reterr, -EOPNOTSUPP,
		"`warder doctor` shows what this kernel can do; please report this");
}

/*
 * A subject of its own, without an image: what it is refused goes to a ring of its own, which
 * goes with it unread. In the ring of the cgroups that nobody bound it would read as an
 * attack, and taken out of there it could take another's event along.
 */
static int try_as_subject(struct warder_session *session, const char *cgroup, int (*act)(void),
			  int *ret_answer, struct warder_error *reterr)
{
	const struct warder_subject_request request = {.name = "canary", .cgroup = cgroup};
	bool kept = session->options.keep_loaded;
	__u64 binding = 0;
	int undone, error = warder_subject_bind(session, &request, &binding, reterr);

	if (error < 0) {
		warder_cgroup_remove(cgroup);
		return error;
	}
	error = try_inside(cgroup, act, ret_answer, reterr);
	/* It is the last subject, in the middle of a load. */
	session->options.keep_loaded = true;
	undone = warder_subject_unbind(session, binding, error < 0 ? NULL : reterr);
	session->options.keep_loaded = kept;
	return error < 0 ? error : undone;
}

int warder_canary_try(struct warder_session *session, enum warder_net net,
		      struct warder_error *reterr)
{
	_cleanup_free_ char *cgroup = NULL;
	int error, answer = 0;

	error = acts[net].act();
	if (error)
		return warder_error_set(
			reterr, -error,
			"the canary's control failed; outside of any sandbox one cannot %s:",
			acts[net].text);
	error = warder_cgroup_create(session->root, "canary", &cgroup, reterr);
	if (!error)
		error = try_as_subject(session, cgroup, acts[net].act, &answer, reterr);
	if (error < 0)
		return error;
	if (!answer)
		return not_enforced(acts[net].text, reterr);
	if (answer != EACCES && answer != EPERM)
		return warder_error_set(
			reterr, -EOPNOTSUPP,
			"the canary could not %s, but not because it was refused: %s",
			acts[net].text, strerror(answer));
	return 0;
}
