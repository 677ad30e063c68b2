// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * error.c - the message that goes with a negative errno.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"

int warder_error_set(struct warder_error *reterr, int error, const char *format, ...)
{
	size_t length;
	va_list arguments;

	if (!reterr)
		return error;
	va_start(arguments, format);
	warder_message_format(reterr->text, sizeof(reterr->text), format, arguments);
	va_end(arguments);
	length = strlen(reterr->text);
	if (length && reterr->text[length - 1] == ':')
		snprintf(reterr->text + length, sizeof(reterr->text) - length, " %s",
			 strerror(-error));
	return error;
}

int warder_error_wrap(struct warder_error *reterr, int error, const char *format, ...)
{
	char old[WARDER_ERROR_MAX];
	size_t length;
	va_list arguments;

	if (!reterr)
		return error;
	memcpy(old, reterr->text, sizeof(old));
	va_start(arguments, format);
	warder_message_format(reterr->text, sizeof(reterr->text), format, arguments);
	va_end(arguments);
	length = strlen(reterr->text);
	snprintf(reterr->text + length, sizeof(reterr->text) - length, ": %s",
		 old[0] ? old : strerror(-error));
	return error;
}

int warder_error_add(struct warder_error *reterr, int error, const char *format, ...)
{
	size_t length;
	va_list arguments;

	if (!reterr)
		return error;
	length = strlen(reterr->text);
	if (length && length + 1 < sizeof(reterr->text))
		reterr->text[length++] = '\n';
	va_start(arguments, format);
	warder_message_format(reterr->text + length, sizeof(reterr->text) - length, format,
			      arguments);
	va_end(arguments);
	return error;
}
