// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* compare_test.c - what differs between two policies, in words: witnesses, rules, texts that exist.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compare.h"
#include "compile/compile.h"
#include "policy/right.h"

/* One side: a policy of a set `agent` with this body, and tools. */
struct made {
	struct warder_policy *policy;
	struct warder_image *image;
	struct warder_side side;
};

static char *policy_text(const char *tools, const char *body)
{
	char *text;

	assert_true(asprintf(&text,
			     "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
			     "%s%s\nsets:\n  agent: {%s}\n",
			     *tools ? "tools: " : "", tools, body) > 0);
	return text;
}

static void make(const char *name, const char *tools, const char *body, struct made *made)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ char *text = policy_text(tools, body);
	int r;

	*made = (struct made){0};
	r = warder_policy_parse(name, text, strlen(text), &options, &found, &made->policy);
	if (r == 0)
		r = warder_compile(made->policy, &found, &made->image);
	if (r < 0)
		warder_diagnostics_print(&found, stdout);
	assert_int_equal(r, 0);
	made->side.policy = made->policy;
	made->side.image = made->image;
	made->side.held = made->side.base = warder_policy_keyring(made->policy, 0);
}

static void unmake(struct made *made)
{
	warder_policy_free(&made->policy);
	free(made->image);
}

/* "- list /x | files.list /x | no rule" and a newline. */
static void render(const struct warder_difference *d, FILE *out)
{
	char rights[128], address[WARDER_ADDRESS_TEXT_MAX];

	fputs(d->direction == WARDER_ONLY_A ? "- " : "+ ", out);
	if (d->kind == WARDER_ACCESS_PATH)
		fprintf(out, "%s %s", warder_rights_text(d->rights, rights, sizeof(rights)),
			d->path);
	else if (d->kind == WARDER_ACCESS_ADDRESS)
		fprintf(out, "%s", warder_address_text(d->proto, d->address, d->port, address));
	else
		fprintf(out, "syscall %d", d->number);
	fprintf(out, " | %s %s | ", d->allows.rule ? d->allows.section : "-",
		d->allows.rule ? d->allows.rule : "-");
	if (d->refuses.cause == WARDER_CAUSE_NO_RULE)
		fputs("no rule\n", out);
	else
		fprintf(out, "%s %s%s\n", d->refuses.section, d->refuses.rule,
			d->refuses.cause == WARDER_CAUSE_RESERVED ? ", reserved" : "");
}

static char *compared(const struct made *a, const struct made *b,
		      const struct warder_comparison_options *options)
{
	_cleanup_comparison_ struct warder_comparison comparison = {0};
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(warder_compare(&a->side, &b->side, options, &comparison), 0);
	for (i = 0; i < comparison.count; i++)
		render(&comparison.list[i], out);
	assert_int_equal(fclose(out), 0);
	for (i = 0; i < WARDER_DIRECTION_COUNT; i++)
		assert_int_equal(warder_comparison_differs(&comparison, (enum warder_direction)i),
				 !!strstr(text, i ? "+ " : "- "));
	return text;
}

static void check_tools(const char *tools_a, const char *a, const char *tools_b, const char *b,
			const char *expected)
{
	_cleanup_free_ char *text = NULL;
	struct made left, right;

	make("a", tools_a, a, &left);
	make("b", tools_b, b, &right);
	text = compared(&left, &right, NULL);
	assert_string_equal(text, expected);
	unmake(&left);
	unmake(&right);
}

static void check(const char *a, const char *b, const char *expected)
{
	check_tools("", a, "", b, expected);
}

/* Patterns under files.list: one right, so that only the path is told. */
static void check_paths(const char *a, const char *b, const char *expected)
{
	_cleanup_free_ char *left = NULL, *right = NULL;

	assert_true(asprintf(&left, "files: {list: [%s]}", a) > 0);
	assert_true(asprintf(&right, "files: {list: [%s]}", b) > 0);
	check(left, right, expected);
}

static void the_same_is_the_same(void **state)
{
	check("", "", "");
	check("exec: [/bin/**]", "exec: [/bin/**]", "");
	check_paths("'/{a,b}/*'", "/a/*, /b/*", "");
	check_paths("/a/**, /a/b/**", "/a/**", "");
	check("network: {connect: ['tcp:*:1-9']}",
	      "network: {connect: ['tcp:0.0.0.0/0:1-5', 'tcp:[::]/0:1-9', 'tcp:0.0.0.0/0:6-9']}",
	      "");
}

static void finds_the_shortest_path(void **state)
{
	check_paths("/srv/**", "/srv/*", "- list /srv | files.list /srv/** | no rule\n");
	check_paths("/srv/**", "'/srv/*', /srv",
		    "- list /srv/a/a | files.list /srv/** | no rule\n");
	check_paths(
		"/x", "/xyz",
		"- list /x | files.list /x | no rule\n+ list /xyz | files.list /xyz | no rule\n");
	check_paths("/**", "/**/a", "- list / | files.list /** | no rule\n");
	check_paths("'/a*b'", "'/a??*b'", "- list /ab | files.list /a*b | no rule\n");
	check_paths("'/[a-z]*'", "'/[!c]*'",
		    "- list /c | files.list /[a-z]* | no rule\n"
		    "+ list /0 | files.list /[!c]* | no rule\n");
}

/* One for each pair of rules, whichever rights they share. */
static void names_rules(void **state)
{
	check("files: {read: [/a/**], write: [/b]}", "files: {list: [/**], read: [/b]}",
	      "- read /a | files.read /a/** | no rule\n"
	      "- write,create,delete,rename,link,chattr /b | files.write /b | no rule\n"
	      "+ list / | files.list /** | no rule\n");
	check("files: {list: [/a/**, /b/**]}", "files: {list: [/**], deny: {list: ['**/x']}}",
	      "- list /a/x | files.list /a/** | files.deny.list **/x\n"
	      "- list /b/x | files.list /b/** | files.deny.list **/x\n"
	      "+ list / | files.list /** | no rule\n");
	check("files: {list: [/a, '/[a]']}", "",
	      "- list /a | files.list /a | no rule\n"
	      "- list /a | files.list /[a] | no rule\n");
	/* The directory of a tree gets only reading from it. */
	check_paths("/a/**, /b", "/b", "- list /a | files.list /a/** | no rule\n");
	check("files: {create: [/a/**, /a]}", "",
	      "- create /a | files.create /a | no rule\n"
	      "- create /a/a | files.create /a/** | no rule\n");
	/* An exception of a deny, and the same deny without. */
	check("files: {list: [/k/**], deny: {list: [{path: /k/*, except: ['/k/*.pub']}]}}",
	      "files: {list: [/k/**], deny: {list: ['/k/*']}}",
	      "- list /k/.pub | files.list /k/** | files.deny.list /k/*\n");
}

/* Texts that the kernel never feeds do not count. */
static void only_paths_that_exist(void **state)
{
	check_paths("'/a/?'", "'/a/[!.]'", "");
	check_paths("'/a/?b'", "'/a/[!.]b'", "- list /a/.b | files.list /a/?b | no rule\n");
	check_paths("'/a/.?'", "'/a/.[!.]'", "");
	check_paths("'/a/.?'", "'/a/.[!.b]'", "- list /a/.b | files.list /a/.? | no rule\n");
	check_paths("'/a/..?'", "/b",
		    "- list /a/..a | files.list /a/..? | no rule\n+ list /b | files.list /b | no "
		    "rule\n");
	/* A name that ends in a dot may go on. */
	check_paths("'/a/?/b'", "'/a/[!.]/b'", "");
	check_paths("'/a/*/b'", "'/a/[!.]*/b'", "- list /a/.a/b | files.list /a/*/b | no rule\n");
}

static void repeat(char *out, const char *text, size_t count)
{
	*out = 0;
	while (count--)
		out = stpcpy(out, text);
}

static void names_have_an_end(void **state)
{
	char name[300], pattern[300], b[64] = "/b", expected[1024];

	repeat(pattern, "?", 256);
	memmove(pattern + 2, pattern, 257);
	memcpy(pattern, "'/", 2);
	strcat(pattern, "'");
	check_paths(pattern, b, "+ list /b | files.list /b | no rule\n");
	repeat(name, "a", 255);
	pattern[257] = '\'';
	pattern[258] = 0;
	pattern[257 + 1] = 0;
	snprintf(expected, sizeof(expected),
		 "- list /%s | files.list /%.*s | no rule\n+ list /b | files.list /b | no rule\n",
		 name, 255, pattern + 2);
	check_paths(pattern, b, expected);
}

/* The shortest text has a name too long; a longer text to the same state has not. */
static void a_longer_path_may_have_shorter_names(void **state)
{
	char marks[251], end[11], patterns[1024], expected[2048];

	repeat(marks, "?", 250);
	repeat(end, "x", 10);
	snprintf(patterns, sizeof(patterns), "'/%s%s', '/%s/%s'", marks, end, marks, end);
	repeat(marks, "a", 250);
	snprintf(expected, sizeof(expected), "- list /%s/%s | files.list %.*s | no rule\n", marks,
		 end, 262, strstr(patterns, ", ") + 3);
	{
		_cleanup_free_ char *left = NULL;

		assert_true(asprintf(&left, "files: {list: [%s]}", patterns) > 0);
		check(left, "", expected);
	}
}

static void names_are_not_too_many(void **state)
{
	char deep[520], expected[2048];

	repeat(deep, "/a", 257);
	check_paths(deep, "/b", "+ list /b | files.list /b | no rule\n");
	repeat(deep, "/a", 256);
	snprintf(expected, sizeof(expected),
		 "- list %s | files.list %s | no rule\n+ list /b | files.list /b | no rule\n", deep,
		 deep);
	check_paths(deep, "/b", expected);
}

static void compares_sockets(void **state)
{
	char marks[120], body[200];

	check("unix: {connect: ['@x*', /s]}", "unix: {connect: ['@x?*']}",
	      "- connect /s | unix.connect /s | no rule\n- connect @x | unix.connect @x* | no "
	      "rule\n");
	/* A name may be empty. */
	check("unix: {connect: ['@{,a}']}", "unix: {connect: ['@a']}",
	      "- connect @ | unix.connect @{,a} | no rule\n");
	/* Slashes and dots are nothing special there. */
	check("unix: {connect: ['@*//.']}", "", "- connect @//. | unix.connect @*//. | no rule\n");
	repeat(marks, "?", 108);
	snprintf(body, sizeof(body), "unix: {connect: ['@%s']}", marks);
	check(body, "", "");
}

static void knows_reservation(void **state)
{
	const char *tool = "{t: {exec: [/bin/t]}}", *shared = "{t: {shared: true, exec: [/bin/t]}}";

	check_tools("", "exec: [/bin/**]", tool, "exec: [/bin/**]",
		    "- exec,map-exec /bin/t | exec /bin/** | exec /bin/t, reserved\n");
	check_tools("", "exec: [/bin/**]", shared, "exec: [/bin/**]", "");
	check_tools(tool, "exec: [/bin/**], tools: [t]", tool, "exec: [/bin/**]",
		    "- exec,map-exec /bin/t | exec /bin/t | exec /bin/t, reserved\n");
	check_tools(tool, "exec: [/bin/**], tools: [t]", "", "exec: [/bin/**]", "");
}

/* No hook asks for stat: who lacks only that lacks nothing. */
static void what_is_not_judged_does_not_count(void **state)
{
	check("files: {write-only: [/x]}", "files: {write: [/x], deny: {read: [/x]}}", "");
}

static void compares_addresses(void **state)
{
	check("network: {connect: ['tcp:10.0.0.0/8:443']}",
	      "network: {connect: ['tcp:10.0.0.0/9:400-443']}",
	      "- tcp:10.128.0.0:443 | network.connect tcp:10.0.0.0/8:443 | no rule\n"
	      "+ tcp:10.0.0.0:400 | network.connect tcp:10.0.0.0/9:400-443 | no rule\n");
	check("network: {connect: ['tcp:*:443', 'udp:[2001:db8::]/32:53,55']}",
	      "network: {connect: ['tcp:0.0.0.0/0:443', 'udp:[2001:db8::]/32:53']}",
	      "- tcp:[::1]:443 | network.connect tcp:*:443 | no rule\n"
	      "- udp:[2001:db8::]:55 | network.connect udp:[2001:db8::]/32:53,55 | no rule\n");
	/* Unspecified destinations are loopback. */
	check("network: {connect: ['tcp:0.0.0.0/31:1']}", "network: {connect: ['tcp:0.0.0.1:1']}",
	      "");
	check("network: {connect: ['tcp:0.0.0.0/31:1']}", "",
	      "- tcp:0.0.0.1:1 | network.connect tcp:0.0.0.0/31:1 | no rule\n");
	check("network: {connect: ['tcp:[::]/127:1']}", "",
	      "- tcp:[::1]:1 | network.connect tcp:[::]/127:1 | no rule\n");
	check("network: {connect: ['tcp:[ffff::]/16:65535']}", "",
	      "- tcp:[ffff::]:65535 | network.connect tcp:[ffff::]/16:65535 | no rule\n");
	check_tools("", "network: {connect: ['tcp:127.0.0.0/8:1-99']}",
		    "{t: {network: {connect: ['tcp:127.0.0.1:25']}}}",
		    "network: {connect: ['tcp:127.0.0.0/8:1-99']}",
		    "- tcp:127.0.0.1:25 | network.connect tcp:127.0.0.0/8:1-99 | "
		    "network.connect tcp:127.0.0.1:25, reserved\n");
}

static void compares_system_calls(void **state)
{
	check("syscalls: {deny: [ptrace]}", "syscalls: {deny: [bpf]}",
	      "- syscall 321 | - - | syscalls.deny bpf\n+ syscall 101 | - - | syscalls.deny "
	      "ptrace\n");
	/* Numbers that no call has are no difference. */
	check("", "syscalls: {deny: [bpf]}", "- syscall 321 | - - | syscalls.deny bpf\n");
}

static void one_way_and_brief(void **state)
{
	const struct warder_comparison_options brief = {.one_way = true, .shortest = true};
	const struct warder_comparison_options two = {.most = 2};
	_cleanup_free_ char *text = NULL, *cut = NULL;
	struct made a, b;

	make("a", "",
	     "files: {list: [/a/**, /b/**, /c/**]}, network: {connect: ['tcp:192.0.2.9:7', "
	     "'tcp:192.0.2.1:9']}",
	     &a);
	make("b", "", "files: {read: [/d]}", &b);
	text = compared(&a, &b, &brief);
	assert_string_equal(text,
			    "- list /a | files.list /a/** | no rule\n"
			    "- tcp:192.0.2.1:9 | network.connect tcp:192.0.2.1:9 | no rule\n");
	cut = compared(&a, &b, &two);
	assert_string_equal(cut, "- list /a | files.list /a/** | no rule\n"
				 "- list /b | files.list /b/** | no rule\n"
				 "+ read,list /d | files.read /d | no rule\n");
	unmake(&a);
	unmake(&b);
}

/* What is cut off is said to be. */
static void says_that_there_is_more(void **state)
{
	const struct warder_comparison_options one = {.most = 1};
	_cleanup_comparison_ struct warder_comparison comparison = {0};
	struct made a, b;

	make("a", "", "files: {list: [/a, /b]}", &a);
	make("b", "", "", &b);
	assert_int_equal(warder_compare(&a.side, &b.side, &one, &comparison), 0);
	assert_int_equal(comparison.count, 1);
	assert_true(comparison.incomplete[WARDER_ONLY_A]);
	assert_false(comparison.incomplete[WARDER_ONLY_B]);
	assert_int_equal(comparison.rights[WARDER_ONLY_A], WARDER_LIST);
	unmake(&a);
	unmake(&b);
}

/* Each keeps track of the last bytes, and together they keep track of both. */
static void refuses_what_is_too_large(void **state)
{
	struct warder_comparison comparison = {0};
	struct made a, b;

	make("a", "",
	     "files: {list: ['/*a????????????"
	     "?']}",
	     &a);
	make("b", "",
	     "files: {list: ['/*b????????????"
	     "?']}",
	     &b);
	assert_int_equal(warder_compare(&a.side, &b.side, NULL, &comparison), -E2BIG);
	assert_null(comparison.list);
	unmake(&a);
	unmake(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_is_the_same),
		cmocka_unit_test(finds_the_shortest_path),
		cmocka_unit_test(names_rules),
		cmocka_unit_test(only_paths_that_exist),
		cmocka_unit_test(names_have_an_end),
		cmocka_unit_test(a_longer_path_may_have_shorter_names),
		cmocka_unit_test(names_are_not_too_many),
		cmocka_unit_test(compares_sockets),
		cmocka_unit_test(knows_reservation),
		cmocka_unit_test(what_is_not_judged_does_not_count),
		cmocka_unit_test(compares_addresses),
		cmocka_unit_test(compares_system_calls),
		cmocka_unit_test(one_way_and_brief),
		cmocka_unit_test(says_that_there_is_more),
		cmocka_unit_test(refuses_what_is_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
