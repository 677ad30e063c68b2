// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * label.c - what the rules that match a path say together, as a number.
 */
#include "compile/label.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vector.h"

#define WORDS (sizeof(struct warder_label) / sizeof(uint64_t))

/* Many more than an image has rows; more is a blow-up, and would fill the memory. */
#define LABELS_MAX (1u << 17)

static uint64_t label_hash(const struct warder_label *label)
{
	return warder_hash_words(label, WORDS);
}

int warder_labels_init(struct warder_labels *labels)
{
	const struct warder_label empty = {0};

	*labels = (struct warder_labels){.slot_count = 256, .join_count = 256};
	labels->slots = calloc(labels->slot_count, sizeof(*labels->slots));
	labels->joins = calloc(labels->join_count, sizeof(*labels->joins));
	if (labels->slots && labels->joins)
		warder_labels_number(labels, &empty);
	if (labels->count)
		return 0;
	warder_labels_release(labels);
	return -ENOMEM;
}

void warder_labels_release(struct warder_labels *labels)
{
	free(labels->list);
	free(labels->slots);
	free(labels->joins);
	*labels = (struct warder_labels){0};
}

static uint32_t *find_slot(uint32_t *slots, size_t slot_count, const struct warder_label *list,
			   const struct warder_label *label)
{
	size_t i = label_hash(label) & (slot_count - 1);

	while (slots[i] && memcmp(&list[slots[i] - 1], label, sizeof(*label)))
		i = (i + 1) & (slot_count - 1);
	return &slots[i];
}

static bool grow_slots(struct warder_labels *labels)
{
	size_t wanted = labels->slot_count * 2, i;
	uint32_t *slots = calloc(wanted, sizeof(*slots));

	if (!slots)
		return false;
	for (i = 0; i < labels->count; i++)
		*find_slot(slots, wanted, labels->list, &labels->list[i]) = (uint32_t)i + 1;
	free(labels->slots);
	labels->slots = slots;
	labels->slot_count = wanted;
	return true;
}

uint32_t warder_labels_number(struct warder_labels *labels, const struct warder_label *label)
{
	uint32_t *slot = find_slot(labels->slots, labels->slot_count, labels->list, label);

	if (*slot)
		return *slot - 1;
	if (labels->count == LABELS_MAX) {
		labels->error = -E2BIG;
		return 0;
	}
	if (!VECTOR_ROOM(labels->list, labels->count, labels->capacity)) {
		labels->error = -ENOMEM;
		return 0;
	}
	labels->list[labels->count++] = *label;
	*slot = (uint32_t)labels->count;
	if (2 * labels->count > labels->slot_count && !grow_slots(labels)) {
		labels->error = -ENOMEM;
		return 0;
	}
	return (uint32_t)labels->count - 1;
}

static size_t find_join(const struct warder_labels *labels, uint64_t pair)
{
	size_t i = warder_hash_word(pair) & (labels->join_count - 1);

	while (labels->joins[i].pair && labels->joins[i].pair != pair)
		i = (i + 1) & (labels->join_count - 1);
	return i;
}

/* Forget all when the table is half full: it only saves work. */
static void remember_join(struct warder_labels *labels, uint64_t pair, uint32_t joined)
{
	size_t i;

	if (2 * labels->join_used > labels->join_count && labels->join_count < 1u << 20) {
		void *grown = calloc(labels->join_count * 2, sizeof(*labels->joins));

		if (grown) {
			free(labels->joins);
			labels->joins = grown;
			labels->join_count *= 2;
			labels->join_used = 0;
		}
	}
	if (2 * labels->join_used > labels->join_count) {
		memset(labels->joins, 0, labels->join_count * sizeof(*labels->joins));
		labels->join_used = 0;
	}
	i = find_join(labels, pair);
	labels->joins[i].pair = pair;
	labels->joins[i].joined = joined;
	labels->join_used++;
}

uint32_t warder_labels_join(struct warder_labels *labels, uint32_t a, uint32_t b)
{
	uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
	struct warder_label sum;
	uint64_t words[WORDS], other[WORDS];
	uint32_t joined;
	size_t i;

	if (a == b || !b || labels->error)
		return a;
	if (!a)
		return b;
	i = find_join(labels, pair);
	if (labels->joins[i].pair)
		return labels->joins[i].joined;
	memcpy(words, &labels->list[a], sizeof(words));
	memcpy(other, &labels->list[b], sizeof(other));
	for (i = 0; i < WORDS; i++)
		words[i] |= other[i];
	memcpy(&sum, words, sizeof(sum));
	joined = warder_labels_number(labels, &sum);
	remember_join(labels, pair, joined);
	return joined;
}

void warder_label_row(const struct warder_label *label, struct warder_row *ret_row)
{
	struct warder_row row = {.below = WARDER_ROW_NONE};

	memcpy(row.allow, label->allow, sizeof(row.allow));
	memcpy(row.deny, label->deny, sizeof(row.deny));
	/* What a tool names belongs to the tools that name it, whoever else allows it. */
	if (label->reserved[WARDER_RESERVE_EXEC]) {
		row.allow[WARDER_RIGHT_EXEC] &= label->named[WARDER_RESERVE_EXEC];
		row.allow[WARDER_RIGHT_MAP_EXEC] &= label->named[WARDER_RESERVE_EXEC];
	}
	if (label->reserved[WARDER_RESERVE_CONNECT])
		row.allow[WARDER_RIGHT_CONNECT] &= label->named[WARDER_RESERVE_CONNECT];
	*ret_row = row;
}
