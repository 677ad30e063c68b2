// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * automaton.c - all path rules of a policy as one minimal automaton.
 *
 * Literal paths and trees go into one trie. Every other pattern becomes an automaton of its
 * own; then neighbours are united and minimised, pair by pair, until one is left. Rules
 * that say the same are neighbours, because their unions stay small. (One subset
 * construction over all patterns would pass through a hundred times the states: design.)
 */
#include "compile/automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "compile/trie.h"

/* An automaton that waits to be united with its neighbour. */
struct operand {
	struct warder_dfa *dfa;
	uint32_t label;		      /* what its rule says: operands are sorted by it */
	size_t first_cost, past_cost; /* the patterns in it */
};

struct build {
	struct warder_automaton *out;
	const struct warder_policy *policy;
	struct warder_trie trie;
	struct operand *operands;
	size_t count, capacity;
};

static uint32_t join_labels(void *context, uint32_t a, uint32_t b)
{
	return warder_labels_join(context, a, b);
}

static int unite(const struct warder_dfa *a, const struct warder_dfa *b, warder_label_join join,
		 void *context, struct warder_dfa **ret_dfa)
{
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	int r = warder_dfa_union(a, b, join, context, &dfa);

	if (r == 0)
		r = warder_dfa_minimise(&dfa);
	if (r == 0)
		*ret_dfa = TAKE_PTR(dfa);
	return r;
}

/* --- what a rule says --- */

/* The label of an object that the rule gives `rights` on. */
static uint32_t rule_label(struct build *b, const struct warder_path_rule *rule, __u32 rights,
			   bool names)
{
	struct warder_label label = {0};
	__u64 key = 1ull << rule->key;
	int kind = rule->rights & WARDER_CONNECT ? WARDER_RESERVE_CONNECT : WARDER_RESERVE_EXEC;
	int r;

	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		if (rights >> r & 1)
			(rule->deny ? label.deny : label.allow)[r] = key;
	}
	if (names) {
		label.named[kind] = key;
		if (!b->policy->keys[rule->key].shared)
			label.reserved[kind] = key;
	}
	return warder_labels_number(&b->out->labels, &label);
}

/*
 * The directory of a tree: an allow gives reading it, a deny protects all of it (else it
 * could be moved away together with what it holds).
 */
static void rule_labels(struct build *b, const struct warder_path_rule *rule,
			warder_match_labels ret_labels)
{
	__u32 root = rule->deny ? rule->rights : rule->rights & WARDER_ROOT_OF_TREE;

	ret_labels[WARDER_MATCH_NONE] = 0;
	ret_labels[WARDER_MATCH_WHOLE] = rule_label(b, rule, rule->rights, rule->names);
	ret_labels[WARDER_MATCH_ROOT] = rule_label(b, rule, root, false);
	ret_labels[WARDER_MATCH_WHOLE | WARDER_MATCH_ROOT] = ret_labels[WARDER_MATCH_WHOLE];
}

/* --- costs --- */

static int add_cost(struct build *b, const struct warder_path_rule *rule,
		    const struct warder_pattern *pattern, uint32_t states)
{
	struct warder_automaton *a = b->out;

	if (!VECTOR_ROOM(a->costs, a->cost_count, a->cost_capacity))
		return -ENOMEM;
	a->costs[a->cost_count++] = (struct warder_cost){.rule = rule,
							 .text = pattern->text,
							 .states = states,
							 .wild = warder_cost_wild(pattern)};
	return 0;
}

/* Keep only the costs of these operands: they are the ones that blew up. */
static void blame(struct build *b, const struct operand *x, const struct operand *y)
{
	struct warder_automaton *a = b->out;
	size_t first = x->first_cost, count = y->past_cost - x->first_cost;

	memmove(a->costs, a->costs + first, count * sizeof(*a->costs));
	a->cost_count = count;
}

/* --- operands --- */

/* Takes the automaton over, on failure too. */
static int add_operand(struct build *b, struct warder_dfa *dfa, uint32_t label,
		       const struct warder_path_rule *rule, const struct warder_pattern *pattern)
{
	int r = add_cost(b, rule, pattern, dfa->count);

	if (r == 0 && !VECTOR_ROOM(b->operands, b->count, b->capacity))
		r = -ENOMEM;
	if (r < 0) {
		warder_dfa_free(&dfa);
		return r;
	}
	b->operands[b->count++] = (struct operand){.dfa = dfa,
						   .label = label,
						   .first_cost = b->out->cost_count - 1,
						   .past_cost = b->out->cost_count};
	return 0;
}

/* A single pattern that blows up is the only one to blame. */
static int blame_one(struct build *b, const struct warder_path_rule *rule,
		     const struct warder_pattern *pattern, int error)
{
	if (error != -E2BIG)
		return error;
	b->out->cost_count = 0;
	return add_cost(b, rule, pattern, 0) < 0 ? -ENOMEM : -E2BIG;
}

static int add_pattern(struct build *b, const struct warder_path_rule *rule,
		       const struct warder_pattern *pattern)
{
	struct warder_dfa *dfa = NULL;
	warder_match_labels labels;
	int r;

	rule_labels(b, rule, labels);
	if (b->out->labels.failed)
		return -ENOMEM;
	if (pattern->literal) {
		r = warder_trie_add(&b->trie, pattern, labels);
		return r < 0 ? r : add_cost(b, rule, pattern, (uint32_t)pattern->length);
	}
	r = warder_dfa_from_pattern(&b->out->classes, pattern, labels, &dfa);
	if (r < 0)
		return blame_one(b, rule, pattern, r);
	return add_operand(b, dfa, labels[WARDER_MATCH_WHOLE], rule, pattern);
}

/* --- a deny with exceptions --- */

/* Labels while such a rule is built: bits that say who matched. */
enum {
	DENIED = 1,
	EXCEPTED = 2,
	EXCEPTED_ROOT = 4, /* the directory of an excepted tree */
};

static uint32_t join_bits(void *context, uint32_t a, uint32_t b)
{
	return a | b;
}

static int add_bits(struct build *b, const struct warder_pattern *pattern, uint32_t whole,
		    uint32_t root, struct warder_dfa **dfa)
{
	const warder_match_labels labels = {0, whole, root, whole | root};
	_cleanup_dfa_ struct warder_dfa *one = NULL;
	struct warder_dfa *both = NULL;
	int r = warder_dfa_from_pattern(&b->out->classes, pattern, labels, &one);

	if (r < 0)
		return r;
	if (!*dfa) {
		*dfa = TAKE_PTR(one);
		return 0;
	}
	r = unite(*dfa, one, join_bits, NULL, &both);
	if (r < 0)
		return r;
	warder_dfa_free(dfa);
	*dfa = both;
	return 0;
}

static int add_bits_of(struct build *b, const struct warder_rule_path *path, uint32_t whole,
		       uint32_t root, struct warder_dfa **dfa)
{
	int r = add_bits(b, path->pattern, whole, root, dfa);

	if (r == 0 && path->resolved)
		r = add_bits(b, path->resolved, whole, root, dfa);
	return r;
}

/* An exception gives back what an allow of the same text would give. */
static int bits_to_labels(struct build *b, const struct warder_path_rule *rule,
			  struct warder_dfa *dfa)
{
	uint32_t state;

	for (state = 0; state < dfa->count; state++) {
		uint32_t bits = dfa->label[state];
		__u32 rights = rule->rights;

		if (bits & EXCEPTED)
			rights = 0;
		else if (bits & EXCEPTED_ROOT)
			rights &= ~(__u32)WARDER_ROOT_OF_TREE;
		dfa->label[state] = bits & DENIED && rights ? rule_label(b, rule, rights, false)
							    : 0;
	}
	return b->out->labels.failed ? -ENOMEM : 0;
}

static int add_excepting(struct build *b, const struct warder_path_rule *rule)
{
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	size_t i;
	int r = add_bits_of(b, &rule->path, DENIED, DENIED, &dfa);

	for (i = 0; r == 0 && i < rule->except_count; i++)
		r = add_bits_of(b, &rule->except[i], EXCEPTED, EXCEPTED_ROOT, &dfa);
	if (r == 0)
		r = bits_to_labels(b, rule, dfa);
	if (r == 0)
		r = warder_dfa_minimise(&dfa);
	if (r < 0)
		return blame_one(b, rule, rule->path.pattern, r);
	return add_operand(b, TAKE_PTR(dfa), rule_label(b, rule, rule->rights, false), rule,
			   rule->path.pattern);
}

/* --- union --- */

static int compare_operands(const void *a, const void *b)
{
	const struct operand *x = a, *y = b;

	if (x->label != y->label)
		return x->label < y->label ? -1 : 1;
	return x->first_cost < y->first_cost ? -1 : x->first_cost > y->first_cost;
}

/* Costs in the order of the operands: a run of these has a run of those. Then the rest. */
static int sort_operands(struct build *b)
{
	struct warder_automaton *a = b->out;
	_cleanup_free_ struct warder_cost *sorted = calloc(a->cost_count + 1, sizeof(*sorted));
	size_t used = 0, i;

	if (!sorted)
		return -ENOMEM;
	qsort(b->operands, b->count, sizeof(*b->operands), compare_operands);
	for (i = 0; i < b->count; i++) {
		struct warder_cost *cost = &a->costs[b->operands[i].first_cost];

		sorted[used] = *cost;
		cost->rule = NULL;
		b->operands[i].first_cost = used++;
		b->operands[i].past_cost = used;
	}
	for (i = 0; i < a->cost_count; i++) {
		if (a->costs[i].rule)
			sorted[used++] = a->costs[i];
	}
	memcpy(a->costs, sorted, used * sizeof(*sorted));
	return 0;
}

static int unite_pair(struct build *b, struct operand *x, struct operand *y)
{
	struct warder_dfa *both = NULL;
	int r = unite(x->dfa, y->dfa, join_labels, &b->out->labels, &both);

	if (r == -E2BIG)
		blame(b, x, y);
	if (r < 0)
		return r;
	warder_dfa_free(&x->dfa);
	warder_dfa_free(&y->dfa);
	x->dfa = both;
	x->past_cost = y->past_cost;
	return 0;
}

/* Neighbours [first, past) into operand `first`, as a balanced tree. */
static int unite_run(struct build *b, size_t first, size_t past)
{
	size_t distance, i;
	int r;

	for (distance = 1; distance < past - first; distance *= 2) {
		for (i = first; i + distance < past; i += 2 * distance) {
			r = unite_pair(b, &b->operands[i], &b->operands[i + distance]);
			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* First those that say the same, then the results. */
static int unite_all(struct build *b)
{
	size_t first, past, groups = 0;
	int r;

	for (first = 0; first < b->count; first = past) {
		for (past = first + 1; past < b->count; past++) {
			if (b->operands[past].label != b->operands[first].label)
				break;
		}
		r = unite_run(b, first, past);
		if (r < 0)
			return r;
		if (groups != first) {
			b->operands[groups] = b->operands[first];
			b->operands[first].dfa = NULL;
		}
		groups++;
	}
	b->count = groups;
	return unite_run(b, 0, groups);
}

static int add_rules(struct build *b)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < b->policy->path_count; i++) {
		const struct warder_path_rule *rule = &b->policy->path_rules[i];

		if (rule->except_count) {
			r = add_excepting(b, rule);
			continue;
		}
		r = add_pattern(b, rule, rule->path.pattern);
		if (r == 0 && rule->path.resolved)
			r = add_pattern(b, rule, rule->path.resolved);
	}
	return r;
}

static void classify(struct build *b, const struct warder_rule_path *path)
{
	warder_classes_add(&b->out->classes, path->pattern);
	if (path->resolved)
		warder_classes_add(&b->out->classes, path->resolved);
}

static void classify_all(struct build *b)
{
	struct warder_byteset slash = {{1ull << '/', 0, 0, 0}};
	size_t i, k;

	warder_classes_init(&b->out->classes);
	warder_classes_split(&b->out->classes, &slash);
	for (i = 0; i < b->policy->path_count; i++) {
		const struct warder_path_rule *rule = &b->policy->path_rules[i];

		classify(b, &rule->path);
		for (k = 0; k < rule->except_count; k++)
			classify(b, &rule->except[k]);
	}
	warder_classes_order(&b->out->classes);
}

static int build_dfa(struct build *b)
{
	struct warder_automaton *a = b->out;
	struct warder_dfa *literal = NULL;
	struct operand trie = {0};
	int r = add_rules(b);
	size_t costs = a->cost_count;

	if (r == 0)
		r = warder_trie_finish(&b->trie, &literal);
	if (r < 0)
		return r;
	trie.dfa = literal;
	if (!b->count) {
		a->dfa = literal;
		return 0;
	}
	r = sort_operands(b);
	if (r == 0)
		r = unite_all(b);
	if (r == 0) {
		trie.past_cost = costs;
		r = unite_pair(b, &trie, &b->operands[0]);
	}
	if (r < 0)
		warder_dfa_free(&trie.dfa);
	a->dfa = trie.dfa;
	return r;
}

int warder_automaton_build(const struct warder_policy *policy,
			   struct warder_automaton *ret_automaton)
{
	struct build b = {.out = ret_automaton, .policy = policy};
	size_t i;
	int r;

	*ret_automaton = (struct warder_automaton){0};
	classify_all(&b);
	r = warder_labels_init(&ret_automaton->labels);
	if (r == 0)
		r = warder_trie_init(&b.trie, &ret_automaton->classes, &ret_automaton->labels);
	if (r == 0)
		r = build_dfa(&b);
	for (i = 0; i < b.count; i++)
		warder_dfa_free(&b.operands[i].dfa);
	free(b.operands);
	warder_trie_release(&b.trie);
	warder_costs_sort(ret_automaton->costs, ret_automaton->cost_count);
	return r == 0 && ret_automaton->labels.failed ? -ENOMEM : r;
}

void warder_automaton_release(struct warder_automaton *automaton)
{
	warder_labels_release(&automaton->labels);
	warder_dfa_free(&automaton->dfa);
	free(automaton->costs);
	automaton->costs = NULL;
	automaton->cost_count = 0;
}
