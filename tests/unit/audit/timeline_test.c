// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* timeline_test.c - lines of the log in the order of time, whoever wrote them and when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "audit/timeline.h"
#include "base/cleanup.h"

static char seen[1024];

static void see(const char *line, size_t size, const json_t *record, void *context)
{
	size_t length = strlen(seen);

	assert_ptr_equal(context, seen);
	assert_true(json_is_object(record));
	assert_int_equal(line[size - 1], '\n');
	snprintf(seen + length, sizeof(seen) - length, "%s ",
		 json_string_value(json_object_get(record, "n")) ?: "?");
}

static void check(FILE *log, const char *expected)
{
	seen[0] = '\0';
	assert_int_equal(warder_timeline_read(log, see, seen), 0);
	assert_string_equal(seen, expected);
}

static void orders(void **state)
{
	_cleanup_fclose_ FILE *log = tmpfile();
	long end;

	assert_non_null(log);
	check(log, "");
	fputs("{\"n\":\"c\",\"boottime\":30}\n"
	      "{\"n\":\"a\",\"boottime\":10}\n"
	      "{\"n\":\"d\",\"boottime\":30}\n"
	      "{\"n\":\"untimed\"}\n"
	      "this line was cut by a full d\n"
	      "{\"n\":\"b\",\"boottime\":20}\n"
	      "{\"n\":\"half\",\"boot",
	      log);
	rewind(log);
	check(log, "a b c d untimed ");
	end = ftell(log);
	/* The rest of the half line, and what came since. */
	fseek(log, 0, SEEK_END);
	fputs("time\":5}\n{\"n\":\"early\",\"boottime\":1}\n", log);
	fseek(log, end, SEEK_SET);
	check(log, "early half ");
	check(log, "");
}

/* Times are numbers of nanoseconds, not of what a double can hold. */
static void tells_a_nanosecond(void **state)
{
	_cleanup_fclose_ FILE *log = tmpfile();

	assert_non_null(log);
	fputs("{\"n\":\"second\",\"boottime\":9007199254740993}\n"
	      "{\"n\":\"first\",\"boottime\":9007199254740992}\n",
	      log);
	rewind(log);
	check(log, "first second ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(tells_a_nanosecond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
