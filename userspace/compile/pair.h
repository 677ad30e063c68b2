/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pair.h - pairs of states, numbered as they are met.
 *
 * The number is the state of the automaton that says what both say. 0 is the dead pair, which is
 * met most and never looked up.
 */
#ifndef WARDER_COMPILE_PAIR_H
#define WARDER_COMPILE_PAIR_H

#include "compile/numbering.h"

/* The number of a pair; *ret_fresh: it got it just now. -ENOMEM. */
static inline int warder_pair_number(struct warder_numbering *pairs, uint32_t a, uint32_t b,
				     uint32_t *ret_number, bool *ret_fresh)
{
	uint64_t pair = (uint64_t)a << 32 | b;
	int r;

	*ret_number = 0;
	*ret_fresh = false;
	if (!pair)
		return 0;
	if (!pairs->count) {
		r = warder_numbering_add(pairs, 0, ret_number, ret_fresh);
		if (r < 0)
			return r;
	}
	return warder_numbering_add(pairs, pair, ret_number, ret_fresh);
}

#endif
