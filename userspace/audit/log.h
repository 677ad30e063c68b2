/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * log.h - the audit log: WARDER_RUN_DIR/events.jsonl, one JSON object a line.
 *
 * Events, and what operators did: bind, unbind, grant, revoke. Several processes append;
 * a line is written whole, under a lock.
 */
#ifndef WARDER_AUDIT_LOG_H
#define WARDER_AUDIT_LOG_H

#include <jansson.h>

#include "load/session.h"

#define WARDER_LOG_PATH WARDER_RUN_DIR "/events.jsonl"

/* Append one object; takes the reference. NULL counts as out of memory. */
int warder_log_append(json_t *record);

/* What an operator did to a subject. Strings that are NULL are left out. */
struct warder_deed {
	const char *type; /* "bind", "unbind", "grant", "revoke" */
	const struct warder_subject *subject;
	const char *key;
	const char *reason;
	__u64 until;			  /* CLOCK_BOOTTIME ns; WARDER_FOREVER; 0: does not apply */
	const char *command;		  /* program that was started */
	const struct warder_stats *stats; /* "unbind": what the subject met; NULL: not known */
};

/* Append a deed, with who did it (uid and login uid of the caller). */
int warder_log_deed(const struct warder_deed *deed);

#endif
