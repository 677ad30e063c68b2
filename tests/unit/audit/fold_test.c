// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* fold_test.c - which paths are put together, and as what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "audit/fold.h"

#define PATHS_MAX 64

/*
 * Fold `paths` (NULL-terminated); `expected` says of each leader what it became: "PATTERN
 * MEMBERS" with "*" for a star, or "?" for a byte of a made-up name, and "~" at the end when it may
 * be suggested; the path when alone.
 */
static void check(const char *const *paths, const size_t *classes, const char *expected)
{
	struct warder_fold folds[PATHS_MAX] = {};
	char said[4096] = "";
	size_t count, i, k;

	for (count = 0; paths[count]; count++) {
		folds[count].path = paths[count];
		folds[count].length = strlen(paths[count]);
		folds[count].class = classes ? classes[count] : 0;
	}
	assert_int_equal(warder_fold(folds, count), 0);
	for (i = 0; i < count; i++) {
		const struct warder_fold *fold = &folds[i];
		size_t end = strlen(said);

		assert_true(folds[fold->leader].leader == fold->leader);
		if (fold->leader != i)
			continue;
		if (!fold->pattern) {
			assert_int_equal(fold->members, 1);
			snprintf(said + end, sizeof(said) - end, "%s\n", paths[i]);
			continue;
		}
		for (k = 0; k < fold->pattern_length; k++)
			said[end++] = fold->pattern[k] ? fold->pattern[k]
				      : fold->made_up  ? '?'
						       : '*';
		snprintf(said + end, sizeof(said) - end, " %zu%s\n", fold->members,
			 fold->narrow ? "~" : "");
	}
	assert_string_equal(said, expected);
	warder_fold_release(folds, count);
}

static void numbers(void **state)
{
	const char *const processes[] = {
		"/proc/1/stat",	  "/proc/1/cmdline", "/proc/27/stat",	"/proc/27/cmdline",
		"/proc/300/stat", "/proc/self/stat", "/proc/4/cmdline", NULL};
	const char *const threads[] = {"/proc/9/task/9/stat", "/proc/9/task/10/stat",
				       "/proc/9/task/11/stat", NULL};
	const char *const both[] = {"/proc/9/task/9/stat", "/proc/10/task/10/stat",
				    "/proc/11/task/11/stat", NULL};
	const char *const two[] = {"/proc/1/stat", "/proc/2/stat", NULL};
	const char *const last[] = {"/dev/pts/0", "/dev/pts/1", "/dev/pts/2", NULL};
	const char *const versions[] = {"/usr/lib/python3.9", "/usr/lib/python3.10",
					"/usr/lib/python3.11", NULL};

	check(processes, NULL, "/proc/*/stat 3\n/proc/*/cmdline 3\n/proc/self/stat\n");
	check(threads, NULL, "/proc/9/task/*/stat 3\n");
	check(both, NULL, "/proc/*/task/*/stat 3\n");
	check(two, NULL, "/proc/1/stat\n/proc/2/stat\n");
	check(last, NULL, "/dev/pts/* 3\n");
	check(versions, NULL, "/usr/lib/python3.9\n/usr/lib/python3.10\n/usr/lib/python3.11\n");
}

static void made_up_names(void **state)
{
	const char *const python[] = {"/tmp/tmpx81_qz3a", "/tmp/tmpab0cdefg", "/etc/passwd",
				      "/tmp/tmpqwertyui", "/tmp/tmp00zzaabb", NULL};
	const char *const suffix[] = {"/tmp/ccX1Ab3z.s", "/tmp/ccq2Zw9Q.s", "/tmp/ccLkJ7hg.s",
				      "/tmp/ccMmNn8b.s", NULL};
	const char *const three[] = {"/tmp/tmpx81_qz3a", "/tmp/tmpab0cdefg", "/tmp/tmp00zzaabb",
				     NULL};
	const char *const places[] = {"/tmp/tmpx81_qz3a", "/var/tmp/tmpab0cdefg", "/a/tmp00zzaabb",
				      "/b/tmp12345678", NULL};
	const char *const words[] = {"/etc/grandma", "/etc/grammar", "/etc/gravity", "/etc/granite",
				     NULL};

	check(python, NULL, "/tmp/tmp???????? 4~\n/etc/passwd\n");
	check(suffix, NULL, "/tmp/cc??????.s 4~\n");
	check(three, NULL, "/tmp/tmpx81_qz3a\n/tmp/tmpab0cdefg\n/tmp/tmp00zzaabb\n");
	check(places, NULL,
	      "/tmp/tmpx81_qz3a\n/var/tmp/tmpab0cdefg\n/a/tmp00zzaabb\n"
	      "/b/tmp12345678\n");
	check(words, NULL, "/etc/grandma\n/etc/grammar\n/etc/gravity\n/etc/granite\n");
}

/* What was refused is what a suggestion reaches: no secret, and not whatever is there. */
static void narrow(void **state)
{
	static const struct {
		const char *stem, *end, *expected;
		int digits;
	} cases[] = {
		/* Two bytes tell nothing, four do, three do before many. */
		{"/tmp/cc", "", "/tmp/cc????????", 8},
		{"/tmp/abcd", "", "/tmp/abcd????~", 4},
		{"/tmp/tmp", "", "/tmp/tmp??????~", 6},
		{"/tmp/tmp", "", "/tmp/tmp?????", 5},
		{"/tmp/cc", ".s", "/tmp/cc??????.s~", 6},
		{"/tmp/cc", "s", "/tmp/cc??????s", 6},
		/* A dot is none of them. */
		{"/tmp/.cc", "", "/tmp/.cc??????", 6},
		{"/tmp/...", "", "/tmp/...????????", 8},
		{"/tmp/.tmp", "", "/tmp/.tmp??????~", 6},
		/* Where secrets lie. */
		{"/etc/sh", "", "/etc/sh????", 4},
		{"/etc/shad", "", "/etc/shad????", 4},
		{"/etc/application.", "", "/etc/application.??????", 6},
		{"/home/u/.ssh/id_rsa.", "", "/home/u/.ssh/id_rsa.??????", 6},
		{"/run/secrets/key-", "", "/run/secrets/key-??????", 6},
		{"/home/u/ssh/key-", "", "/home/u/ssh/key-??????~", 6},
		/* How they are called. */
		{"/backup/gsha", "", "/backup/gsha????", 4},
		{"/backup/gsha", "w", "/backup/gsha????w~", 4},
		{"/backup/id_r", "", "/backup/id_r????~", 4},
		{"/backup/id_ed", "", "/backup/id_ed?????", 5},
		{"/home/u/.net", "", "/home/u/.net??????~", 6},
		{"/home/u/.git-c", "", "/home/u/.git-c??????????", 10},
		{"/srv/site-", ".pem", "/srv/site-??????.pem", 6},
		{"/srv/site-", ".key", "/srv/site-??????.key", 6},
		{"/srv/site-", ".txt", "/srv/site-??????.txt~", 6},
	};
	static const char letters[] = "0aB1cD2eF3";
	char names[4][64], expected[80];
	const char *const paths[] = {names[0], names[1], names[2], names[3], NULL};
	size_t i;
	int k;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t length = strlen(cases[i].expected);
		bool offered = cases[i].expected[length - 1] == '~';

		/* Nothing in common, at either end. */
		for (k = 0; k < 4; k++)
			snprintf(names[k], sizeof(names[k]), "%s%c%.*s%c%s", cases[i].stem, 'A' + k,
				 cases[i].digits - 2, letters, 'A' + k, cases[i].end);
		snprintf(expected, sizeof(expected), "%.*s 4%s\n", (int)(length - offered),
			 cases[i].expected, offered ? "~" : "");
		check(paths, NULL, expected);
	}
}

/* Few names of one directory are worth a line each; many are not. */
static void siblings(void **state)
{
	const char *const nine[] = {"/d/a", "/d/bb", "/d/ccc", "/d/x",	 "/d/y",
				    "/d/z", "/d/q",  "/d/qq",  "/d/qqq", NULL};
	const char *const ten[] = {"/d/a", "/d/bb", "/d/ccc", "/d/x",	 "/d/y",  "/d/z",
				   "/d/q", "/d/qq", "/d/qqq", "/e/only", "/d/10", NULL};
	const char *const ends[] = {"/d/na.so", "/d/nbb.so", "/d/nc.so", "/d/nd.so",
				    "/d/ne.so", "/d/nf.so",  "/d/ng.so", "/d/nh.so",
				    "/d/ni.so", "/d/nj.so",  NULL};
	const char *const root[] = {"/a", "/b", "/c", "/d", "/e", "/f",
				    "/g", "/h", "/i", "/j", NULL};
	/* é and è begin with the same byte: a star never stands for half a character. */
	const char *const half[] = {"/d/\xc3\xa9"
				    "1",
				    "/d/\xc3\xa8"
				    "22",
				    "/d/\xc3\xa9"
				    "3",
				    "/d/\xc3\xa8"
				    "4",
				    "/d/\xc3\xa9"
				    "55",
				    "/d/\xc3\xa8"
				    "6",
				    "/d/\xc3\xa9"
				    "7",
				    "/d/\xc3\xa8"
				    "8",
				    "/d/\xc3\xa9"
				    "99",
				    "/d/\xc3\xa8"
				    "0",
				    NULL};

	check(nine, NULL, "/d/a\n/d/bb\n/d/ccc\n/d/x\n/d/y\n/d/z\n/d/q\n/d/qq\n/d/qqq\n");
	check(ten, NULL, "/d/* 10\n/e/only\n");
	check(ends, NULL, "/d/n*.so 10\n");
	check(root, NULL, "/* 10\n");
	check(half, NULL, "/d/* 10\n");
}

static void classes_stay_apart(void **state)
{
	const char *const paths[] = {"/proc/1/stat",
				     "/proc/2/stat",
				     "/proc/3/stat",
				     "/proc/4/stat",
				     "/proc/5/stat",
				     "/proc/6/stat",
				     NULL};
	const size_t classes[] = {0, 1, 0, 1, 0, 1};
	const size_t few[] = {0, 1, 2, 0, 1, 2};

	check(paths, classes, "/proc/*/stat 3\n/proc/*/stat 3\n");
	check(paths, few,
	      "/proc/1/stat\n/proc/2/stat\n/proc/3/stat\n/proc/4/stat\n/proc/5/stat\n/proc/6/"
	      "stat\n");
}

/* Names that only look alike, and what is no path. */
static void odd_paths(void **state)
{
	const char *const prefix[] = {"/d/a",	      "/d/aa",	       "/d/aaa",     "/d/aaaa",
				      "/d/aaaaa",     "/d/aaaaaa",     "/d/aaaaaaa", "/d/aaaaaaaa",
				      "/d/aaaaaaaaa", "/d/aaaaaaaaaa", NULL};
	const char *const none[] = {"", "", "", "/", "12", "13", "14", NULL};
	const char *const nothing[] = {NULL};

	check(prefix, NULL, "/d/a* 10\n");
	check(none, NULL, "\n\n\n/\n* 3\n");
	check(nothing, NULL, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(made_up_names),
		cmocka_unit_test(narrow),
		cmocka_unit_test(siblings),
		cmocka_unit_test(classes_stay_apart),
		cmocka_unit_test(odd_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
