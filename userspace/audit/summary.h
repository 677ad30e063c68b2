/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * summary.h - what a run was refused: each distinct act once, with its count.
 */
#ifndef WARDER_AUDIT_SUMMARY_H
#define WARDER_AUDIT_SUMMARY_H

#include "audit/event.h"

#include <warder/subject.h>

struct warder_summary;

int warder_summary_new(struct warder_summary **ret_summary);
void warder_summary_free(struct warder_summary **summary);

/* Count a record. Copies what it keeps; out of memory is counted, too. */
void warder_summary_add(struct warder_summary *summary, const struct warder_record *record);

/* Distinct refusals so far. */
size_t warder_summary_count(const struct warder_summary *summary);

/*
 * The rule behind the last refusal that process `pid` met; NULL when it met none. *ret_act
 * and *ret_object are set with it. Owned by the summary.
 */
const char *warder_summary_last(const struct warder_summary *summary, __u32 pid,
				const char **ret_act, const char **ret_object);

/* How it is printed. */
struct warder_summary_style {
	bool each;    /* each refusal by itself: nothing is folded, no limit */
	size_t limit; /* of lines */
};

/*
 * The refusals in the order of time, and what the counters say was not recorded. Nothing when
 * there was none. `stats` are read after the last event.
 */
void warder_summary_print(const struct warder_summary *summary, const struct warder_stats *stats,
			  const struct warder_summary_style *style, FILE *out);

/* All of it; NULL when memory is short. */
json_t *warder_summary_json(const struct warder_summary *summary, const struct warder_stats *stats);

#define _cleanup_summary_ __attribute__((cleanup(warder_summary_free)))

#endif
