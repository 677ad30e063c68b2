// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* message_test.c - messages and names: bytes from outside show, and do nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/identifier.h"
#include "base/message.h"

static char out[256];

static const char *make(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *make(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	warder_message_format(out, sizeof(out), format, arguments);
	va_end(arguments);
	return out;
}

static void formats_as_printf_does(void **state)
{
	char want[256];

	snprintf(want, sizeof(want), "a %d %u %llu %#llx %ld %zu %c %03u%% %s|%.*s", -5, 7u,
		 1ull << 40, 0xabcull, -9l, (size_t)12, 'x', 3u, "text", 2, "cut");
	assert_string_equal(make("a %d %u %llu %#llx %ld %zu %c %03u%% %s|%.*s", -5, 7u, 1ull << 40,
				 0xabcull, -9l, (size_t)12, 'x', 3u, "text", 2, "cut"),
			    want);
	assert_string_equal(make("no arguments"), "no arguments");
	assert_string_equal(make("%s and %s", "one", "two"), "one and two");
}

static void escapes_what_acts_on_a_terminal(void **state)
{
	assert_string_equal(make("\"%s\"\nfix", "a\033[31mb\nc"), "\"a\\x1b[31mb\\x0ac\"\nfix");
	assert_string_equal(make("%s", "\xff\xc3\x28"), "\\xff\\xc3(");
	assert_string_equal(make("%s", "stra\xc3\x9f"
				       "e \xe2\x80\xae"),
			    "stra\xc3\x9f"
			    "e \\xe2\\x80\\xae");
	assert_string_equal(make("%.*s", 3, "\x07\x07\x07\x07"), "\\x07\\x07\\x07");
	assert_string_equal(make("%c", 7), "\\x07");
	assert_string_equal(make("%%s %s", "%n%s"), "%s %n%s");
}

static void cuts_to_fit(void **state)
{
	char text[400], small[8];
	struct warder_error error = {};

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(strlen(make("%s%s", text, text)), sizeof(out) - 1);
	memset(text, '\n', sizeof(text) - 1);
	assert_true(strlen(make("%s", text)) < sizeof(out));
	/* An escaped byte is not cut in its middle. */
	assert_int_equal(strlen(out) % 4, 0);
	snprintf(small, sizeof(small), "%s", make("%s", ""));
	assert_string_equal(small, "");
	warder_error_set(&error, -2, "\"%s\":", "a\nb");
	assert_string_equal(error.text, "\"a\\x0ab\": No such file or directory");
	warder_error_add(&error, -2, "fix %s", "\033");
	assert_non_null(strstr(error.text, "directory\nfix \\x1b"));
	warder_error_wrap(&error, -2, "%s", "\r");
	assert_true(!strncmp(error.text, "\\x0d: \"a\\x0ab\": No such", 20));
}

static bool fits(const char *text)
{
	return warder_identifier_check(text, strlen(text));
}

static void knows_names(void **state)
{
	char longest[65];

	memset(longest, 'a', sizeof(longest));
	longest[63] = '\0';
	assert_true(fits("a") && fits("job-1") && fits("1") && fits(longest));
	longest[63] = 'a';
	longest[64] = '\0';
	assert_false(fits("") || fits("-a") || fits("A") || fits("a b") || fits("a\n") ||
		     fits("a\033[31m") || fits("a/b") || fits("\xc3\xa4") || fits(longest));
	assert_false(warder_identifier_check("a\0b", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_as_printf_does),
		cmocka_unit_test(escapes_what_acts_on_a_terminal),
		cmocka_unit_test(cuts_to_fit),
		cmocka_unit_test(knows_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
