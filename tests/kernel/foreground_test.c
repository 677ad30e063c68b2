// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * foreground_test.c - file_ioctl, TIOCSPGRP: the terminal is not taken from a job of somebody
 * else; within a subject it is handed on and taken back, as shells do.
 */
#include "harness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

static const char policy[] =
	"sets: { code: { files: { read: ['/dev/**'], ioctl: ['/dev/**'] } } }\n";

static int terminal = -1;

static int hand_to(pid_t group)
{
	int error = ioctl(terminal, TIOCSPGRP, &group) < 0 ? -errno : 0;

	return !error && tcgetpgrp(terminal) != group ? -EILSEQ : error;
}

/* A process in the background, of its own group. */
static int act_take(const void *unused)
{
	pid_t before = tcgetpgrp(terminal);
	int error;

	if (setpgid(0, 0) < 0)
		return -EBADF;
	error = hand_to(getpid());
	return error && tcgetpgrp(terminal) != before ? -EILSEQ : error;
}

/* Given the terminal, it gives it to a child, and takes it back while it lives and when it died. */
static int act_shell(const void *unused)
{
	volatile int *given = kt_shared();
	pid_t child;
	int error;

	if (setpgid(0, 0) < 0)
		return -EBADF;
	*given = getpid();
	while (*given)
		usleep(1000);
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	if (setpgid(child, child) < 0)
		return -EBADF;
	error = hand_to(child);
	if (!error)
		error = hand_to(getpid());
	if (!error)
		error = hand_to(child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return error ? error : hand_to(getpid());
}

/* A session with a terminal of its own, and a job in its foreground. */
static pid_t open_session(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	pid_t job;

	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	if (master < 0 || unlockpt(master) < 0 || setsid() < 0)
		return -1;
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0)
		return -1;
	job = fork();
	if (!job) {
		pause();
		_exit(0);
	}
	return setpgid(job, job) < 0 || hand_to(job) < 0 ? -1 : job;
}

TEST(foreground)
{
	_cleanup_subject_ struct kt_subject s = {};
	volatile int *given = kt_shared();
	struct kt_child shell;
	pid_t job = open_session();

	if (!kt_check_why("a job in the foreground", job > 0, "%m") ||
	    !kt_subject_open(&s, "code", policy))
		return;
	kt_result("taken from a job of somebody else", kt_inside(&s, act_take, NULL), -EPERM);
	kt_event(&s, "is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_IOCTL,
				    .reason = WARDER_REASON_NOT_MEMBER,
				    .error = -EPERM});
	kt_result("control", kt_outside(&s, act_take, NULL), 0);
	*given = 0;
	if (kt_start(&shell, &s, act_shell, NULL)) {
		while (!*given)
			usleep(1000);
		kt_result("given by its owner", hand_to(*given), 0);
		*given = 0;
		kt_result("handed on and taken back", kt_wait(&shell), 0);
	}
	kill(job, SIGKILL);
	waitpid(job, NULL, 0);
}
