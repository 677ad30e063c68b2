/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * comparing.h - a comparison that is being made: what compare*.c share.
 */
#ifndef WARDER_COMPILE_COMPARING_H
#define WARDER_COMPILE_COMPARING_H

#include "compile/compare.h"

struct warder_comparing {
	const struct warder_side *sides[WARDER_DIRECTION_COUNT]; /* A, B */
	const struct warder_comparison_options *options;
	struct warder_comparison *out;
	size_t counts[WARDER_DIRECTION_COUNT]; /* differences in `out` */
};

/* Who may and who may not. */
static inline const struct warder_side *warder_comparing_allows(const struct warder_comparing *c,
								enum warder_direction direction)
{
	return c->sides[direction];
}

static inline const struct warder_side *warder_comparing_refuses(const struct warder_comparing *c,
								 enum warder_direction direction)
{
	return c->sides[!direction];
}

/*
 * Add a difference, whose path is taken over, on failure too; where there is no room for it,
 * the comparison is incomplete. -ENOMEM.
 */
int warder_comparing_add(struct warder_comparing *c, struct warder_difference *difference);

/* May there be one more? Else it need not be looked for. */
bool warder_comparing_has_room(const struct warder_comparing *c, enum warder_direction direction);

/* Each adds its differences. As warder_compare. */
int warder_compare_paths(struct warder_comparing *c);
int warder_compare_addresses(struct warder_comparing *c);
int warder_compare_syscalls(struct warder_comparing *c);
int warder_compare_surface(struct warder_comparing *c);

#endif
