// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dfa.c - automata: byte classes, states, and the union of two.
 */
#include "compile/dfa.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/pair.h"

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

		if (in->op != WARDER_OP_BYTE ||
		    warder_byteset_has(&classes->alone, (unsigned char)in->x))
			continue;
		set.bits[in->x >> 6] = 1ull << (in->x & 63);
		classes->alone.bits[in->x >> 6] |= set.bits[in->x >> 6];
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

static size_t cells_of(const struct warder_dfa *dfa, uint32_t states)
{
	return (size_t)states * dfa->classes->count;
}

struct warder_dfa *warder_dfa_new(const struct warder_classes *classes)
{
	struct warder_dfa *dfa = calloc(1, sizeof(*dfa));
	uint32_t dead;

	if (!dfa)
		return NULL;
	dfa->classes = classes;
	dfa->budget = classes->budget;
	if (warder_dfa_add(dfa, 0, &dead) < 0)
		warder_dfa_free(&dfa);
	return dfa;
}

void warder_dfa_free(struct warder_dfa **dfa)
{
	if (!dfa || !*dfa)
		return;
	if ((*dfa)->budget)
		(*dfa)->budget->cells -= cells_of(*dfa, (*dfa)->count);
	free((*dfa)->next);
	free((*dfa)->label);
	free(*dfa);
	*dfa = NULL;
}

static bool make_room(struct warder_dfa *dfa)
{
	size_t wanted = dfa->capacity >= 8 ? dfa->capacity * 2 : 16;
	uint32_t *next, *label;

	if (dfa->count < dfa->capacity)
		return true;
	next = reallocarray(dfa->next, wanted * dfa->classes->count, sizeof(*next));
	if (!next)
		return false;
	dfa->next = next;
	label = reallocarray(dfa->label, wanted, sizeof(*label));
	if (!label)
		return false;
	dfa->label = label;
	dfa->capacity = wanted;
	return true;
}

int warder_dfa_spend(const struct warder_classes *classes, unsigned long long steps)
{
	if (!classes->budget)
		return 0;
	classes->budget->steps += steps;
	return classes->budget->steps > WARDER_BUDGET_STEPS ? -E2BIG : 0;
}

int warder_dfa_add(struct warder_dfa *dfa, uint32_t label, uint32_t *ret_state)
{
	struct warder_budget *budget = dfa->budget;
	size_t cells = cells_of(dfa, 1);

	if (budget && budget->cells + cells > WARDER_BUDGET_CELLS)
		return -E2BIG;
	if (!make_room(dfa))
		return -ENOMEM;
	if (budget)
		budget->cells += cells;
	memset(warder_dfa_row(dfa, dfa->count), 0, cells * sizeof(*dfa->next));
	dfa->label[dfa->count] = label;
	*ret_state = dfa->count++;
	return 0;
}

void warder_dfa_shrink(struct warder_dfa *dfa, uint32_t count)
{
	uint32_t *next = reallocarray(dfa->next, cells_of(dfa, count), sizeof(*next));
	uint32_t *label = reallocarray(dfa->label, count, sizeof(*label));

	if (dfa->budget)
		dfa->budget->cells -= cells_of(dfa, dfa->count - count);
	if (next)
		dfa->next = next;
	if (label)
		dfa->label = label;
	dfa->count = count;
	dfa->capacity = count;
}

/* --- union --- */

/* Of the budget, for each pair that is looked up: in the caches of a processor, and beyond. */
#define STEPS_NEAR  10u
#define STEPS_FAR   60u
#define STATES_NEAR 16384u

/* A union of more cells than that cannot be minimised any more, unless most is a trie's. */
#define UNION_CELLS_MAX (8u << 20)

struct product {
	const struct warder_dfa *a, *b;
	struct warder_dfa *out;
	warder_label_join join;
	void *context;
	struct warder_numbering pairs; /* by state of the union */
};

static int product_state(struct product *p, uint32_t a, uint32_t b, uint32_t *ret_state)
{
	bool fresh;
	int r = warder_pair_number(&p->pairs, a, b, ret_state, &fresh);

	if (r < 0 || !fresh)
		return r;
	return warder_dfa_add(p->out, p->join(p->context, p->a->label[a], p->b->label[b]),
			      ret_state);
}

static int product_step(struct product *p, uint32_t state)
{
	uint64_t pair = p->pairs.words[state];
	const uint32_t *from_a = warder_dfa_row(p->a, (uint32_t)(pair >> 32));
	const uint32_t *from_b = warder_dfa_row(p->b, (uint32_t)pair);
	uint32_t c, to = 0, looked = 0;
	int r;

	if (cells_of(p->out, p->out->count) > UNION_CELLS_MAX)
		return -E2BIG;
	for (c = 0; c < p->out->classes->count; c++) {
		/* Classes beside each other mostly lead to the same. */
		if (!c || from_a[c] != from_a[c - 1] || from_b[c] != from_b[c - 1]) {
			r = product_state(p, from_a[c], from_b[c], &to);
			if (r < 0)
				return r;
			looked++;
		}
		warder_dfa_row(p->out, state)[c] = to;
	}
	return warder_dfa_spend(p->out->classes,
				looked * (p->out->count < STATES_NEAR ? STEPS_NEAR : STEPS_FAR));
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
	warder_numbering_release(&p.pairs);
	if (r < 0)
		return r;
	*ret_dfa = TAKE_PTR(out);
	return 0;
}
