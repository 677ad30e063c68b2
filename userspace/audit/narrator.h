/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * narrator.h - turns the raw events of one subject into records: names, rule, log.
 */
#ifndef WARDER_AUDIT_NARRATOR_H
#define WARDER_AUDIT_NARRATOR_H

#include "audit/explain.h"
#include "audit/summary.h"
#include "load/subject.h"

struct warder_narrator {
	const struct warder_session *session;
	struct warder_subject subject;	    /* as last read; keeps its name when it is gone */
	__u64 read_at;			    /* CLOCK_BOOTTIME ns */
	const struct warder_policy *policy; /* NULL: rules cannot be named */
	struct warder_subject above; /* the last that decided in its place; binding 0: none */
	struct warder_policy *above_policy; /* its text, as kept */
	struct warder_summary *summary;	    /* NULL: not wanted */
	bool log;			    /* append to the audit log */
	void (*sink)(const struct warder_record *record, void *context); /* NULL: none */
	void *sink_context;
	unsigned int log_failures;
};

/* Forget what was read of others. */
void warder_narrator_release(struct warder_narrator *narrator);

/* A warder_ring_function; the context is a struct warder_narrator. */
void warder_narrator_tell(const struct warder_event *event, const char *text, void *context);

#endif
