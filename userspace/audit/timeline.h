/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * timeline.h - lines of the audit log in the order of time.
 *
 * Several processes append to the log, each what it reads from its subject's ring, when it
 * reads it; a ring whose runner died is read much later. So the log is not in order.
 */
#ifndef WARDER_AUDIT_TIMELINE_H
#define WARDER_AUDIT_TIMELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* One line, its newline included, and the record in it. Both die when it returns. */
typedef void (*warder_timeline_function)(const char *line, size_t size, const json_t *record,
					 void *context);

/*
 * Call `function` for each whole line from where `log` stands, earliest record first. `log`
 * then stands behind the last whole line. What is no record is left out. -ENOMEM; -EIO.
 */
int warder_timeline_read(FILE *log, warder_timeline_function function, void *context);

#endif
