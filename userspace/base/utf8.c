// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * utf8.c - is a text UTF-8, and how do untrusted bytes look on a terminal.
 */
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static int is_continuation(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* The range of second bytes is narrower after some first bytes: no overlong form, no surrogate. */
static int second_byte_fits(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0;
	case 0xed:
		return second <= 0x9f;
	case 0xf0:
		return second >= 0x90;
	case 0xf4:
		return second <= 0x8f;
	}
	return 1;
}

size_t warder_utf8_length(const char *text, size_t size)
{
	const unsigned char *b = (const unsigned char *)text;
	size_t length, i;

	if (!size)
		return 0;
	if (b[0] < 0x80)
		return 1;
	if (b[0] < 0xc2 || b[0] > 0xf4)
		return 0;
	length = b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
	if (size < length)
		return 0;
	for (i = 1; i < length; i++) {
		if (!is_continuation(b[i]))
			return 0;
	}
	return second_byte_fits(b[0], b[1]) ? length : 0;
}

size_t warder_utf8_check(const char *text, size_t size)
{
	size_t i = 0, length;

	while (i < size) {
		length = warder_utf8_length(text + i, size - i);
		if (!length)
			return i;
		i += length;
	}
	return size;
}

size_t warder_utf8_count(const char *text, size_t size)
{
	size_t i = 0, count = 0, length;

	while (i < size) {
		length = warder_utf8_length(text + i, size - i);
		i += length ? length : 1;
		count++;
	}
	return count;
}

unsigned int warder_utf8_point(const char *text, size_t length)
{
	const unsigned char *b = (const unsigned char *)text;
	unsigned int point = length == 1 ? b[0] : b[0] & (0x7f >> length);
	size_t i;

	for (i = 1; i < length; i++)
		point = point << 6 | (b[i] & 0x3f);
	return point;
}

/*
 * Controls; every point with the property Default_Ignorable_Code_Point (Unicode 14,
 * DerivedCoreProperties.txt), which no font has to show; other format characters; and those that
 * have a glyph, but an empty one. Spaces look like what they are.
 */
int warder_utf8_hides(unsigned int point)
{
	static const struct {
		unsigned int first, last;
	} ranges[] = {
		{0x00, 0x1f},	    /* C0 */
		{0x7f, 0x9f},	    /* DEL, C1 */
		{0xad, 0xad},	    /* soft hyphen */
		{0x34f, 0x34f},	    /* combining grapheme joiner */
		{0x61c, 0x61c},	    /* Arabic letter mark */
		{0x115f, 0x1160},   /* Hangul fillers */
		{0x17b4, 0x17b5},   /* inherent vowels of Khmer */
		{0x180b, 0x180f},   /* Mongolian selectors */
		{0x200b, 0x200f},   /* space of no width, joiners, left-to-right mark */
		{0x2028, 0x202e},   /* line and paragraph separator, embeddings, overrides */
		{0x2060, 0x206f},   /* invisible operators, isolates */
		{0x2800, 0x2800},   /* Braille pattern of no dot */
		{0x3164, 0x3164},   /* Hangul filler */
		{0xfe00, 0xfe0f},   /* variation selectors */
		{0xfeff, 0xfeff},   /* byte order mark */
		{0xffa0, 0xffa0},   /* Hangul filler of half the width */
		{0xfff0, 0xfffb},   /* unassigned; interlinear annotations */
		{0x13430, 0x1343f}, /* format controls of hieroglyphs */
		{0x16fe4, 0x16fe4}, /* Khitan filler */
		{0x1bca0, 0x1bca3}, /* format controls of shorthand */
		{0x1d159, 0x1d159}, /* note head that is none */
		{0x1d173, 0x1d17a}, /* format controls of music */
		{0xe0000, 0xe0fff}, /* tags, more variation selectors, unassigned */
	};
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (point >= ranges[i].first && point <= ranges[i].last)
			return 1;
	}
	return 0;
}

/* General category Zs of Unicode 14 but the space itself, which is the one that YAML knows. */
int warder_utf8_spaces(unsigned int point)
{
	return point == 0xa0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200a) ||
	       point == 0x202f || point == 0x205f || point == 0x3000;
}

char *warder_utf8_escape(char *out, size_t out_size, const char *text, size_t size)
{
	size_t i = 0, used = 0;

	while (i < size) {
		size_t length = warder_utf8_length(text + i, size - i);
		size_t take = length ? length : 1, k;

		if (length && !warder_utf8_hides(warder_utf8_point(text + i, length))) {
			if (used + length >= out_size)
				break;
			memcpy(out + used, text + i, length);
			used += length;
		} else {
			if (used + 4 * take >= out_size)
				break;
			for (k = 0; k < take; k++)
				used += (size_t)sprintf(out + used, "\\x%02x",
							(unsigned char)text[i + k]);
		}
		i += take;
	}
	out[used] = 0;
	return out;
}
