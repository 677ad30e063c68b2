// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * walk.c - the language of one path rule, walked beside another one or beside an image.
 */
#include "compile/walk.h"

#include <errno.h>
#include <stdlib.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/vector.h"
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
	struct node *nodes;
	size_t count, capacity;
	__u32 *slots; /* node + 1 by hash; 0: free */
	size_t slot_count;
};

static size_t slot_of(const struct walking *w, const struct node *node)
{
	__u64 word = (__u64)node->rule << 36 ^ (__u64)node->other << 3 ^ node->place;
	size_t i = warder_hash_word(word) & (w->slot_count - 1);

	while (w->slots[i]) {
		const struct node *old = &w->nodes[w->slots[i] - 1];

		if (old->rule == node->rule && old->other == node->other &&
		    old->place == node->place)
			break;
		i = (i + 1) & (w->slot_count - 1);
	}
	return i;
}

static int grow(struct walking *w)
{
	size_t wanted = w->slot_count ? 2 * w->slot_count : 64, i;
	__u32 *slots = calloc(wanted, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(w->slots);
	w->slots = slots;
	w->slot_count = wanted;
	for (i = 0; i < w->count; i++)
		w->slots[slot_of(w, &w->nodes[i])] = (__u32)i + 1;
	return 0;
}

static int add(struct walking *w, struct node node)
{
	size_t slot;
	int r;

	if (2 * w->count >= w->slot_count && (r = grow(w)) < 0)
		return r;
	slot = slot_of(w, &node);
	if (w->slots[slot])
		return 0;
	if (!VECTOR_ROOM(w->nodes, w->count, w->capacity))
		return -ENOMEM;
	w->nodes[w->count++] = node;
	w->slots[slot] = (__u32)w->count;
	return 0;
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

	for (i = 0; r == 0 && i < w.count; i++)
		r = ends(&w, &w.nodes[i]) ? 1 : follow(&w, w.nodes[i]);
	free(w.nodes);
	free(w.slots);
	return r;
}
