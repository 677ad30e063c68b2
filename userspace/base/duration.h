/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * duration.h - spans of time as people type and read them: 20s, 5m, 2h, 1d.
 */
#ifndef WARDER_BASE_DURATION_H
#define WARDER_BASE_DURATION_H

#include <stddef.h>

#include <linux/types.h>

#define WARDER_SECOND 1000000000ull

/* Longest span that is taken: a year. Longer ones say so aloud ("until revoked"). */
#define WARDER_DURATION_MAX (366ull * 86400 * WARDER_SECOND)

/*
 * Parse digits and one unit. Nanoseconds to *ret_span.
 * -EINVAL not of that form, or zero; -ERANGE longer than WARDER_DURATION_MAX.
 */
int warder_duration_parse(const char *text, __u64 *ret_span);

/* "59s", "4m 10s", "2h 5m", "1d 3h": the two largest units that matter. Returns `buffer`. */
const char *warder_duration_format(__u64 span, char *buffer, size_t size);

/* CLOCK_BOOTTIME in nanoseconds: the clock of deadlines and events. */
__u64 warder_boottime(void);

/* The wall clock, seconds since 1970, at a moment of CLOCK_BOOTTIME. */
double warder_boottime_to_wall(__u64 boottime);

#endif
