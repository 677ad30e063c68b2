// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * determinise.c - the automaton of one pattern, by the subset construction on its program.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/vector.h"
#include "compile/dfa.h"

/* States of one pattern, and their instructions: more is a blow-up in itself. */
#define STATES_MAX 32768u
#define POOL_MAX   (4u << 20)

/* Of the budget, for each instruction that is looked at. */
#define STEPS 4u

/* A state is a set of instructions: a run of `pool`, sorted. */
struct subset {
	uint32_t first, count;
};

struct construction {
	const struct warder_pattern *pattern;
	const uint32_t *labels; /* by match */
	struct warder_dfa *dfa;
	uint32_t *pool;
	size_t pool_used, pool_capacity;
	struct subset *subsets; /* by state */
	size_t subset_capacity;
	uint32_t *slots; /* state by hash of its subset; 0: free */
	size_t slot_count;
	/* The set that is being built. */
	uint32_t *set, *mark, *stack, count, generation;
	unsigned long long looked; /* instructions, since the budget was asked */
};

static void close_over(struct construction *c, uint32_t start)
{
	uint32_t depth = 0;

	c->stack[depth++] = start;
	while (depth) {
		uint32_t at = c->stack[--depth];
		const struct warder_instruction *i = &c->pattern->program[at];

		c->looked++;
		if (c->mark[at] == c->generation)
			continue;
		c->mark[at] = c->generation;
		if (i->op == WARDER_OP_SPLIT || i->op == WARDER_OP_JUMP) {
			c->stack[depth++] = i->x;
			if (i->op == WARDER_OP_SPLIT)
				c->stack[depth++] = i->y;
		} else {
			c->set[c->count++] = at;
		}
	}
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static uint32_t label_of(const struct construction *c)
{
	int match = WARDER_MATCH_NONE;
	uint32_t i;

	for (i = 0; i < c->count; i++) {
		enum warder_op op = c->pattern->program[c->set[i]].op;

		if (op == WARDER_OP_WHOLE)
			match |= WARDER_MATCH_WHOLE;
		else if (op == WARDER_OP_ROOT)
			match |= WARDER_MATCH_ROOT;
	}
	return c->labels[match];
}

static uint64_t hash_of(const uint32_t *set, uint32_t count)
{
	uint64_t hash = count;
	uint32_t i;

	for (i = 0; i < count; i++)
		hash = warder_hash_word(hash + set[i]) + i;
	return hash;
}

static size_t find_slot(const struct construction *c, const uint32_t *set, uint32_t count)
{
	size_t i = hash_of(set, count) & (c->slot_count - 1);

	for (; c->slots[i]; i = (i + 1) & (c->slot_count - 1)) {
		const struct subset *s = &c->subsets[c->slots[i]];

		if (s->count == count && !memcmp(c->pool + s->first, set, count * sizeof(*set)))
			break;
	}
	return i;
}

static int grow_slots(struct construction *c)
{
	size_t wanted = c->slot_count ? 2 * c->slot_count : 256;
	uint32_t *old = c->slots, s;

	c->slots = calloc(wanted, sizeof(*c->slots));
	if (!c->slots) {
		c->slots = old;
		return -ENOMEM;
	}
	free(old);
	c->slot_count = wanted;
	for (s = 1; s < c->dfa->count; s++)
		c->slots[find_slot(c, c->pool + c->subsets[s].first, c->subsets[s].count)] = s;
	return 0;
}

static int keep_subset(struct construction *c, uint32_t state)
{
	struct subset subset = {.first = (uint32_t)c->pool_used, .count = c->count};

	if (!VECTOR_ROOM(c->subsets, state, c->subset_capacity))
		return -ENOMEM;
	if (!VECTOR_ROOM(c->pool, c->pool_used + c->count, c->pool_capacity))
		return -ENOMEM;
	memcpy(c->pool + c->pool_used, c->set, c->count * sizeof(*c->set));
	c->pool_used += c->count;
	c->subsets[state] = subset;
	return 0;
}

/* The state of the set that was built; the empty one is dead. */
static int state_of_set(struct construction *c, uint32_t *ret_state)
{
	size_t slot;
	uint32_t state;
	int r;

	*ret_state = 0;
	if (!c->count)
		return 0;
	if (2 * (size_t)c->dfa->count >= c->slot_count && (r = grow_slots(c)) < 0)
		return r;
	qsort(c->set, c->count, sizeof(*c->set), compare);
	slot = find_slot(c, c->set, c->count);
	if (c->slots[slot]) {
		*ret_state = c->slots[slot];
		return 0;
	}
	if (c->pool_used > POOL_MAX || c->dfa->count >= STATES_MAX)
		return -E2BIG;
	r = warder_dfa_add(c->dfa, label_of(c), &state);
	if (r == 0)
		r = keep_subset(c, state);
	if (r < 0)
		return r;
	c->slots[slot] = state;
	*ret_state = state;
	return 0;
}

static bool consumes(const struct construction *c, uint32_t at, unsigned char byte)
{
	const struct warder_instruction *i = &c->pattern->program[at];

	if (i->op == WARDER_OP_BYTE)
		return i->x == byte;
	return i->op == WARDER_OP_SET && warder_byteset_has(&c->pattern->sets[i->x], byte);
}

static int follow(struct construction *c, uint32_t state, uint32_t class)
{
	struct subset from = c->subsets[state];
	unsigned char byte = c->dfa->classes->example[class];
	uint32_t i, to;
	int r;

	c->count = 0;
	c->generation++;
	c->looked += from.count + 1;
	for (i = 0; i < from.count; i++) {
		uint32_t at = c->pool[from.first + i];

		if (consumes(c, at, byte))
			close_over(c, at + 1);
	}
	r = state_of_set(c, &to);
	if (r == 0)
		warder_dfa_row(c->dfa, state)[class] = to;
	return r;
}

/*
 * "/" alone is the root directory, and the beginning of every other path. What a pattern
 * says about the root is known from its text; the state after the first slash says just
 * that, in a copy of its own, because loops come back to the original.
 */
static int set_root(struct construction *c)
{
	struct warder_dfa *dfa = c->dfa;
	uint32_t slash = dfa->classes->of['/'], old = warder_dfa_row(dfa, dfa->start)[slash], copy;
	int r;

	if (!old)
		return 0;
	r = warder_dfa_add(dfa, c->labels[c->pattern->root], &copy);
	if (r < 0)
		return r;
	memcpy(warder_dfa_row(dfa, copy), warder_dfa_row(dfa, old),
	       dfa->classes->count * sizeof(*dfa->next));
	warder_dfa_row(dfa, dfa->start)[slash] = copy;
	return 0;
}

static int construct(struct construction *c)
{
	uint32_t state, class;
	int r;

	c->generation = 1;
	close_over(c, 0);
	r = state_of_set(c, &c->dfa->start);
	for (state = 1; r == 0 && state < c->dfa->count; state++) {
		for (class = 0; r == 0 && class < c->dfa->classes->count; class ++)
			r = follow(c, state, class);
		if (r == 0)
			r = warder_dfa_spend(c->dfa->classes, c->looked * STEPS);
		c->looked = 0;
	}
	return r < 0 ? r : set_root(c);
}

int warder_dfa_from_pattern(const struct warder_classes *classes,
			    const struct warder_pattern *pattern, const warder_match_labels labels,
			    struct warder_dfa **ret_dfa)
{
	_cleanup_dfa_ struct warder_dfa *dfa = warder_dfa_new(classes);
	size_t size = pattern->program_size;
	_cleanup_free_ uint32_t *room = calloc(4 * size + 2, sizeof(*room));
	struct construction c = {.pattern = pattern, .labels = labels, .dfa = dfa};
	int r;

	if (!dfa || !room)
		return -ENOMEM;
	c.set = room;
	c.mark = room + size;
	c.stack = room + 2 * size;
	r = construct(&c);
	free(c.pool);
	free(c.subsets);
	free(c.slots);
	if (r == 0)
		r = warder_dfa_minimise(&dfa);
	if (r < 0)
		return r;
	*ret_dfa = TAKE_PTR(dfa);
	return 0;
}
