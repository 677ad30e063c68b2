// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * rows.c - from labels to verdict rows, and what is uniform below a state.
 */
#include "compile/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/vector.h"

/* What the paths that go on from a state end in: nothing seen yet, one mask, several. */
#define NOTHING (UINT32_MAX - 1)
#define MIXED	UINT32_MAX

/* Of the budget, for each cell and pass. */
#define STEPS 2u

/* Masks (a label with reservation applied) by number; 0 grants nothing. */
struct masks {
	struct warder_row *list;
	uint32_t count;
	uint32_t *of_label;
};

static bool same_masks(const struct warder_row *a, const struct warder_row *b)
{
	return !memcmp(a->allow, b->allow, sizeof(a->allow)) &&
	       !memcmp(a->deny, b->deny, sizeof(a->deny));
}

static uint32_t *masks_slot(struct masks *masks, uint32_t *slots, size_t slot_count,
			    const struct warder_row *row)
{
	size_t i = warder_hash_words(row, 2 * WARDER_RIGHT_COUNT) & (slot_count - 1);

	while (slots[i] && !same_masks(&masks->list[slots[i] - 1], row))
		i = (i + 1) & (slot_count - 1);
	return &slots[i];
}

/* Number the masks of all labels. */
static int masks_build(const struct warder_labels *labels, struct masks *masks)
{
	size_t slot_count = 16, i;
	_cleanup_free_ uint32_t *slots = NULL;

	while (slot_count < 2 * labels->count)
		slot_count *= 2;
	slots = calloc(slot_count, sizeof(*slots));
	masks->list = calloc(labels->count, sizeof(*masks->list));
	masks->of_label = calloc(labels->count, sizeof(*masks->of_label));
	if (!slots || !masks->list || !masks->of_label)
		return -ENOMEM;
	for (i = 0; i < labels->count; i++) {
		struct warder_row row;
		uint32_t *slot;

		warder_label_row(&labels->list[i], &row);
		slot = masks_slot(masks, slots, slot_count, &row);
		if (!*slot) {
			masks->list[masks->count++] = row;
			*slot = masks->count;
		}
		masks->of_label[i] = *slot - 1;
	}
	return 0;
}

/* --- uniform below --- */

struct below {
	const struct warder_dfa *dfa; /* labelled with masks */
	uint32_t slash;
	uint32_t *ends;	 /* by state inside a name: masks of all ends from here on */
	uint32_t *below; /* by state: masks of all ends strictly below */
	/* By state, too: keys that deny to rename one of the ends. */
	uint64_t *ends_nailed, *nailed;
	const struct masks *masks;
	bool changed;
};

static uint32_t meet(uint32_t a, uint32_t b)
{
	if (a == b || b == NOTHING)
		return a;
	return a == NOTHING ? b : MIXED;
}

static void set(struct below *b, uint32_t *value, uint32_t fresh)
{
	if (*value == fresh)
		return;
	*value = fresh;
	b->changed = true;
}

static void add(struct below *b, uint64_t *keys, uint64_t more)
{
	if (!(more & ~*keys))
		return;
	*keys |= more;
	b->changed = true;
}

static void below_state(struct below *b, uint32_t state)
{
	const uint32_t *next = warder_dfa_row(b->dfa, state);
	const uint32_t *after = warder_dfa_row(b->dfa, next[b->slash]);
	uint32_t below = NOTHING, ends = b->dfa->label[state], c;
	uint64_t nailed = 0, ends_nailed = b->masks->list[ends].deny[WARDER_RIGHT_RENAME];

	for (c = 0; c < b->dfa->classes->count; c++) {
		if (c == b->slash)
			continue;
		below = meet(below, b->ends[after[c]]);
		ends = meet(ends, b->ends[next[c]]);
		nailed |= b->ends_nailed[after[c]];
		ends_nailed |= b->ends_nailed[next[c]];
	}
	add(b, &b->nailed[state], nailed);
	add(b, &b->ends_nailed[state], ends_nailed | nailed);
	set(b, &b->below[state], below);
	set(b, &b->ends[state], meet(ends, below));
}

/*
 * The least solution: values only rise (nothing, one, mixed; more keys), so it ends. Backwards,
 * because states are numbered from the start on: most is settled in one pass.
 */
static int below_solve(struct below *b)
{
	size_t cells = (size_t)b->dfa->count * b->dfa->classes->count;
	uint32_t state;
	int r;

	for (state = 0; state < b->dfa->count; state++)
		b->ends[state] = b->below[state] = NOTHING;
	do {
		r = warder_dfa_spend(b->dfa->classes, cells * STEPS);
		b->changed = false;
		for (state = b->dfa->count; r == 0 && state-- > 0;)
			below_state(b, state);
	} while (b->changed);
	return r;
}

/* --- rows --- */

/*
 * A row is a mask, the mask that all below ends in (or MIXED), and what is nailed down below;
 * slots are hashed by all three.
 */
struct numbering {
	const struct masks *masks;
	struct warder_rows *rows;
	struct {
		uint32_t mask, below, row; /* row + 1; 0: free */
		uint64_t nailed;
	} * slots;
	size_t slot_count;
};

static size_t numbering_slot(const struct numbering *n, uint32_t mask, uint32_t below,
			     uint64_t nailed)
{
	size_t i = warder_hash_word(((uint64_t)mask << 32 | below) ^ warder_hash_word(nailed)) &
		   (n->slot_count - 1);

	while (n->slots[i].row && (n->slots[i].mask != mask || n->slots[i].below != below ||
				   n->slots[i].nailed != nailed))
		i = (i + 1) & (n->slot_count - 1);
	return i;
}

/* The number of a row; the row that it points to gets one as well. */
static int row_number(struct numbering *n, uint32_t mask, uint32_t below, uint64_t nailed,
		      uint32_t *ret_number)
{
	size_t i = numbering_slot(n, mask, below, nailed);
	struct warder_rows *rows = n->rows;
	uint32_t number, pointee = WARDER_ROW_NONE;
	int r;

	if (n->slots[i].row) {
		*ret_number = n->slots[i].row - 1;
		return 0;
	}
	if (!VECTOR_ROOM(rows->list, rows->count, rows->capacity))
		return -ENOMEM;
	number = (uint32_t)rows->count++;
	n->slots[i].mask = mask;
	n->slots[i].below = below;
	n->slots[i].nailed = nailed;
	n->slots[i].row = number + 1;
	rows->list[number] = n->masks->list[mask];
	rows->list[number].nailed = nailed;
	if (below == mask)
		pointee = number;
	else if (below != MIXED && (r = row_number(n, below, below, nailed, &pointee)) < 0)
		return r;
	rows->list[number].below = pointee;
	*ret_number = number;
	return 0;
}

static int number_rows(struct numbering *n, const struct below *b)
{
	uint32_t state;
	int r = 0;

	for (state = 0; r == 0 && state < b->dfa->count; state++)
		r = row_number(n, b->dfa->label[state], b->below[state], b->nailed[state],
			       &n->rows->of_state[state]);
	return r;
}

/* States and rows: at most two new rows a state. */
static int rows_of(const struct warder_dfa *dfa, const struct masks *masks,
		   struct warder_rows *rows)
{
	_cleanup_free_ uint32_t *memory = calloc(2 * (size_t)dfa->count, sizeof(*memory));
	_cleanup_free_ uint64_t *keys = calloc(2 * (size_t)dfa->count, sizeof(*keys));
	struct below b = {.dfa = dfa,
			  .slash = dfa->classes->of['/'],
			  .ends = memory,
			  .ends_nailed = keys,
			  .masks = masks};
	struct numbering n = {.masks = masks, .rows = rows, .slot_count = 16};
	int r = -ENOMEM;

	while (n.slot_count < 4 * (size_t)dfa->count)
		n.slot_count *= 2;
	n.slots = calloc(n.slot_count, sizeof(*n.slots));
	rows->of_state = calloc(dfa->count, sizeof(*rows->of_state));
	if (memory && keys && n.slots && rows->of_state) {
		b.below = memory + dfa->count;
		b.nailed = keys + dfa->count;
		r = below_solve(&b);
		if (r == 0)
			r = number_rows(&n, &b);
	}
	free(n.slots);
	return r;
}

int warder_rows_build(struct warder_automaton *automaton, struct warder_rows *ret_rows)
{
	struct masks masks = {0};
	uint32_t state;
	int r = masks_build(&automaton->labels, &masks);

	*ret_rows = (struct warder_rows){0};
	for (state = 0; r == 0 && state < automaton->dfa->count; state++)
		automaton->dfa->label[state] = masks.of_label[automaton->dfa->label[state]];
	if (r == 0)
		r = warder_dfa_minimise(&automaton->dfa);
	if (r == 0)
		r = rows_of(automaton->dfa, &masks, ret_rows);
	free(masks.list);
	free(masks.of_label);
	return r;
}

void warder_rows_release(struct warder_rows *rows)
{
	free(rows->list);
	free(rows->of_state);
	*rows = (struct warder_rows){0};
}
