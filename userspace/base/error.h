/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * error.h - the message that goes with a negative errno.
 *
 * Library functions never print. They return a negative errno and fill a message
 * that names the object in quotes, says why, and what to do; callers put their
 * context in front on the way up, and the command line prints it once. Strings in the
 * arguments are escaped (base/message.h), so a message can be printed as it is.
 */
#ifndef WARDER_BASE_ERROR_H
#define WARDER_BASE_ERROR_H

#define WARDER_ERROR_MAX 4096

struct warder_error {
	/* Complete sentence(s), no newline at the end; "" when unset. */
	char text[WARDER_ERROR_MAX];
};

/*
 * Set the message; ": " and the text of the errno are appended when the format ends
 * in a colon. Returns `error` (negative), so that a failure is one expression. A NULL `reterr`
 * only passes the number on.
 */
int warder_error_set(struct warder_error *reterr, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "context: " in front of the message. Returns `error`. */
int warder_error_wrap(struct warder_error *reterr, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Append a further sentence, on a line of its own (a remedy). Returns `error`. */
int warder_error_add(struct warder_error *reterr, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
