/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * hash.h - mixing functions for tables kept in memory; never stored, never seen by others.
 */
#ifndef WARDER_BASE_HASH_H
#define WARDER_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Spread the bits of one word (the finaliser of splitmix64). */
static inline uint64_t warder_hash_word(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ull;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

static inline uint64_t warder_hash_words(const void *data, size_t count)
{
	const unsigned char *bytes = data;
	uint64_t hash = 0x9e3779b97f4a7c15ull, word;
	size_t i;

	for (i = 0; i < count; i++) {
		__builtin_memcpy(&word, bytes + i * sizeof(word), sizeof(word));
		hash = warder_hash_word(hash ^ word) + i;
	}
	return hash;
}

#endif
