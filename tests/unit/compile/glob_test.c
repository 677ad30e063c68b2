// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * glob_test.c - every piece of the pattern language, on every short path there is.
 *
 * The image and the pattern's own program say what the naive matcher says: alternatives, classes,
 * stars inside a name and across names, escapes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "naive.h"

/* Bytes of the paths. Some are special in patterns, one is in none of them. */
static const char letters[] = "ab-*/\x01";
#define LONGEST 6

/* clang-format off */
static const char *const patterns[] = {
	"/", "/a", "/ab", "/a/b", "/**", "/a/**", "/a/b/**",
	/* stars */
	"/*", "/a*", "/*a", "/*a*", "/a*b", "/*a*b*", "/*/b", "/a/*", "/*/*", "/a*/b*", "/*-*",
	"/*a/**", "/*/**", "/*a*a",
	/* one byte */
	"/?", "/??", "/a?", "/?b", "/*?", "/?*", "/*a?", "/?/?", "/*??b",
	/* across names */
	"/**/a", "**/a", "/a/**/b", "/**/a/**", "**/a/**", "**/a*", "**/*a", "/**/a/**/b",
	"**/*a*/b", "/a/**/*", "/**/*", "**/?", "/*/**/b", "**/a/*",
	/* classes */
	"/[ab]", "/[!a]", "/[a-b]", "/[!a-b]", "/[-a]", "/[a-]", "/[*]", "/[\\*a]", "/[\\!a]",
	"/[!\\!a]", "/[!-]", "/[+--]", "/*[ab]", "/[ab]*", "/[!a]*[!b]", "**/[ab]", "/[a][b]",
	"/[!ab-]/*", "/[\\--a]", "/[,{}]", "/[ab]/**", "/[!b]/a",
	/* alternatives */
	"/{a,b}", "/{a,ab}", "/{a,}b", "/x{,a}", "/{a,b}{a,b}", "/{a*,b}", "/{a,b}*",
	"/*{a,b}", "/{ab,a}b", "/{[ab],-}", "/{?,ab}", "/{a\\,b,a}", "**/{a,b}", "/{a,b}/**",
	"/{a,b}/{a,b}", "/{*a,*b}", "/{a,b,\\*}", "/{[!a],ab}*", "/{*a,b}/b",
	/* escapes */
	"/\\*", "/a\\*", "/\\*\\*", "/\\**", "/*\\*", "/\\?", "/\\[a\\]", "/\\{a\\,b\\}", "/a\\-",
	"/\\!", "/\\\\", "**/\\*", "/\\*/**",
	/* abstract names: a slash is a byte like others */
	"@a", "@*", "@a*", "@?", "@a/b", "@*/a", "@[!a]*", "@{a,b}/*", "@a?b", "@\\*", "@[a-z]",
};
/* clang-format on */

static struct warder_image *image;
static struct warder_pattern *pattern;
static unsigned long looked, matched;

static void make(const char *text)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	struct warder_pattern_error error;
	_cleanup_free_ char *whole = NULL;

	warder_pattern_free(&pattern);
	free(image);
	image = NULL;
	if (warder_pattern_parse(text, strlen(text), true, &pattern, &error) < 0)
		fail_msg("%s: %s", text, error.message);
	assert_true(asprintf(&whole,
			     "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
			     "sets: { a: { %s: ['%s'] } } }\n",
			     text[0] == '@' ? "unix: { connect" : "files: { write", text) > 0);
	assert_int_equal(warder_policy_parse("p", whole, strlen(whole), &options, &found, &policy),
			 0);
	assert_int_equal(warder_compile(policy, &found, &image), 0);
}

static __u32 rights_of(const char *path, size_t length)
{
	__u32 at = image->start;
	size_t i;

	for (i = 0; i < length; i++)
		at = warder_step(image, at, (__u8)path[i]);
	return warder_rights(warder_row(image, warder_row_number(image, at)), 1);
}

static void check(const char *text, const char *path, size_t length)
{
	int match = naive_match(text, path, length);
	__u32 rights = match & NAIVE_WHOLE ? WARDER_COARSE_WRITE : match ? WARDER_COARSE_READ : 0;

	if (match && path[0] == '@')
		rights = WARDER_CONNECT;
	looked++;
	matched += match != 0;
	if (warder_pattern_match(pattern, path, length) != match ||
	    rights_of(path, length) != rights)
		fail_msg("%s and %s", text, path);
}

/* All that go on from the first `used` bytes of `path`. */
static void check_all(const char *text, char *path, size_t used)
{
	const char *letter;

	if (used > 1 ? path[0] == '@' || path[used - 1] != '/' : path[0] == '/')
		check(text, path, used);
	for (letter = letters; used < LONGEST && *letter; letter++) {
		/* No name is empty. */
		if (*letter == '/' && path[0] == '/' && path[used - 1] == '/')
			continue;
		path[used] = *letter;
		check_all(text, path, used + 1);
		path[used] = 0;
	}
}

static void every_piece_on_every_short_path(void **state)
{
	size_t i, k;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		make(patterns[i]);
		for (k = 0; k < 2; k++) {
			char path[LONGEST + 1] = {"/@"[k]};

			/* Paths and abstract names are strangers to each other: see that once. */
			if (path[0] == patterns[i][0] || patterns[i][0] == '*' || i % 10 == 0)
				check_all(patterns[i], path, 1);
		}
	}
	warder_pattern_free(&pattern);
	free(image);
	printf("figure %zu patterns on %lu paths: %lu match\n", i, looked, matched);
	assert_true(matched > looked / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_piece_on_every_short_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
