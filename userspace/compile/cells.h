/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * cells.h - an automaton as the cells of an image (warder/image.h): where each state goes.
 */
#ifndef WARDER_COMPILE_CELLS_H
#define WARDER_COMPILE_CELLS_H

#include <warder/image.h>

#include "compile/dfa.h"

/*
 * The byte classes of an image: those of the automaton that lead to the same state from
 * everywhere are one, numbered from 1 by their first bytes.
 */
struct warder_merged {
	__u32 count;
	__u32 example[256]; /* merged class - 1 -> one of the automaton's */
	__u8 of[256];	    /* byte -> merged class; meaningful up to WARDER_CLASSES_MAX */
};

void warder_classes_merge(const struct warder_dfa *dfa, struct warder_merged *ret_merged);

/* Where the states of an automaton go. */
struct warder_placement {
	const struct warder_dfa *dfa;
	const struct warder_merged *classes;
	uint32_t *place; /* the state of the image, by state of the automaton */
	uint32_t *most;	 /* where most classes lead, by state */
	uint32_t pages;	 /* of cells */
};

/*
 * Place the states. `dfa` and `merged` are used for as long as the result is. Equal automata
 * are placed alike. -E2BIG, -ENOMEM.
 */
int warder_placement_build(const struct warder_dfa *dfa, const struct warder_merged *merged,
			   struct warder_placement *ret_placement);

/* Write the pages of cells, which are zeroed before. `rows` are the states' row numbers. */
void warder_placement_write(const struct warder_placement *placement, const uint32_t *rows,
			    struct warder_image *image);

/* Release the contents, not the struct. */
void warder_placement_release(struct warder_placement *placement);

#endif
