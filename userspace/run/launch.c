// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * launch.c - start a program inside a cgroup that is a subject already, with no window.
 *
 * Two pipes: over `report` the child says that it is ready, and, when it could not exec,
 * why; a successful exec closes it. Over `gate` the parent lets it go; when the parent
 * dies first the child reads the end of the pipe and exits.
 */
#include "run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "load/cgroup.h"
#include "run/filter.h"

/* Where the child's ends of the pipes are; everything above is closed. */
#define REPORT_FD    3
#define GATE_FD	     4
#define FIRST_CLOSED 5

#define READY 'r'

/* What is on its way to being a child. */
struct start {
	const struct warder_launch *launch;
	struct warder_filter filter;
	int report[2], gate[2]; /* read, write */
};

static void start_release(struct start *start)
{
	int *ends[] = {&start->report[0], &start->report[1], &start->gate[0], &start->gate[1]};
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		warder_cleanup_close(ends[i]);
	warder_filter_release(&start->filter);
}

/* A pipe whose ends lie above what the child closes and moves. */
static int make_pipe(int pipe_fd[2])
{
	int raw[2], i;

	if (pipe2(raw, O_CLOEXEC) < 0)
		return -errno;
	for (i = 0; i < 2; i++) {
		pipe_fd[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, FIRST_CLOSED);
		close(raw[i]);
	}
	return pipe_fd[0] < 0 || pipe_fd[1] < 0 ? -EMFILE : 0;
}

/*
 * Signals as the command expects them: nothing blocked. Handlers are reset by exec, and
 * what the caller ignores (nohup) stays ignored.
 */
static void unblock_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Errors of the child are the number; its parent writes the sentence. */
static int shed(const struct start *start)
{
	int error;

	if (dup3(start->report[1], REPORT_FD, O_CLOEXEC) < 0 ||
	    dup3(start->gate[0], GATE_FD, O_CLOEXEC) < 0)
		return -errno;
	if (syscall(SYS_close_range, FIRST_CLOSED, ~0u, 0) < 0)
		return -errno;
	unblock_signals();
	error = start->launch->user ? warder_user_become(start->launch->user) : 0;
	if (!error && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		error = -errno;
	return error < 0 ? error : warder_filter_install(&start->filter);
}

static void wait_for_gate(void)
{
	const char ready = READY;
	char go;

	if (write(REPORT_FD, &ready, 1) != 1 || read(GATE_FD, &go, 1) != 1)
		_exit(125);
}

__attribute__((noreturn)) static void child_main(const struct start *start)
{
	int error = shed(start);

	if (!error) {
		wait_for_gate();
		/* The search for the program is the subject's own, along its own PATH. */
		environ = (char **)start->launch->environment;
		execvp(start->launch->arguments[0], start->launch->arguments);
		error = -errno;
	}
	/* The number without the ready byte says that it never got to the gate. */
	if (write(REPORT_FD, &error, sizeof(error)) < 0)
		_exit(125);
	_exit(error == -ENOENT ? 127 : 126);
}

/* With a user: an ordinary fork, outside. Else: born inside. */
static pid_t start_child(const struct start *start, int *ret_pidfd, struct warder_error *reterr)
{
	_cleanup_close_ int cgroup_fd = -1;
	pid_t pid;
	int error;

	if (start->launch->user) {
		pid = fork();
		if (pid < 0)
			return warder_error_set(reterr, -errno, "cannot fork:");
		if (pid)
			*ret_pidfd = syscall(SYS_pidfd_open, pid, 0);
		return pid;
	}
	error = warder_cgroup_open(start->launch->cgroup, &cgroup_fd, reterr);
	if (error < 0)
		return error;
	pid = warder_cgroup_fork(cgroup_fd, ret_pidfd);
	if (pid < 0)
		warder_error_set(reterr, pid,
				 "cannot start a process in \"%s\":", start->launch->cgroup);
	return pid;
}

/* Wait until the child is ready, put it where it belongs, and open the gate. */
static int let_go(const struct start *start, pid_t pid, struct warder_error *reterr)
{
	int error = -ECHILD;
	char ready;

	if (read(start->report[0], &ready, 1) != 1)
		return warder_error_set(reterr, -ECHILD, "the child died before it was ready");
	if (ready != READY) {
		/* The first byte of an error number. */
		memcpy(&error, &ready, 1);
		if (read(start->report[0], (char *)&error + 1, sizeof(error) - 1) !=
		    sizeof(error) - 1)
			error = -ECHILD;
		return warder_error_set(reterr, error, "the child could not prepare itself:");
	}
	if (start->launch->user) {
		error = warder_cgroup_enter(start->launch->cgroup, pid, reterr);
		if (error < 0)
			return error;
	}
	if (write(start->gate[1], "g", 1) != 1)
		return warder_error_set(reterr, -EPIPE, "the child died behind the gate");
	return 0;
}

/* Closed without a word when the program runs. */
static int read_exec_error(int fd)
{
	ssize_t got;
	int error;

	do {
		got = read(fd, &error, sizeof(error));
	} while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? -error : 0;
}

static int launch(struct start *start, struct warder_child *ret_child, struct warder_error *reterr)
{
	_cleanup_close_ int pidfd = -1;
	pid_t pid;
	int error = make_pipe(start->report);

	if (!error)
		error = make_pipe(start->gate);
	if (!error)
		error = warder_filter_build(start->launch->policy, start->launch->set,
					    &start->filter);
	if (error < 0)
		return warder_error_set(reterr, error, "cannot prepare the start:");
	pid = start_child(start, &pidfd, reterr);
	if (pid < 0)
		return pid;
	if (!pid)
		child_main(start);
	close(TAKE_FD(start->report[1]));
	close(TAKE_FD(start->gate[0]));
	error = let_go(start, pid, reterr);
	if (error < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return error;
	}
	*ret_child = (struct warder_child){
		.pid = pid,
		.pidfd = TAKE_FD(pidfd),
		.exec_error = read_exec_error(start->report[0]),
	};
	return 0;
}

int warder_launch(const struct warder_launch *request, struct warder_child *ret_child,
		  struct warder_error *reterr)
{
	struct start start = {.launch = request, .report = {-1, -1}, .gate = {-1, -1}};
	int error = launch(&start, ret_child, reterr);

	start_release(&start);
	return error;
}
