/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * weakness.h - what this host lets warder do less of, without that a refusal is lost.
 *
 * Beside load/prerequisite.h: without a prerequisite nothing is enforced; with a weakness all is,
 * and less is said about it.
 */
#ifndef WARDER_LOAD_WEAKNESS_H
#define WARDER_LOAD_WEAKNESS_H

#include <stdbool.h>
#include <stddef.h>

struct warder_weakness {
	const char *name;   /* for JSON; [a-z-] */
	const char *text;   /* what is weaker */
	const char *remedy; /* what an administrator can do */
	bool (*holds)(void);
};

/* Static, in the order in which they are shown. */
extern const struct warder_weakness warder_weaknesses[];
extern const size_t warder_weakness_count;

#endif
