// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice_test.c - the warnings of `check` that golden policies cannot show: those about the files
 * that are there, and that advice is given in time.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/advice.h"
#include "compile/compile.h"

static char root[] = "/tmp/warder-advice-XXXXXX";

/* What is said about the rules, one line each: "warning: MESSAGE". Malloc'ed. */
static char *advise(const char *text, const struct warder_policy_options *options)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0}, advice = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	char *said = NULL;
	size_t size, i;
	FILE *out = open_memstream(&said, &size);

	assert_int_equal(
		warder_policy_parse("p.yaml", text, strlen(text), options, &found, &policy), 0);
	assert_int_equal(warder_compile(policy, &found, &image), 0);
	assert_int_equal(warder_advise(policy, image, options, &advice), 0);
	for (i = 0; i < advice.count; i++)
		fprintf(out, "%s: %s\n", warder_severity_name(advice.list[i].severity),
			advice.list[i].message);
	fclose(out);
	return said;
}

static char *advise_below(const char *rules)
{
	const struct warder_policy_options options = {.root = root, .trusted_uid = getuid()};
	_cleanup_free_ char *text = NULL;

	assert_true(
		asprintf(&text,
			 "version: 1\npolicy: p\nmodel: agent-in-sandbox\nsets: {agent: {%s}}\n",
			 rules) > 0);
	return advise(text, &options);
}

static void says(const char *rules, const char *expected)
{
	_cleanup_free_ char *said = advise_below(rules);

	assert_string_equal(said, expected);
}

static char *below(const char *path)
{
	static char paths[2][256];
	static unsigned int turn;

	turn ^= 1;
	snprintf(paths[turn], sizeof(paths[turn]), "%s%s", root, path);
	return paths[turn];
}

static void make_file(const char *path, mode_t mode)
{
	int fd = open(below(path), O_CREAT | O_WRONLY | O_CLOEXEC, mode);

	assert_true(fd >= 0);
	close(fd);
}

static int make_root(void **state)
{
	static const char *const directories[] = {"/bin", "/opt", "/data", "/data/deep", "/etc"};
	size_t i;

	assert_non_null(mkdtemp(root));
	for (i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		assert_int_equal(mkdir(below(directories[i]), 0755), 0);
	make_file("/opt/tool", 0755);
	make_file("/opt/text", 0644);
	make_file("/bin/own", 0755);
	assert_int_equal(symlink("/opt/tool", below("/bin/tool")), 0);
	assert_int_equal(symlink("../opt/text", below("/bin/text")), 0);
	assert_int_equal(symlink("own", below("/bin/other")), 0);
	assert_int_equal(symlink("/nowhere", below("/bin/dangling")), 0);
	assert_int_equal(symlink("../../../../../../etc", below("/data/up")), 0);
	return 0;
}

static int remove_root(void **state)
{
	_cleanup_free_ char *command = NULL;

	assert_true(asprintf(&command, "rm -rf %s", root) > 0);
	return system(command);
}

#define ADVICE_LINK(link, target) \
	"warning: \"" link "\" is a link that leads out of what is allowed, to \"" target "\""

static void a_link_that_leads_out_of_a_glob_is_said(void **state)
{
	says("exec: [/bin/**]", ADVICE_LINK("/bin/tool", "/opt/tool") "\n");
	says("exec: [/bin/*]", ADVICE_LINK("/bin/tool", "/opt/tool") "\n");
	says("files: {read: [/bin/**]}",
	     ADVICE_LINK("/bin/text", "/opt/text") "; so do 1 more links there\n");
	/* Not below the root of this machine. */
	says("files: {read: [/data/**]}", ADVICE_LINK("/data/up", "/etc") "\n");
}

static void a_link_to_what_is_allowed_is_not(void **state)
{
	says("exec: [/bin/**, /opt/tool]", "");
	says("exec: [/bin/own]", "");
	/* Reading is given there, and starting does not matter. */
	says("files: {read: [/bin/**, /opt/**]}", "");
	/* A deny is about the names themselves. */
	says("files: {deny: {read: [/bin/**]}}", "");
}

static void a_directory_that_is_named_alone_is_said(void **state)
{
	says("files: {read: [/data]}",
	     "note: \"/data\" is a directory here, and the rule is about nothing below it\n");
	says("files: {deny: {read: [/etc]}}",
	     "warning: \"/etc\" is a directory here, and the rule denies nothing of what is below "
	     "it\n");
}

static void a_directory_that_is_meant_is_not(void **state)
{
	says("files: {list: [/data]}", "");
	says("files: {deny: {create: [/data]}}", "");
	says("files: {deny: {read: [/etc, /etc/**]}}",
	     "note: the rule adds nothing to line 4: files.deny.read \"/etc/**\"\n");
	says("files: {read: [/opt/text, /opt/none]}", "");
}

static void links_that_are_kept_are_not_looked_at(void **state)
{
	const struct warder_policy_options options = {.root = root, .keep_links = true};
	_cleanup_free_ char *said =
		advise("version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
		       "sets: {agent: {exec: [/bin/**], files: {read: [/data]}}}\n",
		       &options);

	assert_string_equal(said, "");
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Rules that all have to be compared with each other, and that their automata do not tell apart
 * early; sanitizers take ten times as long.
 */
static void advice_takes_no_longer_than_its_budget(void **state)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_free_ char *text = NULL, *said = NULL;
	size_t size, i;
	double before;
	FILE *out = open_memstream(&text, &size);

	fputs("version: 1\npolicy: p\nmodel: agent-in-sandbox\nsets:\n  agent:\n    files:\n"
	      "      deny: {read: ['**/.env', '**/keys/**']}\n      read:\n",
	      out);
	for (i = 0; i < WARDER_ADVICE_RULES_MAX - 2; i++)
		fprintf(out, "        - /data/*/project[0-9]*/of-%03zu/**\n", i);
	fclose(out);
	before = seconds();
	said = advise(text, &options);
	assert_string_equal(said, "");
	assert_true(seconds() - before < 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_that_leads_out_of_a_glob_is_said),
		cmocka_unit_test(a_link_to_what_is_allowed_is_not),
		cmocka_unit_test(a_directory_that_is_named_alone_is_said),
		cmocka_unit_test(a_directory_that_is_meant_is_not),
		cmocka_unit_test(links_that_are_kept_are_not_looked_at),
		cmocka_unit_test(advice_takes_no_longer_than_its_budget),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
