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

		assert_int_equal(image->page_count, twin->page_count);
		assert_memory_equal(image, twin, warder_image_size(image));
		assert_int_equal(keep(1, "a.yaml", others[i]), -EEXIST);
		check_kept("1.yaml", first);
	}
}

#define VARS "vars: {work: {default: /srv/a, within: [/srv/*]}, home: {within: [/home/*]}}\n"

static struct warder_policy *parse_with(const char *text, const char *work, const char *home)
{
	const char *const variables[] = {work, home};
	const struct warder_policy_options options = {
		.keep_links = true, .variables = variables, .variable_count = 2};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;

	assert_int_equal(
		warder_policy_parse("a.yaml", text, strlen(text), &options, &found, &policy), 0);
	return policy;
}

/* The same text with other values is another policy, and comes back with its values. */
static void values_of_variables_count(void **state)
{
	static const char text[] = HEAD VARS
		"sets: {agent: {files: {read: ['${work}/**', '${home}/x']}}}\n";
	static const struct warder_policy_options links = {.keep_links = true};
	_cleanup_policy_ struct warder_policy *one =
		parse_with(text, "work=/srv/b", "home=/home/a b");
	_cleanup_policy_ struct warder_policy *twin =
		parse_with(text, "home=/home/a b", "work=/srv/b");
	_cleanup_policy_ struct warder_policy *two =
		parse_with(text, "work=/srv/c", "home=/home/a b");
	_cleanup_policy_ struct warder_policy *usual =
		parse_with(text, "work=/srv/a", "home=/home/a b");
	_cleanup_policy_ struct warder_policy *back = NULL;

	assert_string_equal(one->instance, twin->instance);
	assert_string_not_equal(one->instance, two->instance);
	assert_string_not_equal(one->instance, usual->instance);
	assert_int_equal(strncmp(one->instance, "p@", 2), 0);
	assert_int_equal(warder_policy_keep_in(directory, 3, one), 0);
	assert_int_equal(warder_policy_keep_in(directory, 3, twin), 0);
	assert_int_equal(warder_policy_keep_in(directory, 3, two), -EEXIST);
	assert_int_equal(warder_policy_keep_in(directory, 3, usual), -EEXIST);
	assert_int_equal(warder_policy_recall_in(directory, 3, &links, &back, NULL), 0);
	assert_string_equal(back->instance, one->instance);
	assert_string_equal(back->variables[0].value, "/srv/b");
	assert_string_equal(back->variables[1].value, "/home/a b");
}

static struct warder_policy *parse_named(const char *name, const char *work)
{
	const char *const variables[] = {work};
	const struct warder_policy_options options = {
		.keep_links = true, .variables = variables, .variable_count = 1};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ char *text = NULL;
	struct warder_policy *policy = NULL;

	assert_true(asprintf(&text,
			     "version: 1\npolicy: %s\nmodel: agent-in-sandbox\n"
			     "vars: {work: {default: /srv/a, within: [/srv/*]}}\n"
			     "sets: {agent: {files: {read: ['${work}/**']}}}\n",
			     name) > 0);
	assert_int_equal(
		warder_policy_parse("a.yaml", text, strlen(text), &options, &found, &policy), 0);
	return policy;
}

static void instances_have_names_of_their_own(void **state)
{
	static const char longest[] = "a23456789-123456789-123456789-123456789-123456789-123456789-"
				      "12a";
	static const char other[] = "a23456789-123456789-123456789-123456789-123456789-123456789-"
				    "12b";
	_cleanup_policy_ struct warder_policy *a = parse_named("p", "work=/srv/92022");
	_cleanup_policy_ struct warder_policy *b = parse_named("p", "work=/srv/952100");
	_cleanup_policy_ struct warder_policy *c = parse_named(longest, "work=/srv/b");
	_cleanup_policy_ struct warder_policy *d = parse_named(other, "work=/srv/b");

	/* FNV-1a of 32 bits is the same for both. */
	assert_string_not_equal(a->instance, b->instance);
	assert_int_equal(strlen(a->instance), 18);
	assert_int_equal(strspn(a->instance + 2, "0123456789abcdef"), 16);
	/* With another number of as many bits there would be others: then the values are told. */
	assert_int_equal(warder_policy_keep_in(directory, 5, a), 0);
	assert_int_equal(warder_policy_keep_in(directory, 5, b), -EEXIST);
	assert_int_equal(strlen(c->instance), 63);
	assert_int_equal(strncmp(c->instance, d->instance, 47), 0);
	assert_string_not_equal(c->instance, d->instance);
}

/* Whoever runs under it may plant a link where a rule begins: its tools can still be named. */
static void a_planted_link_hides_no_tool(void **state)
{
	static const struct warder_policy_options links = {.keep_links = false};
	_cleanup_policy_ struct warder_policy *policy = NULL, *back = NULL;
	_cleanup_free_ char *text = NULL, *link = NULL;
	unsigned int key;

	assert_true(asprintf(&link, "%s/planted", directory) > 0);
	assert_true(asprintf(&text,
			     HEAD "tools: {mail: {exec: [/usr/sbin/mail]}}\n"
				  "sets: {agent: {files: {read: ['%s/**']}}}\n",
			     link) > 0);
	policy = parse("a.yaml", text);
	assert_int_equal(warder_policy_keep_in(directory, 4, policy), 0);
	assert_int_equal(symlink("/etc", link), 0);
	assert_int_equal(warder_policy_recall_in(directory, 4, &links, &back, NULL), 0);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(warder_policy_find_tool(back, "mail", &key), 0);
}

static int start(void **state)
{
	return mkdtemp(directory) ? 0 : -1;
}

static int finish(void **state)
{
	static const char *const files[] = {"1.source", "1.yaml",   "1.vars",	"2.source",
					    "2.yaml",	"2.vars",   "3.source", "3.yaml",
					    "3.vars",	"4.source", "4.yaml",	"4.vars",
					    "5.source", "5.yaml",   "5.vars"};
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
		cmocka_unit_test(values_of_variables_count),
		cmocka_unit_test(instances_have_names_of_their_own),
		cmocka_unit_test(a_planted_link_hides_no_tool),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
