// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * preempt_test.c - so many decisions and births of two subjects with opposite rights on one
 * processor that each is preempted in the middle of the other's: no verdict is the other's, and
 * no child loses its label. (stress_test.c runs for a time, and renames meanwhile.)
 */
#include "acts.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

/* In a round, of each subject; a round has to end within the harness's limit (KT_SECONDS). */
#define PAIRS	12500 /* of decisions: an allow and a refusal */
#define FORKS	500
#define THREADS 500
#define EXECS	250

/*
 * Together 10^5 decisions of each, and 10,000 forks, threads and programs of both: on one kernel,
 * as the number matters and not the kernel. The others have a round of each.
 */
#define DECISION_ROUNDS 4
#define FORK_ROUNDS	5
#define THREAD_ROUNDS	3
#define EXEC_ROUNDS	4

static const char policy_a[] =
	"sets: { code: { exec: ['{DIR}/a/prog'], files: { write: ['{DIR}/a/**'] } } }\n";
static const char policy_b[] =
	"sets: { code: { exec: ['{DIR}/b/prog'], files: { write: ['{DIR}/b/**'] } } }\n";

/* What one subject has, and what the other has. */
struct side {
	const char *own, *foreign, *own_program, *foreign_program;
};

static const struct side sides[] = {
	{"a/1/2/3/file", "b/1/2/3/file", "a/prog", "b/prog"},
	{"b/1/2/3/file", "a/1/2/3/file", "b/prog", "a/prog"},
};

static bool pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

static int try_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : close(fd);
}

/* Wrong verdicts of a pair of decisions. */
static int wrong_pair(const struct side *side)
{
	return (try_open(side->own) != 0) + (try_open(side->foreign) != -EACCES);
}

static int act_decide(const void *side)
{
	int wrong = 0, i;

	for (i = 0; i < PAIRS; i++)
		wrong += wrong_pair(side);
	return wrong;
}

/* 1 unless the child says that all was well. */
static int wrong_child(pid_t pid)
{
	int status = 1;

	return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

static int act_fork(const void *side)
{
	int wrong = 0, i;
	pid_t pid;

	for (i = 0; i < FORKS; i++) {
		pid = fork();
		if (!pid)
			_exit(wrong_pair(side));
		wrong += wrong_child(pid);
	}
	return wrong;
}

static void *thread_decides(void *side)
{
	return (void *)(long)wrong_pair(side);
}

static int act_thread(const void *side)
{
	pthread_t thread;
	void *wrong_there;
	int wrong = 0, i;

	for (i = 0; i < THREADS; i++) {
		wrong_there = (void *)1;
		if (!pthread_create(&thread, NULL, thread_decides, (void *)side))
			pthread_join(thread, &wrong_there);
		wrong += wrong_there != NULL;
	}
	return wrong;
}

/* The other's program is refused; one's own runs, and exits with 0. */
static int act_execute(const void *argument)
{
	const struct side *side = argument;
	volatile int wrong = 0; /* across vfork */
	int i;
	pid_t pid;

	for (i = 0; i < EXECS; i++) {
		pid = vfork();
		if (!pid) {
			if (!execl(side->foreign_program, "prog", (char *)NULL) || errno != EACCES)
				_exit(2);
			execl(side->own_program, "prog", (char *)NULL);
			_exit(3);
		}
		wrong += wrong_child(pid);
	}
	return wrong;
}

/* Both at the same time, on one processor. */
static void run(kt_act *act, int rounds, const char *name)
{
	_cleanup_subject_ struct kt_subject a = {}, b = {};
	struct kt_child first, second;
	char path[256];
	int i;

	if (!kt_subject_open(&a, "code", policy_a) ||
	    !kt_subject_open_beside(&b, "code", policy_b, &a))
		return;
	for (i = 0; i < 2; i++) {
		kt_write("%s/%s", "text", a.dir, sides[i].own);
		snprintf(path, sizeof(path), "%s/%s", a.dir, sides[i].own_program);
		make_program(path, 0);
	}
	if (!kt_check("on one processor", pin()))
		return;
	for (i = 0; i < (kt_kernel_is("6.12") ? rounds : 1); i++) {
		if (!kt_start(&first, &a, act, &sides[0]) || !kt_start(&second, &b, act, &sides[1]))
			return;
		kt_result(name, kt_wait(&first), 0);
		kt_result(name, kt_wait(&second), 0);
	}
}

static int act_open_foreign(const void *side)
{
	return try_open(((const struct side *)side)->foreign);
}

TEST(decisions)
{
	run(act_decide, DECISION_ROUNDS, "no verdict is the other's");
}

TEST(forks)
{
	run(act_fork, FORK_ROUNDS, "each child is judged as its parent");
}

TEST(threads)
{
	run(act_thread, THREAD_ROUNDS, "each thread is judged as its process");
}

TEST(execs)
{
	run(act_execute, EXEC_ROUNDS, "each program is its own subject's");
}

TEST(control)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy_a))
		return;
	kt_write("%s/%s", "text", s.dir, sides[0].foreign);
	kt_result("refused inside", kt_inside(&s, act_open_foreign, &sides[0]), -EACCES);
	kt_result("opens outside", kt_outside(&s, act_open_foreign, &sides[0]), 0);
}
