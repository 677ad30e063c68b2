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
		/* Per mille, quotation marks, superscripts: they show. */
		{"\xe2\x80\xb0\xe2\x80\xb9\xe2\x81\xb4", "\xe2\x80\xb0\xe2\x80\xb9\xe2\x81\xb4"},
		{"\n\t\x1b\x7f", "\\x0a\\x09\\x1b\\x7f"},
		{"\xc2\x85\xc2\xa0", "\\xc2\\x85\xc2\xa0"},
		/* Arabic letter mark, line separator, override, isolate, byte order mark. */
		{"\xd8\x9c", "\\xd8\\x9c"},
		{"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
		{"\xe2\x80\xae", "\\xe2\\x80\\xae"},
		{"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},
		{"\xef\xbb\xbf", "\\xef\\xbb\\xbf"},
		/* A space of no width, a joiner, a filler, a selector, a tag. */
		{"\xe2\x80\x8b", "\\xe2\\x80\\x8b"},
		{"\xe2\x80\x8d", "\\xe2\\x80\\x8d"},
		{"\xe3\x85\xa4", "\\xe3\\x85\\xa4"},
		{"\xef\xb8\x8f", "\\xef\\xb8\\x8f"},
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

/* Unicode's list of what may be shown as nothing, and what is shown as a blank; not their
 * neighbours. */
static void knows_all_that_hide(void **state)
{
	static const struct {
		unsigned int first, last;
	} ranges[] = {
		{0xad, 0xad},	    {0x34f, 0x34f},	{0x61c, 0x61c},	    {0x115f, 0x1160},
		{0x17b4, 0x17b5},   {0x180b, 0x180f},	{0x200b, 0x200f},   {0x202a, 0x202e},
		{0x2060, 0x206f},   {0x2800, 0x2800},	{0x3164, 0x3164},   {0xfe00, 0xfe0f},
		{0xfeff, 0xfeff},   {0xffa0, 0xffa0},	{0xfff0, 0xfffb},   {0x13430, 0x1343f},
		{0x16fe4, 0x16fe4}, {0x1bca0, 0x1bca3}, {0x1d159, 0x1d159}, {0x1d173, 0x1d17a},
		{0xe0000, 0xe0fff},
	};
	static const unsigned int shown[] = {
		' ',	 0xa0,	  0xac,	   0xae,    0x34e,   0x350,   0x61b,   0x115e,
		0x1161,	 0x17b3,  0x17b6,  0x180a,  0x1810,  0x200a,  0x2010,  0x202f,
		0x205f,	 0x2070,  0x27ff,  0x2801,  0x3000,  0x3163,  0x3165,  0xfdff,
		0xfe10,	 0xff9f,  0xffa1,  0xffef,  0xfffc,  0xfffd,  0x1342f, 0x13440,
		0x1bc9f, 0x1bca4, 0x1d172, 0x1d17b, 0xdffff, 0xe1000, 0x1f511,
	};
	unsigned int point;
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		for (point = ranges[i].first; point <= ranges[i].last; point++)
			assert_true(warder_utf8_hides(point));
	}
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		assert_false(warder_utf8_hides(shown[i]));
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
		cmocka_unit_test(knows_all_that_hide),
		cmocka_unit_test(reads_code_points),
		cmocka_unit_test(cuts_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
