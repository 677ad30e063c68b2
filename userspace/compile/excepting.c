// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * excepting.c - a deny with exceptions as one automaton.
 *
 * The path and the exceptions are united with labels that say who matched; what the rule denies
 * follows from them.
 */
#include "compile/excepting.h"

#include "base/cleanup.h"
#include "compile/unite.h"

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

static int add_pattern(struct warder_unite *unite, const struct warder_path_rule *rule,
		       const struct warder_pattern *pattern, uint32_t whole, uint32_t root)
{
	const struct warder_part part = {
		.rule = rule, .pattern = pattern, .labels = {0, whole, root, whole | root}};

	return warder_unite_add(unite, &part);
}

static int add_path(struct warder_unite *unite, const struct warder_path_rule *rule,
		    const struct warder_rule_path *path, uint32_t whole, uint32_t root)
{
	int r = add_pattern(unite, rule, path->pattern, whole, root);

	if (r == 0 && path->resolved)
		r = add_pattern(unite, rule, path->resolved, whole, root);
	return r;
}

/* An exception gives back what an allow of the same text would give. */
static void bits_to_labels(const struct warder_path_rule *rule, warder_rights_label label,
			   void *context, struct warder_dfa *dfa)
{
	uint32_t state;

	for (state = 0; state < dfa->count; state++) {
		uint32_t bits = dfa->label[state];
		__u32 rights = rule->rights;

		if (bits & EXCEPTED)
			rights = 0;
		else if (bits & EXCEPTED_ROOT)
			rights &= ~(__u32)WARDER_ROOT_OF_TREE;
		dfa->label[state] = bits & DENIED && rights ? label(context, rule, rights) : 0;
	}
}

int warder_excepting_build(const struct warder_classes *classes,
			   const struct warder_path_rule *rule, warder_rights_label label,
			   void *context, struct warder_costs *costs, struct warder_dfa **ret_dfa)
{
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	struct warder_unite unite;
	size_t i;
	int r = warder_unite_init(&unite, classes, join_bits, NULL, costs);

	if (r == 0)
		r = add_path(&unite, rule, &rule->path, DENIED, DENIED);
	for (i = 0; r == 0 && i < rule->except_count; i++)
		r = add_path(&unite, rule, &rule->except[i], EXCEPTED, EXCEPTED_ROOT);
	if (r == 0)
		r = warder_unite_finish(&unite, &dfa);
	warder_unite_release(&unite);
	if (r < 0)
		return r;
	bits_to_labels(rule, label, context, dfa);
	r = warder_dfa_minimise(&dfa);
	if (r == 0)
		*ret_dfa = TAKE_PTR(dfa);
	return r;
}
