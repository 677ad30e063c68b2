// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pair.c - pairs of states, numbered as they are met.
 */
#include "compile/pair.h"

#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/vector.h"

void warder_pairs_release(struct warder_pairs *pairs)
{
	free(pairs->list);
	free(pairs->slots);
	*pairs = (struct warder_pairs){0};
}

static size_t find(const struct warder_pairs *pairs, uint64_t pair)
{
	size_t i = warder_hash_word(pair) & (pairs->slot_count - 1);

	while (pairs->slots[i] && pairs->list[pairs->slots[i]] != pair)
		i = (i + 1) & (pairs->slot_count - 1);
	return i;
}

static int grow(struct warder_pairs *pairs)
{
	size_t wanted = pairs->slot_count ? 2 * pairs->slot_count : 64, i;
	uint32_t *slots = calloc(wanted, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(pairs->slots);
	pairs->slots = slots;
	pairs->slot_count = wanted;
	for (i = 1; i < pairs->count; i++)
		slots[find(pairs, pairs->list[i])] = (uint32_t)i;
	return 0;
}

int warder_pairs_number(struct warder_pairs *pairs, uint32_t a, uint32_t b, uint32_t *ret_number,
			bool *ret_fresh)
{
	uint64_t pair = (uint64_t)a << 32 | b;
	size_t slot;
	int r;

	*ret_fresh = false;
	*ret_number = 0;
	if (!pair)
		return 0;
	if (2 * pairs->count >= pairs->slot_count) {
		r = grow(pairs);
		if (r < 0)
			return r;
	}
	slot = find(pairs, pair);
	if (!pairs->slots[slot]) {
		pairs->count += !pairs->count;
		if (!VECTOR_ROOM(pairs->list, pairs->count, pairs->capacity))
			return -ENOMEM;
		pairs->list[0] = 0;
		pairs->slots[slot] = (uint32_t)pairs->count;
		pairs->list[pairs->count++] = pair;
		*ret_fresh = true;
	}
	*ret_number = pairs->slots[slot];
	return 0;
}
