/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pair.h - pairs of states, numbered as they are met.
 *
 * The number is the state of the automaton that says what both say. 0 is the dead pair.
 */
#ifndef WARDER_COMPILE_PAIR_H
#define WARDER_COMPILE_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct warder_pairs {
	uint64_t *list; /* by number */
	size_t count, capacity;
	uint32_t *slots; /* number by hash; 0: free (the dead pair is never looked up) */
	size_t slot_count;
};

/* All zero is no pair but the dead one. */
void warder_pairs_release(struct warder_pairs *pairs);

/* The number of a pair; *ret_fresh: it got it just now. -ENOMEM. */
int warder_pairs_number(struct warder_pairs *pairs, uint32_t a, uint32_t b, uint32_t *ret_number,
			bool *ret_fresh);

/* a << 32 | b */
static inline uint64_t warder_pairs_get(const struct warder_pairs *pairs, uint32_t number)
{
	return number ? pairs->list[number] : 0;
}

#endif
