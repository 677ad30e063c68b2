// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * cost.c - which patterns make an automaton large.
 */
#include "compile/cost.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

/*
 * A star keeps its place while others move on, and what follows it in the same name has to be
 * tried from each byte: automata of such patterns multiply. Names and trees only add up.
 */
static uint32_t count_wild(const struct warder_pattern *pattern)
{
	size_t end = pattern->length - (pattern->tree ? 2 : 0), i;
	bool behind_star = false;
	uint32_t count = 0;

	for (i = 0; i < end; i++) {
		char c = pattern->text[i];

		if (c == '\\')
			i++;
		else if (c == '/')
			behind_star = false;
		else if (c == '*')
			behind_star = ++count;
		else if (behind_star && strchr("?[{", c))
			count++;
	}
	return count;
}

int warder_costs_add(struct warder_costs *costs, const struct warder_path_rule *rule,
		     const struct warder_pattern *pattern, uint32_t states)
{
	if (!VECTOR_ROOM(costs->list, costs->count, costs->capacity))
		return -ENOMEM;
	costs->list[costs->count++] = (struct warder_cost){
		.rule = rule, .text = pattern->text, .states = states, .wild = count_wild(pattern)};
	return 0;
}

void warder_costs_blame(struct warder_costs *costs, size_t first)
{
	costs->count -= first;
	memmove(costs->list, costs->list + first, costs->count * sizeof(*costs->list));
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

void warder_costs_sort(struct warder_costs *costs)
{
	if (costs->count)
		qsort(costs->list, costs->count, sizeof(*costs->list), compare_costs);
}
