// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * stress_test.c - two subjects with opposite rights on one processor: programs are preempted
 * in the middle of a decision, and no verdict may be the other's. Meanwhile somebody renames
 * files, which disturbs every walk on the machine: that may cost a refusal now and then, and
 * never an allow.
 */
#include "acts.h"

#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#define SECONDS 5
#define WORKERS 3 /* of each subject */
#define DEEP	"1/2/3/4/5/6/7/"
#define MAX_LOST \
	200 /* one false refusal in so many decisions; the usual is one in some thousands */

static const char policy_a[] = "sets: { code: { files: { write: ['{DIR}/a/**'] } } }\n";
static const char policy_b[] = "sets: { code: { files: { write: ['{DIR}/b/**'] } } }\n";

/* What a worker saw. */
struct tally {
	unsigned long allowed, falsely_refused, refused, falsely_allowed, other;
};

struct job {
	const char *own, *foreign;
	struct tally *tally;
	int processor;
};

static void build(struct kt_subject *s)
{
	kt_write("%s/a/" DEEP "file", "text", s->dir);
	kt_write("%s/b/" DEEP "file", "text", s->dir);
	kt_write("%s/renamed/x/" DEEP "file", "text", s->dir);
}

static void pin_to(int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static bool time_is_up(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec >= SECONDS;
}

static void look(const char *path, bool mine, struct tally *tally)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd >= 0) {
		*(mine ? &tally->allowed : &tally->falsely_allowed) += 1;
		close(fd);
	} else if (errno == EACCES) {
		*(mine ? &tally->falsely_refused : &tally->refused) += 1;
	} else {
		tally->other++;
	}
}

static int act_work(const void *argument)
{
	const struct job *job = argument;
	struct timespec start;
	int i;

	pin_to(job->processor);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (i = 0; i < 64; i++) {
			look(job->own, true, job->tally);
			look(job->foreign, false, job->tally);
		}
	} while (!time_is_up(&start));
	return 0;
}

/* Renames of one's own files, to and fro. */
static int act_rename_loop(const void *processor)
{
	struct timespec start;
	int i;

	pin_to((int)(long)processor);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (i = 0; i < 32; i++) {
			if (rename("renamed/x", "renamed/y") < 0 ||
			    rename("renamed/y", "renamed/x") < 0)
				return -errno;
		}
	} while (!time_is_up(&start));
	return 0;
}

static void add(struct tally *sum, const struct tally *one)
{
	sum->allowed += one->allowed;
	sum->falsely_refused += one->falsely_refused;
	sum->refused += one->refused;
	sum->falsely_allowed += one->falsely_allowed;
	sum->other += one->other;
}

static void run(const char *name, bool renames)
{
	static const struct job from_a = {"a/" DEEP "file", "b/" DEEP "file", NULL, 0};
	static const struct job from_b = {"b/" DEEP "file", "a/" DEEP "file", NULL, 0};
	_cleanup_subject_ struct kt_subject a = {}, b = {};
	struct tally *tallies = kt_shared(), sum = {};
	struct kt_child children[2 * WORKERS], renamer;
	struct job jobs[2 * WORKERS];
	struct warder_stats stats_a = {}, stats_b = {};
	unsigned long decisions;
	int i;

	if (!kt_subject_open(&a, "code", policy_a) ||
	    !kt_subject_open_beside(&b, "code", policy_b, &a))
		return;
	build(&a);
	memset(tallies, 0, 2 * WORKERS * sizeof(*tallies));
	for (i = 0; i < 2 * WORKERS; i++) {
		jobs[i] = i & 1 ? from_b : from_a;
		jobs[i].tally = &tallies[i];
		if (!kt_start(&children[i], i & 1 ? &b : &a, act_work, &jobs[i]))
			return;
	}
	if (renames) {
		kt_check("in place", !chdir(a.dir));
		kt_start(&renamer, NULL, act_rename_loop, (void *)1L);
	}
	for (i = 0; i < 2 * WORKERS; i++) {
		kt_result("worker ends", kt_wait(&children[i]), 0);
		add(&sum, &tallies[i]);
	}
	if (renames) {
		kt_result("renamer ends", kt_wait(&renamer), 0);
		kt_check("back", !chdir("/"));
	}
	decisions = sum.allowed + sum.falsely_refused + sum.refused + sum.falsely_allowed;
	warder_subject_stats(kt_session(), a.binding, &stats_a);
	warder_subject_stats(kt_session(), b.binding, &stats_b);
	kt_figure(name, "%lu decisions, %lu false refusals, %lu false allows, %llu unstable walks",
		  decisions, sum.falsely_refused, sum.falsely_allowed,
		  stats_a.unstable + stats_b.unstable);
	kt_check("some ten thousand decisions", decisions > 10000);
	kt_check_why("no wrong allow", !sum.falsely_allowed, "%lu", sum.falsely_allowed);
	kt_check_why("no other error", !sum.other, "%lu", sum.other);
	kt_check_why("false refusals are rare", sum.falsely_refused * MAX_LOST < decisions,
		     "%lu of %lu", sum.falsely_refused, decisions);
}

TEST(one_processor)
{
	run("one processor", false);
}

TEST(while_files_are_renamed)
{
	run("while files are renamed", true);
}

/* The object itself goes to and fro between an open and a closed name, by an outsider. */
static int act_chase(const void *argument)
{
	struct tally *tally = kt_shared();
	struct timespec start;
	int i, fd;
	char byte;

	pin_to(0);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (i = 0; i < 64; i++) {
			fd = open("b/" DEEP "file", O_RDONLY | O_CLOEXEC);
			if (fd >= 0) {
				tally->falsely_allowed += read(fd, &byte, 1) >= 0;
				close(fd);
			} else if (errno == EACCES) {
				tally->refused++;
			}
			fd = open("a/moving", O_RDONLY | O_CLOEXEC);
			if (fd >= 0) {
				tally->allowed++;
				close(fd);
			}
		}
	} while (!time_is_up(&start));
	return 0;
}

static int act_swap(const void *unused)
{
	struct timespec start;
	int i;

	pin_to(1);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (i = 0; i < 32; i++) {
			if (renameat2(AT_FDCWD, "a/moving", AT_FDCWD, "b/moving2", 0) < 0 ||
			    renameat2(AT_FDCWD, "b/moving2", AT_FDCWD, "a/moving", 0) < 0)
				return -errno;
		}
	} while (!time_is_up(&start));
	return 0;
}

TEST(moving_target)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct tally *tally = kt_shared();
	struct kt_child swapper, chaser;

	if (!kt_subject_open(&s, "code", policy_a))
		return;
	build(&s);
	kt_write("%s/a/moving", "text", s.dir);
	kt_check("in place", !chdir(s.dir));
	if (!kt_start(&chaser, &s, act_chase, NULL) || !kt_start(&swapper, NULL, act_swap, NULL))
		return;
	kt_result("chaser ends", kt_wait(&chaser), 0);
	kt_result("swapper ends", kt_wait(&swapper), 0);
	kt_check("back", !chdir("/"));
	kt_figure("moving target", "%lu allowed, %lu refused", tally->allowed, tally->refused);
	kt_check("no wrong allow", !tally->falsely_allowed);
	kt_check("refused throughout", tally->refused > 1000);
}
