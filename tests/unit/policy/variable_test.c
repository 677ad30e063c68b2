// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* variable_test.c - a value is a literal, and lies where the policy says; links included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/policy.h"
#include "policy/rule_path.h"

#define HEAD "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"

static char root[] = "/tmp/warder-variable-XXXXXX";

/* NULL: refused. */
static struct warder_policy *read_policy(const char *text, const char *argument, bool links)
{
	const char *const variables[] = {argument};
	const struct warder_policy_options options = {.root = root,
						      .keep_links = !links,
						      .trusted_uid = getuid(),
						      .variables = variables,
						      .variable_count = argument ? 1 : 0};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;
	int r = warder_policy_parse("p.yaml", text, strlen(text), &options, &found, &policy);

	assert_int_equal(r < 0, warder_diagnostics_failed(&found));
	assert_int_equal(r < 0, policy == NULL);
	return policy;
}

/* --- a value is a literal --- */

#define VALUES 2000

static uint32_t random_below(uint32_t below)
{
	static uint32_t state = 20260712;

	state = state * 1664525u + 1013904223u;
	return (state >> 8) % below;
}

/* A clean path full of what patterns give a meaning to. */
static void random_value(char out[64])
{
	static const char letters[] = "*?[]{},-!\\a@~$\n\xc3";
	unsigned int components = 1 + random_below(3), letter;
	char *end = out;

	while (components--) {
		*end++ = '/';
		for (letter = 1 + random_below(6); letter; letter--)
			*end++ = letters[random_below(sizeof(letters) - 1)];
	}
	*end = 0;
}

static void a_value_matches_itself_alone(void **state)
{
	static const char text[] = HEAD
		"vars: {v: {within: [/**]}}\n"
		"sets: {agent: {exec: ['${v}'], unix: {connect: ['@x${v}']}, "
		"env: {set: {V: '${v}'}}}}\n";
	char value[64], other[64], argument[72], abstract[72];
	unsigned int i, k, changed = 0;

	for (i = 0; i < VALUES; i++) {
		_cleanup_policy_ struct warder_policy *policy = NULL;
		const struct warder_rule_path *path, *socket;

		random_value(value);
		snprintf(argument, sizeof(argument), "v=%s", value);
		snprintf(abstract, sizeof(abstract), "@x%s", value);
		policy = read_policy(text, argument, false);
		assert_non_null(policy);
		path = &policy->path_rules[0].path;
		socket = &policy->path_rules[1].path;
		assert_int_equal(warder_rule_path_match(path, value, strlen(value)),
				 WARDER_MATCH_WHOLE);
		assert_int_equal(warder_rule_path_match(socket, abstract, strlen(abstract)),
				 WARDER_MATCH_WHOLE);
		assert_string_equal(policy->sets[0].env.set[0] + 2, value);
		for (k = 0; k < 8; k++) {
			random_value(other);
			if (!strcmp(other, value))
				continue;
			changed++;
			assert_int_equal(warder_rule_path_match(path, other, strlen(other)), 0);
		}
	}
	assert_true(changed > VALUES);
}

/* Constants: they may be parts of a name. A single quote is not among them. */
static const char *const odd[] = {"a,b", ",",  "a-z", "!a", "^a",   "]",   "a]", "{a", "a}",
				  "*",	 "**", "?",   "\\", "\\,b", "[a]", "a",	 "-",  "${v"};

static void an_alternative_matches_itself_alone(void **state)
{
	size_t i, k;

	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		_cleanup_policy_ struct warder_policy *policy = NULL;
		_cleanup_free_ char *text = NULL;

		assert_true(asprintf(&text,
				     HEAD "vars: {v: {default: '%s'}}\n"
					  "sets: {agent: {exec: ['/x/{first,p${v}s}']}}\n",
				     odd[i]) > 0);
		policy = read_policy(text, NULL, false);
		if (strstr(odd[i], "${")) {
			assert_null(policy);
			continue;
		}
		assert_non_null(policy);
		for (k = 0; k < sizeof(odd) / sizeof(odd[0]); k++) {
			_cleanup_free_ char *path = NULL, *part = NULL;

			assert_true(asprintf(&path, "/x/p%ss", odd[k]) > 0);
			assert_true(asprintf(&part, "/x/%s", odd[k]) > 0);
			assert_int_equal(warder_rule_path_match(&policy->path_rules[0].path, path,
								strlen(path)),
					 i == k ? WARDER_MATCH_WHOLE : 0);
			assert_int_equal(warder_rule_path_match(&policy->path_rules[0].path, part,
								strlen(part)),
					 0);
		}
		assert_int_equal(warder_rule_path_match(&policy->path_rules[0].path, "/x/first", 8),
				 WARDER_MATCH_WHOLE);
		/* What a comma would split it into. */
		assert_int_equal(warder_rule_path_match(&policy->path_rules[0].path, "/x/bs", 5),
				 0);
	}
}

static void expect_no_place(const char *pattern)
{
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ char *text = NULL;
	size_t i;

	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		free(text);
		assert_true(asprintf(&text,
				     HEAD "vars: {v: {default: '%s'}}\n"
					  "sets: {agent: {exec: ['%s']}}\n",
				     odd[i], pattern) > 0);
		policy = read_policy(text, NULL, false);
		assert_null(policy);
	}
}

static void no_value_stands_in_a_class(void **state)
{
	expect_no_place("/x/[${v}]");
	expect_no_place("/x/[a-${v}]");
	expect_no_place("/x/[${v}-z]");
	expect_no_place("/x/[!${v}]");
	expect_no_place("/x/{a,[${v}]}");
	expect_no_place("/x/[\\]${v}]");
	/* The backslash would take the one of the value for itself. */
	expect_no_place("/x/\\${v}");
	expect_no_place("/x/\\\\\\${v}");
}

/* --- links --- */

#define WORK(within)                                  \
	HEAD "vars: {work: {within: [" within "]}}\n" \
	     "sets: {agent: {files: {read: ['${work}/**']}}}\n"

static void expect_taken(const char *text, const char *argument)
{
	_cleanup_policy_ struct warder_policy *policy = read_policy(text, argument, true);

	assert_non_null(policy);
}

static void expect_refused(const char *text, const char *argument)
{
	_cleanup_policy_ struct warder_policy *policy = read_policy(text, argument, true);

	assert_null(policy);
	/* For its links, and for nothing else. */
	policy = read_policy(text, argument, false);
	assert_non_null(policy);
}

static void no_link_leads_out(void **state)
{
	expect_taken(WORK("/srv/*"), "work=/srv/plain");
	expect_taken(WORK("/srv/*"), "work=/srv/absent");
	expect_refused(WORK("/srv/*"), "work=/srv/out");
	expect_refused(WORK("/srv/**"), "work=/srv/out/deeper");
	expect_taken(WORK("/srv/*"), "work=/srv/beside");
	expect_taken(WORK("/srv/*, /etc"), "work=/srv/out");
	/* The place is behind a link itself: what lies there is within it. */
	expect_taken(WORK("/home/*"), "work=/home/joe");
	/* Somebody else could have planted it. */
	expect_refused(WORK("/tmp/**"), "work=/tmp/link");
}

/* --- names that are another place to each process --- */

#define ALSO(within) HEAD "vars: {v: {within: [" within "]}}\nsets: {agent: {exec: ['${v}']}}\n"

static void expect_place(const char *text, const char *argument, const char *place)
{
	int links;

	for (links = 0; links < 2; links++) {
		_cleanup_policy_ struct warder_policy *policy = read_policy(text, argument, links);

		if (!place) {
			assert_null(policy);
			continue;
		}
		assert_non_null(policy);
		assert_string_equal(policy->path_rules[0].path.pattern->text, place);
	}
}

/* With links or without: in the tree of the test, there is no /dev. */
static void a_name_is_held_to_what_it_means(void **state)
{
	expect_place(ALSO("/dev/fd/**"), "v=/dev/fd/3", "/proc/self/fd/3");
	expect_place(ALSO("/proc/self/fd/*"), "v=/dev/stdin", "/proc/self/fd/0");
	expect_place(ALSO("/dev/stdout"), "v=/dev/stdout", "/proc/self/fd/1");
	expect_place(ALSO("/dev/fd/*"), "v=/dev/stderr", "/proc/self/fd/2");
	expect_place(ALSO("/proc/net/*"), "v=/proc/self/net/tcp", "/proc/self/net/tcp");
	expect_place(ALSO("/proc/mounts"), "v=/proc/self/mounts", "/proc/self/mounts");
	expect_place(ALSO("/dev/**"), "v=/dev/fd/3", NULL);
	expect_place(ALSO("/dev/*"), "v=/dev/stdin", NULL);
	expect_place(ALSO("/dev/**"), "v=/dev/fdx", "/dev/fdx");
	expect_place(ALSO("/proc/*"), "v=/proc/mounts", NULL);
	expect_place(ALSO("/proc/**"), "v=/proc/net/tcp", "/proc/self/net/tcp");
	expect_place(ALSO("/proc/**"), "v=/proc/thread-self/comm", NULL);
	expect_place(ALSO("/proc/**"), "v=/proc/self/task/1/comm", "/proc/self/task/1/comm");
}

/* A link to such a name: what it means is enforced, and has to lie within. */
static void a_link_to_a_name_means_the_same(void **state)
{
	static const char text[] = HEAD "sets: {agent: {files: {read: [/etc/mtab, /etc/in/3]}}}\n";
	_cleanup_policy_ struct warder_policy *policy = read_policy(text, NULL, true);

	assert_non_null(policy);
	assert_string_equal(policy->path_rules[0].path.resolved->text, "/proc/self/mounts");
	assert_string_equal(policy->path_rules[1].path.resolved->text, "/proc/self/fd/3");
	expect_refused(ALSO("/etc/**"), "v=/etc/mtab");
	expect_taken(ALSO("/etc/**, /proc/self/mounts"), "v=/etc/mtab");
}

static void make(const char *path, mode_t mode)
{
	_cleanup_free_ char *full = NULL;

	assert_true(asprintf(&full, "%s%s", root, path) > 0);
	assert_int_equal(mkdir(full, 0755), 0);
	assert_int_equal(chmod(full, mode), 0);
}

static void make_link(const char *target, const char *path)
{
	_cleanup_free_ char *full = NULL;

	assert_true(asprintf(&full, "%s%s", root, path) > 0);
	assert_int_equal(symlink(target, full), 0);
}

static int start(void **state)
{
	if (!mkdtemp(root))
		return -1;
	chmod(root, 0755);
	make("/etc", 0755);
	make("/srv", 0755);
	make("/srv/plain", 0755);
	make("/usr", 0755);
	make("/usr/joe", 0755);
	make("/tmp", 01777);
	make_link("/proc/mounts", "/etc/mtab");
	make_link("/dev/fd", "/etc/in");
	make_link("/etc", "/srv/out");
	make_link("plain", "/srv/beside");
	make_link("usr", "/home");
	make_link("/tmp", "/tmp/link");
	return 0;
}

static int finish(void **state)
{
	static const char *const left[] = {
		"/etc/mtab", "/etc/in", "/tmp/link",  "/home", "/srv/beside", "/srv/out", "/tmp",
		"/usr/joe",  "/usr",	"/srv/plain", "/srv",  "/etc",	      ""};
	size_t i;

	for (i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
		_cleanup_free_ char *full = NULL;

		if (asprintf(&full, "%s%s", root, left[i]) < 0 || remove(full))
			return -1;
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_matches_itself_alone),
		cmocka_unit_test(an_alternative_matches_itself_alone),
		cmocka_unit_test(no_value_stands_in_a_class),
		cmocka_unit_test(no_link_leads_out),
		cmocka_unit_test(a_name_is_held_to_what_it_means),
		cmocka_unit_test(a_link_to_a_name_means_the_same),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
