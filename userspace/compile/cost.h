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
	uint32_t wild;	 /* stars that are not the tree at its end: what multiplies states */
};

/* Stars that are not the tree at the end of a pattern. */
uint32_t warder_cost_wild(const struct warder_pattern *pattern);

/* The dearest first. */
void warder_costs_sort(struct warder_cost *costs, size_t count);

#endif
