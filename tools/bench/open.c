// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * open.c - what judging adds to one open and close, by length and depth of the path and by policy.
 *
 * Runs in the guest, where tools/bench/run starts it with a clock that counts instructions: a
 * difference of clock readings is then a number of instructions, the same in every run.
 */
#include "tests/kernel/harness.h"

#include <time.h>

#define ROUNDS	    200
#define DIRECTORIES 10000

/* A path of so many bytes, below so many directories of the subject's own one. */
struct shape {
	unsigned int bytes, below;
};

static const struct shape shapes[] = {{30, 1}, {60, 1}, {60, 6}, {120, 1}, {240, 1}, {240, 12}};

static const char tiny[] = "sets: { code: { files: { read: ['{DIR}/**'] } } }\n";

static const char usual[] =
	"sets:\n"
	"  code:\n"
	"    include: [base, python]\n"
	"    files:\n"
	"      read: [/etc/**, /srv/agent/**, '{DIR}/**']\n"
	"      write: [/srv/agent/work/**]\n"
	"      deny:\n"
	"        read: [{ path: /srv/agent/keys/**, except: [/srv/agent/keys/*.pub] }, '**/.env']\n"
	"        write: ['**/.git/hooks/**']\n"
	"    exec: [/usr/bin/**]\n";

static int act_open(const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : close(fd);
}

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The least of many: a timer tick only ever adds. */
static int act_measure(const void *path)
{
	long least = 1000000000, start, took;
	int i, result = 0;

	for (i = 0; i < ROUNDS && result >= 0; i++) {
		start = now();
		result = act_open(path);
		took = now() - start;
		if (took < least)
			least = took;
	}
	return result < 0 ? result : (int)least;
}

static void make_path(const struct kt_subject *s, const struct shape *shape, char *path)
{
	size_t used = (size_t)sprintf(path, "%s", s->dir);
	unsigned int i;

	for (i = 0; i < shape->below; i++)
		used += (size_t)sprintf(path + used, "/d%u", i);
	path[used++] = '/';
	memset(path + used, 'f', shape->bytes - used);
	path[shape->bytes] = '\0';
}

static void measure(struct kt_subject *s, const char *policy)
{
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		char path[512], name[128];
		int inside, outside;

		make_path(s, &shapes[i], path);
		kt_write("%s", "text", path);
		outside = kt_outside(s, act_measure, path);
		inside = kt_inside(s, act_measure, path);
		snprintf(name, sizeof(name), "%s, %u bytes, %u directories", policy,
			 shapes[i].bytes, shapes[i].below + 2);
		if (kt_check_why(name, inside > 0 && outside > 0, "%d and %d", inside, outside))
			kt_figure(name, "%d instructions outside, +%d inside", outside,
				  inside - outside);
	}
}

TEST(tiny)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", tiny))
		measure(&s, "tiny policy");
}

TEST(usual)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", usual))
		measure(&s, "usual policy");
}

/* Directories with names that share little, and files that are denied at any depth. */
TEST(large)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *text = malloc(1u << 20);
	size_t used, i;

	if (!text)
		return;
	used = (size_t)sprintf(text, "sets:\n  code:\n    files:\n      deny:\n"
				     "        read: ['**/.env']\n      read:\n"
				     "        - '{DIR}/**'\n");
	for (i = 0; i < DIRECTORIES; i++)
		used += (size_t)sprintf(text + used, "        - /srv/d%04zx/project-%zu/**\n",
					i * 40503 % 65536, i);
	if (kt_subject_open(&s, "code", text))
		measure(&s, "10,000 directories");
}
