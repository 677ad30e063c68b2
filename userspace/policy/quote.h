/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * quote.h - names from the kernel as text of a policy: the pattern that means just this name,
 * and YAML that reads back as that pattern.
 */
#ifndef WARDER_POLICY_QUOTE_H
#define WARDER_POLICY_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Append bytes to a pattern so that they stand for themselves. What is no UTF-8 cannot be
 * written in a policy: each such byte becomes "[! -~]", which any byte but printable ASCII matches.
 * *used is the length so far; the text is not NUL-terminated. False: no room.
 */
bool warder_quote_literal(char *out, size_t size, size_t *used, const char *bytes, size_t length);

/*
 * Write a UTF-8 text as a YAML scalar that may stand in a list in brackets: plain when it can
 * be, else in quotes. Printable whatever the text is; NUL-terminated. False: no room.
 */
bool warder_quote_scalar(char *out, size_t size, const char *text, size_t length);

#endif
