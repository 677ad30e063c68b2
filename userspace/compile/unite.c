// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * unite.c - many patterns as one minimal automaton.
 *
 * Literal paths and trees go into a trie. Every other pattern becomes an automaton of its own
 * when its turn comes; halves of the list are united, and minimised, from small to large. (One
 * subset construction over all patterns would pass through a hundred times the states.)
 */
#include "compile/unite.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/vector.h"

int warder_unite_init(struct warder_unite *unite, const struct warder_classes *classes,
		      warder_label_join join, void *context, struct warder_costs *costs)
{
	*unite = (struct warder_unite){.classes = classes, .context = context, .costs = costs};
	return warder_trie_init(&unite->trie, classes, join, context);
}

void warder_unite_release(struct warder_unite *unite)
{
	warder_trie_release(&unite->trie);
	free(unite->parts);
	*unite = (struct warder_unite){0};
}

int warder_unite_add(struct warder_unite *unite, const struct warder_part *part)
{
	if (part->pattern->literal && !part->whole_rule) {
		int r = warder_costs_add(unite->costs, part->rule, part->pattern,
					 (uint32_t)part->pattern->length);

		return r < 0 ? r : warder_trie_add(&unite->trie, part->pattern, part->labels);
	}
	if (!VECTOR_ROOM(unite->parts, unite->count, unite->capacity))
		return -ENOMEM;
	unite->parts[unite->count++] = *part;
	return 0;
}

/* Once the budget is used up, everything so far has its share in that. */
static bool is_spent(const struct warder_unite *unite)
{
	return warder_dfa_spend(unite->classes, 0) < 0;
}

/* --- one part --- */

static int build_pattern(struct warder_unite *unite, const struct warder_part *part,
			 struct warder_dfa **ret_dfa)
{
	size_t first = unite->costs->count;
	int r = warder_dfa_from_pattern(unite->classes, part->pattern, part->labels, ret_dfa);
	int added;

	if (r < 0 && r != -E2BIG)
		return r;
	added = warder_costs_add(unite->costs, part->rule, part->pattern,
				 r ? 0 : (*ret_dfa)->count);
	if (r < 0 && added == 0 && !is_spent(unite))
		warder_costs_blame(unite->costs, first);
	if (r == 0 && added < 0)
		warder_dfa_free(ret_dfa);
	return r < 0 ? r : added;
}

static int build_part(struct warder_unite *unite, const struct warder_part *part,
		      struct warder_dfa **ret_dfa)
{
	if (part->whole_rule)
		return unite->build(unite->context, part->rule, ret_dfa);
	return build_pattern(unite, part, ret_dfa);
}

/* --- union --- */

static bool same_labels(const struct warder_part *a, const struct warder_part *b)
{
	return a->labels[WARDER_MATCH_WHOLE] == b->labels[WARDER_MATCH_WHOLE];
}

/* Where to halve [first, past): in the middle of what says the same, else near the middle. */
static size_t halve(const struct warder_unite *unite, size_t first, size_t past)
{
	size_t middle = first + (past - first) / 2, low = middle, high = middle;

	while (low > first && same_labels(&unite->parts[low - 1], &unite->parts[low]))
		low--;
	while (high < past && same_labels(&unite->parts[high - 1], &unite->parts[high]))
		high++;
	if (low == first && high == past)
		return middle;
	if (low == first)
		return high;
	return high < past && high - middle < middle - low ? high : low;
}

/* Takes both over, on failure too. */
static int unite_two(struct warder_unite *unite, struct warder_dfa *a, struct warder_dfa *b,
		     struct warder_dfa **ret_dfa)
{
	struct warder_dfa *both = NULL;
	int r = warder_dfa_union(a, b, unite->trie.join, unite->context, &both);

	warder_dfa_free(&a);
	warder_dfa_free(&b);
	if (r == 0)
		r = warder_dfa_minimise(&both);
	if (r < 0)
		warder_dfa_free(&both);
	else
		*ret_dfa = both;
	return r;
}

static int unite_run(struct warder_unite *unite, size_t first, size_t past,
		     struct warder_dfa **ret_dfa)
{
	_cleanup_dfa_ struct warder_dfa *a = NULL, *b = NULL;
	size_t blamed = unite->costs->count, middle;
	int r;

	if (past - first == 1)
		return build_part(unite, &unite->parts[first], ret_dfa);
	middle = halve(unite, first, past);
	r = unite_run(unite, first, middle, &a);
	if (r == 0)
		r = unite_run(unite, middle, past, &b);
	if (r < 0)
		return r;
	r = unite_two(unite, TAKE_PTR(a), TAKE_PTR(b), ret_dfa);
	if (r == -E2BIG && !is_spent(unite))
		warder_costs_blame(unite->costs, blamed);
	return r;
}

int warder_unite_finish(struct warder_unite *unite, struct warder_dfa **ret_dfa)
{
	_cleanup_dfa_ struct warder_dfa *others = NULL;
	int r = 0;

	if (unite->count)
		r = unite_run(unite, 0, unite->count, &others);
	return r < 0 ? r : warder_trie_finish(&unite->trie, others, ret_dfa);
}
