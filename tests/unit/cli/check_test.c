// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * check_test.c - `warder check`: what its exit status and its last word say.
 *
 * Runs at the top of the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "cli/verb.h"

#define WARNED "tests/policy/ok/warn-unused-set.yaml"
#define NOTED  "tests/policy/ok/limits.yaml"

static char said[65536];

/* What `warder check ARGUMENTS...` prints to stdout goes to `said`; its exit status. */
static int check(char **arguments)
{
	char *argv[8] = {"check"};
	FILE *file = tmpfile();
	int out = dup(1), argc = 1, result;

	assert_non_null(file);
	assert_true(out >= 0);
	while (arguments[argc - 1] && argc < 7) {
		argv[argc] = arguments[argc - 1];
		argc++;
	}
	fflush(stdout);
	dup2(fileno(file), 1);
	result = verb_check(argc, argv);
	fflush(stdout);
	dup2(out, 1);
	close(out);
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = 0;
	fclose(file);
	return result;
}

#define CHECK(...) check((char *[]){"--no-links", __VA_ARGS__, NULL})

static bool json_says(const char *name)
{
	json_t *root = json_loads(said, 0, NULL);
	bool value;

	assert_non_null(root);
	value = json_is_true(json_object_get(root, name));
	json_decref(root);
	return value;
}

static void a_warning_is_no_error(void **state)
{
	assert_int_equal(CHECK(WARNED), WARDER_EXIT_OK);
	assert_non_null(strstr(said, WARNED ": ok:"));
	assert_int_equal(CHECK("--json", WARNED), WARDER_EXIT_OK);
	assert_true(json_says("ok"));
}

static void with_strict_it_is(void **state)
{
	assert_int_equal(CHECK("--strict", WARNED), WARDER_EXIT_FAILED);
	assert_null(strstr(said, ": ok:"));
	assert_int_equal(CHECK("--strict", "--json", WARNED), WARDER_EXIT_FAILED);
	assert_false(json_says("ok"));
	assert_int_equal(CHECK("--strict", NOTED), WARDER_EXIT_OK);
}

/* Its image is there, and is no reason to call it good. */
static void a_policy_that_fails_its_own_test_is_not_ok(void **state)
{
	char path[] = "/tmp/warder-check-XXXXXX";
	static const char text[] = "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
				   "sets: {agent: {exec: [/bin/a]}}\n"
				   "expect: [{set: agent, allow: exec /bin/b}]\n";
	int fd = mkstemp(path);

	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	assert_int_equal(CHECK(path), WARDER_EXIT_FAILED);
	assert_null(strstr(said, ": ok:"));
	assert_int_equal(CHECK("--json", path), WARDER_EXIT_FAILED);
	assert_false(json_says("ok"));
	assert_false(json_says("loadable"));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_warning_is_no_error),
		cmocka_unit_test(with_strict_it_is),
		cmocka_unit_test(a_policy_that_fails_its_own_test_is_not_ok),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
