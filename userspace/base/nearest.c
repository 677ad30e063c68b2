// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * nearest.c - which known word was probably meant.
 */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

#define LONGEST 63

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t warder_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[3][LONGEST + 1], i, j;

	if (a_length > LONGEST || b_length > LONGEST)
		return SIZE_MAX;
	for (j = 0; j <= b_length; j++)
		row[0][j] = j;
	for (i = 1; i <= a_length; i++) {
		size_t *now = row[i % 3], *last = row[(i + 2) % 3], *older = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= b_length; j++) {
			now[j] = smaller(smaller(last[j], now[j - 1]) + 1,
					 last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = smaller(now[j], older[j - 2] + 1);
		}
	}
	return row[a_length % 3][b_length];
}

void warder_nearest_begin(struct warder_nearest *nearest, const char *word, size_t length)
{
	*nearest = (struct warder_nearest){.word = word, .length = length};
	/* A third of the letters may be wrong, one in a short word: more is another word. */
	nearest->distance = 2 + (length > 3 ? length / 3 : 0);
	if (length < 3)
		nearest->distance = 2;
}

void warder_nearest_offer(struct warder_nearest *nearest, const char *candidate)
{
	size_t distance = warder_nearest_distance(nearest->word, nearest->length, candidate,
						  strlen(candidate));

	if (distance < nearest->distance) {
		nearest->distance = distance;
		nearest->best = candidate;
	}
}
