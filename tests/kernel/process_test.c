// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * process_test.c - ptrace_access_check, ptrace_traceme, task_kill and their kin: a subject
 * reads, traces, signals and reprioritises its own members only.
 */
#include "victim.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static const char policy[] = "sets: { code: { files: { read: ['/proc/**'] } } }\n";

struct deed {
	const char *name;
	kt_act *act;
	int outside_victim; /* result of a member that acts on somebody outside */
	int hook;	    /* of the event; -1: do not look */
	int signals;	    /* that the victim gets when it is allowed */
};

#define TRACE(name, act, error)                                      \
	{                                                            \
		name, act, error, WARDER_HOOK_PTRACE_ACCESS_CHECK, 0 \
	}
#define SIGNAL(name, act)                                   \
	{                                                   \
		name, act, -EPERM, WARDER_HOOK_TASK_KILL, 1 \
	}

static const struct deed deeds[] = {
	TRACE("attach", act_attach, -EPERM),
	TRACE("seize", act_seize, -EPERM),
	TRACE("read memory", act_read_memory, -EPERM),
	TRACE("write memory", act_write_memory, -EPERM),
	TRACE("take a descriptor", act_take_fd, -EPERM),
	TRACE("compare", act_compare, -EPERM),
	{"/proc/PID/mem", act_proc_mem, -EACCES, -1, 0},
	{"/proc/PID/environ", act_proc_environ, -EACCES, -1, 0},
	{"/proc/PID/maps", act_proc_maps, -EACCES, -1, 0},
	{"/proc/PID/fd", act_proc_fd, -EACCES, -1, 0},
	{"/proc/PID/exe", act_proc_exe, -EACCES, -1, 0},
	{"signal 0", act_kill_nothing, -EPERM, WARDER_HOOK_TASK_KILL, 0},
	SIGNAL("kill", act_kill),
	SIGNAL("tgkill", act_kill_thread),
	SIGNAL("sigqueue", act_queue_signal),
	SIGNAL("signal by pidfd", act_kill_pidfd),
	SIGNAL("signal to its group", act_kill_group),
	{"signal by input", act_own_signal, -EPERM, WARDER_HOOK_FILE_FCNTL, 1},
	{"signal by input, F_SETOWN_EX", act_own_signal_ex, -EPERM, -1, 1},
	{"signal by input, ioctl", act_own_signal_ioctl, -EPERM, -1, 1},
	{"signal by input, ioctl of i386", act_own_signal_ioctl_i386, -EPERM, -1, 1},
	{"limit", act_limit, -EPERM, WARDER_HOOK_TASK_SETRLIMIT, 0},
	{"nice", act_priority, -EPERM, WARDER_HOOK_TASK_SETNICE, 0},
	{"affinity", act_affinity, -EPERM, WARDER_HOOK_TASK_SETSCHEDULER, 0},
	{"scheduler", act_scheduler, -EPERM, WARDER_HOOK_TASK_SETSCHEDULER, 0},
	{"I/O priority", act_io_priority, -EPERM, WARDER_HOOK_TASK_SETIOPRIO, 0},
	{"move pages", act_move_pages, -EPERM, -1, 0},
};

#define DEED_COUNT (sizeof(deeds) / sizeof(deeds[0]))

static void check(const struct deed *deed, const char *what, int result, int expected)
{
	char name[128];
	int signals = victim_signals();

	snprintf(name, sizeof(name), "%s: %s", deed->name, what);
	kt_result(name, result, expected);
	snprintf(name, sizeof(name), "%s: %s: signals", deed->name, what);
	/* The kernel sends one at the input and may send another one at its end. */
	kt_check_why(name, expected < 0 ? !signals : signals >= deed->signals, "%d came", signals);
}

TEST(somebody_outside)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child child;
	char name[128];
	size_t i;

	if (!kt_subject_open(&s, "code", policy) || !victim_start(&child, NULL))
		return;
	for (i = 0; i < DEED_COUNT; i++) {
		kt_events_clear(&s);
		check(&deeds[i], "a member", kt_inside(&s, deeds[i].act, NULL),
		      deeds[i].outside_victim);
		snprintf(name, sizeof(name), "%s: reported", deeds[i].name);
		if (deeds[i].hook >= 0)
			kt_event(&s, name,
				 &(struct kt_match){.hook = deeds[i].hook,
						    .reason = WARDER_REASON_NOT_MEMBER,
						    .number = child.pid,
						    .error = -EPERM});
		check(&deeds[i], "control", kt_outside(&s, deeds[i].act, NULL), 0);
	}
	kt_check("the victim is unharmed", victim_stop(&child));
}

/* In the group of another job a process reads what is typed for that, or has it stopped. */
static int act_join(const void *group)
{
	int before = getpgrp(), error = setpgid(0, *(const pid_t *)group) < 0 ? -errno : 0;

	if (error)
		return getpgrp() == before ? error : -EILSEQ;
	return getpgrp() == *(const pid_t *)group ? 0 : -EILSEQ;
}

/* What a shell does with a pipeline: both set the group, in any order. */
static int act_pipeline(const void *unused)
{
	pid_t leader = fork(), second;
	int status = 0, result = 0;

	if (!leader) {
		if (setpgid(0, 0) < 0)
			_exit(1);
		pause();
		_exit(0);
	}
	setpgid(leader, leader);
	second = fork();
	if (!second)
		_exit(setpgid(0, leader) < 0 || getpgrp() != leader || setpgid(0, 0) < 0 ||
		      setpgid(0, leader) < 0);
	if (waitpid(second, &status, 0) < 0 || status)
		result = -EILSEQ;
	second = fork();
	if (!second) {
		pause();
		_exit(0);
	}
	if (setpgid(second, leader) < 0)
		result = -errno;
	kill(second, SIGKILL);
	kill(leader, SIGKILL);
	while (wait(NULL) > 0)
		;
	return result;
}

/* A child joins the group that its parent leads. */
static int act_join_parent(const void *unused)
{
	int status = 0;
	pid_t child;

	if (setpgid(0, 0) < 0)
		return -errno;
	child = fork();
	if (!child)
		_exit(setpgid(0, 0) < 0 || setpgid(0, getppid()) < 0 || getpgrp() != getppid());
	return waitpid(child, &status, 0) == child && !status ? 0 : -EILSEQ;
}

TEST(process_groups)
{
	_cleanup_subject_ struct kt_subject s = {};
	pid_t job = fork();

	if (!job) {
		setpgid(0, 0);
		pause();
		_exit(0);
	}
	setpgid(job, job);
	if (kt_subject_open(&s, "code", policy)) {
		kt_result("another job's group", kt_inside(&s, act_join, &job), -EPERM);
		kt_event(&s, "is reported",
			 &(struct kt_match){.hook = WARDER_HOOK_TASK_SETPGID,
					    .reason = WARDER_REASON_NOT_MEMBER,
					    .number = job,
					    .error = -EPERM});
		kt_result("control", kt_outside(&s, act_join, &job), 0);
		kt_result("a pipeline", kt_inside(&s, act_pipeline, NULL), 0);
		kt_result("the parent's group", kt_inside(&s, act_join_parent, NULL), 0);
	}
	kill(job, SIGKILL);
	waitpid(job, NULL, 0);
}

TEST(own_member)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child child;
	size_t i;

	/* Yama has every tracer be an ancestor or capable; a subject is neither here. */
	if (access("/proc/sys/kernel/yama/ptrace_scope", F_OK) == 0)
		kt_check("yama is off", !system("echo 0 >/proc/sys/kernel/yama/ptrace_scope"));
	if (!kt_subject_open(&s, "code", policy) || !victim_start(&child, &s))
		return;
	for (i = 0; i < DEED_COUNT; i++) {
		/* A capability would be needed; whose signal it is cannot be told beforehand. */
		bool never = deeds[i].act == act_own_signal || deeds[i].act == act_own_signal_ex ||
			     deeds[i].act == act_own_signal_ioctl ||
			     deeds[i].act == act_own_signal_ioctl_i386;

		check(&deeds[i], "a fellow", kt_inside(&s, deeds[i].act, NULL), never ? -EPERM : 0);
	}
	kt_check("the victim is unharmed", victim_stop(&child));
}

TEST(member_of_another_subject)
{
	_cleanup_subject_ struct kt_subject s = {}, other = {};
	struct kt_child child;
	size_t i;

	if (!kt_subject_open(&s, "code", policy) || !kt_subject_open(&other, "code", policy) ||
	    !victim_start(&child, &other))
		return;
	for (i = 0; i < DEED_COUNT; i++)
		check(&deeds[i], "a stranger", kt_inside(&s, deeds[i].act, NULL),
		      deeds[i].outside_victim);
	kt_check("the victim is unharmed", victim_stop(&child));
}

/* SIGKILL and SIGSTOP to everybody: only members are hit. */
static int act_kill_all(const void *unused)
{
	return kill(-1, SIGSTOP) < 0 || kill(-1, SIGKILL) < 0 ? -errno : 0;
}

TEST(everybody)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child outside, inside;

	if (!kt_subject_open(&s, "code", policy) || !victim_start(&inside, &s))
		return;
	if (!victim_start(&outside, NULL))
		return;
	kt_inside(&s, act_kill_all, NULL);
	kt_check("the one outside is unharmed", victim_stop(&outside));
	kt_result("the fellow is killed", kt_wait(&inside), KT_CRASHED - SIGKILL);
}

/* The parent of what runs inside is this test, outside. */
static int act_trace_me(const void *unused)
{
	return ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 ? -errno : 0;
}

static int act_trace_child(const void *unused)
{
	pid_t child = fork();
	int status = 0;

	if (!child)
		_exit(ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 ? 1 : 0);
	waitpid(child, &status, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EPERM;
}

TEST(traced_by_whom)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("by a parent outside", kt_inside(&s, act_trace_me, NULL), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_PTRACE_TRACEME,
				    .reason = WARDER_REASON_NOT_MEMBER,
				    .number = getpid()});
	kt_result("control", kt_outside(&s, act_trace_me, NULL), 0);
	kt_result("by a parent inside", kt_inside(&s, act_trace_child, NULL), 0);
}

/* Signals at input for the process itself. */
static int act_own_input(const void *unused)
{
	int pair[2];

	if (pipe(pair) < 0)
		return -EBADF;
	return fcntl(pair[0], F_SETOWN, getpid()) < 0 || fcntl(pair[0], F_SETOWN, 0) < 0 ? -errno
											 : 0;
}

/* Input for a terminal that the subject may open: to be read by whoever uses it next. */
static int act_terminal_input(const void *unused)
{
	int terminal = posix_openpt(O_RDWR | O_CLOEXEC);

	if (terminal < 0)
		return -EBADF;
	return ioctl(terminal, TIOCSTI, "x") < 0 ? -errno : 0;
}

/*
 * A terminal that signals its input chooses whom. Changed is what the descriptor says then: on is
 * nothing that a later input could find.
 */
static int act_terminal_async(const void *unused)
{
	int terminal = posix_openpt(O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (terminal < 0)
		return -EBADF;
	if (fcntl(terminal, F_SETFL, O_ASYNC) < 0)
		return fcntl(terminal, F_GETFL) & O_ASYNC ? -EBADF : -errno;
	return 0;
}

static int act_terminal_async_ioctl(const void *unused)
{
	int terminal = posix_openpt(O_RDWR | O_CLOEXEC | O_NOCTTY), on = 1;

	if (terminal < 0)
		return -EBADF;
	if (ioctl(terminal, FIOASYNC, &on) < 0)
		return fcntl(terminal, F_GETFL) & O_ASYNC ? -EBADF : -errno;
	return 0;
}

static int act_terminal_signal(const void *unused)
{
	int terminal = posix_openpt(O_RDWR | O_CLOEXEC | O_NOCTTY);

	return terminal < 0 ? -EBADF : fcntl(terminal, 10 /* F_SETSIG */, SIGKILL) < 0 ? -errno : 0;
}

static int act_pipe_async(const void *unused)
{
	int pair[2], on = 1;

	if (pipe(pair) < 0)
		return -EBADF;
	return fcntl(pair[0], F_SETFL, O_ASYNC) < 0 || ioctl(pair[0], FIOASYNC, &on) < 0 ||
			       fcntl(pair[0], 10 /* F_SETSIG */, SIGUSR1) < 0
		       ? -errno
		       : 0;
}

TEST(signals_of_terminals)
{
	_cleanup_subject_ struct kt_subject s = {};
	static const struct {
		const char *name;
		kt_act *act;
		int hook;
	} rows[] = {
		{"O_ASYNC", act_terminal_async, WARDER_HOOK_FILE_FCNTL},
		{"FIOASYNC", act_terminal_async_ioctl, WARDER_HOOK_FILE_IOCTL},
		{"F_SETSIG", act_terminal_signal, WARDER_HOOK_FILE_FCNTL},
	};
	size_t i;

	if (!kt_subject_open(
		    &s, "code",
		    "sets: { code: { files: { write: ['/dev/**'], ioctl: ['/dev/**'] } } }\n"))
		return;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		kt_result(rows[i].name, kt_inside(&s, rows[i].act, NULL), -EPERM);
		kt_event(&s, "reported",
			 &(struct kt_match){.hook = rows[i].hook, .reason = WARDER_REASON_SURFACE});
		kt_result("control", kt_outside(&s, rows[i].act, NULL), 0);
	}
	kt_result("of a pipe", kt_inside(&s, act_pipe_async, NULL), 0);
}

TEST(signals_and_input)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", "sets: { code: { files: { write: ['/dev/**'] } } }\n"))
		return;
	kt_result("for oneself", kt_inside(&s, act_own_input, NULL), 0);
	kt_result("terminal input", kt_inside(&s, act_terminal_input, NULL), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_IOCTL,
				    .reason = WARDER_REASON_SURFACE});
}
