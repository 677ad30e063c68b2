// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * limit_test.c - limits, on directories that look like cgroups.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "run/limit.h"

struct place {
	char top[64], root[80], cgroup[96];
};

static void put(const char *directory, const char *file, const char *text)
{
	char path[256];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

static void build(struct place *place, const char *controllers)
{
	strcpy(place->top, "/tmp/warder-limit-XXXXXX");
	assert_non_null(mkdtemp(place->top));
	snprintf(place->root, sizeof(place->root), "%s/warder", place->top);
	snprintf(place->cgroup, sizeof(place->cgroup), "%s/one", place->root);
	assert_return_code(mkdir(place->root, 0700), errno);
	assert_return_code(mkdir(place->cgroup, 0700), errno);
	put(place->top, "cgroup.controllers", controllers);
	put(place->root, "cgroup.controllers", controllers);
	put(place->top, "cgroup.subtree_control", controllers);
	put(place->root, "cgroup.subtree_control", "");
	put(place->cgroup, "memory.max", "");
	put(place->cgroup, "memory.swap.max", "");
	put(place->cgroup, "pids.max", "");
	put(place->cgroup, "cpu.max", "");
}

static void remove_place(const struct place *place)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", place->top);
	assert_int_equal(system(command), 0);
}

static void expect(const char *directory, const char *file, const char *text)
{
	char path[256], *found = NULL;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	assert_int_equal(warder_file_read(path, &found, NULL), 0);
	assert_string_equal(found, text);
	free(found);
}

static void all_are_written(void **state)
{
	const struct warder_limits limits = {.memory = 1025 << 10, .pids = 7, .cpu = 250};
	struct warder_error error = {};
	struct place place;

	build(&place, "cpuset cpu memory pids\n");
	assert_int_equal(warder_limit_set(place.root, place.cgroup, &limits, &error), 0);
	expect(place.cgroup, "memory.max", "1048576"); /* whole pages */
	expect(place.cgroup, "memory.swap.max", "0");
	expect(place.cgroup, "pids.max", "7");
	expect(place.cgroup, "cpu.max", "250000 100000");
	assert_int_equal(warder_limit_check(place.cgroup, &limits, &error), 0);
	put(place.cgroup, "pids.max", "max\n");
	assert_int_equal(warder_limit_check(place.cgroup, &limits, &error), -ESTALE);
	assert_non_null(strstr(error.text, "limits.pids"));
	remove_place(&place);
}

static void none_is_written_when_one_is_missing(void **state)
{
	const struct warder_limits limits = {.memory = 1 << 20, .pids = 7};
	struct warder_error error = {};
	struct place place;

	/* "memory" is no part of another word. */
	build(&place, "cpu pids memory2\n");
	assert_int_equal(warder_limit_set(place.root, place.cgroup, &limits, &error), -EOPNOTSUPP);
	assert_non_null(strstr(error.text, "limits.memory"));
	assert_non_null(strstr(error.text, "systemd.unified_cgroup_hierarchy=1"));
	expect(place.cgroup, "memory.max", "");
	expect(place.cgroup, "pids.max", "");
	remove_place(&place);
}

static void nothing_to_limit(void **state)
{
	const struct warder_limits none = {};

	assert_int_equal(warder_limit_set("/nowhere", "/nowhere", &none, NULL), 0);
	assert_int_equal(warder_limit_check("/nowhere", &none, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_written),
		cmocka_unit_test(none_is_written_when_one_is_missing),
		cmocka_unit_test(nothing_to_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
