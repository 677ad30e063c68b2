// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * compare_path.c - what differs about paths: the product of both automata, then rule by rule.
 *
 * The product alone tells which rights differ, and the shortest path for each. Which rules
 * do it is looked for afterwards, by walking the product along each rule of the side that
 * allows; that may be cut short, the first part may not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile/comparing.h"
#include "compile/witness.h"

/* Steps along rules, some seconds; and what looking for a reason costs, for each rule. */
#define STEPS_MAX    (100ull << 20)
#define EXPLAIN_COST 10u

struct paths {
	struct warder_comparing *comparing;
	struct warder_product product;
	unsigned long long budget;
};

/* --- from a witness to a difference --- */

/* A difference whose path is a copy of the witness's. */
struct candidate {
	enum warder_direction direction;
	__u32 right;
	const struct warder_witness *witness;
	struct warder_explanation allows, refuses;
};

static bool same_reasons(const struct warder_difference *d, const struct candidate *c)
{
	return d->kind == WARDER_ACCESS_PATH && d->direction == c->direction &&
	       warder_explanation_same(&d->allows, &c->allows) &&
	       warder_explanation_same(&d->refuses, &c->refuses);
}

/* Joins differences of one path; what has the same reasons as a shorter one is left out. */
static int add_candidate(struct paths *p, const struct candidate *c)
{
	struct warder_comparison *out = p->comparing->out;
	struct warder_difference d = {.direction = c->direction,
				      .kind = WARDER_ACCESS_PATH,
				      .rights = c->right,
				      .length = c->witness->length,
				      .allows = c->allows,
				      .refuses = c->refuses};
	size_t i;

	for (i = 0; i < out->count; i++) {
		struct warder_difference *old = &out->list[i];

		if (!(old->rights & c->right) || !same_reasons(old, c))
			continue;
		if (old->length <= d.length)
			return 0;
		/* The second of two patterns of a rule has a shorter one. */
		old->rights &= ~c->right;
	}
	for (i = 0; i < out->count; i++) {
		struct warder_difference *old = &out->list[i];

		if (same_reasons(old, c) && old->length == d.length &&
		    !memcmp(old->path, c->witness->path, d.length)) {
			old->rights |= c->right;
			return 0;
		}
	}
	d.path = calloc(1, d.length + 1);
	if (!d.path)
		return -ENOMEM;
	memcpy(d.path, c->witness->path, d.length);
	return warder_comparing_add(p->comparing, &d);
}

/* `rule`: what allows it, when it is known. */
static int add_witness(struct paths *p, const struct warder_witness *witness,
		       const struct warder_path_rule *rule)
{
	struct candidate c = {.direction = witness->difference < 16 ? WARDER_ONLY_A : WARDER_ONLY_B,
			      .right = 1u << (witness->difference & 15),
			      .witness = witness};
	const struct warder_side *allows = warder_comparing_allows(p->comparing, c.direction);
	const struct warder_side *refuses = warder_comparing_refuses(p->comparing, c.direction);
	int r = 0;

	if (rule)
		c.allows = (struct warder_explanation){
			.cause = WARDER_CAUSE_ALLOWED,
			.allowed = true,
			.right = c.right,
			.key = (int)rule->key,
			.key_name = allows->policy->keys[rule->key].name,
			.place = rule->place,
			.section = rule->section,
			.rule = rule->path.text,
		};
	else
		r = warder_explain_path(allows->policy, allows->held, c.right, witness->path,
					witness->length, &c.allows);
	if (r == 0)
		r = warder_explain_path(refuses->policy, refuses->held, c.right, witness->path,
					witness->length, &c.refuses);
	if (r < 0)
		return r;
	if (!c.allows.allowed || c.refuses.allowed)
		return -ENOTRECOVERABLE;
	return add_candidate(p, &c);
}

/* --- rule by rule --- */

static void spend(struct paths *p, const struct warder_side *side)
{
	unsigned long long cost = EXPLAIN_COST * (unsigned long long)side->policy->path_count;

	p->budget = cost < p->budget ? p->budget - cost : 0;
}

static int look_along(struct paths *p, enum warder_direction direction,
		      const struct warder_path_rule *rule, const struct warder_pattern *pattern)
{
	unsigned int shift = direction == WARDER_ONLY_A ? 0 : 16;
	__u32 differs = p->comparing->out->rights[direction];
	struct warder_witness_query query = {
		.product = &p->product,
		.wanted = (rule->rights & differs) << shift,
		.pattern = pattern,
		.key = rule->key,
		.whole = rule->rights << shift,
		.root = (rule->rights & WARDER_ROOT_OF_TREE) << shift,
		.every = true,
		.budget = &p->budget,
	};
	struct warder_witness *list = NULL;
	size_t count = 0, i;
	int r = warder_witness_find(&query, &list, &count), error = r < 0 ? r : 0;

	/* One pattern that is too large by itself is no reason to fail: what differs is known. */
	if (r == 1 || r == -E2BIG) {
		p->comparing->out->incomplete[direction] = true;
		error = 0;
	}
	for (i = 0; !error && i < count; i++) {
		error = add_witness(p, &list[i], rule);
		spend(p, warder_comparing_refuses(p->comparing, direction));
	}
	warder_witnesses_free(list, count);
	return error;
}

static int look_along_rules(struct paths *p, enum warder_direction direction)
{
	const struct warder_side *side = warder_comparing_allows(p->comparing, direction);
	struct warder_comparison *out = p->comparing->out;
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < side->policy->path_count; i++) {
		const struct warder_path_rule *rule = &side->policy->path_rules[i];

		if (rule->deny || !(side->held >> rule->key & 1) ||
		    !(rule->rights & out->rights[direction]))
			continue;
		if (!p->budget || !warder_comparing_has_room(p->comparing, direction)) {
			out->incomplete[direction] = true;
			break;
		}
		r = look_along(p, direction, rule, rule->path.pattern);
		if (r == 0 && rule->path.resolved)
			r = look_along(p, direction, rule, rule->path.resolved);
	}
	return r;
}

/* --- the whole --- */

static int find_shortest(struct paths *p)
{
	struct warder_comparison *out = p->comparing->out;
	struct warder_witness_query query = {.product = &p->product};
	struct warder_witness *list = NULL;
	size_t count = 0, i;
	int r;

	query.wanted = p->product.count ? p->product.nodes[0].reaches : 0;
	if (p->comparing->options->one_way)
		query.wanted &= 0xffff;
	if (!query.wanted)
		return 0;
	r = warder_witness_find(&query, &list, &count);
	for (i = 0; r >= 0 && i < count; i++) {
		unsigned int bit = list[i].difference;

		out->rights[bit < 16 ? WARDER_ONLY_A : WARDER_ONLY_B] |= 1u << (bit & 15);
		r = add_witness(p, &list[i], NULL);
	}
	warder_witnesses_free(list, count);
	return r;
}

/* Differences whose rights all found a shorter path elsewhere. */
static void drop_empty(struct warder_comparing *c)
{
	struct warder_comparison *out = c->out;
	size_t i, kept = 0;

	for (i = 0; i < out->count; i++) {
		if (out->list[i].rights) {
			out->list[kept++] = out->list[i];
			continue;
		}
		c->counts[out->list[i].direction]--;
		free(out->list[i].path);
	}
	out->count = kept;
}

int warder_compare_paths(struct warder_comparing *c)
{
	struct paths p = {.comparing = c, .budget = STEPS_MAX};
	int r = warder_product_build(c->sides[WARDER_ONLY_A], c->sides[WARDER_ONLY_B], &p.product);

	if (r == 0)
		r = find_shortest(&p);
	if (r == 0 && !c->options->shortest)
		r = look_along_rules(&p, WARDER_ONLY_A);
	if (r == 0 && !c->options->shortest && !c->options->one_way)
		r = look_along_rules(&p, WARDER_ONLY_B);
	drop_empty(c);
	warder_product_release(&p.product);
	return r;
}
