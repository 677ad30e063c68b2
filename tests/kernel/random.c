// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * random.c - numbers that a seed decides: splitmix64.
 */
#include "random.h"

static __u64 state;

void random_seed(__u64 seed)
{
	state = seed;
}

unsigned int random_below(unsigned int below)
{
	__u64 x = state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	x ^= x >> 31;
	return below ? (unsigned int)(x >> 33) % below : 0;
}

bool random_percent(unsigned int percent)
{
	return random_below(100) < percent;
}
