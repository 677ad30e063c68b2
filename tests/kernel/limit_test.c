// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * limit_test.c - limits bite: in the subject that has them, and nowhere else.
 */
#include "harness.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "run/limit.h"

static const char policy[] = "sets: { code: { files: { read: ['{DIR}/**'] } } }\n";

static bool limit(struct kt_subject *s, const struct warder_limits *limits)
{
	struct warder_error error = {};
	int result;

	if (!kt_subject_open(s, "code", policy))
		return false;
	result = warder_limit_set(warder_session_cgroup(kt_session()), s->cgroup, limits, &error);
	if (!kt_check_why("limits are set", !result, "%s", error.text))
		return false;
	return kt_check("and in force", !warder_limit_check(s->cgroup, limits, NULL));
}

static int act_fork(const void *unused)
{
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return 0;
}

TEST(pids)
{
	_cleanup_subject_ struct kt_subject s = {}, free_one = {};

	if (!limit(&s, &(struct warder_limits){.pids = 1}) ||
	    !kt_subject_open(&free_one, "code", policy))
		return;
	kt_result("one more", kt_inside(&s, act_fork, NULL), -EAGAIN);
	kt_result("in another subject", kt_inside(&free_one, act_fork, NULL), 0);
	kt_result("control", kt_outside(&s, act_fork, NULL), 0);
}

#define CHUNK (64u << 20)

static int act_fill(const void *unused)
{
	volatile char *memory =
		mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t at;

	if (memory == MAP_FAILED)
		return -errno;
	for (at = 0; at < CHUNK; at += 4096)
		memory[at] = 1;
	return 0;
}

TEST(memory)
{
	_cleanup_subject_ struct kt_subject s = {}, free_one = {};

	if (!limit(&s, &(struct warder_limits){.memory = 16u << 20}) ||
	    !kt_subject_open(&free_one, "code", policy))
		return;
	kt_result("more than that", kt_inside(&s, act_fill, NULL), KT_CRASHED - SIGKILL);
	kt_result("in another subject", kt_inside(&free_one, act_fill, NULL), 0);
	kt_result("control", kt_outside(&s, act_fill, NULL), 0);
}

/* For a second by the clock. */
static int act_burn(const void *unused)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec * 1000 + now.tv_nsec / 1000000 <
		 begin.tv_sec * 1000 + begin.tv_nsec / 1000000 + 1000);
	return 0;
}

static long throttled(const struct kt_subject *s)
{
	_cleanup_free_ char *text = NULL;
	const char *place;

	if (warder_cgroup_read(s->cgroup, "cpu.stat", &text) < 0)
		return -1;
	place = strstr(text, "nr_throttled ");
	return place ? atol(place + strlen("nr_throttled ")) : -1;
}

TEST(cpu)
{
	_cleanup_subject_ struct kt_subject s = {}, free_one = {};

	if (!limit(&s, &(struct warder_limits){.cpu = 5}) ||
	    !kt_subject_open(&free_one, "code", policy))
		return;
	kt_result("burns", kt_inside(&s, act_burn, NULL), 0);
	kt_check_why("held back", throttled(&s) > 0, "%ld times", throttled(&s));
	kt_result("another burns", kt_inside(&free_one, act_burn, NULL), 0);
	kt_check_why("not held back", throttled(&free_one) == 0, "%ld times", throttled(&free_one));
}

/* A subject does not reach its own limits. */
static int act_raise(const void *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int result = fd < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return result;
}

TEST(out_of_reach)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[300];

	if (!limit(&s, &(struct warder_limits){.pids = 5}))
		return;
	snprintf(path, sizeof(path), "%s/pids.max", s.cgroup);
	kt_result("open", kt_inside(&s, act_raise, path), -EACCES);
	kt_result("control", kt_outside(&s, act_raise, path), 0);
}
