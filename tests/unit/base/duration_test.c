// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* duration_test.c - spans of time as people type and read them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/duration.h"

static void parses(void **state)
{
	static const struct {
		const char *text;
		__u64 seconds;
	} good[] = {{"20s", 20},   {"5m", 300}, {"2h", 7200},
		    {"1d", 86400}, {"007s", 7}, {"366d", 31622400}};
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		__u64 span = 0;

		assert_int_equal(warder_duration_parse(good[i].text, &span), 0);
		assert_true(span == good[i].seconds * WARDER_SECOND);
	}
}

static void refuses(void **state)
{
	static const char *const bad[] = {"",	"s",	"5",   "5 m", "-5s", "+5s",  "5M", "5ms",
					  "0s", "1.5h", "5m ", " 5m", "5mm", "0x5s", "m5", "5w"};
	__u64 span = 42;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(warder_duration_parse(bad[i], &span), -EINVAL);
	assert_int_equal(warder_duration_parse("367d", &span), -ERANGE);
	assert_int_equal(warder_duration_parse("99999999999999999999999s", &span), -ERANGE);
	assert_int_equal(warder_duration_parse("18446744073709551617s", &span), -ERANGE);
	assert_true(span == 42);
}

static void formats(void **state)
{
	static const struct {
		__u64 span;
		const char *text;
	} rows[] = {
		{1, "1s"},
		{59 * WARDER_SECOND, "59s"},
		{60 * WARDER_SECOND, "1m"},
		{250 * WARDER_SECOND, "4m 10s"},
		{7500 * WARDER_SECOND, "2h 5m"},
		{7230 * WARDER_SECOND, "2h"},
		{97200 * WARDER_SECOND, "1d 3h"},
	};
	char buffer[64];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(warder_duration_format(rows[i].span, buffer, sizeof(buffer)),
				    rows[i].text);
}

/* Times of a damaged log or ring: any number, and no overflow (UBSan watches). */
static void converts_any_time(void **state)
{
	assert_true(warder_boottime_to_wall(0) > 0);
	assert_true(warder_boottime_to_wall(~0ull) > warder_boottime_to_wall(1ull << 63));
	assert_true(warder_boottime_to_wall(1ull << 63) > warder_boottime_to_wall(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses),
		cmocka_unit_test(refuses),
		cmocka_unit_test(formats),
		cmocka_unit_test(converts_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
