// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * numbering.c - words, numbered as they are met: a hash table that remembers the order.
 */
#include "compile/numbering.h"

#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/vector.h"

#define SLOTS_FIRST 64u

void warder_numbering_release(struct warder_numbering *numbering)
{
	free(numbering->words);
	free(numbering->slots);
	*numbering = (struct warder_numbering){0};
}

/* The slot that holds the word, or the free one that it would take. */
static uint32_t *slot_of(const struct warder_numbering *n, uint64_t word)
{
	size_t i = warder_hash_word(word) & (n->slot_count - 1);

	while (n->slots[i] && n->words[n->slots[i] - 1] != word)
		i = (i + 1) & (n->slot_count - 1);
	return &n->slots[i];
}

/* At most half of the slots are taken. */
static int grow(struct warder_numbering *n)
{
	size_t wanted = n->slot_count ? 2 * n->slot_count : SLOTS_FIRST, i;
	uint32_t *slots = calloc(wanted, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(n->slots);
	n->slots = slots;
	n->slot_count = wanted;
	for (i = 0; i < n->count; i++)
		*slot_of(n, n->words[i]) = (uint32_t)i + 1;
	return 0;
}

uint32_t warder_numbering_find(const struct warder_numbering *n, uint64_t word)
{
	return n->slot_count ? *slot_of(n, word) - 1u : WARDER_NUMBER_NONE;
}

int warder_numbering_add(struct warder_numbering *n, uint64_t word, uint32_t *ret_number,
			 bool *ret_fresh)
{
	uint32_t *slot;
	bool fresh;
	int r;

	if (2 * n->count >= n->slot_count) {
		r = grow(n);
		if (r < 0)
			return r;
	}
	slot = slot_of(n, word);
	fresh = !*slot;
	if (fresh) {
		if (!VECTOR_ROOM(n->words, n->count, n->capacity))
			return -ENOMEM;
		n->words[n->count++] = word;
		*slot = (uint32_t)n->count;
	}
	*ret_number = *slot - 1;
	*ret_fresh = fresh;
	return 0;
}
