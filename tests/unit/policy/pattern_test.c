// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pattern_test.c - one pattern: its parts, what it matches, and how a name becomes one. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/pattern.h"

static struct warder_pattern *parse(const char *text, size_t length)
{
	struct warder_pattern *pattern = NULL;
	struct warder_pattern_error error;

	assert_int_equal(warder_pattern_parse(text, length, true, &pattern, &error), 0);
	return pattern;
}

static int match(const char *text, const char *path)
{
	struct warder_pattern *pattern = parse(text, strlen(text));
	int how = warder_pattern_match(pattern, path, strlen(path));

	warder_pattern_free(&pattern);
	assert_null(pattern);
	return how;
}

static void matches(void **state)
{
	static const struct {
		const char *pattern, *path;
		int how;
	} cases[] = {
		{"/", "/", WARDER_MATCH_WHOLE},
		{"/", "/a", 0},
		{"/a", "/a", WARDER_MATCH_WHOLE},
		{"/a", "/ab", 0},
		{"/a", "/a/b", 0},
		{"/a/**", "/a", WARDER_MATCH_ROOT},
		{"/a/**", "/a/b/c", WARDER_MATCH_WHOLE},
		{"/a/**", "/ab", 0},
		{"/**", "/", WARDER_MATCH_ROOT},
		{"/**", "/a", WARDER_MATCH_WHOLE},
		{"/*", "/", 0},
		{"/*", "/a", WARDER_MATCH_WHOLE},
		{"/*", "/a/b", 0},
		{"/*/**", "/a", WARDER_MATCH_ROOT},
		{"**/x", "/x", WARDER_MATCH_WHOLE},
		{"**/x", "/a/x", WARDER_MATCH_WHOLE},
		{"**/x", "/ax", 0},
		{"/**/x", "/a/x", WARDER_MATCH_WHOLE},
		{"**/x/**", "/a/x", WARDER_MATCH_ROOT},
		{"**/x/**", "/a/x/b", WARDER_MATCH_WHOLE},
		{"**/x/**", "/x/x", WARDER_MATCH_WHOLE | WARDER_MATCH_ROOT},
		{"/a/**/b", "/a/b", WARDER_MATCH_WHOLE},
		{"/a/**/b", "/a/c/d/b", WARDER_MATCH_WHOLE},
		{"/a*", "/a", WARDER_MATCH_WHOLE},
		{"/a?", "/a", 0},
		{"/a?", "/a/", 0},
		{"/[a-c]", "/b", WARDER_MATCH_WHOLE},
		{"/[!a-c]", "/b", 0},
		{"/[!a]", "/", 0},
		{"/[\\]x]", "/]", WARDER_MATCH_WHOLE},
		{"/[a-]", "/-", WARDER_MATCH_WHOLE},
		{"/{a,bc}d", "/bcd", WARDER_MATCH_WHOLE},
		{"/{a,bc}d", "/abcd", 0},
		{"/{,a}", "/", 0},
		{"/b{,a}", "/b", WARDER_MATCH_WHOLE},
		{"/{a,b}{c,d}", "/bc", WARDER_MATCH_WHOLE},
		{"/{[,],x}", "/,", WARDER_MATCH_WHOLE},
		{"/\\*", "/*", WARDER_MATCH_WHOLE},
		{"/\\*", "/a", 0},
		{"/*.pub", "/.pub", WARDER_MATCH_WHOLE},
		{"/*\xff", "/\xfe\xff", WARDER_MATCH_WHOLE},
		{"@a*", "@a/b", WARDER_MATCH_WHOLE},
		{"@*", "@", 0},
		{"@*", "@x", WARDER_MATCH_WHOLE},
		{"@a", "/a", 0},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (match(cases[i].pattern, cases[i].path) == cases[i].how)
			continue;
		print_error("%s and %s\n", cases[i].pattern, cases[i].path);
		fail();
	}
}

static void knows_its_parts(void **state)
{
	static const struct {
		const char *text, *prefix;
		bool tree, literal;
	} cases[] = {
		{"/", "", false, true},
		{"/a/b", "/a/b", false, true},
		{"/a/**", "/a", true, true},
		{"/**", "", true, true},
		{"/a/b*/c", "/a", false, false},
		{"**/x", "", false, false},
		{"/a\\*/b", "/a*/b", false, true},
		{"/a/**/b/**", "/a", true, false},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct warder_pattern *pattern = parse(cases[i].text, strlen(cases[i].text));

		assert_string_equal(pattern->prefix, cases[i].prefix);
		assert_int_equal(pattern->tree, cases[i].tree);
		assert_int_equal(pattern->literal, cases[i].literal);
		warder_pattern_free(&pattern);
	}
}

static void abstract_names_hold_any_byte(void **state)
{
	struct warder_pattern *pattern = parse("@a\0b/?", 6);

	assert_true(pattern->abstract);
	assert_int_equal(warder_pattern_match(pattern, "@a\0b/\0", 6), WARDER_MATCH_WHOLE);
	assert_int_equal(warder_pattern_match(pattern, "@a\0b/", 5), 0);
	warder_pattern_free(&pattern);
	warder_pattern_free(NULL);
	warder_pattern_free(&pattern);
}

/* A name with metacharacters, escaped, is a pattern of just that name. */
static void escapes_names(void **state)
{
	static const char *const names[] = {"/a*b", "/{x,y}", "/[z]", "/q?", "/b\\c", "/]", "/}"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *escaped = warder_pattern_escape(names[i]);
		struct warder_pattern *pattern = parse(escaped, strlen(escaped));

		assert_true(pattern->literal);
		assert_string_equal(pattern->prefix, names[i]);
		assert_int_equal(warder_pattern_match(pattern, names[i], strlen(names[i])),
				 WARDER_MATCH_WHOLE);
		warder_pattern_free(&pattern);
		free(escaped);
	}
}

/* The longest pattern, matched against the longest path, takes no time and no stack. */
static void long_patterns_and_paths(void **state)
{
	char text[WARDER_PATTERN_MAX + 2], path[4096];
	struct warder_pattern *pattern = NULL;
	struct warder_pattern_error error;
	size_t i;

	for (i = 0; i < WARDER_PATTERN_MAX; i++)
		text[i] = "/a*?"[i % 4];
	for (i = 0; i < sizeof(path); i++)
		path[i] = "/aaa"[i % 4];
	pattern = parse(text, WARDER_PATTERN_MAX);
	assert_int_equal(warder_pattern_match(pattern, path, sizeof(path)), WARDER_MATCH_WHOLE);
	path[4090] = 'b';
	path[4093] = 'b';
	assert_int_equal(warder_pattern_match(pattern, path, sizeof(path)), 0);
	warder_pattern_free(&pattern);
	text[WARDER_PATTERN_MAX] = 'x';
	assert_int_equal(
		warder_pattern_parse(text, WARDER_PATTERN_MAX + 1, false, &pattern, &error),
		-EINVAL);
	assert_null(pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches),
		cmocka_unit_test(knows_its_parts),
		cmocka_unit_test(abstract_names_hold_any_byte),
		cmocka_unit_test(escapes_names),
		cmocka_unit_test(long_patterns_and_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
