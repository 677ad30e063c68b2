// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * identity_test.c - the label: where it comes from, and that it stays.
 */
#include "stage.h"

#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <bpf/bpf.h>

#include "load/publish.h"

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

/* Root outside moves the task away: it stays what it was. */
static void move_away(const char *before, const char *what)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *elsewhere = NULL;
	struct stage *stage = stage_reset();
	struct kt_child child;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	elsewhere = stage_cgroup("identity-away");
	if (!elsewhere || !kt_start(&child, &s, act_staged_read, STAGED(before, "closed/file")))
		return;
	kt_check("ready", !stage_wait(&stage->ready));
	kt_check("moved", !warder_cgroup_enter(elsewhere, child.pid, NULL));
	stage->go = 1;
	kt_result(what, kt_wait(&child), -EACCES);
	warder_cgroup_remove(elsewhere);
}

TEST(label_is_sticky)
{
	move_away("readable/file", "still judged");
}

/* A task that only was born in the cgroup, and did nothing there, is labelled all the same. */
TEST(born_labelled)
{
	move_away(NULL, "judged before its first act");
}

TEST(moved_in)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct stage *stage = stage_reset();
	struct kt_child child;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_check("in place", !chdir(s.dir));
	if (!kt_start(&child, NULL, act_staged_read, STAGED("closed/file", "closed/file")))
		return;
	kt_check("ready", !stage_wait(&stage->ready));
	kt_check("moved", !warder_cgroup_enter(s.cgroup, child.pid, NULL));
	stage->go = 1;
	kt_result("judged", kt_wait(&child), -EACCES);
	kt_check("back", !chdir("/"));
}

/* Who carries the label of a subject that was removed by hand is denied, and kept so. */
TEST(label_of_a_subject_that_is_gone)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *elsewhere = NULL;
	struct stage *stage = stage_reset();
	struct warder_subject subject = {};
	struct kt_child child;
	__u64 before = 0, after = 0;
	__u32 slot;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	elsewhere = stage_cgroup("identity-gone");
	if (!elsewhere ||
	    !kt_start(&child, &s, act_staged_read, STAGED("readable/file", "readable/file")))
		return;
	kt_check("ready", !stage_wait(&stage->ready));
	kt_check("moved", !warder_cgroup_enter(elsewhere, child.pid, NULL));
	warder_session_total(kt_session(), WARDER_TOTAL_NO_SUBJECT, &before);
	slot = WARDER_SLOT(s.binding);
	kt_check("read", !warder_subject_read(kt_session(), s.binding, &subject));
	kt_check("removed", !bpf_map_delete_elem(
				    warder_session_map(kt_session(), WARDER_MAP_subjects), &slot));
	kt_result("not unloaded over it", warder_session_unload(kt_session(), NULL), -EBUSY);
	stage->go = 1;
	kt_result("denied", kt_wait(&child), -EACCES);
	warder_session_total(kt_session(), WARDER_TOTAL_NO_SUBJECT, &after);
	kt_check("counted", after > before);
	kt_check("put back", !warder_subject_publish(kt_session(), &subject));
	warder_cgroup_remove(elsewhere);
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
	return stage_wait(&stage->ready) ?: stage->result;
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
	elsewhere = stage_cgroup("identity-clone");
	kt_result("refused", kt_inside(&s, act_clone_into, elsewhere), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_TASK_ALLOC,
				    .reason = WARDER_REASON_SURFACE});
	kt_result("into its own", kt_inside(&s, act_clone_into, s.cgroup), -EPERM);
	kt_result("control", kt_outside(&s, act_clone_into, elsewhere), 0);
	warder_cgroup_remove(elsewhere);
}
