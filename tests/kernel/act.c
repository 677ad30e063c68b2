// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * act.c - run a C function in a child, inside a subject or outside, and bring its result home.
 */
#include "harness.h"

#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int *result_cell(void)
{
	int *cell = mmap(NULL, sizeof(*cell), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			 -1, 0);

	if (cell == MAP_FAILED)
		abort();
	return cell;
}

/* The child's whole life. */
static _Noreturn void run_act(const char *dir, int *cell, kt_act *act, const void *argument)
{
	int result = -ENOTRECOVERABLE;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	if (!dir || !chdir(dir))
		result = act(argument);
	*cell = result;
	_exit(0);
}

bool kt_start(struct kt_child *child, struct kt_subject *s, kt_act *act, const void *argument)
{
	fflush(stdout);
	child->result = result_cell();
	child->pidfd = -1;
	if (s) {
		child->pid = warder_cgroup_fork(s->cgroup_fd, &child->pidfd);
	} else {
		child->pid = fork();
		if (child->pid > 0)
			child->pidfd = syscall(SYS_pidfd_open, child->pid, 0);
	}
	if (!child->pid)
		run_act(s ? s->dir : NULL, child->result, act, argument);
	return child->pid > 0 ||
	       kt_check_why("child starts", false, "%s", strerrorname_np(-child->pid));
}

int kt_wait(struct kt_child *child)
{
	struct pollfd end = {.fd = child->pidfd, .events = POLLIN};
	int status = 0, result;

	if (child->pid <= 0)
		return -ECHILD;
	result = poll(&end, 1, KT_SECONDS * 1000) == 1 ? 0 : KT_HUNG;
	if (result)
		kill(child->pid, SIGKILL);
	waitpid(child->pid, &status, 0);
	if (!result)
		result = WIFSIGNALED(status) ? KT_CRASHED - WTERMSIG(status) : *child->result;
	close(child->pidfd);
	munmap(child->result, sizeof(*child->result));
	return result;
}

int kt_inside(struct kt_subject *s, kt_act *act, const void *argument)
{
	struct kt_child child;

	return kt_start(&child, s, act, argument) ? kt_wait(&child) : -ECHILD;
}

/*
 * What a gated child needs: it changes its user (a subject could not), says so, and waits
 * until it is in its place.
 */
struct gated {
	const char *dir;
	uid_t uid;
	int ready, gate;
	kt_act *act;
	const void *argument;
};

static int run_gated(const void *argument)
{
	const struct gated *gated = argument;
	char byte;

	if (gated->uid && (setgroups(0, NULL) || setresgid(gated->uid, gated->uid, gated->uid) ||
			   setresuid(gated->uid, gated->uid, gated->uid)))
		return -errno;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (gated->gate >= 0 &&
	    (write(gated->ready, "", 1) != 1 || read(gated->gate, &byte, 1) != 1))
		return -ENOTRECOVERABLE;
	return chdir(gated->dir) < 0 ? -errno : gated->act(gated->argument);
}

int kt_outside(struct kt_subject *s, kt_act *act, const void *argument)
{
	return kt_outside_as(s, 0, act, argument);
}

int kt_outside_as(struct kt_subject *s, uid_t uid, kt_act *act, const void *argument)
{
	struct gated gated = {s->dir, uid, -1, -1, act, argument};
	struct kt_child child;

	return kt_start(&child, NULL, run_gated, &gated) ? kt_wait(&child) : -ECHILD;
}

int kt_inside_as(struct kt_subject *s, uid_t uid, kt_act *act, const void *argument)
{
	struct gated gated = {s->dir, uid, -1, -1, act, argument};
	struct warder_error error = {};
	struct kt_child child;
	int ready[2], gate[2], result;
	char byte;

	if (pipe2(ready, O_CLOEXEC) < 0 || pipe2(gate, O_CLOEXEC) < 0)
		return -errno;
	gated.ready = ready[1];
	gated.gate = gate[0];
	if (!kt_start(&child, NULL, run_gated, &gated))
		return -ECHILD;
	close(ready[1]);
	/* No byte: the child failed, and its result says at what. */
	if (read(ready[0], &byte, 1) == 1) {
		result = warder_cgroup_enter(s->cgroup, child.pid, &error);
		if (result < 0)
			kt_check_why("child is moved", false, "%s", error.text);
		if (!result && write(gate[1], "", 1) != 1)
			result = -errno;
	}
	close(ready[0]);
	close(gate[1]);
	close(gate[0]);
	return kt_wait(&child);
}
