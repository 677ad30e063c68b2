/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * refusal.h - what a summary is made of; for summary.c, which counts, and summary_print.c.
 */
#ifndef WARDER_AUDIT_REFUSAL_H
#define WARDER_AUDIT_REFUSAL_H

#include "audit/remedy.h"
#include "audit/summary.h"

/* One act on one object, refused (or allowed by a granted key) for one reason. */
struct warder_refusal {
	char *act, *object, *rule, *keys; /* as shown */
	char *path;			  /* bytes of the object where it is one; else NULL */
	size_t path_length;
	struct warder_remedy remedy;
	bool refused;
	bool exec;     /* an exec that was refused */
	__u64 count;   /* events */
	__u64 again;   /* of them: once more at once, by the same process (exec only) */
	__u64 looks;   /* of them: a read of what the same process had just failed to exec */
	__u64 looked;  /* execs that such a read followed */
	__u64 existed; /* of them: creations that turned out to be none */
	__u64 first;   /* time of the first, CLOCK_BOOTTIME ns */
	__u32 last_pid;
	__u64 last_time;
};

/* What a thread was refused last, by the number of the thread. */
#define WARDER_RECENT_SIZE 256u

struct warder_recent {
	__u32 tid;
	size_t refusal;	 /* the last one: index + 1; 0: none */
	size_t creation; /* the last WARDER_EVENT_IF_NEW that is not resolved: index + 1 */
};

struct warder_summary {
	struct warder_refusal *refusals;
	size_t count, capacity;
	__u64 refused;	/* events that were refusals, those that are not kept included */
	__u64 not_kept; /* events for which there was no room left */
	struct warder_recent recent[WARDER_RECENT_SIZE];
};

/* Events that count: a creation that was none does not. */
static inline __u64 warder_refusal_count(const struct warder_refusal *refusal)
{
	return refusal->count - refusal->existed;
}

#endif
