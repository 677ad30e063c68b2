/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * utf8.h - is a text UTF-8, and how do untrusted bytes look on a terminal.
 */
#ifndef WARDER_BASE_UTF8_H
#define WARDER_BASE_UTF8_H

#include <stddef.h>

/*
 * Length in bytes of the character at the start of `text`; 0 when the bytes there are
 * not valid UTF-8 (overlong forms, surrogates and values above U+10FFFF included).
 */
size_t warder_utf8_length(const char *text, size_t size);

/* Offset of the first byte that is not valid UTF-8; `size` when all are. */
size_t warder_utf8_check(const char *text, size_t size);

/* Characters in a valid text; a byte that is not valid counts as one. */
size_t warder_utf8_count(const char *text, size_t size);

/* The code point of a valid character of `length` bytes. */
unsigned int warder_utf8_point(const char *text, size_t length);

/*
 * Is it a character that does not show, or that makes the line around it read as another
 * one: C0, C1, line separators, bidirectional controls, joiners, selectors, fillers?
 */
int warder_utf8_hides(unsigned int point);

/* Does it look like a space, and is none: no-break space, spaces of other widths? */
int warder_utf8_spaces(unsigned int point);

/*
 * Write bytes so that they can be printed: characters that hide and what is not UTF-8
 * become \xNN, a backslash is kept. Always NUL-terminated, cut to fit. Returns `out`.
 */
char *warder_utf8_escape(char *out, size_t out_size, const char *text, size_t size);

#endif
