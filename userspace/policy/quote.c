// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * quote.c - names from the kernel as text of a policy.
 */
#include "policy/quote.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Text that is being written; `full` once something did not fit. */
struct writer {
	char *out;
	size_t size, used;
	bool full;
};

static void put(struct writer *writer, const char *bytes, size_t length)
{
	if (writer->full || length > writer->size - writer->used) {
		writer->full = true;
		return;
	}
	memcpy(writer->out + writer->used, bytes, length);
	writer->used += length;
}

/*
 * A byte that is no UTF-8 cannot be written in a policy, but a class that it is in can be: all that
 * is not printable ASCII. "?" would take a letter as well, and let who chose the name
 * "/etc/\xff..." be told a rule for "/etc/shadow".
 */
#define UNWRITABLE "[! -~]"

bool warder_quote_literal(char *out, size_t size, size_t *used, const char *bytes, size_t length)
{
	struct writer writer = {.out = out, .size = size, .used = *used};
	size_t i, take;

	for (i = 0; i < length; i += take) {
		take = warder_utf8_length(bytes + i, length - i);
		if (!take) {
			take = 1;
			put(&writer, UNWRITABLE, strlen(UNWRITABLE));
			continue;
		}
		if (take == 1 && bytes[i] && strchr("*?[]{}\\", bytes[i]))
			put(&writer, "\\", 1);
		put(&writer, bytes + i, take);
	}
	*used = writer.used;
	return !writer.full;
}

/* Starts like a path, and holds nothing that YAML has a use for. */
static bool is_plain(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (!isalnum((unsigned char)text[i]) && (!text[i] || !strchr("/._-+", text[i])))
			return false;
	}
	return length && text[0] == '/';
}

/* Characters that YAML takes only as escapes, and those that do not show. */
static bool needs_escape(unsigned int point)
{
	return warder_utf8_hides(point) || point == 0xfffe || point == 0xffff;
}

static bool is_literal(const char *text, size_t length)
{
	size_t i, take;

	for (i = 0; i < length; i += take) {
		take = warder_utf8_length(text + i, length - i);
		if (!take || text[i] == '\'' || needs_escape(warder_utf8_point(text + i, take)))
			return false;
	}
	return true;
}

static void put_escape(struct writer *writer, unsigned int point)
{
	char escape[16];

	if (point <= 0xff)
		snprintf(escape, sizeof(escape), "\\x%02x", point);
	else if (point <= 0xffff)
		snprintf(escape, sizeof(escape), "\\u%04x", point);
	else
		snprintf(escape, sizeof(escape), "\\U%08x", point);
	put(writer, escape, strlen(escape));
}

static void put_escaped(struct writer *writer, const char *text, size_t length)
{
	size_t i, take;

	for (i = 0; i < length; i += take) {
		unsigned int point;

		take = warder_utf8_length(text + i, length - i);
		/* Not ours to guess; the caller has replaced such bytes. */
		point = take ? warder_utf8_point(text + i, take) : (unsigned char)text[i];
		take = take ? take : 1;
		if (needs_escape(point) || (take == 1 && point > 0x7f)) {
			put_escape(writer, point);
			continue;
		}
		if (point == '"' || point == '\\')
			put(writer, "\\", 1);
		put(writer, text + i, take);
	}
}

bool warder_quote_scalar(char *out, size_t size, const char *text, size_t length)
{
	struct writer writer = {.out = out, .size = size};

	if (is_plain(text, length)) {
		put(&writer, text, length);
	} else if (is_literal(text, length)) {
		put(&writer, "'", 1);
		put(&writer, text, length);
		put(&writer, "'", 1);
	} else {
		put(&writer, "\"", 1);
		put_escaped(&writer, text, length);
		put(&writer, "\"", 1);
	}
	put(&writer, "", 1);
	return !writer.full;
}
