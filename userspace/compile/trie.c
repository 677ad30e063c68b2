// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * trie.c - many literal paths and literal trees as one automaton, in time proportional to their
 * text.
 *
 * Ten thousand such rules are ordinary, and uniting them one by one is not needed: paths
 * that share a beginning share nodes, and what a tree gives is handed down to the nodes
 * below it and, where no node is, to two states a label ("in a name", "after a slash").
 */
#include "compile/trie.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"

static int node_new(struct warder_trie *trie, uint32_t *ret_node)
{
	uint32_t node;
	int r = warder_dfa_add(trie->dfa, 0, WARDER_DFA_STATES_MAX, &node);

	if (r < 0)
		return r;
	if (!VECTOR_ROOM(trie->below, node, trie->below_capacity))
		return -ENOMEM;
	trie->below[node] = 0;
	*ret_node = node;
	return 0;
}

int warder_trie_init(struct warder_trie *trie, const struct warder_classes *classes,
		     struct warder_labels *labels)
{
	*trie = (struct warder_trie){.labels = labels};
	trie->dfa = warder_dfa_new(classes);
	if (!trie->dfa)
		return -ENOMEM;
	return node_new(trie, &trie->dfa->start);
}

void warder_trie_release(struct warder_trie *trie)
{
	warder_dfa_free(&trie->dfa);
	free(trie->below);
	trie->below = NULL;
}

static int step(struct warder_trie *trie, uint32_t *node, unsigned char byte)
{
	uint32_t class = trie->dfa->classes->of[byte];
	uint32_t to = warder_dfa_row(trie->dfa, *node)[class];
	int r;

	if (!to) {
		r = node_new(trie, &to);
		if (r < 0)
			return r;
		warder_dfa_row(trie->dfa, *node)[class] = to;
	}
	*node = to;
	return 0;
}

static void join(struct warder_trie *trie, uint32_t *label, uint32_t more)
{
	*label = warder_labels_join(trie->labels, *label, more);
}

int warder_trie_add(struct warder_trie *trie, const struct warder_pattern *pattern,
		    const warder_match_labels labels)
{
	const char *text = pattern->prefix[0] ? pattern->prefix : pattern->root ? "/" : "";
	uint32_t node = trie->dfa->start;
	int r;

	/* The whole tree: all below the node where a path begins. */
	if (pattern->tree && !pattern->prefix[0])
		join(trie, &trie->below[node], labels[WARDER_MATCH_WHOLE]);
	for (; *text; text++) {
		r = step(trie, &node, (unsigned char)*text);
		if (r < 0)
			return r;
	}
	if (pattern->tree && pattern->prefix[0])
		join(trie, &trie->below[node], labels[WARDER_MATCH_WHOLE]);
	join(trie, &trie->dfa->label[node],
	     labels[pattern->tree ? WARDER_MATCH_ROOT : WARDER_MATCH_WHOLE]);
	return 0;
}

/* --- finish --- */

/* For each label, the two states of "everything below has it". */
struct filler {
	struct warder_dfa *dfa;
	uint32_t slash;
	uint32_t *in_name; /* by label; 0: not made yet */
	uint32_t *after_slash;
};

static int filler_state(struct filler *f, uint32_t label, bool slash, uint32_t *ret_state)
{
	uint32_t name, after, c;
	int r;

	*ret_state = 0;
	if (!label)
		return 0;
	if (!f->in_name[label]) {
		r = warder_dfa_add(f->dfa, label, UINT32_MAX, &name);
		if (r == 0)
			r = warder_dfa_add(f->dfa, 0, UINT32_MAX, &after);
		if (r < 0)
			return r;
		for (c = 0; c < f->dfa->classes->count; c++) {
			warder_dfa_row(f->dfa, name)[c] = c == f->slash ? after : name;
			warder_dfa_row(f->dfa, after)[c] = c == f->slash ? 0 : name;
		}
		f->in_name[label] = name;
		f->after_slash[label] = after;
	}
	*ret_state = slash ? f->after_slash[label] : f->in_name[label];
	return 0;
}

/* Complete one node: `here` is what the trees above give below themselves. */
static int finish_node(struct warder_trie *trie, struct filler *f, uint32_t node, uint32_t *given,
		       bool is_slash)
{
	uint32_t here = given[node], c, to;
	uint32_t beyond = warder_labels_join(trie->labels, here, trie->below[node]);
	int r;

	for (c = 0; c < f->dfa->classes->count; c++) {
		bool slash = c == f->slash;

		to = warder_dfa_row(f->dfa, node)[c];
		if (to) {
			given[to] = slash ? beyond : here;
			continue;
		}
		if (slash && is_slash)
			continue; /* no name is empty */
		r = filler_state(f, slash ? beyond : here, slash, &to);
		if (r < 0)
			return r;
		warder_dfa_row(f->dfa, node)[c] = to;
	}
	if (!is_slash)
		f->dfa->label[node] = warder_labels_join(trie->labels, f->dfa->label[node], here);
	return 0;
}

static int finish_nodes(struct warder_trie *trie, struct filler *f, uint32_t *given,
			unsigned char *is_slash)
{
	uint32_t nodes = f->dfa->count, node;
	int r;

	/* Parents come before their children: they were made first. */
	for (node = 1; node < nodes; node++) {
		uint32_t child = warder_dfa_row(f->dfa, node)[f->slash];

		if (child && child < nodes)
			is_slash[child] = 1;
		r = finish_node(trie, f, node, given, is_slash[node]);
		if (r < 0)
			return r;
	}
	return trie->labels->failed ? -ENOMEM : 0;
}

int warder_trie_finish(struct warder_trie *trie, struct warder_dfa **ret_dfa)
{
	uint32_t nodes = trie->dfa->count;
	/* Labels that are handed down can join to new ones, two a node at most. */
	size_t labels = trie->labels->count + 2 * (size_t)nodes + 1;
	struct filler f = {.dfa = trie->dfa, .slash = trie->dfa->classes->of['/']};
	_cleanup_free_ uint32_t *states = calloc(2 * labels, sizeof(*states));
	_cleanup_free_ uint32_t *given = calloc(nodes, sizeof(*given));
	_cleanup_free_ unsigned char *is_slash = calloc(nodes, 1);
	int r;

	if (!states || !given || !is_slash)
		return -ENOMEM;
	f.in_name = states;
	f.after_slash = states + labels;
	r = finish_nodes(trie, &f, given, is_slash);
	if (r == 0)
		r = warder_dfa_minimise(&trie->dfa);
	if (r < 0)
		return r;
	*ret_dfa = TAKE_PTR(trie->dfa);
	return 0;
}
