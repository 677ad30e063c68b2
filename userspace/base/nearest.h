/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * nearest.h - which known word was probably meant.
 */
#ifndef WARDER_BASE_NEAREST_H
#define WARDER_BASE_NEAREST_H

#include <stddef.h>

/* Feed candidates one by one; `best` is the nearest so far, or NULL when none is near. */
struct warder_nearest {
	const char *word;
	size_t length;
	const char *best;
	size_t distance;
};

/* `word` must outlive the search. */
void warder_nearest_begin(struct warder_nearest *nearest, const char *word, size_t length);
void warder_nearest_offer(struct warder_nearest *nearest, const char *candidate);

/*
 * Insertions, deletions, replacements and swaps of neighbours that turn one word into the
 * other; words longer than 63 bytes are never near (returns SIZE_MAX).
 */
size_t warder_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
