// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * completion.c - a trie becomes a minimal automaton, united with another one on the way.
 *
 * A node is reached by one text only, so the other automaton is in one state there. Off the trie
 * goes what the trees above give, which takes two states a label ("in a name", "after a slash"),
 * together with the other automaton. These pairs are few, and only they can be on cycles: they
 * are minimised first, and then each node is looked up, from the leaves on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/pair.h"
#include "compile/refine.h"
#include "compile/register.h"
#include "compile/trie.h"

/* Of the budget, for each class of a node. */
#define STEPS 6u

/* A core of more cells than that cannot be refined any more. */
#define CORE_CELLS_MAX (8u << 20)

struct finishing {
	const struct warder_trie *trie;
	const struct warder_dfa *other;
	uint32_t slash, classes;
	uint32_t *here;		 /* by node: label that the trees above give to what it names */
	uint32_t *state;	 /* by node: of the other automaton */
	unsigned char *is_slash; /* by node: does a name begin here? */
	struct warder_numbering pairs; /* off the trie */
	struct warder_dfa *core;       /* the pairs as states */
	struct warder_dfa *dfa;	       /* the result */
	struct warder_register reg;    /* its states */
	uint32_t *core_state;	       /* of the result, by state of the core */
	uint32_t *node_state;	       /* of the result, by node */
};

static uint32_t join(const struct finishing *f, uint32_t a, uint32_t b)
{
	return f->trie->join(f->trie->context, a, b);
}

/*
 * What a tree gives, off the trie: 0 nothing, twice its label inside a name, one more after a
 * slash, where no path ends and no second slash follows.
 */
static uint32_t give(uint32_t label, bool slash)
{
	return label ? 2 * label + slash : 0;
}

static uint32_t give_on(uint32_t given, bool slash)
{
	if (!slash)
		return given & ~1u;
	return given & 1 ? 0 : given + (given != 0);
}

static uint32_t given_label(uint32_t given)
{
	return given & 1 ? 0 : given / 2;
}

static const uint32_t *other_row(const struct finishing *f, uint32_t state)
{
	static const uint32_t dead[256];

	return f->other ? warder_dfa_row(f->other, state) : dead;
}

static uint32_t other_label(const struct finishing *f, uint32_t state)
{
	return f->other ? f->other->label[state] : 0;
}

/* The state of the core for a pair; a new one when it was not met. */
static int core_pair(struct finishing *f, uint32_t given, uint32_t other, uint32_t *ret_state)
{
	bool fresh;
	int r = warder_pair_number(&f->pairs, given, other, ret_state, &fresh);

	if (r < 0 || !fresh)
		return r;
	/* All are known by then, unless a join went wrong; its owner knows why. */
	if (f->core_state)
		return -E2BIG;
	if ((size_t)f->core->count * f->classes > CORE_CELLS_MAX)
		return -E2BIG;
	return warder_dfa_add(f->core, join(f, given_label(given), other_label(f, other)),
			      ret_state);
}

/* Everything that a node says of the classes without a child: states of the core. */
static int core_row(struct finishing *f, uint32_t node, uint32_t *row)
{
	const uint32_t *other = other_row(f, f->state[node]);
	uint32_t beyond = join(f, f->here[node], f->trie->nodes[node].below), c, to = 0;
	uint32_t given = give(f->here[node], false), last = UINT32_MAX;
	int r = 0;

	for (c = 0; r == 0 && c < f->classes; c++) {
		if (c == f->slash) {
			/* No name is empty. */
			uint32_t after = f->is_slash[node] ? 0 : give(beyond, true);

			r = core_pair(f, after, other[c], &row[c]);
			continue;
		}
		if (other[c] != last)
			r = core_pair(f, given, other[c], &to);
		last = other[c];
		row[c] = to;
	}
	return r;
}

/* What is known of a node hands its children theirs; they come behind it. */
static void hand_down(struct finishing *f, uint32_t node)
{
	const struct warder_trie_node *n = &f->trie->nodes[node];
	uint32_t beyond = join(f, f->here[node], n->below), child;

	for (child = n->child; child; child = f->trie->nodes[child].sibling) {
		uint32_t class = f->trie->nodes[child].class;

		f->is_slash[child] = class == f->slash;
		f->here[child] = class == f->slash ? beyond : f->here[node];
		f->state[child] = other_row(f, f->state[node])[class];
	}
}

/* Find the pairs that the nodes lead to, and what these lead to. */
static int find_core(struct finishing *f)
{
	uint32_t row[256], node, state, c;
	int r = 0;

	f->state[0] = f->other ? f->other->start : 0;
	for (node = 0; r == 0 && node < f->trie->count; node++) {
		hand_down(f, node);
		r = core_row(f, node, row);
		if (r == 0)
			r = warder_dfa_spend(f->trie->classes, f->classes * STEPS);
	}
	for (state = 1; r == 0 && state < f->core->count; state++) {
		uint64_t pair = f->pairs.words[state];
		uint32_t given = (uint32_t)(pair >> 32), other = (uint32_t)pair, to;

		for (c = 0; r == 0 && c < f->classes; c++) {
			r = core_pair(f, give_on(given, c == f->slash), other_row(f, other)[c],
				      &to);
			if (r == 0)
				warder_dfa_row(f->core, state)[c] = to;
		}
		if (r == 0)
			r = warder_dfa_spend(f->trie->classes, f->classes * STEPS);
	}
	return r;
}

/* The state of the result with this label and row. */
static int result_state(struct finishing *f, uint32_t label, const uint32_t *row,
			uint32_t *ret_state)
{
	uint32_t *slot, c;
	int r;

	for (c = 0; !label && c < f->classes && !row[c];)
		c++;
	*ret_state = 0;
	if (!label && c == f->classes)
		return 0;
	slot = warder_register_find(&f->reg, label, row);
	if (!*slot) {
		r = warder_dfa_add(f->dfa, label, slot);
		if (r < 0)
			return r;
		memcpy(warder_dfa_row(f->dfa, *slot), row, f->classes * sizeof(*row));
	}
	*ret_state = *slot;
	return 0;
}

/* The core without what means the same is the beginning of the result. */
static int place_core(struct finishing *f, const uint32_t *block, uint32_t blocks)
{
	uint32_t s, c, at;
	int r = 0;

	for (s = 1; r == 0 && s <= blocks; s++)
		r = warder_dfa_add(f->dfa, 0, &at);
	for (s = 0; r == 0 && s < f->core->count; s++) {
		uint32_t *row = warder_dfa_row(f->dfa, block[s]);

		f->core_state[s] = block[s];
		for (c = 0; block[s] && c < f->classes; c++)
			row[c] = block[warder_dfa_row(f->core, s)[c]];
		if (block[s])
			f->dfa->label[block[s]] = f->core->label[s];
	}
	for (s = 1; r == 0 && s <= blocks; s++)
		*warder_register_find(&f->reg, f->dfa->label[s], warder_dfa_row(f->dfa, s)) = s;
	return r;
}

static int minimise_core(struct finishing *f)
{
	_cleanup_free_ unsigned char *all = malloc(f->core->count);
	_cleanup_free_ uint32_t *block = calloc(f->core->count, sizeof(*block));
	uint32_t blocks;
	int r;

	f->core_state = calloc(f->core->count, sizeof(*f->core_state));
	if (!all || !block || !f->core_state)
		return -ENOMEM;
	memset(all, 1, f->core->count);
	all[0] = 0;
	r = warder_dfa_refine(f->core, all, block, &blocks);
	if (r == 0)
		r = warder_register_init(&f->reg, f->dfa, f->trie->count + blocks);
	return r < 0 ? r : place_core(f, block, blocks);
}

static int place_node(struct finishing *f, uint32_t node)
{
	const struct warder_trie_node *n = &f->trie->nodes[node];
	uint32_t row[256], child, label, c;
	int r = core_row(f, node, row);

	if (r < 0)
		return r;
	for (c = 0; c < f->classes; c++)
		row[c] = f->core_state[row[c]];
	for (child = n->child; child; child = f->trie->nodes[child].sibling)
		row[f->trie->nodes[child].class] = f->node_state[child];
	label = join(f, n->label, f->is_slash[node] ? 0 : f->here[node]);
	label = join(f, label, other_label(f, f->state[node]));
	return result_state(f, label, row, &f->node_state[node]);
}

static int finish(struct finishing *f)
{
	uint32_t node;
	int r = find_core(f);

	if (r == 0)
		r = minimise_core(f);
	for (node = (uint32_t)f->trie->count; r == 0 && node-- > 0;)
		r = place_node(f, node);
	if (r < 0)
		return r;
	return warder_dfa_number(f->dfa, f->node_state[0], NULL, f->dfa->count - 1);
}

int warder_trie_finish(const struct warder_trie *trie, const struct warder_dfa *other,
		       struct warder_dfa **ret_dfa)
{
	_cleanup_free_ uint32_t *memory = calloc(3 * trie->count, sizeof(*memory));
	_cleanup_free_ unsigned char *is_slash = calloc(trie->count, 1);
	_cleanup_dfa_ struct warder_dfa *core = warder_dfa_new(trie->classes);
	_cleanup_dfa_ struct warder_dfa *dfa = warder_dfa_new(trie->classes);
	struct finishing f = {.trie = trie,
			      .other = other,
			      .slash = trie->classes->of['/'],
			      .classes = trie->classes->count,
			      .here = memory,
			      .state = memory + trie->count,
			      .is_slash = is_slash,
			      .core = core,
			      .dfa = dfa,
			      .node_state = memory + 2 * trie->count};
	int r;

	if (!memory || !is_slash || !core || !dfa)
		return -ENOMEM;
	r = finish(&f);
	warder_numbering_release(&f.pairs);
	warder_register_release(&f.reg);
	free(f.core_state);
	if (r < 0)
		return r;
	*ret_dfa = TAKE_PTR(dfa);
	return 0;
}
