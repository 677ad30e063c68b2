// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * number.c - number the states of an automaton in the order in which a walk meets them.
 *
 * In place: a large automaton must not be in memory twice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/dfa.h"

/* Find what is met from `start` on, class by class; targets become new numbers. */
static uint32_t meet_all(struct warder_dfa *dfa, uint32_t start, const uint32_t *one,
			 uint32_t *number, uint32_t *met)
{
	uint32_t count = 1, i, c;

	met[0] = 0;
	if (start) {
		number[start] = count;
		met[count++] = one ? one[start] : start;
	}
	for (i = 1; i < count; i++) {
		uint32_t *row = warder_dfa_row(dfa, met[i]);

		for (c = 0; c < dfa->classes->count; c++) {
			uint32_t to = row[c];

			if (to && !number[to]) {
				number[to] = count;
				met[count++] = one ? one[to] : to;
			}
			row[c] = number[to];
		}
	}
	return count;
}

static void swap_states(struct warder_dfa *dfa, uint32_t a, uint32_t b)
{
	uint32_t room[256], label = dfa->label[a];
	size_t size = dfa->classes->count * sizeof(*room);

	memcpy(room, warder_dfa_row(dfa, a), size);
	memcpy(warder_dfa_row(dfa, a), warder_dfa_row(dfa, b), size);
	memcpy(warder_dfa_row(dfa, b), room, size);
	dfa->label[a] = dfa->label[b];
	dfa->label[b] = label;
}

/* Bring each state that was met to its place. */
static void permute(struct warder_dfa *dfa, const uint32_t *met, uint32_t count, uint32_t *at,
		    uint32_t *where)
{
	uint32_t i;

	for (i = 0; i < dfa->count; i++)
		at[i] = where[i] = i;
	for (i = 0; i < count; i++) {
		uint32_t from = where[met[i]], other = at[i];

		if (from == i)
			continue;
		swap_states(dfa, i, from);
		at[from] = other;
		where[other] = from;
	}
}

int warder_dfa_number(struct warder_dfa *dfa, uint32_t start, const uint32_t *one, uint32_t most)
{
	size_t n = (size_t)most + 1, states = dfa->count;
	_cleanup_free_ uint32_t *memory = calloc(2 * n + 2 * states, sizeof(*memory));
	uint32_t *number = memory, *met = memory + n, count;

	if (!memory)
		return -ENOMEM;
	count = meet_all(dfa, start, one, number, met);
	permute(dfa, met, count, memory + 2 * n, memory + 2 * n + states);
	dfa->start = number[start];
	warder_dfa_shrink(dfa, count);
	return 0;
}
