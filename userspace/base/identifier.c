// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * identifier.c - what policies, sets and tools may be called.
 */
#include "base/identifier.h"

#include <string.h>

#include <warder/limits.h>

bool warder_identifier_check(const char *text, size_t length)
{
	return length && length < WARDER_NAME_MAX && text[0] != '-' &&
	       strspn(text, WARDER_IDENTIFIER_LETTERS) == length;
}
