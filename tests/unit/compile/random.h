/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * random.h - random numbers that a seed repeats.
 */
#ifndef TESTS_COMPILE_RANDOM_H
#define TESTS_COMPILE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

static uint64_t random_state;

/* splitmix64: the same everywhere. */
static inline uint64_t random_word(void)
{
	uint64_t x = random_state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* 0 .. below - 1 */
static inline unsigned int random_below(unsigned int below)
{
	return (unsigned int)(random_word() >> 33) % below;
}

static inline bool random_percent(unsigned int percent)
{
	return random_below(100) < percent;
}

#define RANDOM_OF(list) ((list)[random_below(sizeof(list) / sizeof((list)[0]))])

#endif
