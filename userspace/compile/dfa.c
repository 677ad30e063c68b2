// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dfa.c - automata: byte classes, states, and the union of two.
 */
#include "compile/dfa.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"

void warder_classes_init(struct warder_classes *classes)
{
	memset(classes, 0, sizeof(*classes));
	classes->count = 1;
}

void warder_classes_split(struct warder_classes *classes, const struct warder_byteset *set)
{
	int fresh[256], b;
	uint32_t c;

	memset(fresh, -1, sizeof(fresh));
	/* A class splits when its first byte and another one differ about the set. */
	for (b = 0; b < 256; b++) {
		c = classes->of[b];
		if (warder_byteset_has(set, (unsigned char)b) ==
		    warder_byteset_has(set, classes->example[c]))
			continue;
		if (fresh[c] < 0) {
			fresh[c] = (int)classes->count++;
			classes->example[fresh[c]] = (unsigned char)b;
		}
		classes->of[b] = (uint16_t)fresh[c];
	}
}

void warder_classes_add(struct warder_classes *classes, const struct warder_pattern *pattern)
{
	size_t i;

	for (i = 0; i < pattern->set_count; i++)
		warder_classes_split(classes, &pattern->sets[i]);
	for (i = 0; i < pattern->program_size; i++) {
		const struct warder_instruction *in = &pattern->program[i];
		struct warder_byteset set = {0};

		if (in->op != WARDER_OP_BYTE)
			continue;
		set.bits[in->x >> 6] = 1ull << (in->x & 63);
		warder_classes_split(classes, &set);
	}
}

void warder_classes_order(struct warder_classes *classes)
{
	int renamed[256], b;
	uint32_t count = 0;

	memset(renamed, -1, sizeof(renamed));
	for (b = 0; b < 256; b++) {
		uint16_t c = classes->of[b];

		if (renamed[c] < 0) {
			renamed[c] = (int)count;
			classes->example[count++] = (unsigned char)b;
		}
		classes->of[b] = (uint16_t)renamed[c];
	}
}

struct warder_dfa *warder_dfa_new(const struct warder_classes *classes)
{
	struct warder_dfa *dfa = calloc(1, sizeof(*dfa));
	uint32_t dead;

	if (!dfa)
		return NULL;
	dfa->classes = classes;
	if (warder_dfa_add(dfa, 0, 1, &dead) < 0)
		warder_dfa_free(&dfa);
	return dfa;
}

void warder_dfa_free(struct warder_dfa **dfa)
{
	if (!dfa || !*dfa)
		return;
	free((*dfa)->next);
	free((*dfa)->label);
	free(*dfa);
	*dfa = NULL;
}

static bool make_room(struct warder_dfa *dfa)
{
	size_t wanted = dfa->label_capacity ? dfa->label_capacity * 2 : 16;
	uint32_t *next, *label;

	if (dfa->count < dfa->label_capacity)
		return true;
	next = reallocarray(dfa->next, wanted * dfa->classes->count, sizeof(*next));
	if (!next)
		return false;
	dfa->next = next;
	label = reallocarray(dfa->label, wanted, sizeof(*label));
	if (!label)
		return false;
	dfa->label = label;
	dfa->label_capacity = wanted;
	return true;
}

int warder_dfa_add(struct warder_dfa *dfa, uint32_t label, uint32_t most, uint32_t *ret_state)
{
	if (dfa->count >= most)
		return -E2BIG;
	if (!make_room(dfa))
		return -ENOMEM;
	memset(warder_dfa_row(dfa, dfa->count), 0, dfa->classes->count * sizeof(*dfa->next));
	dfa->label[dfa->count] = label;
	*ret_state = dfa->count++;
	return 0;
}

/* --- union --- */

/* Pairs of states that were met: the state of the union is the index into `pairs`. */
struct product {
	const struct warder_dfa *a, *b;
	struct warder_dfa *out;
	warder_label_join join;
	void *context;
	uint64_t *pairs; /* by state of the union */
	size_t pair_capacity;
	uint32_t *slots; /* state by hash; 0: free (the dead pair is never looked up) */
	size_t slot_count;
	size_t transitions;
};

static size_t product_slot(const struct product *p, uint64_t pair)
{
	size_t i = warder_hash_word(pair) & (p->slot_count - 1);

	while (p->slots[i] && p->pairs[p->slots[i]] != pair)
		i = (i + 1) & (p->slot_count - 1);
	return i;
}

static int product_grow(struct product *p)
{
	uint32_t *old = p->slots, i;
	size_t wanted = p->slot_count ? 2 * p->slot_count : 1024;
	uint64_t *pairs = reallocarray(p->pairs, wanted, sizeof(*pairs));

	if (!pairs)
		return -ENOMEM;
	p->pairs = pairs;
	p->slots = calloc(wanted, sizeof(*p->slots));
	if (!p->slots) {
		p->slots = old;
		return -ENOMEM;
	}
	free(old);
	p->slot_count = wanted;
	p->pairs[0] = 0;
	for (i = 1; i < p->out->count; i++)
		p->slots[product_slot(p, p->pairs[i])] = i;
	return 0;
}

static int product_state(struct product *p, uint32_t a, uint32_t b, uint32_t *ret_state)
{
	uint64_t pair = (uint64_t)a << 32 | b;
	size_t slot;
	int r;

	if (!pair) {
		*ret_state = 0;
		return 0;
	}
	if (2 * (size_t)p->out->count >= p->slot_count) {
		r = product_grow(p);
		if (r < 0)
			return r;
	}
	slot = product_slot(p, pair);
	if (!p->slots[slot]) {
		r = warder_dfa_add(p->out, p->join(p->context, p->a->label[a], p->b->label[b]),
				   WARDER_DFA_STATES_MAX, &p->slots[slot]);
		if (r < 0)
			return r;
		p->pairs[p->slots[slot]] = pair;
	}
	*ret_state = p->slots[slot];
	return 0;
}

static int product_step(struct product *p, uint32_t state)
{
	uint64_t pair = p->pairs[state];
	const uint32_t *from_a = warder_dfa_row(p->a, (uint32_t)(pair >> 32));
	const uint32_t *from_b = warder_dfa_row(p->b, (uint32_t)pair);
	uint32_t c, to;
	int r;

	for (c = 0; c < p->out->classes->count; c++) {
		r = product_state(p, from_a[c], from_b[c], &to);
		if (r < 0)
			return r;
		warder_dfa_row(p->out, state)[c] = to;
		if (to && ++p->transitions > WARDER_DFA_TRANSITIONS_MAX)
			return -E2BIG;
	}
	return 0;
}

static int product_run(struct product *p)
{
	uint32_t state;
	int r = product_state(p, p->a->start, p->b->start, &p->out->start);

	for (state = 1; r == 0 && state < p->out->count; state++)
		r = product_step(p, state);
	return r;
}

int warder_dfa_union(const struct warder_dfa *a, const struct warder_dfa *b, warder_label_join join,
		     void *context, struct warder_dfa **ret_dfa)
{
	_cleanup_dfa_ struct warder_dfa *out = warder_dfa_new(a->classes);
	struct product p = {.a = a, .b = b, .out = out, .join = join, .context = context};
	int r;

	if (!out)
		return -ENOMEM;
	r = product_run(&p);
	free(p.pairs);
	free(p.slots);
	if (r < 0)
		return r;
	*ret_dfa = TAKE_PTR(out);
	return 0;
}
