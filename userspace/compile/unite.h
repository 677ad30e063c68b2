/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * unite.h - many patterns as one minimal automaton.
 *
 *	warder_unite_init -> warder_unite_add... -> warder_unite_finish -> warder_unite_release
 */
#ifndef WARDER_COMPILE_UNITE_H
#define WARDER_COMPILE_UNITE_H

#include "compile/cost.h"
#include "compile/trie.h"

/* What is united. */
struct warder_part {
	const struct warder_path_rule *rule; /* whose it is */
	const struct warder_pattern *pattern;
	warder_match_labels labels;
	bool whole_rule; /* not the pattern alone, but the rule with its exceptions */
};

struct warder_unite {
	const struct warder_classes *classes;
	struct warder_trie trie; /* of the literal patterns */
	struct warder_costs *costs;
	/* The automaton of a whole rule; adds the costs of its patterns. */
	int (*build)(void *context, const struct warder_path_rule *rule,
		     struct warder_dfa **ret_dfa);
	void *context; /* of `join`, too */
	struct warder_part *parts;
	size_t count, capacity;
};

/* `costs` gets what the patterns cost; when it fails, only of those that are to blame. -ENOMEM. */
int warder_unite_init(struct warder_unite *unite, const struct warder_classes *classes,
		      warder_label_join join, void *context, struct warder_costs *costs);
void warder_unite_release(struct warder_unite *unite);

/*
 * Parts that say the same should be added one after the other: they are united first, because
 * their unions stay small. -E2BIG, -ENOMEM.
 */
int warder_unite_add(struct warder_unite *unite, const struct warder_part *part);

/* -E2BIG: they blow up. -ENOMEM. */
int warder_unite_finish(struct warder_unite *unite, struct warder_dfa **ret_dfa);

#endif
