/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * trie.h - many literal paths and literal trees as one automaton, in time proportional to their
 * text, and united with another one on the way.
 */
#ifndef WARDER_COMPILE_TRIE_H
#define WARDER_COMPILE_TRIE_H

#include "compile/dfa.h"

struct warder_trie_node {
	uint32_t child, sibling; /* 0: none */
	uint32_t label;		 /* of the path that ends here */
	uint32_t below;		 /* of all below the directory that ends here */
	uint32_t class;		 /* that leads here */
};

struct warder_trie {
	const struct warder_classes *classes;
	warder_label_join join;
	void *context;
	struct warder_trie_node *nodes; /* the first is where paths begin */
	size_t count, capacity;
};

/* -ENOMEM. */
int warder_trie_init(struct warder_trie *trie, const struct warder_classes *classes,
		     warder_label_join join, void *context);
void warder_trie_release(struct warder_trie *trie);

/* Add a pattern that is literal. -E2BIG, -ENOMEM. */
int warder_trie_add(struct warder_trie *trie, const struct warder_pattern *pattern,
		    const warder_match_labels labels);

/*
 * The minimal automaton that says what the trie and `other` (NULL: nothing) say. -E2BIG, -ENOMEM.
 */
int warder_trie_finish(const struct warder_trie *trie, const struct warder_dfa *other,
		       struct warder_dfa **ret_dfa);

#endif
