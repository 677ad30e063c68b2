// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * automaton.c - all path rules of a policy as one minimal automaton.
 */
#include "compile/automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/excepting.h"
#include "compile/unite.h"

struct build {
	struct warder_automaton *out;
	const struct warder_policy *policy;
	const struct warder_path_rule **rules; /* in the order in which they are united */
	struct warder_unite unite;
};

static uint32_t join_labels(void *context, uint32_t a, uint32_t b)
{
	const struct build *build = context;

	return warder_labels_join(&build->out->labels, a, b);
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

static uint32_t denied_label(void *context, const struct warder_path_rule *rule, __u32 rights)
{
	return rule_label(context, rule, rights, false);
}

static int build_excepting(void *context, const struct warder_path_rule *rule,
			   struct warder_dfa **ret_dfa)
{
	struct build *b = context;

	return warder_excepting_build(&b->out->classes, rule, denied_label, b, &b->out->costs,
				      ret_dfa);
}

/* --- order --- */

/*
 * An order of our own: what a policy says, and whether it is refused, does not depend on the
 * order of its lines. Rules that say the same stand together.
 */
static int compare_rules(const void *a, const void *b)
{
	const struct warder_path_rule *x = *(const struct warder_path_rule *const *)a;
	const struct warder_path_rule *y = *(const struct warder_path_rule *const *)b;

	if (x->deny != y->deny)
		return x->deny - y->deny;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->rights != y->rights)
		return x->rights < y->rights ? -1 : 1;
	if (x->names != y->names)
		return x->names - y->names;
	return strcmp(x->path.pattern->text, y->path.pattern->text);
}

static int order_rules(struct build *b)
{
	size_t count = b->policy->path_count, i;

	b->rules = calloc(count + 1, sizeof(*b->rules));
	if (!b->rules)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		b->rules[i] = &b->policy->path_rules[i];
	qsort(b->rules, count, sizeof(*b->rules), compare_rules);
	return 0;
}

/* --- rules --- */

static int add_rule(struct build *b, const struct warder_path_rule *rule)
{
	struct warder_part part = {
		.rule = rule, .pattern = rule->path.pattern, .whole_rule = rule->except_count};
	int r;

	rule_labels(b, rule, part.labels);
	r = b->out->labels.error;
	if (r == 0)
		r = warder_unite_add(&b->unite, &part);
	if (r < 0 || part.whole_rule || !rule->path.resolved)
		return r;
	part.pattern = rule->path.resolved;
	return warder_unite_add(&b->unite, &part);
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
	b->out->classes.budget = &b->out->budget;
}

static int unite_rules(struct build *b)
{
	size_t i;
	int r = order_rules(b);

	if (r < 0)
		return r;
	for (i = 0; r == 0 && i < b->policy->path_count; i++)
		r = add_rule(b, b->rules[i]);
	return r < 0 ? r : warder_unite_finish(&b->unite, &b->out->dfa);
}

int warder_automaton_build(const struct warder_policy *policy,
			   struct warder_automaton *ret_automaton)
{
	struct build b = {.out = ret_automaton, .policy = policy};
	int r;

	*ret_automaton = (struct warder_automaton){0};
	classify_all(&b);
	r = warder_labels_init(&ret_automaton->labels);
	if (r == 0)
		r = warder_unite_init(&b.unite, &ret_automaton->classes, join_labels, &b,
				      &ret_automaton->costs);
	b.unite.build = build_excepting;
	if (r == 0)
		r = unite_rules(&b);
	warder_unite_release(&b.unite);
	free(b.rules);
	warder_costs_sort(&ret_automaton->costs);
	/* Once labels are wrong, so is everything that came of them. */
	return ret_automaton->labels.error ? ret_automaton->labels.error : r;
}

void warder_automaton_release(struct warder_automaton *automaton)
{
	warder_labels_release(&automaton->labels);
	warder_dfa_free(&automaton->dfa);
	free(automaton->costs.list);
	automaton->costs = (struct warder_costs){0};
}
