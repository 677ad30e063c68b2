/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * message.h - printf for people: what comes from outside cannot act on their terminal.
 *
 * A path, an argument or a name may hold any byte. In a message each of its control
 * characters, newlines included, and each byte that is not UTF-8 shows as \xNN; so no text
 * can colour, erase or add a line. The format itself is ours and is taken as it is.
 */
#ifndef WARDER_BASE_MESSAGE_H
#define WARDER_BASE_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/*
 * As vsnprintf, with every %s escaped; cut to fit and always NUL-terminated. Knows %s, %.*s,
 * %d %i %u %x %c with l, ll, z, and %%. Returns `out`.
 */
char *warder_message_format(char *out, size_t size, const char *format, va_list arguments);

/* The same to a stream; longer than WARDER_MESSAGE_MAX is cut. */
#define WARDER_MESSAGE_MAX 16384
void warder_message_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
