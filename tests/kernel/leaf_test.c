// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * leaf_test.c - the leaf cgroup: inherited by cgroups below, unbound ones, threads, and a leaf
 * of one subject under a label of another.
 */
#include "stage.h"

#include <pthread.h>
#include <sys/syscall.h>

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
	if (!stage_wait(&stage->go))
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
	kt_check("ready", !stage_wait(&stage->ready));
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
	kt_result("fork", kt_inside(&s, act_exec, "prog"), -EPERM);
	kt_result("mkdir", kt_inside(&s, act_mkdir, "open/new"), -EACCES);
	kt_result("control", kt_outside(&s, act_read, "readable/file"), 0);
	close(s.cgroup_fd);
	s.cgroup_fd = saved;
	warder_cgroup_remove(path);
}

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
	if (stage_wait(&stage->go))
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
	kt_check("ready", !stage_wait(&stage->ready));
	kt_check("moved to the other", !warder_cgroup_enter(b.cgroup, child.pid, NULL));
	stage->go = 1;
	kt_result("only what both allow", kt_wait(&child), 4);
}
