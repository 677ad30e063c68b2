// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* quote_test.c - names as text of a policy: what is read back means just that name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "policy/pattern.h"
#include "policy/quote.h"
#include "policy/yaml.h"

static void check_literal(const char *bytes, const char *pattern)
{
	char out[256];
	size_t used = 0;

	assert_true(warder_quote_literal(out, sizeof(out), &used, bytes, strlen(bytes)));
	assert_int_equal(used, strlen(pattern));
	assert_memory_equal(out, pattern, used);
}

static void escapes_globs(void **state)
{
	char out[4];
	size_t used = 0;

	check_literal("/srv/a b", "/srv/a b");
	check_literal("/a*?[x]{y,z}\\", "/a\\*\\?\\[x\\]\\{y,z\\}\\\\");
	check_literal("/\xff\xc3", "/[! -~][! -~]");
	check_literal("/\xc3\xa9", "/\xc3\xa9");
	assert_true(warder_quote_literal(out, sizeof(out), &used, "/ab", 3));
	assert_false(warder_quote_literal(out, sizeof(out), &used, "**", 2));
}

static void check_scalar(const char *text, const char *scalar)
{
	char out[256];

	assert_true(warder_quote_scalar(out, sizeof(out), text, strlen(text)));
	assert_string_equal(out, scalar);
}

static void quotes_what_yaml_takes(void **state)
{
	char out[6];

	check_scalar("/usr/lib/python3.11/a_b-c+d", "/usr/lib/python3.11/a_b-c+d");
	check_scalar("tcp:127.0.0.1:25", "'tcp:127.0.0.1:25'");
	check_scalar("@name", "'@name'");
	check_scalar("/tmp/tmp*", "'/tmp/tmp*'");
	check_scalar("/a, b", "'/a, b'");
	check_scalar("/it's", "\"/it's\"");
	check_scalar("/\"'\\*", "\"/\\\"'\\\\*\"");
	check_scalar("/a\nb\x1b", "\"/a\\x0a"
				  "b\\x1b\"");
	check_scalar("/\xe2\x80\xae", "\"/\\u202e\"");
	check_scalar("/\xf3\xa0\x80\x81", "\"/\\U000e0001\"");
	check_scalar("", "''");
	assert_true(warder_quote_scalar(out, sizeof(out), "/abcd", 5));
	assert_false(warder_quote_scalar(out, sizeof(out), "/abcde", 6));
}

/* A list in brackets gives the text back. */
static void check_yaml(const char *text, size_t length)
{
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	_cleanup_yaml_ struct warder_yaml *root = NULL;
	struct warder_source source = {.name = "quote"};
	char scalar[1024], list[1100];

	assert_true(warder_quote_scalar(scalar, sizeof(scalar), text, length));
	assert_int_equal(warder_utf8_check(scalar, strlen(scalar)), strlen(scalar));
	snprintf(list, sizeof(list), "[%s]\n", scalar);
	source.text = list;
	source.size = strlen(list);
	if (warder_yaml_parse(&source, &diagnostics, &root) < 0) {
		warder_diagnostics_print(&diagnostics, stderr);
		fail_msg("%s", list);
	}
	assert_int_equal(root->count, 1);
	assert_int_equal(root->items[0]->length, length);
	assert_memory_equal(root->items[0]->text, text, length);
}

/* Bytes that mean something to globs, to YAML or to a terminal, and any others. */
static size_t random_bytes(char *out, size_t size)
{
	static const char special[] = "*?[]{}\\,-!'\"#:&|>%@`~$ \t\n\r\x1b\x7f/.=<";
	size_t length = 1 + rand() % (size - 1), i;

	for (i = 0; i < length; i++)
		out[i] = rand() % 3 ? special[rand() % (sizeof(special) - 1)] : rand() % 255 + 1;
	return length;
}

/* Whoever chose a name that cannot be written is told no rule that a plain name fits. */
static void stands_for_no_letter(void **state)
{
	static const char bytes[] = "/etc/\xff\xfe\x80\xc3\xff\xff";
	_cleanup_pattern_ struct warder_pattern *parsed = NULL;
	struct warder_pattern_error error;
	char pattern[64];
	size_t used = 0;

	assert_true(
		warder_quote_literal(pattern, sizeof(pattern), &used, bytes, sizeof(bytes) - 1));
	assert_int_equal(warder_pattern_parse(pattern, used, false, &parsed, &error), 0);
	assert_int_equal(warder_pattern_match(parsed, bytes, sizeof(bytes) - 1),
			 WARDER_MATCH_WHOLE);
	assert_int_equal(warder_pattern_match(parsed, "/etc/shadow", 11), 0);
}

static void reads_back(void **state)
{
	char bytes[24], pattern[256], path[32];
	size_t round;

	srand(1);
	for (round = 0; round < 20000; round++) {
		_cleanup_pattern_ struct warder_pattern *parsed = NULL;
		struct warder_pattern_error error;
		size_t length = random_bytes(bytes, sizeof(bytes)), used = 1, i;

		/* One component: where slashes and dots stand is the kernel's business. */
		for (i = 0; i < length; i++)
			bytes[i] = bytes[i] == '/' || bytes[i] == '.' ? '_' : bytes[i];
		pattern[0] = path[0] = '/';
		memcpy(path + 1, bytes, length);
		assert_true(warder_quote_literal(pattern, sizeof(pattern), &used, bytes, length));
		check_yaml(pattern, used);
		assert_int_equal(warder_pattern_parse(pattern, used, false, &parsed, &error), 0);
		assert_int_equal(warder_pattern_match(parsed, path, length + 1),
				 WARDER_MATCH_WHOLE);
		path[length + 1] = 'x';
		assert_int_equal(warder_pattern_match(parsed, path, length + 2), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_globs),
		cmocka_unit_test(quotes_what_yaml_takes),
		cmocka_unit_test(stands_for_no_letter),
		cmocka_unit_test(reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
