// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* diagnostic_test.c - which messages are kept when there are too many, and how long that takes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/policy.h"

static void add(struct warder_diagnostics *found, enum warder_severity severity, unsigned int count,
		const char *message)
{
	while (count--)
		warder_diagnostics_add(found, severity, NULL, (struct warder_span){0}, NULL, "%s",
				       message);
}

static void errors_take_the_place_of_notes(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};

	add(&found, WARDER_ERROR, 1, "first");
	add(&found, WARDER_NOTE, WARDER_DIAGNOSTICS_MAX, "note");
	assert_int_equal(found.count, WARDER_DIAGNOSTICS_MAX);
	add(&found, WARDER_ERROR, 1, "second");
	add(&found, WARDER_NOTE, 1, "late");
	assert_int_equal(found.count, WARDER_DIAGNOSTICS_MAX);
	assert_string_equal(found.list[0].message, "first");
	assert_string_equal(found.list[1].message, "note");
	assert_string_equal(found.list[found.count - 1].message, "second");
	add(&found, WARDER_ERROR, WARDER_DIAGNOSTICS_MAX, "more");
	assert_int_equal(found.count, WARDER_DIAGNOSTICS_MAX);
	assert_string_equal(found.list[0].message, "first");
	assert_string_equal(found.list[1].message, "second");
	assert_string_equal(found.list[2].message, "more");
	assert_int_equal(found.errors, WARDER_DIAGNOSTICS_MAX + 2);
	assert_int_equal(found.notes, WARDER_DIAGNOSTICS_MAX + 1);
	assert_false(found.out_of_memory);
}

/* As many errors as fit into a file, each in a line of its own: an answer within seconds. */
static void a_file_of_errors_takes_no_time(void **state)
{
	static const char *const heads[] = {"exec:\n", "network:\n   connect:\n",
					    "syscalls:\n   deny:\n", "tools:\n"};
	const struct warder_policy_options options = {.keep_links = true};
	size_t size = 1000000, used, i;
	char *text = malloc(size);

	assert_non_null(text);
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		_cleanup_diagnostics_ struct warder_diagnostics found = {0};
		struct warder_policy *policy = NULL;

		used = (size_t)sprintf(text,
				       "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
				       "sets:\n a:\n  %s",
				       heads[i]);
		for (; used + 8 < size; used += 8)
			memcpy(text + used, "    - x\n", 8);
		alarm(20);
		assert_int_equal(
			warder_policy_parse("p.yaml", text, used, &options, &found, &policy),
			-EINVAL);
		alarm(0);
		assert_true(found.errors > 100000);
		assert_int_equal(found.count, WARDER_DIAGNOSTICS_MAX);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_take_the_place_of_notes),
		cmocka_unit_test(a_file_of_errors_takes_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
