// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * member_test.c - the list of labelled tasks, and that a subject lives as long as they do.
 *
 * Each child here is moved out of its subject's cgroup by root outside, as an administrator
 * or a service manager would do it.
 */
#include "stage.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "load/member.h"

/* More records than the kernel hands over in one piece (32 KiB). */
#define THREADS 1500

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    files: { read: ['{DIR}/open'] }\n";

struct scene {
	struct kt_subject s;
	struct kt_child child;
	char *elsewhere;
};

/* A child that has said ready, in another cgroup than its subject's. */
static bool scene_open(struct scene *scene, kt_act *act, const void *argument)
{
	struct stage *stage = stage_reset();

	*scene = (struct scene){};
	if (!kt_subject_open(&scene->s, "code", policy))
		return false;
	kt_write("%s/open", "text", scene->s.dir);
	kt_write("%s/closed", "text", scene->s.dir);
	scene->elsewhere = stage_cgroup("member-elsewhere");
	if (!scene->elsewhere || !kt_start(&scene->child, &scene->s, act, argument))
		return false;
	return kt_check("ready", !stage_wait(&stage->ready)) &&
	       kt_check("moved", !warder_cgroup_enter(scene->elsewhere, scene->child.pid, NULL)) &&
	       kt_check("its own cgroup is empty", warder_cgroup_populated(scene->s.cgroup) == 0);
}

static void scene_close(struct scene *scene)
{
	kt_subject_close(&scene->s);
	if (scene->elsewhere)
		warder_cgroup_remove(scene->elsewhere);
	free(scene->elsewhere);
}

/* How many processes of the subject (0: of any) are listed; -1 cannot tell. */
static int listed(const struct warder_session *session, __u64 binding, pid_t pid)
{
	_cleanup_free_ struct warder_member *list = NULL;
	size_t count = 0, i;
	int found = 0;

	if (warder_member_list(session, binding, &list, &count) < 0)
		return -1;
	for (i = 0; i < count; i++)
		found += !pid || list[i].pid == (__u32)pid;
	return found;
}

TEST(listed_where_it_was_moved)
{
	struct stage *stage = kt_shared();
	struct warder_member one = {};
	struct scene scene;

	if (scene_open(&scene, act_staged_read, STAGED("open", "closed"))) {
		kt_result("listed", listed(kt_session(), scene.s.binding, 0), 1);
		kt_result("alive", warder_member_alive(kt_session(), scene.s.binding, &one), 1);
		kt_check("by its number", one.pid == (__u32)scene.child.pid);
		kt_check("with the label", one.binding == scene.s.binding);
		kt_check("with a start time", one.start_time);
		kt_result("we are not", listed(kt_session(), 0, getpid()), 0);
		stage->go = 1;
		kt_result("the label sticks", kt_wait(&scene.child), -EACCES);
		kt_result("listed no more", listed(kt_session(), scene.s.binding, 0), 0);
	}
	scene_close(&scene);
}

TEST(another_warder_lists)
{
	struct warder_session_options adopt = {.adopt_only = true};
	_cleanup_session_ struct warder_session *other = NULL;
	struct stage *stage = kt_shared();
	struct scene scene;

	if (scene_open(&scene, act_staged_read, STAGED("open", "closed"))) {
		kt_check("adopted", !warder_session_open(&adopt, &other, NULL));
		kt_result("first", listed(other, scene.s.binding, 0), 1);
		kt_result("and again from the begin", listed(other, scene.s.binding, 0), 1);
		stage->go = 1;
		kt_wait(&scene.child);
		kt_result("and what is so then", listed(other, scene.s.binding, 0), 0);
	}
	scene_close(&scene);
}

TEST(subject_lives_as_long)
{
	struct stage *stage = kt_shared();
	struct warder_subject subject;
	unsigned int reaped = 0;
	struct scene scene;

	if (scene_open(&scene, act_staged_read, STAGED("open", "closed"))) {
		kt_result("not unbound", warder_subject_unbind(kt_session(), scene.s.binding, NULL),
			  -EBUSY);
		kt_check("its cgroup is still there", !access(scene.s.cgroup, F_OK));
		warder_subject_abandon(kt_session(), scene.s.binding);
		kt_check("reap", !warder_session_reap(kt_session(), &reaped, NULL));
		kt_check("not reaped",
			 !reaped && !warder_subject_read(kt_session(), scene.s.binding, &subject));
		stage->go = 1;
		kt_result("confined all the while", kt_wait(&scene.child), -EACCES);
		kt_check("reap again", !warder_session_reap(kt_session(), &reaped, NULL));
		kt_check("reaped", reaped == 1);
		scene.s.binding = 0;
	}
	scene_close(&scene);
}

/* The same without a cgroup: somebody removed it. */
TEST(cgroup_is_removed)
{
	struct stage *stage = kt_shared();
	struct scene scene;

	if (scene_open(&scene, act_staged_read, STAGED("open", "closed"))) {
		kt_check("removed", !warder_cgroup_remove(scene.s.cgroup));
		kt_result("not unbound", warder_subject_unbind(kt_session(), scene.s.binding, NULL),
			  -EBUSY);
		stage->go = 1;
		kt_result("confined", kt_wait(&scene.child), -EACCES);
	}
	scene_close(&scene);
}

static int act_ready(const void *unused)
{
	((struct stage *)kt_shared())->ready = 1;
	while (pause() < 0)
		;
	return 0;
}

TEST(killed_where_it_was_moved)
{
	struct warder_error error = {};
	struct kt_child bystander;
	struct scene scene;

	if (scene_open(&scene, act_ready, NULL) && kt_start(&bystander, NULL, act_ready, NULL)) {
		kt_check("moved beside it",
			 !warder_cgroup_enter(scene.elsewhere, bystander.pid, NULL));
		kt_check_why("killed",
			     !warder_member_kill(kt_session(), scene.s.binding, 5000, &error), "%s",
			     error.text);
		kt_result("it is dead", kt_wait(&scene.child), KT_CRASHED - SIGKILL);
		kt_check("who stood beside it is not", !kill(bystander.pid, 0));
		kill(bystander.pid, SIGKILL);
		kt_wait(&bystander);
	}
	scene_close(&scene);
}

/* Forks and exits as fast as it can: never the same process for long. */
static int act_run_away(const void *unused)
{
	struct stage *stage = kt_shared();

	for (;;) {
		pid_t pid = fork();

		if (pid)
			_exit(0);
		setsid();
		stage->result++;
		stage->ready = 1;
	}
}

TEST(running_away_does_not_help)
{
	struct stage *stage = kt_shared();
	struct warder_error error = {};
	struct scene scene = {};
	int before;

	stage_reset();
	if (!kt_subject_open(&scene.s, "code", policy))
		return;
	/* Nobody can catch it to move it: its cgroup is forgotten instead. */
	kt_check("starts", kt_start(&scene.child, &scene.s, act_run_away, NULL));
	kt_check("runs", !stage_wait(&stage->ready));
	kt_check_why("killed", !warder_member_kill(kt_session(), scene.s.binding, 20000, &error),
		     "%s", error.text);
	before = stage->result;
	usleep(200000);
	kt_check("stands still", stage->result == before);
	kt_result("its cgroup is empty", warder_cgroup_populated(scene.s.cgroup), 0);
	kt_wait(&scene.child);
	scene_close(&scene);
}

/* A zombie holds nothing, however long its parent lets it lie. */
TEST(zombie_holds_nothing)
{
	struct stage *stage = kt_shared();
	struct scene scene;
	siginfo_t info;

	if (scene_open(&scene, act_staged_read, STAGED("open", "closed"))) {
		stage->go = 1;
		kt_check("dead", !waitid(P_PID, scene.child.pid, &info, WEXITED | WNOWAIT));
		kt_result("not listed", listed(kt_session(), scene.s.binding, 0), 0);
		kt_result("unbound", warder_subject_unbind(kt_session(), scene.s.binding, NULL), 0);
		scene.s.binding = 0;
		kt_wait(&scene.child);
	}
	scene_close(&scene);
}

static void *wait_for_ever(void *unused)
{
	struct stage *stage = kt_shared();

	__sync_fetch_and_add(&stage->result, 1);
	while (pause() < 0)
		;
	return NULL;
}

static int start_threads(int count)
{
	pthread_attr_t small;
	pthread_t thread;
	int i;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (i = 0; i < count; i++) {
		if (pthread_create(&thread, &small, wait_for_ever, NULL))
			return -EAGAIN;
	}
	return 0;
}

static int act_leave_a_thread(const void *unused)
{
	struct stage *stage = kt_shared();

	if (start_threads(1))
		return -EAGAIN;
	while (!stage->result)
		sched_yield();
	stage->ready = 1;
	while (!stage->go)
		sched_yield();
	/* pthread_exit() would load a library, which this policy does not grant. */
	return syscall(SYS_exit, 0);
}

static bool leader_is_zombie(pid_t pid)
{
	char path[64], text[512] = "";
	const char *state;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'Z';
}

/* The first thread is gone, another one runs on. */
TEST(leader_is_gone)
{
	struct stage *stage = kt_shared();
	struct scene scene;
	int tries;

	if (scene_open(&scene, act_leave_a_thread, NULL)) {
		stage->go = 1;
		for (tries = 0; tries < 2000 && !leader_is_zombie(scene.child.pid); tries++)
			usleep(1000);
		kt_check("the leader is gone", leader_is_zombie(scene.child.pid));
		kt_result("listed", listed(kt_session(), scene.s.binding, scene.child.pid), 1);
		kt_check("killed", !warder_member_kill(kt_session(), scene.s.binding, 5000, NULL));
		kt_result("dead", kt_wait(&scene.child), KT_CRASHED - SIGKILL);
	}
	scene_close(&scene);
}

static int act_many_threads(const void *unused)
{
	struct stage *stage = kt_shared();

	if (start_threads(THREADS))
		return -EAGAIN;
	stage->ready = 1;
	while (pause() < 0)
		;
	return 0;
}

/* The list is read in several pieces, and what comes last is there. */
TEST(many_tasks)
{
	struct stage *stage = kt_shared();
	struct kt_child last;
	struct scene scene;

	if (scene_open(&scene, act_many_threads, NULL)) {
		stage->ready = 0;
		kt_check("one more",
			 kt_start(&last, &scene.s, act_ready, NULL) && !stage_wait(&stage->ready));
		kt_result("one process each", listed(kt_session(), scene.s.binding, 0), 2);
		kt_result("the last one", listed(kt_session(), scene.s.binding, last.pid), 1);
		kt_check("killed", !warder_member_kill(kt_session(), scene.s.binding, 10000, NULL));
		kt_wait(&last);
		kt_result("dead", kt_wait(&scene.child), KT_CRASHED - SIGKILL);
	}
	scene_close(&scene);
}
