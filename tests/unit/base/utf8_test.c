// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* utf8_test.c - which characters are shown as they are, and which are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

static void escapes_what_hides(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{"plain \\ text", "plain \\ text"},
		{"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x94\x91",
		 "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x94\x91"},
		/* Per mille, quotation marks, superscripts, a joiner: they show. */
		{"\xe2\x80\xb0\xe2\x80\xb9\xe2\x81\xb4\xe2\x80\x8d",
		 "\xe2\x80\xb0\xe2\x80\xb9\xe2\x81\xb4\xe2\x80\x8d"},
		{"\n\t\x1b\x7f", "\\x0a\\x09\\x1b\\x7f"},
		{"\xc2\x85\xc2\xa0", "\\xc2\\x85\xc2\xa0"},
		/* Arabic letter mark, line separator, override, isolate, byte order mark. */
		{"\xd8\x9c", "\\xd8\\x9c"},
		{"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
		{"\xe2\x80\xae", "\\xe2\\x80\\xae"},
		{"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},
		{"\xef\xbb\xbf", "\\xef\\xbb\\xbf"},
		/* A space of no width, a tag. */
		{"\xe2\x80\x8b", "\\xe2\\x80\\x8b"},
		{"\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81"},
		/* Not UTF-8: overlong, a surrogate, half a character. */
		{"\xc0\xaf\xed\xa0\x80\xe2\x82", "\\xc0\\xaf\\xed\\xa0\\x80\\xe2\\x82"},
	};
	char shown[64];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(warder_utf8_escape(shown, sizeof(shown), cases[i].text,
						       strlen(cases[i].text)),
				    cases[i].shown);
}

static void reads_code_points(void **state)
{
	assert_int_equal(warder_utf8_point("a", 1), 'a');
	assert_int_equal(warder_utf8_point("\xc3\xa4", 2), 0xe4);
	assert_int_equal(warder_utf8_point("\xe2\x80\xae", 3), 0x202e);
	assert_int_equal(warder_utf8_point("\xf4\x8f\xbf\xbf", 4), 0x10ffff);
}

static void cuts_between_characters(void **state)
{
	char shown[6];

	assert_string_equal(warder_utf8_escape(shown, 4, "ab\xc3\xa4", 4), "ab");
	assert_string_equal(warder_utf8_escape(shown, 6, "a\xff\xff", 3), "a\\xff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_what_hides),
		cmocka_unit_test(reads_code_points),
		cmocka_unit_test(cuts_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
