// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * witness.c - the shortest texts at whose end two sides differ.
 *
 * Breadth first, a layer for each byte. What a node was reached by is kept as labels: the bytes
 * of the name so far and the number of names decide how a text can go on, so a later label is of
 * use only when it has fewer of one of them. Nearly always the first label is the only one.
 */
#include "compile/witness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "policy/access_text.h"

#define LABELS_MAX (16u << 20)
#define NONE	   UINT32_MAX

/* A node of the product and a state of the rule. */
struct spot {
	__u32 node, state;
	__u32 label; /* the last one; NONE */
};

/* One way to a spot. */
struct label {
	__u32 spot, parent;
	__u32 next; /* an earlier one of the same spot; NONE */
	__u16 names, odd;
	unsigned char byte, length; /* the last byte; bytes of the name so far */
	bool dropped;		    /* another of its layer is better in every way */
};

struct find {
	unsigned int difference;
	__u32 row, label;
};

struct search {
	const struct warder_witness_query *query;
	const struct warder_product *product;
	struct warder_classes classes;
	unsigned char order[256]; /* classes, the best liked first */
	struct warder_dfa *rule;  /* NULL: any text */
	struct spot *spots;
	size_t spot_count, spot_capacity;
	struct warder_numbering numbers; /* of the spots */
	struct label *labels;
	size_t label_count, label_capacity;
	size_t layer; /* first label of the layer that is filled */
	size_t bytes; /* of the texts of that layer */
	struct find finds[WARDER_WITNESSES_MAX];
	size_t find_count;
	__u32 found; /* differences */
	bool incomplete;
};

/* --- spots and labels --- */

static int spot_of(struct search *s, __u32 node, __u32 state, __u32 *ret_spot)
{
	bool fresh;
	int r = warder_numbering_add(&s->numbers, (__u64)node << 32 | state, ret_spot, &fresh);

	if (r < 0 || !fresh)
		return r;
	if (!VECTOR_ROOM(s->spots, s->spot_count, s->spot_capacity))
		return -ENOMEM;
	s->spots[s->spot_count++] = (struct spot){node, state, NONE};
	return 0;
}

/* Is nothing lost without `fresh`? Labels of its own layer that are lost by it are dropped. */
static bool is_useless(struct search *s, const struct label *fresh)
{
	__u32 at;

	for (at = s->spots[fresh->spot].label; at != NONE; at = s->labels[at].next) {
		struct label *old = &s->labels[at];
		bool same_layer = at >= s->layer;

		if (old->dropped)
			continue;
		if (old->length <= fresh->length && old->names <= fresh->names &&
		    (!same_layer || old->odd <= fresh->odd))
			return true;
		if (same_layer && fresh->length <= old->length && fresh->names <= old->names &&
		    fresh->odd <= old->odd)
			old->dropped = true;
	}
	return false;
}

static int add_label(struct search *s, struct label fresh)
{
	if (is_useless(s, &fresh))
		return 0;
	if (s->label_count == LABELS_MAX)
		return -E2BIG;
	if (!VECTOR_ROOM(s->labels, s->label_count, s->label_capacity))
		return -ENOMEM;
	fresh.next = s->spots[fresh.spot].label;
	s->spots[fresh.spot].label = (__u32)s->label_count;
	s->labels[s->label_count++] = fresh;
	return 0;
}

/* --- what is found --- */

/* Differences that the rule accounts for, by its key and by how it matches. */
static __u32 accounted(const struct search *s, const struct warder_product_node *node, __u32 state)
{
	const struct warder_witness_query *q = s->query;
	__u32 differs = node->differs & q->wanted, counted = 0, match;
	int bit;

	if (!s->rule)
		return differs;
	match = s->rule->label[state];
	differs &= match & WARDER_MATCH_WHOLE ? q->whole : match ? q->root : 0;
	for (bit = 0; bit < 32; bit++) {
		const struct warder_side *side = bit < 16 ? s->product->a : s->product->b;
		__u32 at = bit < 16 ? node->a : node->b;

		/* Where the object is reserved, the rule of another key gives nothing. */
		if ((differs >> bit & 1) &&
		    (warder_side_row(side, at)->allow[bit & 15] >> q->key & 1))
			counted |= 1u << bit;
	}
	return counted;
}

static void record(struct search *s, unsigned int difference, __u32 row, __u32 label)
{
	size_t i;

	for (i = 0; i < s->find_count; i++) {
		struct find *find = &s->finds[i];

		if (find->difference != difference || (s->query->every && find->row != row))
			continue;
		if (find->label >= s->layer && s->labels[label].odd < s->labels[find->label].odd)
			*find = (struct find){difference, row, label};
		return;
	}
	if (s->find_count == WARDER_WITNESSES_MAX) {
		s->incomplete = true;
		return;
	}
	s->finds[s->find_count++] = (struct find){difference, row, label};
	s->found |= 1u << difference;
}

static void visit(struct search *s, __u32 label)
{
	const struct spot *spot = &s->spots[s->labels[label].spot];
	const struct warder_product_node *node = &s->product->nodes[spot->node];
	__u32 differs = accounted(s, node, spot->state);
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		if (differs >> bit & 1)
			record(s, bit,
			       bit < 16 ? warder_side_row_number(s->product->b, node->b)
					: warder_side_row_number(s->product->a, node->a),
			       label);
	}
}

/* --- the walk --- */

/* Count the byte; false: no text that the kernel judges goes on so. */
static bool count_byte(const struct search *s, const struct warder_product_node *node,
		       struct label *l)
{
	l->odd = (__u16)(l->odd + (warder_byte_rank(l->byte) >= WARDER_BYTE_ODD));
	if (node->place == WARDER_TEXT_ABSTRACT)
		return s->bytes <= WARDER_ABSTRACT_MAX;
	if (l->byte == '/') {
		l->length = 0;
		return ++l->names <= WARDER_DEPTH_MAX;
	}
	if (l->length == WARDER_COMPONENT_MAX)
		return false;
	l->length++;
	return true;
}

static int expand(struct search *s, __u32 parent)
{
	const struct label from = s->labels[parent];
	const struct spot spot = s->spots[from.spot];
	const struct warder_product_node *node = &s->product->nodes[spot.node];
	unsigned int i;
	int r = 0;

	for (i = 0; r == 0 && i < s->classes.count; i++) {
		unsigned int class = s->order[i];
		struct label l = from;
		__u32 to, state = 0;

		l.byte = s->classes.example[class];
		l.parent = parent;
		l.dropped = false;
		if (s->rule)
			state = warder_dfa_row(s->rule, spot.state)[class];
		if ((s->rule && !state) || !count_byte(s, node, &l))
			continue;
		to = warder_product_next(s->product, spot.node, l.byte);
		if (to == WARDER_PRODUCT_DEAD ||
		    !(s->product->nodes[to].reaches & s->query->wanted))
			continue;
		r = spot_of(s, to, state, &l.spot);
		if (r == 0)
			r = add_label(s, l);
	}
	return r;
}

static bool spend(struct search *s, size_t steps)
{
	unsigned long long *budget = s->query->budget;

	if (!budget)
		return true;
	if (*budget < steps) {
		*budget = 0;
		s->incomplete = true;
		return false;
	}
	*budget -= steps;
	return true;
}

static bool is_done(const struct search *s)
{
	return !s->query->every && s->found == s->query->wanted;
}

static int walk(struct search *s)
{
	struct label start = {.parent = NONE};
	size_t first, end, i;
	int r = spot_of(s, 0, s->rule ? s->rule->start : 0, &start.spot);

	if (r == 0)
		r = add_label(s, start);
	for (first = 0; r == 0 && first < s->label_count; first = end) {
		end = s->label_count;
		for (i = first; i < end; i++) {
			if (!s->labels[i].dropped)
				visit(s, (__u32)i);
		}
		if (is_done(s) || !spend(s, (end - first) * s->classes.count))
			break;
		s->layer = end;
		s->bytes++;
		for (i = first; r == 0 && i < end; i++) {
			if (!s->labels[i].dropped)
				r = expand(s, (__u32)i);
		}
	}
	return r;
}

/* --- the whole --- */

/* The classes by how much their examples are liked. */
static void order_classes(struct search *s)
{
	unsigned int i, k, class;

	for (i = 0; i < s->classes.count; i++) {
		unsigned int rank = warder_byte_rank(s->classes.example[i]);

		for (k = i; k > 0; k--) {
			class = s->order[k - 1];
			if (warder_byte_rank(s->classes.example[class]) <= rank)
				break;
			s->order[k] = (unsigned char)class;
		}
		s->order[k] = (unsigned char)i;
	}
}

static int prepare(struct search *s)
{
	static const warder_match_labels labels = {0, 1, 2, 3};
	int r = 0;

	s->classes = s->product->classes;
	if (s->query->pattern) {
		warder_classes_add(&s->classes, s->query->pattern);
		warder_classes_prefer(&s->classes);
		r = warder_dfa_from_pattern(&s->classes, s->query->pattern, labels, &s->rule);
	}
	order_classes(s);
	return r;
}

static int take_text(const struct search *s, const struct find *find, struct warder_witness *w)
{
	__u32 at;

	*w = (struct warder_witness){.difference = find->difference, .row = find->row};
	for (at = find->label; s->labels[at].parent != NONE; at = s->labels[at].parent)
		w->length++;
	w->path = calloc(1, w->length + 1);
	if (!w->path)
		return -ENOMEM;
	for (at = find->label; s->labels[at].parent != NONE; at = s->labels[at].parent)
		w->path[--w->length] = (char)s->labels[at].byte;
	for (at = find->label; s->labels[at].parent != NONE; at = s->labels[at].parent)
		w->length++;
	return 0;
}

static int take_finds(const struct search *s, struct warder_witness **ret_list, size_t *ret_count)
{
	struct warder_witness *list = calloc(s->find_count + 1, sizeof(*list));
	size_t i;

	if (!list)
		return -ENOMEM;
	for (i = 0; i < s->find_count; i++) {
		if (take_text(s, &s->finds[i], &list[i]) == 0)
			continue;
		warder_witnesses_free(list, i);
		return -ENOMEM;
	}
	*ret_list = list;
	*ret_count = s->find_count;
	return 0;
}

int warder_witness_find(const struct warder_witness_query *query, struct warder_witness **ret_list,
			size_t *ret_count)
{
	struct search *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->query = query;
	s->product = query->product;
	r = prepare(s);
	if (r == 0 && s->product->count)
		r = walk(s);
	if (r == 0)
		r = take_finds(s, ret_list, ret_count);
	if (r == 0)
		r = s->incomplete;
	warder_dfa_free(&s->rule);
	free(s->spots);
	warder_numbering_release(&s->numbers);
	free(s->labels);
	free(s);
	return r;
}

void warder_witnesses_free(struct warder_witness *list, size_t count)
{
	size_t i;

	for (i = 0; list && i < count; i++)
		free(list[i].path);
	free(list);
}
