// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* naming_test.c - a name is never taken for a binding, nor one subject for another. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "load/naming.h"

/* Names as bind makes them of a policy "7" and others; "7" and "0x1f" as no version binds them. */
static const struct warder_subject list[] = {
	{.name = "box", .binding = 31},	      {.name = "box-2", .binding = 8},
	{.name = "7-agent-3", .binding = 12}, {.name = "7", .binding = 13},
	{.name = "0x1f", .binding = 14},      {.name = "job-a", .binding = 15},
	{.name = "job-b", .binding = 16},     {.name = "twin", .binding = 17},
	{.name = "twin", .binding = 18},
};

#define COUNT (sizeof(list) / sizeof(list[0]))

static int choose(const char *text, bool whole, __u64 *ret_binding)
{
	const struct warder_subject *found = NULL;
	struct warder_error error = {};
	int result = warder_naming_choose(list, COUNT, text, whole, &found, &error);

	if (!result)
		*ret_binding = found->binding;
	return result;
}

static void check_chosen(const char *text, __u64 binding, __u64 binding_of_whole)
{
	__u64 found = 0;

	assert_int_equal(choose(text, false, &found), binding ? 0 : -ESRCH);
	assert_int_equal(found, binding);
	found = 0;
	assert_int_equal(choose(text, true, &found), binding_of_whole ? 0 : -ESRCH);
	assert_int_equal(found, binding_of_whole);
}

static void digits_are_bindings(void **state)
{
	check_chosen("31", 31, 31);
	check_chosen("13", 13, 13);
	/* Neither a name nor the begin of one. */
	check_chosen("7", 0, 0);
	check_chosen("0", 0, 0);
	check_chosen("018446744073709551648", 0, 0);
	check_chosen("18446744073709551647", 0, 0);
	check_chosen("99999999999999999999999999", 0, 0);
	/* Ten is the only base, and all of the text is the number. */
	check_chosen("0x1f", 14, 14);
	check_chosen("0x8", 0, 0);
	check_chosen("010", 0, 0);
	check_chosen("8x", 0, 0);
	check_chosen(" 8", 0, 0);
	check_chosen("+8", 0, 0);
	check_chosen("-8", 0, 0);
	check_chosen("8 ", 0, 0);
	check_chosen("", 0, 0);
}

static void names_are_names(void **state)
{
	__u64 found;

	check_chosen("box", 31, 31);
	check_chosen("box-", 8, 0);
	check_chosen("7-agent-3", 12, 12);
	check_chosen("7-", 12, 0);
	assert_int_equal(choose("job-", false, &found), -ENOTUNIQ);
	assert_int_equal(choose("job-", true, &found), -ESRCH);
	assert_int_equal(choose("tw", false, &found), -ENOTUNIQ);
	/* Which of them is meant, nobody can tell. */
	assert_int_equal(choose("twin", false, &found), -ENOTUNIQ);
	assert_int_equal(choose("twin", true, &found), -ENOTUNIQ);
	check_chosen("17", 17, 17);
}

static void messages(void **state)
{
	const struct warder_subject *found = NULL;
	struct warder_error error = {};

	warder_naming_choose(list, COUNT, "bix", true, &found, &error);
	assert_non_null(strstr(error.text, "did you mean \"box\"?"));
	warder_naming_choose(list, COUNT, "twin", true, &found, &error);
	assert_string_equal(error.text,
			    "several subjects are called \"twin\"; name one by its binding\n"
			    "  twin (binding 17)\n"
			    "  twin (binding 18)");
	assert_null(found);
}

static void knows_names(void **state)
{
	char longest[65];

	memset(longest, 'a', sizeof(longest));
	longest[63] = '\0';
	assert_true(warder_naming_check("a") && warder_naming_check("a7") &&
		    warder_naming_check("job-1") && warder_naming_check(longest));
	longest[63] = 'a';
	longest[64] = '\0';
	assert_false(warder_naming_check("") || warder_naming_check("7") ||
		     warder_naming_check("7a") || warder_naming_check("0x1f") ||
		     warder_naming_check("-a") || warder_naming_check("p@af63bd4c8601b7df") ||
		     warder_naming_check("A") || warder_naming_check(longest));
	assert_true(warder_naming_is_binding("7") && warder_naming_is_binding("007"));
	assert_false(warder_naming_is_binding("") || warder_naming_is_binding("7a") ||
		     warder_naming_is_binding("0x7"));
}

/* The log is asked by name, too. */
static void events_of_one(void **state)
{
	assert_true(warder_naming_means("31", "box", 31, false));
	assert_true(warder_naming_means("bo", "box", 31, false));
	assert_false(warder_naming_means("bo", "box", 31, true));
	assert_false(warder_naming_means("", "box", 31, false));
	assert_false(warder_naming_means("3", "3-agent-1", 31, false));
	assert_false(warder_naming_means("0", "", 0, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_are_bindings),
		cmocka_unit_test(names_are_names),
		cmocka_unit_test(messages),
		cmocka_unit_test(knows_names),
		cmocka_unit_test(events_of_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
