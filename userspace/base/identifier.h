/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * identifier.h - what policies, sets and tools may be called; subjects: load/naming.h.
 */
#ifndef WARDER_BASE_IDENTIFIER_H
#define WARDER_BASE_IDENTIFIER_H

#include <stdbool.h>
#include <stddef.h>

#define WARDER_IDENTIFIER_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-"

bool warder_identifier_check(const char *text, size_t length);

#endif
