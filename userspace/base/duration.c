// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * duration.c - spans of time as people type and read them.
 */
#include "base/duration.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct {
	char unit;
	__u64 seconds;
} units[] = {
	{'d', 86400},
	{'h', 3600},
	{'m', 60},
	{'s', 1},
};

#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

int warder_duration_parse(const char *text, __u64 *ret_span)
{
	__u64 number = 0;
	size_t digits = strspn(text, "0123456789");
	size_t i;

	if (!digits || !text[digits] || text[digits + 1])
		return -EINVAL;
	for (i = 0; i < digits; i++) {
		number = number * 10 + (text[i] - '0');
		if (number > WARDER_DURATION_MAX / WARDER_SECOND)
			return -ERANGE;
	}
	if (!number)
		return -EINVAL;
	for (i = 0; i < UNIT_COUNT; i++) {
		if (units[i].unit != text[digits])
			continue;
		if (number > WARDER_DURATION_MAX / WARDER_SECOND / units[i].seconds)
			return -ERANGE;
		*ret_span = number * units[i].seconds * WARDER_SECOND;
		return 0;
	}
	return -EINVAL;
}

const char *warder_duration_format(__u64 span, char *buffer, size_t size)
{
	/* Rounded up: "0s" would read as ended while it still holds. */
	__u64 seconds = (span + WARDER_SECOND - 1) / WARDER_SECOND;
	size_t i;

	for (i = 0; i + 1 < UNIT_COUNT && seconds < units[i].seconds; i++)
		;
	if (i + 1 == UNIT_COUNT || seconds % units[i].seconds < units[i + 1].seconds)
		snprintf(buffer, size, "%llu%c", seconds / units[i].seconds, units[i].unit);
	else
		snprintf(buffer, size, "%llu%c %llu%c", seconds / units[i].seconds, units[i].unit,
			 seconds % units[i].seconds / units[i + 1].seconds, units[i + 1].unit);
	return buffer;
}

static __u64 clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * WARDER_SECOND + now.tv_nsec;
}

__u64 warder_boottime(void)
{
	return clock_now(CLOCK_BOOTTIME);
}

double warder_boottime_to_wall(__u64 boottime)
{
	__s64 offset = (__s64)(clock_now(CLOCK_REALTIME) - clock_now(CLOCK_BOOTTIME));

	/* Apart: a damaged time must not overflow. */
	return (double)offset / WARDER_SECOND + (double)boottime / WARDER_SECOND;
}
