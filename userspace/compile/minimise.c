// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * minimise.c - the smallest automaton of the same meaning.
 *
 * Literal paths are most of a large automaton, and no path leads back into them. So only the
 * states on cycles, and what these lead to, are told apart by refining partitions; each of the
 * others is looked up by its label and its targets, once all its targets have been.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/refine.h"
#include "compile/register.h"

/* Of the budget, for each cell. */
#define STEPS 4u

struct minimising {
	struct warder_dfa *dfa;
	uint32_t *order; /* the states that are reached, targets before those that lead there */
	uint32_t count;
	unsigned char *core; /* by state: on a cycle, or led to from one */
	uint32_t *block;     /* by state: number of its meaning, 0 leads to no label */
	uint32_t blocks;     /* the largest number */
	uint32_t *one;	     /* by block: one state of it */
};

/* --- order --- */

/* Tarjan's search for components: each comes after all that it leads to. */
struct search {
	struct minimising *m;
	uint32_t *index, *low; /* by state; index 0: not met; low DONE: its component is complete */
	uint32_t *at;	       /* by state: the class to look at next */
	uint32_t *open, *path; /* states of incomplete components; states being looked at */
	uint32_t met, open_count, depth;
};

#define DONE UINT32_MAX

static void enter(struct search *s, uint32_t state)
{
	s->index[state] = s->low[state] = ++s->met;
	s->at[state] = 0;
	s->open[s->open_count++] = state;
	s->path[s->depth++] = state;
}

/* Look at targets from where it was left; true when a new one was entered. */
static bool look(struct search *s, uint32_t state)
{
	const uint32_t *row = warder_dfa_row(s->m->dfa, state);
	uint32_t c, count = s->m->dfa->classes->count;

	for (c = s->at[state]; c < count; c++) {
		uint32_t to = row[c];

		if (!to || (c && to == row[c - 1] && c != s->at[state]))
			continue;
		if (!s->index[to]) {
			s->at[state] = c;
			enter(s, to);
			return true;
		}
		if (to == state)
			s->m->core[state] = 1;
		if (s->low[to] < s->low[state])
			s->low[state] = s->low[to];
	}
	return false;
}

static void complete(struct search *s, uint32_t state)
{
	bool cycle = s->open[s->open_count - 1] != state;
	uint32_t member;

	do {
		member = s->open[--s->open_count];
		s->low[member] = DONE;
		if (cycle)
			s->m->core[member] = 1;
		s->m->order[s->m->count++] = member;
	} while (member != state);
}

static int find_order(struct minimising *m)
{
	size_t n = m->dfa->count;
	_cleanup_free_ uint32_t *memory = calloc(5 * n, sizeof(*memory));
	struct search s = {.m = m,
			   .index = memory,
			   .low = memory + n,
			   .at = memory + 2 * n,
			   .open = memory + 3 * n,
			   .path = memory + 4 * n};

	if (!memory)
		return -ENOMEM;
	enter(&s, m->dfa->start);
	while (s.depth) {
		uint32_t state = s.path[s.depth - 1];

		if (look(&s, state))
			continue;
		s.depth--;
		if (s.low[state] == s.index[state])
			complete(&s, state);
	}
	return 0;
}

/* What a cycle leads to can mean the same as a state on it. */
static void widen_core(struct minimising *m)
{
	uint32_t i, c;

	for (i = m->count; i-- > 0;) {
		const uint32_t *row = warder_dfa_row(m->dfa, m->order[i]);

		for (c = 0; m->core[m->order[i]] && c < m->dfa->classes->count; c++)
			m->core[row[c]] = 1;
	}
	m->core[0] = 0;
}

/* --- blocks --- */

static bool is_useless(const struct minimising *m, uint32_t state)
{
	const uint32_t *row = warder_dfa_row(m->dfa, state);
	uint32_t c;

	for (c = 0; c < m->dfa->classes->count; c++) {
		if (row[c])
			return false;
	}
	return !m->dfa->label[state];
}

/* The targets of the state are blocks already: give it a block, too. */
static void place(struct minimising *m, struct warder_register *reg, uint32_t state)
{
	uint32_t *slot;

	if (m->core[state] ? !m->block[state] : is_useless(m, state)) {
		m->block[state] = 0;
		return;
	}
	slot = warder_register_find(reg, m->dfa->label[state], warder_dfa_row(m->dfa, state));
	if (!m->core[state])
		m->block[state] = *slot ? m->block[*slot] : ++m->blocks;
	if (*slot)
		return;
	*slot = state;
	m->one[m->block[state]] = state;
}

/* Turn targets into blocks, in the order that makes them known. */
static void place_all(struct minimising *m, struct warder_register *reg, unsigned char core)
{
	uint32_t i, c;

	for (i = 0; i < m->count; i++) {
		uint32_t *row = warder_dfa_row(m->dfa, m->order[i]);

		if (m->core[m->order[i]] != core)
			continue;
		for (c = 0; c < m->dfa->classes->count; c++)
			row[c] = row[c] ? m->block[row[c]] : 0;
		place(m, reg, m->order[i]);
	}
}

static int find_blocks(struct minimising *m)
{
	struct warder_register reg = {0};
	int r = warder_dfa_refine(m->dfa, m->core, m->block, &m->blocks);

	if (r == 0)
		r = warder_register_init(&reg, m->dfa, m->count);
	if (r < 0)
		return r;
	place_all(m, &reg, 1);
	place_all(m, &reg, 0);
	warder_register_release(&reg);
	return 0;
}

static int minimise(struct minimising *m)
{
	int r = find_order(m);

	if (r < 0)
		return r;
	widen_core(m);
	r = find_blocks(m);
	return r < 0 ? r : warder_dfa_number(m->dfa, m->block[m->dfa->start], m->one, m->blocks);
}

int warder_dfa_minimise(struct warder_dfa **dfa)
{
	size_t n = (*dfa)->count;
	_cleanup_free_ uint32_t *memory = calloc(3 * n + 1, sizeof(*memory));
	_cleanup_free_ unsigned char *core = calloc(n, 1);
	struct minimising m = {.dfa = *dfa,
			       .order = memory,
			       .core = core,
			       .block = memory + n,
			       .one = memory + 2 * n};
	int r = warder_dfa_spend((*dfa)->classes, n * (*dfa)->classes->count * STEPS);

	if (r < 0)
		return r;
	return memory && core ? minimise(&m) : -ENOMEM;
}
