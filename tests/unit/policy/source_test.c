// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* source_test.c - what is no policy file: said at once, with a hint, and no wait. */
#include <errno.h>
#include <fcntl.h>
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

static char fifo[] = "/tmp/warder-fifo-XXXXXX";

static void check_refused(const char *path, int error, const char *message, const char *hint)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;

	assert_int_equal(warder_policy_load(path, NULL, &found, &policy), error);
	assert_null(policy);
	assert_int_equal(found.count, 1);
	assert_string_equal(found.list[0].message, message);
	if (hint)
		assert_string_equal(found.list[0].hint, hint);
	else
		assert_null(found.list[0].hint);
}

static void what_is_no_file_is_refused(void **state)
{
	check_refused("/", -EISDIR, "cannot be read: Is a directory", "name the policy file in it");
	check_refused("/dev/zero", -EINVAL, "cannot be read: not a file",
		      "a policy is a file or a pipe");
	check_refused("-", -ENOENT, "cannot be read: No such file or directory",
		      "standard input is called /dev/stdin");
	check_refused("/nowhere/p.yaml", -ENOENT, "cannot be read: No such file or directory",
		      NULL);
	check_refused("", -ENOENT, "the name of the policy file is empty", NULL);
}

/* Whoever waits for a FIFO without a writer waits for ever: the alarm ends the test. */
static void a_silent_pipe_is_not_waited_for(void **state)
{
	alarm(10);
	check_refused(fifo, -EPIPE, "cannot be read: nothing comes from this pipe",
		      "does anybody write to it?");
	alarm(0);
}

static void a_slow_writer_is_waited_for(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	static const char text[] = "version: 1\npolicy: slow\nmodel: agent-in-sandbox\n"
				   "sets: {a: {exec: [/bin/sh]}}\n";
	int fd = open(fifo, O_RDWR | O_CLOEXEC);
	pid_t child = fork();

	if (!child) {
		usleep(100000);
		_exit(write(fd, text, sizeof(text) - 1) != sizeof(text) - 1);
	}
	assert_true(fd >= 0 && child > 0);
	/* The child holds the only other writing end, so that its exit ends the text. */
	usleep(20000);
	close(fd);
	alarm(10);
	assert_int_equal(warder_policy_load(fifo, NULL, &found, &policy), 0);
	alarm(0);
	assert_string_equal(policy->name, "slow");
}

/* What the text of so many rules is refused with; NULL: nothing. */
static const char *refusal(size_t rules, char out[128])
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	static const struct warder_policy_options options = {.keep_links = true};
	static const char head[] = "version: 1\npolicy: many\nmodel: agent-in-sandbox\n"
				   "sets:\n a:\n  exec:\n";
	static const char rule[] = "  - /srv/a\n";
	_cleanup_free_ char *text = malloc(sizeof(head) + rules * (sizeof(rule) - 1));
	char *end = stpcpy(text, head);
	size_t i;

	for (i = 0; i < rules; i++)
		end = stpcpy(end, rule);
	if (warder_policy_parse("many", text, (size_t)(end - text), &options, &found, &policy) == 0)
		return NULL;
	assert_int_equal(found.errors, 1);
	return strcpy(out, found.list[0].message);
}

static void a_text_fills_no_memory(void **state)
{
	char message[128];

	assert_null(refusal(100000, message));
	assert_string_equal(refusal(600000, message), "more than 524288 values");
	assert_string_equal(refusal(800000, message), "the policy is larger than 8 MiB");
}

static int start(void **state)
{
	int fd = mkstemp(fifo);

	if (fd < 0)
		return -1;
	close(fd);
	unlink(fifo);
	return mkfifo(fifo, 0600);
}

static int finish(void **state)
{
	return unlink(fifo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(a_silent_pipe_is_not_waited_for),
		cmocka_unit_test(a_slow_writer_is_waited_for),
		cmocka_unit_test(a_text_fills_no_memory),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
