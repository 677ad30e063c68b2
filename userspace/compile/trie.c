// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * trie.c - many literal paths and literal trees as one automaton, in time proportional to their
 * text, and united with another one on the way.
 *
 * Ten thousand such rules are ordinary, and uniting them one by one is not needed: paths that
 * share a beginning share nodes.
 */
#include "compile/trie.h"

#include <errno.h>
#include <stdlib.h>

#include "base/vector.h"

/* More text than a policy file can hold, but for what includes add. */
#define NODES_MAX (1u << 23)

static int node_new(struct warder_trie *trie, uint32_t class, uint32_t *ret_node)
{
	if (trie->count >= NODES_MAX)
		return -E2BIG;
	if (!VECTOR_ROOM(trie->nodes, trie->count, trie->capacity))
		return -ENOMEM;
	*ret_node = (uint32_t)trie->count;
	trie->nodes[trie->count++] = (struct warder_trie_node){.class = class};
	return 0;
}

int warder_trie_init(struct warder_trie *trie, const struct warder_classes *classes,
		     warder_label_join join, void *context)
{
	uint32_t root;

	*trie = (struct warder_trie){.classes = classes, .join = join, .context = context};
	return node_new(trie, 0, &root);
}

void warder_trie_release(struct warder_trie *trie)
{
	free(trie->nodes);
	*trie = (struct warder_trie){0};
}

static int step(struct warder_trie *trie, uint32_t *node, unsigned char byte)
{
	uint32_t class = trie->classes->of[byte], to = trie->nodes[*node].child;
	int r;

	while (to && trie->nodes[to].class != class)
		to = trie->nodes[to].sibling;
	if (!to) {
		r = node_new(trie, class, &to);
		if (r < 0)
			return r;
		/* In front: rules come sorted, and the next one probably goes the same way. */
		trie->nodes[to].sibling = trie->nodes[*node].child;
		trie->nodes[*node].child = to;
	}
	*node = to;
	return 0;
}

static uint32_t join(const struct warder_trie *trie, uint32_t a, uint32_t b)
{
	return trie->join(trie->context, a, b);
}

int warder_trie_add(struct warder_trie *trie, const struct warder_pattern *pattern,
		    const warder_match_labels labels)
{
	const char *text = pattern->prefix[0] ? pattern->prefix : pattern->root ? "/" : "";
	uint32_t node = 0, top = 0, mine;
	int r;

	for (; *text; text++) {
		r = step(trie, &node, (unsigned char)*text);
		if (r < 0)
			return r;
	}
	/* The whole tree: all below the node where a path begins. */
	if (pattern->prefix[0])
		top = node;
	if (pattern->tree)
		trie->nodes[top].below =
			join(trie, trie->nodes[top].below, labels[WARDER_MATCH_WHOLE]);
	mine = labels[pattern->tree ? WARDER_MATCH_ROOT : WARDER_MATCH_WHOLE];
	trie->nodes[node].label = join(trie, trie->nodes[node].label, mine);
	return 0;
}
