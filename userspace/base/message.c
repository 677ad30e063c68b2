// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * message.c - printf for people: what comes from outside cannot act on their terminal.
 */
#include "base/message.h"

#include <string.h>

#include "base/utf8.h"

/* Longest conversion that is passed on, as in "%08llx". */
#define SPEC_MAX 16

struct message {
	char *out;
	size_t size, used;
	/* In a struct: as a parameter it could not be passed on and used again. */
	va_list arguments;
};

static void put_plain(struct message *m, const char *text, size_t size)
{
	size_t room = m->size - m->used - 1;

	if (size > room)
		size = room;
	memcpy(m->out + m->used, text, size);
	m->used += size;
	m->out[m->used] = '\0';
}

static void put_text(struct message *m, const char *text, size_t size)
{
	warder_utf8_escape(m->out + m->used, m->size - m->used, text, size);
	m->used += strlen(m->out + m->used);
}

/* %s and %.*s: `precision` is the most bytes to read, whether or not a NUL is among them. */
static void put_string(struct message *m, int precision)
{
	const char *text = va_arg(m->arguments, const char *);

	if (!text)
		text = "(null)";
	put_text(m, text, precision < 0 ? strlen(text) : strnlen(text, precision));
}

static void put_number(struct message *m, const char *spec, const char *length)
{
	char digits[64];

	if (!strcmp(length, "ll"))
		snprintf(digits, sizeof(digits), spec, va_arg(m->arguments, long long));
	else if (!strcmp(length, "l"))
		snprintf(digits, sizeof(digits), spec, va_arg(m->arguments, long));
	else if (!strcmp(length, "z"))
		snprintf(digits, sizeof(digits), spec, va_arg(m->arguments, size_t));
	else
		snprintf(digits, sizeof(digits), spec, va_arg(m->arguments, int));
	/* Also escaped: %c may be anything. */
	put_text(m, digits, strlen(digits));
}

/* One conversion, from its '%' on; returns what follows it, or NULL when it is not known. */
static const char *put_conversion(struct message *m, const char *format)
{
	size_t flags = 1 + strspn(format + 1, "-+ #0123456789");
	size_t length = strspn(format + flags, "lz");
	char spec[SPEC_MAX], modifier[SPEC_MAX];

	if (format[1] == '%') {
		put_plain(m, "%", 1);
		return format + 2;
	}
	if (!strncmp(format, "%.*s", 4)) {
		put_string(m, va_arg(m->arguments, int));
		return format + 4;
	}
	if (format[flags] == 's') {
		put_string(m, -1);
		return format + flags + 1;
	}
	if (!strchr("diuxc", format[flags + length]) || flags + length + 2 > sizeof(spec))
		return NULL;
	snprintf(spec, sizeof(spec), "%.*s", (int)(flags + length + 1), format);
	snprintf(modifier, sizeof(modifier), "%.*s", (int)length, format + flags);
	put_number(m, spec, modifier);
	return format + flags + length + 1;
}

char *warder_message_format(char *out, size_t size, const char *format, va_list arguments)
{
	struct message m = {.out = out, .size = size};
	const char *rest = format;

	out[0] = '\0';
	va_copy(m.arguments, arguments);
	while (rest && *rest) {
		size_t plain = strcspn(rest, "%");

		put_plain(&m, rest, plain);
		rest += plain;
		/* What is not known ends the message: its argument's size is not known either. */
		if (*rest)
			rest = put_conversion(&m, rest);
	}
	va_end(m.arguments);
	return out;
}

void warder_message_print(FILE *out, const char *format, ...)
{
	char text[WARDER_MESSAGE_MAX];
	va_list arguments;

	va_start(arguments, format);
	fputs(warder_message_format(text, sizeof(text), format, arguments), out);
	va_end(arguments);
}
