/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * secret.h - where passwords and keys lie: there no pattern is suggested.
 *
 * Nothing is judged by this. It keeps a suggestion that was made from a few names of a program's
 * choice from reaching a file that everybody knows to be a secret.
 */
#ifndef WARDER_AUDIT_SECRET_H
#define WARDER_AUDIT_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/*
 * May the pattern match a well-known secret? Each NUL in it is any one byte, in the last component
 * only.
 */
bool warder_secret_matches(const char *pattern, size_t length);

#endif
