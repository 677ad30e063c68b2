// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * product.c - two automata walked together, over the texts that exist and no others.
 */
#include "compile/product.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "policy/right.h"

/* --- texts --- */

enum warder_text_place warder_text_next(enum warder_text_place place, unsigned char byte)
{
	switch (place) {
	case WARDER_TEXT_START:
		return byte == '/'   ? WARDER_TEXT_TOP
		       : byte == '@' ? WARDER_TEXT_ABSTRACT
				     : WARDER_TEXT_NONE;
	case WARDER_TEXT_TOP:
	case WARDER_TEXT_SLASH:
		if (byte == '/' || !byte)
			return WARDER_TEXT_NONE;
		return byte == '.' ? WARDER_TEXT_DOT : WARDER_TEXT_NAME;
	case WARDER_TEXT_DOT:
	case WARDER_TEXT_DOTS:
		if (byte == '/' || !byte)
			return WARDER_TEXT_NONE;
		return byte == '.' && place == WARDER_TEXT_DOT ? WARDER_TEXT_DOTS
							       : WARDER_TEXT_NAME;
	case WARDER_TEXT_NAME:
		if (!byte)
			return WARDER_TEXT_NONE;
		return byte == '/' ? WARDER_TEXT_SLASH : WARDER_TEXT_NAME;
	case WARDER_TEXT_ABSTRACT:
		return WARDER_TEXT_ABSTRACT;
	case WARDER_TEXT_NONE:
		break;
	}
	return WARDER_TEXT_NONE;
}

bool warder_text_ends(enum warder_text_place place)
{
	return place == WARDER_TEXT_TOP || place == WARDER_TEXT_NAME ||
	       place == WARDER_TEXT_ABSTRACT;
}

/* --- bytes --- */

unsigned int warder_byte_rank(unsigned char byte)
{
	if (byte >= 'a' && byte <= 'z')
		return byte - 'a';
	if (byte >= '0' && byte <= '9')
		return 26u + byte - '0';
	if (byte >= 'A' && byte <= 'Z')
		return 36u + byte - 'A';
	if (byte > ' ' && byte < 0x7f)
		return 62u + byte - '!' - (byte > '9' ? 10 : 0) - (byte > 'Z' ? 26 : 0) -
		       (byte > 'z' ? 26 : 0);
	return byte == ' ' ? 127u : WARDER_BYTE_ODD + byte / 2u;
}

void warder_classes_prefer(struct warder_classes *classes)
{
	int b;

	for (b = 0; b < 256; b++) {
		unsigned char *example = &classes->example[classes->of[b]];

		if (warder_byte_rank((unsigned char)b) < warder_byte_rank(*example))
			*example = (unsigned char)b;
	}
}

static void split_byte(struct warder_classes *classes, unsigned char byte)
{
	struct warder_byteset set = {0};

	set.bits[byte >> 6] = 1ull << (byte & 63);
	warder_classes_split(classes, &set);
}

static void split_by_side(struct warder_classes *classes, const struct warder_side *side)
{
	bool done[256] = {false};
	int b, k;

	for (b = 0; b < 256; b++) {
		struct warder_byteset set = {0};

		if (done[b])
			continue;
		for (k = b; k < 256; k++) {
			if (warder_side_class(side, (unsigned char)k) !=
			    warder_side_class(side, (unsigned char)b))
				continue;
			done[k] = true;
			set.bits[k >> 6] |= 1ull << (k & 63);
		}
		warder_classes_split(classes, &set);
	}
}

static void fill_classes(struct warder_product *p)
{
	static const unsigned char told_apart[] = {0, '/', '.', '@'};
	size_t i;

	warder_classes_init(&p->classes);
	for (i = 0; i < sizeof(told_apart); i++)
		split_byte(&p->classes, told_apart[i]);
	split_by_side(&p->classes, p->a);
	split_by_side(&p->classes, p->b);
	warder_classes_prefer(&p->classes);
}

/* --- nodes --- */

/* A place of a text needs three bits. */
_Static_assert(WARDER_STATES_END <= 1u << 29, "two states and a place fit into a word");

static __u64 word_of(__u32 a, __u32 b, __u8 place)
{
	return ((__u64)a << 32 | b) * 8 + place;
}

/* What one side may do at the end of a text, and the other may not. */
static __u32 differences(const struct warder_product *p, __u32 a, __u32 b, __u8 place)
{
	__u32 rights_a, rights_b, judged = p->judged;

	if (!warder_text_ends(place))
		return 0;
	/* Abstract names are connected to, and nothing else. */
	if (place == WARDER_TEXT_ABSTRACT)
		judged = WARDER_CONNECT;
	rights_a = warder_side_rights(p->a, a) & judged;
	rights_b = warder_side_rights(p->b, b) & judged;
	return (rights_a & ~rights_b) | (rights_b & ~rights_a) << 16;
}

/* 0 is the dead state of every automaton. */
static int node_of(struct warder_product *p, __u32 a, __u32 b, __u8 place, __u32 *ret_node)
{
	__u64 word = word_of(a, b, place);
	__u32 node;
	bool fresh;
	int r;

	*ret_node = WARDER_PRODUCT_DEAD;
	if (place == WARDER_TEXT_NONE || (!a && !b))
		return 0;
	if (p->count == WARDER_PRODUCT_NODES_MAX &&
	    warder_numbering_find(&p->numbers, word) == WARDER_NUMBER_NONE)
		return -E2BIG;
	r = warder_numbering_add(&p->numbers, word, &node, &fresh);
	if (r < 0)
		return r;
	if (fresh) {
		if (!VECTOR_ROOM(p->nodes, p->count, p->capacity))
			return -ENOMEM;
		p->nodes[p->count++] = (struct warder_product_node){
			.a = a, .b = b, .place = place, .differs = differences(p, a, b, place)};
	}
	*ret_node = node;
	return 0;
}

__u32 warder_product_next(const struct warder_product *p, __u32 node, unsigned char byte)
{
	const struct warder_product_node *n = &p->nodes[node];
	__u8 place = warder_text_next(n->place, byte);
	__u32 a, b;

	if (place == WARDER_TEXT_NONE)
		return WARDER_PRODUCT_DEAD;
	a = warder_side_step(p->a, n->a, byte);
	b = warder_side_step(p->b, n->b, byte);
	/* A node that was not met while building is a pair of dead states. */
	return warder_numbering_find(&p->numbers, word_of(a, b, place));
}

/* Distinct successors of a node; `seen` is the last node + 1 that had each as a successor. */
static int add_edges(struct warder_product *p, __u32 node, __u32 **seen, size_t *seen_capacity)
{
	__u32 c, to;
	int r;

	p->nodes[node].first_edge = (__u32)p->edge_count;
	for (c = 0; c < p->classes.count; c++) {
		const struct warder_product_node n = p->nodes[node];
		unsigned char byte = p->classes.example[c];
		__u8 place = warder_text_next(n.place, byte);

		if (place == WARDER_TEXT_NONE)
			continue;
		r = node_of(p, warder_side_step(p->a, n.a, byte), warder_side_step(p->b, n.b, byte),
			    place, &to);
		if (r < 0)
			return r;
		if (to == WARDER_PRODUCT_DEAD)
			continue;
		while (to >= *seen_capacity) {
			size_t old = *seen_capacity;

			if (!warder_vector_grow((void **)seen, sizeof(**seen), old, seen_capacity))
				return -ENOMEM;
			memset(*seen + old, 0, (*seen_capacity - old) * sizeof(**seen));
		}
		if ((*seen)[to] == node + 1)
			continue;
		(*seen)[to] = node + 1;
		if (!VECTOR_ROOM(p->edges, p->edge_count, p->edge_capacity))
			return -ENOMEM;
		p->edges[p->edge_count++] = to;
	}
	return 0;
}

/*
 * What is behind each node: the least solution. Backwards, because nodes are numbered from the
 * start on: most is settled in one pass.
 */
static void find_reach(struct warder_product *p)
{
	bool changed = true;
	size_t i, e, end;
	__u32 reaches;

	while (changed) {
		changed = false;
		for (i = p->count; i-- > 0;) {
			end = i + 1 < p->count ? p->nodes[i + 1].first_edge : p->edge_count;
			reaches = p->nodes[i].differs;
			for (e = p->nodes[i].first_edge; e < end; e++)
				reaches |= p->nodes[p->edges[e]].reaches;
			changed |= reaches != p->nodes[i].reaches;
			p->nodes[i].reaches = reaches;
		}
	}
}

int warder_product_build(const struct warder_side *a, const struct warder_side *b,
			 struct warder_product *ret_product)
{
	struct warder_product *p = ret_product;
	size_t seen_capacity = 0, i;
	__u32 *seen = NULL, start;
	int r;

	*p = (struct warder_product){.judged = warder_rights_judged()};
	p->a = a;
	p->b = b;
	fill_classes(p);
	r = node_of(p, warder_side_start(a), warder_side_start(b), WARDER_TEXT_START, &start);
	for (i = 0; r == 0 && i < p->count; i++)
		r = add_edges(p, (__u32)i, &seen, &seen_capacity);
	free(seen);
	if (r == 0)
		find_reach(p);
	return r;
}

void warder_product_release(struct warder_product *p)
{
	free(p->nodes);
	free(p->edges);
	warder_numbering_release(&p->numbers);
	*p = (struct warder_product){0};
}
