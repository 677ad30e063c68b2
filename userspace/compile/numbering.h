/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * numbering.h - words, numbered as they are met: 0, 1, 2, ...
 *
 * A walk over two automata meets pairs of states; each gets the number under which the walk keeps
 * what it knows of it. Words must stay below 2^64; whoever packs several fields into one says why
 * they fit.
 */
#ifndef WARDER_COMPILE_NUMBERING_H
#define WARDER_COMPILE_NUMBERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Not a number of any word. */
#define WARDER_NUMBER_NONE UINT32_MAX

struct warder_numbering {
	uint64_t *words; /* by number */
	size_t count, capacity;
	uint32_t *slots; /* number + 1 by hash; 0: free */
	size_t slot_count;
};

/* All zero knows no word. */
void warder_numbering_release(struct warder_numbering *numbering);

/* The number of a word; WARDER_NUMBER_NONE: it was not met. */
uint32_t warder_numbering_find(const struct warder_numbering *numbering, uint64_t word);

/* The number of a word; *ret_fresh: it got it just now. -ENOMEM. */
int warder_numbering_add(struct warder_numbering *numbering, uint64_t word, uint32_t *ret_number,
			 bool *ret_fresh);

#endif
