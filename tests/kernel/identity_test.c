// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * identity_test.c - who is judged, by which subject: label, leaf cgroup, and both.
 */
#include "acts.h"

#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const char policy[] =
	"sets:\n"
	"  code:\n"
	"    exec: ['{DIR}/prog']\n"
	"    files: { read: ['{DIR}/readable/**'], write: ['{DIR}/open/**'] }\n";

static void build(struct kt_subject *s)
{
	char path[256];

	kt_write("%s/readable/file", "text", s->dir);
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/closed/file", "text", s->dir);
	snprintf(path, sizeof(path), "%s/prog", s->dir);
	make_program(path, 0);
}

/* A child that does an act when told to: steps in shared memory. */
struct stage {
	volatile int ready, go, result;
};

static int wait_for(volatile int *flag, int value)
{
	int rounds;

	for (rounds = 0; *flag < value; rounds++) {
		if (rounds == 20000)
			return -ETIMEDOUT;
		usleep(1000);
	}
	return 0;
}

/* First something allowed (so that there is a label), then, when told, something refused. */
static int act_staged(const void *unused)
{
	struct stage *stage = kt_shared();
	int result = act_read("readable/file");

	if (result)
		return -EBADF;
	stage->ready = 1;
	if (wait_for(&stage->go, 1))
		return -ETIMEDOUT;
	return act_read("closed/file");
}

static struct stage *stage_reset(void)
{
	struct stage *stage = kt_shared();

	memset(stage, 0, sizeof(*stage));
	return stage;
}

static char *foreign_cgroup(const char *name)
{
	char *path = NULL;
	struct warder_error error = {};

	if (warder_cgroup_create("/sys/fs/cgroup", name, &path, &error) < 0)
		kt_check_why("a cgroup is made", false, "%s", error.text);
	return path;
}

/* Root outside moves the task away: it stays what it was. */
TEST(label_is_sticky)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *elsewhere = NULL;
	struct stage *stage = stage_reset();
	struct kt_child child;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	elsewhere = foreign_cgroup("identity-away");
	if (!elsewhere || !kt_start(&child, &s, act_staged, NULL))
		return;
	kt_check("ready", !wait_for(&stage->ready, 1));
	kt_check("moved", !warder_cgroup_enter(elsewhere, child.pid, NULL));
	stage->go = 1;
	kt_result("still judged", kt_wait(&child), -EACCES);
	warder_cgroup_remove(elsewhere);
}

/* A task that only was born in the cgroup, and did nothing there, is labelled all the same. */
static int act_silent(const void *unused)
{
	struct stage *stage = kt_shared();

	stage->ready = 1;
	while (!stage->go)
		sched_yield();
	return act_read("closed/file");
}

TEST(born_labelled)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *elsewhere = NULL;
	struct stage *stage = stage_reset();
	struct kt_child child;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	elsewhere = foreign_cgroup("identity-silent");
	if (!elsewhere || !kt_start(&child, &s, act_silent, NULL))
		return;
	kt_check("ready", !wait_for(&stage->ready, 1));
	kt_check("moved", !warder_cgroup_enter(elsewhere, child.pid, NULL));
	stage->go = 1;
	kt_result("judged before its first act", kt_wait(&child), -EACCES);
	warder_cgroup_remove(elsewhere);
}

TEST(moved_in)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct stage *stage = stage_reset();
	struct kt_child child;
	char dir[128];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	strcpy(dir, s.dir);
	kt_check("in place", !chdir(dir));
	if (!kt_start(&child, NULL, act_staged, NULL))
		return;
	kt_check("ready", !wait_for(&stage->ready, 1));
	kt_check("moved", !warder_cgroup_enter(s.cgroup, child.pid, NULL));
	stage->go = 1;
	kt_result("judged", kt_wait(&child), -EACCES);
	kt_check("back", !chdir("/"));
}

/* --- ways to make children --- */

static int child_reads(pid_t pid)
{
	int status;

	if (!pid)
		_exit(-act_read("closed/file"));
	if (pid < 0 || waitpid(pid, &status, __WALL) < 0)
		return -EBADF;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

static int act_fork(const void *unused)
{
	return child_reads(fork());
}

static int act_grandchild(const void *unused)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(-child_reads(fork()));
	return waitpid(pid, &status, 0) < 0 ? -EBADF : -WEXITSTATUS(status);
}

/* An orphan: its parent is gone and init is outside every subject. */
static int act_orphan(const void *unused)
{
	struct stage *stage = kt_shared();
	pid_t pid = fork();

	if (!pid) {
		if (!fork()) {
			usleep(50000);
			stage->result = act_read("closed/file");
			stage->ready = 1;
			_exit(0);
		}
		setsid();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return wait_for(&stage->ready, 1) ?: stage->result;
}

static int act_clone(const void *flags)
{
	return child_reads(syscall(SYS_clone, (long)flags | SIGCHLD, NULL, NULL, NULL, NULL));
}

static int act_vfork(const void *unused)
{
	int status;
	pid_t pid = vfork();

	if (!pid)
		_exit(open("closed/file", O_RDONLY) < 0 ? errno : 0);
	return waitpid(pid, &status, 0) < 0 ? -EBADF : -WEXITSTATUS(status);
}

static void *thread_reads(void *result)
{
	*(int *)result = act_read("closed/file");
	return NULL;
}

static int act_thread(const void *unused)
{
	pthread_t thread;
	int result = -EBADF;

	if (pthread_create(&thread, NULL, thread_reads, &result))
		return -EBADF;
	pthread_join(thread, NULL);
	return result;
}

static int act_after_exec(const void *unused)
{
	int status, result = act_exec("prog");
	pid_t pid;

	if (result)
		return -EBADF;
	pid = fork();
	if (!pid) {
		execl("prog", "prog", (char *)NULL);
		_exit(1);
	}
	return waitpid(pid, &status, 0) < 0 ? -EBADF : act_read("closed/file");
}

/* A thread that starts a program takes its process over. */
static void *thread_executes(void *unused)
{
	execl("prog", "prog", (char *)NULL);
	return NULL;
}

static int act_exec_in_thread(const void *unused)
{
	pthread_t thread;
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (!pthread_create(&thread, NULL, thread_executes, NULL))
			pthread_join(thread, NULL);
		_exit(1);
	}
	return waitpid(pid, &status, 0) < 0 ? -EBADF : WEXITSTATUS(status);
}

TEST(children)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("fork", kt_inside(&s, act_fork, NULL), -EACCES);
	kt_result("fork control", kt_outside(&s, act_fork, NULL), 0);
	kt_result("grandchild", kt_inside(&s, act_grandchild, NULL), -EACCES);
	stage_reset();
	kt_result("orphan", kt_inside(&s, act_orphan, NULL), -EACCES);
	stage_reset();
	kt_result("orphan control", kt_outside(&s, act_orphan, NULL), 0);
	kt_result("vfork", kt_inside(&s, act_vfork, NULL), -EACCES);
	kt_result("vfork control", kt_outside(&s, act_vfork, NULL), 0);
	kt_result("clone of files", kt_inside(&s, act_clone, (void *)CLONE_FILES), -EACCES);
	kt_result("clone of parent", kt_inside(&s, act_clone, (void *)CLONE_FS), -EACCES);
	kt_result("thread", kt_inside(&s, act_thread, NULL), -EACCES);
	kt_result("thread control", kt_outside(&s, act_thread, NULL), 0);
	kt_result("exec in a thread", kt_inside(&s, act_exec_in_thread, NULL), 0);
	kt_result("after exec", kt_inside(&s, act_after_exec, NULL), -EACCES);
}

static int act_clone_into(const void *path)
{
	struct clone_args arguments = {.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD};
	int fd = open(path, O_PATH | O_CLOEXEC);
	pid_t pid;

	if (fd < 0)
		return -EBADF;
	arguments.cgroup = fd;
	pid = syscall(SYS_clone3, &arguments, sizeof(arguments));
	if (!pid)
		_exit(0);
	if (pid < 0)
		return -errno;
	waitpid(pid, NULL, 0);
	return 0;
}

TEST(clone_into_cgroup)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *elsewhere = NULL;

	if (!kt_subject_open(&s, "code", policy))
		return;
	elsewhere = foreign_cgroup("identity-clone");
	kt_result("refused", kt_inside(&s, act_clone_into, elsewhere), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_TASK_ALLOC,
				    .reason = WARDER_REASON_SURFACE});
	kt_result("into its own", kt_inside(&s, act_clone_into, s.cgroup), -EPERM);
	kt_result("control", kt_outside(&s, act_clone_into, elsewhere), 0);
	warder_cgroup_remove(elsewhere);
}

/* --- cgroups below --- */

TEST(child_cgroup_inherits)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *below = NULL, *deeper = NULL;
	int saved;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	saved = s.cgroup_fd;
	if (warder_cgroup_create(s.cgroup, "sub", &below, NULL) < 0 ||
	    warder_cgroup_create(below, "sub", &deeper, NULL) < 0 ||
	    warder_cgroup_open(deeper, &s.cgroup_fd, NULL) < 0) {
		kt_check("cgroups are made", false);
		return;
	}
	kt_result("refused", kt_inside(&s, act_read, "closed/file"), -EACCES);
	kt_result("allowed", kt_inside(&s, act_read, "readable/file"), 0);
	kt_event(
		&s, "the subject reports it",
		&(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN, .reason = WARDER_REASON_NO_RULE});
	close(s.cgroup_fd);
	s.cgroup_fd = saved;
}

static int act_exec_now(const void *unused)
{
	execl("prog", "prog", (char *)NULL);
	return -errno;
}

/* One thread of a process is moved into a threaded cgroup below. */
static void *thread_waits_and_reads(void *unused)
{
	struct stage *stage = kt_shared();

	stage->result = (int)syscall(SYS_gettid);
	stage->ready = 1;
	if (!wait_for(&stage->go, 1))
		stage->result = act_read("closed/file");
	return NULL;
}

static int act_threaded(const void *unused)
{
	struct stage *stage = kt_shared();
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_waits_and_reads, NULL))
		return -EBADF;
	pthread_join(thread, NULL);
	return stage->result;
}

static bool write_control(const char *cgroup, const char *file, const char *text)
{
	_cleanup_close_ int fd = -1;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", cgroup, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd >= 0 && write(fd, text, strlen(text)) >= 0;
}

TEST(one_thread_is_moved)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *below = NULL;
	struct stage *stage = stage_reset();
	struct kt_child child;
	char tid[16];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	if (warder_cgroup_create(s.cgroup, "threads", &below, NULL) < 0)
		return;
	kt_check("threaded", write_control(below, "cgroup.type", "threaded"));
	if (!kt_start(&child, &s, act_threaded, NULL))
		return;
	kt_check("ready", !wait_for(&stage->ready, 1));
	snprintf(tid, sizeof(tid), "%d", stage->result);
	kt_check_why("moved", write_control(below, "cgroup.threads", tid), "%m");
	stage->go = 1;
	kt_result("still judged", kt_wait(&child), -EACCES);
}

/* A place of warder's own where nobody is bound (yet). */
TEST(unbound_is_deny_all)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *path = NULL;
	int saved;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	saved = s.cgroup_fd;
	if (warder_cgroup_create(warder_session_cgroup(kt_session()), "identity-unbound", &path,
				 NULL) < 0 ||
	    warder_cgroup_open(path, &s.cgroup_fd, NULL) < 0)
		return;
	kt_result("read", kt_inside(&s, act_read, "readable/file"), -EACCES);
	kt_result("write", kt_inside(&s, act_write, "open/file"), -EACCES);
	kt_result("exec", kt_inside(&s, act_exec_now, NULL), -EACCES);
	kt_result("fork", kt_inside(&s, act_fork, NULL), -EBADF);
	kt_result("mkdir", kt_inside(&s, act_mkdir, "open/new"), -EACCES);
	kt_result("control", kt_outside(&s, act_read, "readable/file"), 0);
	close(s.cgroup_fd);
	s.cgroup_fd = saved;
	warder_cgroup_remove(path);
}

/* --- label of one subject, leaf cgroup of another --- */

static const char reads_a[] = "sets: { code: { files: { read: ['{DIR}/a/**', '{DIR}/both/**', "
			      "'{DIR}/readable/**'] } } }\n";
static const char reads_b[] =
	"sets: { code: { files: { read: ['{DIR}/b/**', '{DIR}/both/**'] } } }\n";

static int act_read_three(const void *unused)
{
	struct stage *stage = kt_shared();

	if (act_read("readable/file"))
		return -EBADF;
	stage->ready = 1;
	if (wait_for(&stage->go, 1))
		return -ETIMEDOUT;
	return (act_read("a/file") == 0) | (act_read("b/file") == 0) << 1 |
	       (act_read("both/file") == 0) << 2;
}

TEST(both_must_allow)
{
	_cleanup_subject_ struct kt_subject a = {}, b = {};
	struct stage *stage = stage_reset();
	struct kt_child child;

	if (!kt_subject_open(&a, "code", reads_a) ||
	    !kt_subject_open_beside(&b, "code", reads_b, &a))
		return;
	build(&a);
	kt_write("%s/a/file", "text", a.dir);
	kt_write("%s/b/file", "text", a.dir);
	kt_write("%s/both/file", "text", a.dir);
	if (!kt_start(&child, &a, act_read_three, NULL))
		return;
	kt_check("ready", !wait_for(&stage->ready, 1));
	kt_check("moved to the other", !warder_cgroup_enter(b.cgroup, child.pid, NULL));
	stage->go = 1;
	kt_result("only what both allow", kt_wait(&child), 4);
}

/* --- the subject is gone --- */

static int act_after_unbind(const void *unused)
{
	struct stage *stage = kt_shared();

	if (act_read("readable/file"))
		return -EBADF;
	stage->ready = 1;
	if (wait_for(&stage->go, 1))
		return -ETIMEDOUT;
	return act_read("readable/file");
}

TEST(label_of_a_subject_that_is_gone)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *elsewhere = NULL;
	struct stage *stage = stage_reset();
	struct warder_error error = {};
	struct kt_child child;
	__u64 before = 0, after = 0;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	elsewhere = foreign_cgroup("identity-gone");
	if (!elsewhere || !kt_start(&child, &s, act_after_unbind, NULL))
		return;
	kt_check("ready", !wait_for(&stage->ready, 1));
	kt_check("moved", !warder_cgroup_enter(elsewhere, child.pid, NULL));
	warder_session_total(kt_session(), WARDER_TOTAL_NO_SUBJECT, &before);
	kt_check_why("unbound", !warder_subject_unbind(kt_session(), s.binding, &error), "%s",
		     error.text);
	s.binding = 0;
	stage->go = 1;
	kt_result("denied", kt_wait(&child), -EACCES);
	warder_session_total(kt_session(), WARDER_TOTAL_NO_SUBJECT, &after);
	kt_check("counted", after > before);
	warder_cgroup_remove(elsewhere);
}
