// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * walk.c - the language of one path rule, walked beside another one or beside an image.
 */
#include "compile/walk.h"

#include <errno.h>
#include <stdlib.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "compile/numbering.h"
#include "compile/product.h"

/* --- the language of a rule --- */

/* Labels while it is built: who matched. */
enum {
	WHOLE = 1,
	ROOT = 2,
	EXCEPTED = 4,
	EXCEPTED_ROOT = 8,
};

static uint32_t join_bits(void *context, uint32_t a, uint32_t b)
{
	return a | b;
}

static int add_pattern(const struct warder_classes *classes, const struct warder_pattern *pattern,
		       uint32_t whole, uint32_t root, struct warder_dfa **dfa)
{
	const warder_match_labels labels = {0, whole, root, whole | root};
	_cleanup_dfa_ struct warder_dfa *one = NULL;
	struct warder_dfa *both = NULL;
	int r = warder_dfa_from_pattern(classes, pattern, labels, &one);

	if (r < 0)
		return r;
	if (!*dfa) {
		*dfa = TAKE_PTR(one);
		return 0;
	}
	r = warder_dfa_union(*dfa, one, join_bits, NULL, &both);
	if (r < 0)
		return r;
	warder_dfa_free(dfa);
	*dfa = both;
	return 0;
}

static int add_path(const struct warder_classes *classes, const struct warder_rule_path *path,
		    uint32_t whole, uint32_t root, struct warder_dfa **dfa)
{
	int r = add_pattern(classes, path->pattern, whole, root, dfa);

	if (r == 0 && path->resolved)
		r = add_pattern(classes, path->resolved, whole, root, dfa);
	return r;
}

static uint32_t rights_of(const struct warder_path_rule *rule, uint32_t bits)
{
	uint32_t rights = bits & (WHOLE | ROOT) ? rule->rights : 0;

	if (!rule->deny && !(bits & WHOLE))
		rights &= WARDER_ROOT_OF_TREE;
	if (bits & EXCEPTED)
		return 0;
	return bits & EXCEPTED_ROOT ? rights & ~(uint32_t)WARDER_ROOT_OF_TREE : rights;
}

int warder_walk_language(const struct warder_classes *classes, const struct warder_path_rule *rule,
			 int except, struct warder_dfa **ret_dfa)
{
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	int r = add_path(classes, &rule->path, WHOLE, ROOT, &dfa);
	uint32_t state;
	size_t i;

	for (i = 0; r == 0 && i < rule->except_count; i++) {
		if (except == WARDER_EXCEPT_ALL || except == (int)i)
			r = add_path(classes, &rule->except[i], EXCEPTED, EXCEPTED_ROOT, &dfa);
	}
	if (r < 0)
		return r;
	for (state = 0; state < dfa->count; state++)
		dfa->label[state] = rights_of(rule, dfa->label[state]);
	r = warder_dfa_minimise(&dfa);
	if (r == 0)
		*ret_dfa = TAKE_PTR(dfa);
	return r;
}

static void add_classes(struct warder_classes *classes, const struct warder_rule_path *path)
{
	warder_classes_add(classes, path->pattern);
	if (path->resolved)
		warder_classes_add(classes, path->resolved);
}

void warder_walk_classes(const struct warder_policy *policy, struct warder_classes *ret_classes)
{
	static const unsigned char told_apart[] = {0, '/', '.', '@'};
	size_t i, k;

	warder_classes_init(ret_classes);
	for (i = 0; i < sizeof(told_apart); i++) {
		struct warder_byteset set = {0};

		set.bits[told_apart[i] >> 6] = 1ull << (told_apart[i] & 63);
		warder_classes_split(ret_classes, &set);
	}
	for (i = 0; i < policy->path_count; i++) {
		add_classes(ret_classes, &policy->path_rules[i].path);
		for (k = 0; k < policy->path_rules[i].except_count; k++)
			add_classes(ret_classes, &policy->path_rules[i].except[k]);
	}
}

/* --- walking --- */

struct node {
	__u32 rule, other;
	__u32 place; /* enum warder_text_place */
};

struct walking {
	const struct warder_walk *walk;
	struct warder_numbering nodes; /* words of word_of() */
};

/* States of an automaton stay below 2^30 (its cells are limited), those of an image, too. */
_Static_assert(WARDER_STATES_END <= 1u << 30, "a state fits into its field of a word");

static __u64 word_of(struct node node)
{
	return (__u64)node.rule << 34 | (__u64)node.other << 3 | node.place;
}

static struct node node_of(__u64 word)
{
	return (struct node){(__u32)(word >> 34), (__u32)(word >> 3) & ((1u << 31) - 1),
			     (__u32)word & 7};
}

static int add(struct walking *w, struct node node)
{
	__u32 number;
	bool fresh;

	return warder_numbering_add(&w->nodes, word_of(node), &number, &fresh);
}

static bool ends(const struct walking *w, const struct node *node)
{
	const struct warder_walk *walk = w->walk;
	__u32 rights = walk->rule->label[node->rule];

	if (walk->other && walk->stops_at_dead && !node->other)
		return true;
	if (!rights || !warder_text_ends((enum warder_text_place)node->place))
		return false;
	return walk->end(walk->context, rights,
			 walk->other ? walk->other->label[node->other]
				     : warder_row_number(walk->image, node->other));
}

static int follow(struct walking *w, struct node from)
{
	const struct warder_walk *walk = w->walk;
	const struct warder_classes *classes = walk->rule->classes;
	uint32_t class;
	int r = 0;

	if (*walk->budget < classes->count)
		return -E2BIG;
	*walk->budget -= classes->count;
	for (class = 0; r == 0 && class < classes->count; class ++) {
		unsigned char byte = classes->example[class];
		struct node to = {
			.rule = warder_dfa_row(walk->rule, from.rule)[class],
			.place = warder_text_next((enum warder_text_place)from.place, byte)};

		if (!to.rule || to.place == WARDER_TEXT_NONE)
			continue;
		to.other = walk->other ? warder_dfa_row(walk->other, from.other)[class]
				       : warder_step(walk->image, from.other, byte);
		r = add(w, to);
	}
	return r;
}

int warder_walk_run(const struct warder_walk *walk)
{
	struct walking w = {.walk = walk};
	size_t i;
	int r = add(&w, (struct node){walk->rule->start,
				      walk->other ? walk->other->start : walk->image->start,
				      WARDER_TEXT_START});

	for (i = 0; r == 0 && i < w.nodes.count; i++) {
		struct node node = node_of(w.nodes.words[i]);

		r = ends(&w, &node) ? 1 : follow(&w, node);
	}
	warder_numbering_release(&w.nodes);
	return r;
}
