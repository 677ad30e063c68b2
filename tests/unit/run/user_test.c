// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* user_test.c - whom a command runs as: the entry, and the variables that tell of it. */
#include <errno.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/user.h"

static void finds_an_entry(void **state)
{
	const struct passwd *entry = getpwnam("daemon");
	_cleanup_user_ struct warder_user user = {}, same = {};
	char number[32], home[300];

	assert_non_null(entry);
	snprintf(number, sizeof(number), "%u", entry->pw_uid);
	snprintf(home, sizeof(home), "HOME=%s", entry->pw_dir);
	assert_int_equal(warder_user_find("daemon", &user, NULL), 0);
	assert_string_equal(user.variables[0], home);
	assert_string_equal(user.variables[2], "USER=daemon");
	assert_string_equal(user.variables[3], "LOGNAME=daemon");
	assert_true(user.group_count >= 1);
	assert_int_equal(warder_user_find(number, &same, NULL), 0);
	assert_int_equal(same.uid, user.uid);
	assert_string_equal(same.variables[2], "USER=daemon");
}

static void refuses_nobody(void **state)
{
	struct warder_user user = {};
	struct warder_error message = {};

	assert_int_equal(warder_user_find("no-such-user", &user, &message), -ENOENT);
	assert_non_null(strstr(message.text, "\"no-such-user\""));
	assert_null(user.groups);
}

static void puts_the_users_variables_in_place(void **state)
{
	const struct warder_user user = {
		.variables = {"HOME=/home/a", "SHELL=/bin/sh", "USER=a", "LOGNAME=a"}};
	char *const callers[] = {"HOME=/root",	"PATH=/bin", "USER=root", "USERNAME=x",
				 "HOME=/twice", "SHELL",     NULL};
	static const char *const wanted[] = {"PATH=/bin",    "USERNAME=x",    "SHELL",
					     "HOME=/home/a", "SHELL=/bin/sh", "USER=a",
					     "LOGNAME=a"};
	char **list = NULL, *const empty[] = {NULL};
	size_t i;

	assert_int_equal(warder_user_environment(&user, callers, &list), 0);
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		assert_string_equal(list[i], wanted[i]);
	assert_null(list[i]);
	free(list);
	assert_int_equal(warder_user_environment(&user, empty, &list), 0);
	assert_string_equal(list[0], "HOME=/home/a");
	assert_null(list[4]);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_an_entry),
		cmocka_unit_test(refuses_nobody),
		cmocka_unit_test(puts_the_users_variables_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
