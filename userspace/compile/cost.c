// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * cost.c - which patterns make an automaton large.
 */
#include "compile/cost.h"

#include <stdlib.h>

uint32_t warder_cost_wild(const struct warder_pattern *pattern)
{
	size_t end = pattern->length - (pattern->tree ? 2 : 0), i;
	uint32_t count = 0;

	for (i = 0; i < end; i++) {
		if (pattern->text[i] == '\\')
			i++;
		else if (pattern->text[i] == '*')
			count++;
	}
	return count;
}

static int compare_costs(const void *a, const void *b)
{
	const struct warder_cost *x = a, *y = b;

	if (x->wild != y->wild)
		return x->wild > y->wild ? -1 : 1;
	if (x->states != y->states)
		return x->states > y->states ? -1 : 1;
	return x->rule < y->rule ? -1 : x->rule > y->rule;
}

void warder_costs_sort(struct warder_cost *costs, size_t count)
{
	if (count)
		qsort(costs, count, sizeof(*costs), compare_costs);
}
