// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * proc_test.c - files whose path is no property of the file: procfs, the cgroup tree, pins.
 */
#include "acts.h"

#include <signal.h>
#include <sys/stat.h>

static const char own_only[] = "sets:\n"
			       "  code:\n"
			       "    files: { read: ['/proc/self/**', /proc/uptime, '{DIR}/**'] }\n";

static const char everything[] = "sets:\n"
				 "  code:\n"
				 "    files: { write: ['/**'] }\n"
				 "    exec: ['/**']\n";

static int act_own_by_number(const void *unused)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", getpid());
	return act_read(path);
}

/* A child of the same subject; the parent looks at it. */
static int act_fellow(const void *unused)
{
	char path[64];
	pid_t pid = fork();
	int result;

	if (!pid) {
		pause();
		_exit(0);
	}
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	result = act_read(path);
	kill(pid, SIGKILL);
	return result;
}

static int act_wait(const void *unused)
{
	pause();
	return 0;
}

static void check_proc(struct kt_subject *s)
{
	struct kt_child stranger;
	char path[64];

	kt_result("own status", kt_inside(s, act_read, "/proc/self/status"), 0);
	kt_result("own maps", kt_inside(s, act_read, "/proc/self/maps"), 0);
	kt_result("own task", kt_inside(s, act_read, "/proc/thread-self/stat"), 0);
	kt_result("own list", kt_inside(s, act_list, "/proc/self/fd"), 0);
	kt_result("own by number", kt_inside(s, act_own_by_number, NULL), 0);
	kt_result("a fellow member's", kt_inside(s, act_fellow, NULL), 0);
	kt_result("a file of the system", kt_inside(s, act_read, "/proc/uptime"), 0);
	kt_events_clear(s);
	kt_result("init's environment", kt_inside(s, act_read, "/proc/1/environ"), -EACCES);
	kt_event(s, "init's environment is reported",
		 &(struct kt_match){.hook = -1, .reason = WARDER_REASON_NOT_MEMBER});
	kt_result("control", kt_outside(s, act_read, "/proc/1/environ"), 0);
	if (!kt_start(&stranger, NULL, act_wait, NULL))
		return;
	snprintf(path, sizeof(path), "/proc/%d/status", stranger.pid);
	kt_result("a stranger's status", kt_inside(s, act_read, path), -EACCES);
	kt_result("control", kt_outside(s, act_read, path), 0);
	snprintf(path, sizeof(path), "/proc/%d/fd", stranger.pid);
	kt_result("a stranger's descriptors", kt_inside(s, act_list, path), -EACCES);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", stranger.pid, stranger.pid);
	kt_result("a stranger's thread", kt_inside(s, act_read, path), -EACCES);
	kill(stranger.pid, SIGKILL);
	kt_wait(&stranger);
}

TEST(proc_with_a_narrow_rule)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", own_only))
		return;
	check_proc(&s);
	kt_result("another file of the system", kt_inside(&s, act_read, "/proc/version"), -EACCES);
}

TEST(proc_with_everything_allowed)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", everything))
		check_proc(&s);
}

/* A rule by a name that means another place to each process holds for the caller's own place. */
static const char relative[] = "sets:\n"
			       "  code:\n"
			       "    files:\n"
			       "      read: [/dev/fd/**, /proc/thread-self/**, /proc/mounts,\n"
			       "             /proc/net/**, '{DIR}/**']\n"
			       "      deny: { read: [/proc/thread-self/maps] }\n";

TEST(names_that_differ_for_each_process)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", relative))
		return;
	kt_result("/dev/fd", kt_inside(&s, act_list, "/dev/fd"), 0);
	kt_result("/dev/fd as it is", kt_inside(&s, act_list, "/proc/self/fd"), 0);
	kt_result("/proc/thread-self", kt_inside(&s, act_read, "/proc/thread-self/stat"), 0);
	kt_result("/proc/thread-self itself", kt_inside(&s, act_list, "/proc/thread-self"), 0);
	kt_result("/proc/mounts", kt_inside(&s, act_read, "/proc/mounts"), 0);
	kt_result("/proc/net", kt_inside(&s, act_read, "/proc/net/unix"), 0);
	kt_result("/proc/net itself", kt_inside(&s, act_list, "/proc/net"), 0);
	kt_result("denied", kt_inside(&s, act_read, "/proc/thread-self/maps"), -EACCES);
	kt_result("not given", kt_inside(&s, act_read, "/proc/self/stat"), -EACCES);
	kt_result("not given to the process", kt_inside(&s, act_list, "/proc/self"), -EACCES);
	kt_result("control", kt_outside(&s, act_read, "/proc/thread-self/maps"), 0);
	kt_result("control", kt_outside(&s, act_read, "/proc/self/stat"), 0);
}

/* Two subjects are strangers to each other. */
TEST(proc_of_another_subject)
{
	_cleanup_subject_ struct kt_subject s = {}, other = {};
	struct kt_child child;
	char path[64];

	if (!kt_subject_open(&s, "code", everything) ||
	    !kt_subject_open(&other, "code", everything) ||
	    !kt_start(&child, &other, act_wait, NULL))
		return;
	snprintf(path, sizeof(path), "/proc/%d/status", child.pid);
	kt_result("refused", kt_inside(&s, act_read, path), -EACCES);
	kt_result("its own subject may", kt_inside(&other, act_read, path), 0);
	kill(child.pid, SIGKILL);
	kt_wait(&child);
}

/* Write one's own number into a cgroup's list of processes. */
static int act_enter(const void *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	char text[16];
	int length = snprintf(text, sizeof(text), "%d", getpid());

	if (fd < 0)
		return -errno;
	return write(fd, text, length) < 0 ? -errno : 0;
}

TEST(cgroup_files)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *outside = NULL;
	char path[512];

	if (!kt_subject_open(&s, "code", everything) ||
	    warder_cgroup_create("/sys/fs/cgroup", "proc-test", &outside, NULL) < 0)
		return;
	kt_result("read a cgroup file", kt_inside(&s, act_read, "/sys/fs/cgroup/cgroup.procs"), 0);
	kt_result("leave", kt_inside(&s, act_enter, "/sys/fs/cgroup/cgroup.procs"), -EACCES);
	kt_event(&s, "leaving is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_SURFACE,
				    .text = "/sys/fs/cgroup/cgroup.procs"});
	kt_result("control", kt_outside(&s, act_enter, "/sys/fs/cgroup/cgroup.procs"), 0);
	snprintf(path, sizeof(path), "%s/cgroup.procs", outside);
	kt_result("enter another", kt_inside(&s, act_enter, path), -EACCES);
	snprintf(path, sizeof(path), "%s/cgroup.procs", s.cgroup);
	kt_result("its own list", kt_inside(&s, act_enter, path), -EACCES);
	snprintf(path, sizeof(path), "%s/sub", s.cgroup);
	kt_result("make a cgroup", kt_inside(&s, act_mkdir, path), -EACCES);
	kt_check("none was made", access(path, F_OK) < 0);
	snprintf(path, sizeof(path), "%s/cgroup.freeze", s.cgroup);
	kt_result("freeze", kt_inside(&s, act_write, path), -EACCES);
	snprintf(path, sizeof(path), "%s/sub", outside);
	kt_result("make a cgroup elsewhere", kt_inside(&s, act_mkdir, path), -EACCES);
	kt_result("remove a cgroup", kt_inside(&s, act_rmdir, outside), -EACCES);
	kt_result("control", kt_outside(&s, act_rmdir, outside), 0);
}

TEST(pins)
{
	_cleanup_subject_ struct kt_subject s = {};
	static const char pin[] = WARDER_PIN_DIR "/maps/subjects";

	if (!kt_subject_open(&s, "code", everything))
		return;
	kt_check("the pin is there", !access(pin, F_OK));
	kt_result("list", kt_inside(&s, act_list, "/sys/fs/bpf"), -EACCES);
	kt_result("list control", kt_outside(&s, act_list, "/sys/fs/bpf"), 0);
	kt_result("unlink", kt_inside(&s, act_unlink, pin), -EACCES);
	kt_event(&s, "unlinking is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_PATH_UNLINK,
				    .reason = WARDER_REASON_SURFACE,
				    .text = pin});
	kt_result("rename", kt_inside(&s, act_rename, PAIR(pin, WARDER_PIN_DIR "/maps/x")),
		  -EACCES);
	kt_result("mkdir", kt_inside(&s, act_mkdir, "/sys/fs/bpf/x"), -EACCES);
	kt_result("mkdir control", kt_outside(&s, act_mkdir, "/sys/fs/bpf/x"), 0);
	kt_result("rmdir", kt_inside(&s, act_rmdir, "/sys/fs/bpf/x"), -EACCES);
	kt_result("rmdir control", kt_outside(&s, act_rmdir, "/sys/fs/bpf/x"), 0);
	kt_result("chmod", kt_inside(&s, act_chmod, pin), -EACCES);
	kt_check("the pin is still there", !access(pin, F_OK));
}
