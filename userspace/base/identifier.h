/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * identifier.h - what policies, sets, tools and subjects may be called.
 */
#ifndef WARDER_BASE_IDENTIFIER_H
#define WARDER_BASE_IDENTIFIER_H

#include <stdbool.h>
#include <stddef.h>

#define WARDER_IDENTIFIER_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-"
/* For messages. */
#define WARDER_IDENTIFIER_RULE "small letters, digits and - only, 63 at most, not - at the begin"

bool warder_identifier_check(const char *text, size_t length);

#endif
