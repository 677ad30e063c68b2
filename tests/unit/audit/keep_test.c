// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* keep_test.c - one text for each generation: what a user would read differently is another one. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "audit/explain.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "compile/compile.h"

#define HEAD "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
#define SETS "sets: {agent: {exec: [/bin/**]}}\n"

static const char first[] = HEAD
	"tools: {mail: {exec: [/bin/mail]}, list: {exec: [/bin/ls]}}\n" SETS;

static char directory[] = "/tmp/warder-keep-XXXXXX";

static struct warder_policy *parse(const char *name, const char *text)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;

	assert_int_equal(warder_policy_parse(name, text, strlen(text), &options, &found, &policy),
			 0);
	return policy;
}

static struct warder_image *compile(const struct warder_policy *policy)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_image *image = NULL;

	assert_int_equal(warder_compile(policy, &found, &image), 0);
	return image;
}

static int keep(__u64 generation, const char *name, const char *text)
{
	_cleanup_policy_ struct warder_policy *policy = parse(name, text);

	return warder_policy_keep_in(directory, generation, policy);
}

static void check_kept(const char *file, const char *expected)
{
	_cleanup_free_ char *path = NULL, *text = NULL;

	assert_true(asprintf(&path, "%s/%s", directory, file) > 0);
	assert_int_equal(warder_file_read(path, &text, NULL), 0);
	assert_string_equal(text, expected);
}

static void an_unchanged_policy_stays(void **state)
{
	assert_int_equal(keep(1, "a.yaml", first), 0);
	assert_int_equal(keep(1, "a.yaml", first), 0);
	/* From another place: subjects of the first one live, whose events name it. */
	assert_int_equal(keep(1, "b.yaml", first), 0);
	check_kept("1.source", "a.yaml");
	check_kept("1.yaml", first);
	assert_int_equal(keep(2, "b.yaml", HEAD SETS), 0);
}

/* Equal images, and yet not the same policy: names of tools, their order, lines. */
static void names_and_lines_count(void **state)
{
	static const char *const others[] = {
		HEAD "tools: {post: {exec: [/bin/mail]}, list: {exec: [/bin/ls]}}\n" SETS,
		HEAD "tools: {list: {exec: [/bin/mail]}, mail: {exec: [/bin/ls]}}\n" SETS,
		HEAD "tools: {mail: {exec: [/bin/mail]}, list: {exec: [/bin/ls]}}\n"
		     "sets: {other: {exec: [/bin/**]}}\n",
		HEAD "\ntools: {mail: {exec: [/bin/mail]}, list: {exec: [/bin/ls]}}\n" SETS,
		HEAD "tools: {mail: {summary: Send, exec: [/bin/mail]}, "
		     "list: {exec: [/bin/ls]}}\n" SETS,
	};
	_cleanup_policy_ struct warder_policy *policy = parse("a.yaml", first);
	_cleanup_free_ struct warder_image *image = compile(policy);
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		_cleanup_policy_ struct warder_policy *other = parse("a.yaml", others[i]);
		_cleanup_free_ struct warder_image *twin = compile(other);

		assert_memory_equal(image, twin, sizeof(*image));
		assert_int_equal(keep(1, "a.yaml", others[i]), -EEXIST);
		check_kept("1.yaml", first);
	}
}

static int start(void **state)
{
	return mkdtemp(directory) ? 0 : -1;
}

static int finish(void **state)
{
	static const char *const files[] = {"1.source", "1.yaml", "2.source", "2.yaml"};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		_cleanup_free_ char *path = NULL;

		if (asprintf(&path, "%s/%s", directory, files[i]) > 0)
			unlink(path);
	}
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unchanged_policy_stays),
		cmocka_unit_test(names_and_lines_count),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
