/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * cost.h - which patterns make an automaton large.
 */
#ifndef WARDER_COMPILE_COST_H
#define WARDER_COMPILE_COST_H

#include "policy/policy.h"

/* One pattern of one rule, and how much of the automaton it costs. */
struct warder_cost {
	const struct warder_path_rule *rule;
	const char *text;
	uint32_t states; /* of its own minimal automaton; for a literal, its bytes */
	uint32_t wild;	 /* what multiplies states: stars but for the tree, what follows them */
};

struct warder_costs {
	struct warder_cost *list;
	size_t count, capacity;
};

/* -ENOMEM. */
int warder_costs_add(struct warder_costs *costs, const struct warder_path_rule *rule,
		     const struct warder_pattern *pattern, uint32_t states);

/* Forget all but those from `first` on: the others are not to blame. */
void warder_costs_blame(struct warder_costs *costs, size_t first);

/* The dearest first. */
void warder_costs_sort(struct warder_costs *costs);

#endif
