// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * register.c - the states of an automaton that are all different, found by what they say.
 */
#include "compile/register.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

int warder_register_init(struct warder_register *reg, const struct warder_dfa *dfa, size_t most)
{
	size_t wanted = 16;

	while (wanted < 2 * most)
		wanted *= 2;
	reg->dfa = dfa;
	reg->slot_count = wanted;
	reg->slots = calloc(wanted, sizeof(*reg->slots));
	return reg->slots ? 0 : -ENOMEM;
}

void warder_register_release(struct warder_register *reg)
{
	free(reg->slots);
	reg->slots = NULL;
}

/* Targets beside each other are mostly the same: only where they change is mixed in. */
static uint64_t hash_of(uint32_t label, const uint32_t *row, uint32_t count)
{
	uint64_t hash = label;
	uint32_t c, last = 0;

	for (c = 0; c < count; c++) {
		if (row[c] == last)
			continue;
		last = row[c];
		hash = warder_hash_word(hash ^ ((uint64_t)last << 16 | c));
	}
	return warder_hash_word(hash);
}

uint32_t *warder_register_find(struct warder_register *reg, uint32_t label, const uint32_t *row)
{
	const struct warder_dfa *dfa = reg->dfa;
	uint32_t count = dfa->classes->count;
	uint64_t hash = hash_of(label, row, count);
	size_t i = hash & (reg->slot_count - 1);

	for (; reg->slots[i].state; i = (i + 1) & (reg->slot_count - 1)) {
		uint32_t state = reg->slots[i].state;

		if (reg->slots[i].hash == hash >> 32 && dfa->label[state] == label &&
		    !memcmp(warder_dfa_row(dfa, state), row, count * sizeof(*row)))
			return &reg->slots[i].state;
	}
	reg->slots[i].hash = (uint32_t)(hash >> 32);
	return &reg->slots[i].state;
}
