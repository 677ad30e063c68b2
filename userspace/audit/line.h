/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * line.h - a record of the audit log as a line for people.
 */
#ifndef WARDER_AUDIT_LINE_H
#define WARDER_AUDIT_LINE_H

#include <jansson.h>
#include <stdio.h>

/* One line with its newline. Untrusted bytes are escaped; unknown types are named. */
void warder_line_print(const json_t *record, FILE *out);

#endif
