/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * trie.h - many literal paths and literal trees as one automaton, in time proportional to their
 * text.
 */
#ifndef WARDER_COMPILE_TRIE_H
#define WARDER_COMPILE_TRIE_H

#include "compile/dfa.h"
#include "compile/label.h"

struct warder_trie {
	struct warder_dfa *dfa; /* its states are the nodes */
	struct warder_labels *labels;
	uint32_t *below; /* by node that ends a directory: label of all below it */
	size_t below_capacity;
};

int warder_trie_init(struct warder_trie *trie, const struct warder_classes *classes,
		     struct warder_labels *labels);
void warder_trie_release(struct warder_trie *trie);

/* Add a pattern that is literal. `labels` as for warder_dfa_from_pattern. -E2BIG, -ENOMEM. */
int warder_trie_add(struct warder_trie *trie, const struct warder_pattern *pattern,
		    const warder_match_labels labels);

/* Complete it: push the labels of trees down to all that is below. The result is minimal. */
int warder_trie_finish(struct warder_trie *trie, struct warder_dfa **ret_dfa);

#endif
