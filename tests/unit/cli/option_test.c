// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* option_test.c - one table reads the options of a verb and is its help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"

/* What the table of the test sets, and what is left. */
static struct {
	bool json, follow;
	const char *reason;
	char **arguments;
	char said[4096]; /* both streams */
} got;

static const struct warder_option options[] = {
	{'j', "json", .text = "print JSON", .flag = &got.json},
	{0, "follow", .text = "go on", .flag = &got.follow},
	{'r', "reason", "TEXT", "why;\nit is recorded", .place = &got.reason},
	{},
};

static const struct warder_usage two = {
	.verb = "ps",
	.options = options,
	.more = "The end.\n",
	.fewest = 2,
	.most = 2,
	.wanted = "name one subject and one tool",
};
static const struct warder_usage none = {.verb = "ps", .options = options};
static const struct warder_usage many = {
	.verb = "ps", .options = options, .fewest = 1, .most = -1, .wanted = "no file"};
static const struct warder_usage command = {
	.verb = "ps", .options = options, .most = -1, .command = true};

/* Read "ps WORD..."; what is said goes to got.said. */
static int read_words(const struct warder_usage *usage, char **argv)
{
	FILE *said = tmpfile();
	int out = dup(1), err = dup(2), argc = 0, result;

	memset(&got, 0, sizeof(got));
	while (argv[argc])
		argc++;
	fflush(stdout);
	dup2(fileno(said), 1);
	dup2(fileno(said), 2);
	result = warder_options_read(usage, argc, argv, &got.arguments);
	fflush(stdout);
	fflush(stderr);
	dup2(out, 1);
	dup2(err, 2);
	rewind(said);
	got.said[fread(got.said, 1, sizeof(got.said) - 1, said)] = '\0';
	fclose(said);
	close(out);
	close(err);
	return result;
}

#define READ(usage, ...) read_words(&(usage), (char *[]){"ps", __VA_ARGS__ __VA_OPT__(, ) NULL})

static void reads_flags_values_and_arguments(void **state)
{
	assert_true(READ(two, "box", "-j", "tool", "--reason", "--follow") < 0);
	assert_true(got.json);
	assert_false(got.follow);
	assert_string_equal(got.reason, "--follow");
	assert_string_equal(got.arguments[0], "box");
	assert_string_equal(got.arguments[1], "tool");
	assert_null(got.arguments[2]);
	assert_true(READ(two, "--follow", "-rwhy", "--", "-j", "tool") < 0);
	assert_true(got.follow);
	assert_false(got.json);
	assert_string_equal(got.reason, "why");
	assert_string_equal(got.arguments[0], "-j");
	assert_true(READ(none) < 0);
	assert_null(got.arguments[0]);
	assert_true(READ(many, "a", "b", "c") < 0);
	assert_string_equal(got.arguments[2], "c");
	assert_string_equal(got.said, "");
}

static void leaves_a_command_its_options(void **state)
{
	assert_true(READ(command, "-j", "ls", "--follow", "-j") < 0);
	assert_true(got.json);
	assert_false(got.follow);
	assert_string_equal(got.arguments[0], "ls");
	assert_string_equal(got.arguments[1], "--follow");
	assert_true(READ(command) < 0);
	assert_null(got.arguments[0]);
}

static void refuses_what_is_wrong(void **state)
{
	assert_int_equal(READ(none, "box"), WARDER_EXIT_USAGE);
	assert_non_null(strstr(got.said, "ps: unexpected \"box\""));
	assert_non_null(strstr(got.said, "`warder ps --help`"));
	assert_int_equal(READ(two, "box"), WARDER_EXIT_USAGE);
	assert_non_null(strstr(got.said, "ps: name one subject and one tool"));
	assert_int_equal(READ(two, "a", "b", "c"), WARDER_EXIT_USAGE);
	assert_int_equal(READ(many), WARDER_EXIT_USAGE);
	assert_non_null(strstr(got.said, "ps: no file"));
	assert_int_equal(READ(none, "--nothing"), WARDER_EXIT_USAGE);
	assert_non_null(strstr(got.said, "unknown option \"--nothing\""));
	assert_int_equal(READ(none, "-x"), WARDER_EXIT_USAGE);
	assert_non_null(strstr(got.said, "unknown option \"-x\""));
	assert_int_equal(READ(none, "--reason"), WARDER_EXIT_USAGE);
	assert_non_null(strstr(got.said, "option \"--reason\" needs a value"));
}

static void is_its_own_help(void **state)
{
	static const char wanted[] = "  -j, --json         print JSON\n"
				     "      --follow       go on\n"
				     "  -r, --reason TEXT  why;\n"
				     "                     it is recorded\n"
				     "  -h, --help         print this\n"
				     "\n"
				     "The end.\n";

	assert_int_equal(READ(two, "-h"), WARDER_EXIT_OK);
	assert_non_null(strstr(got.said, "usage: warder ps"));
	assert_non_null(strstr(got.said, wanted));
	/* Also when the rest is wrong. */
	assert_int_equal(READ(two, "--help", "box"), WARDER_EXIT_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_flags_values_and_arguments),
		cmocka_unit_test(leaves_a_command_its_options),
		cmocka_unit_test(refuses_what_is_wrong),
		cmocka_unit_test(is_its_own_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
