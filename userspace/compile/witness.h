/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * witness.h - the shortest texts at whose end two sides differ.
 *
 * Shortest in bytes, and among those one with as few bytes as possible that do not show. Only
 * texts that the kernel judges count: names of at most 255 bytes, at most 256 of them; abstract
 * names as long as an address can hold.
 */
#ifndef WARDER_COMPILE_WITNESS_H
#define WARDER_COMPILE_WITNESS_H

#include "compile/product.h"

/* Witnesses of one search; what is beyond is not kept. */
#define WARDER_WITNESSES_MAX 256u

/* What to look for. */
struct warder_witness_query {
	const struct warder_product *product;
	__u32 wanted; /* differences */
	/*
	 * Only what one rule accounts for: its pattern, its key, and which differences it can
	 * make, on objects that it matches as a whole and on the directory of a tree. NULL: any.
	 */
	const struct warder_pattern *pattern;
	unsigned int key;
	__u32 whole, root;
	/* One for each row of the refusing side; else one for each difference. */
	bool every;
	/* Steps that may still be taken, counted down; NULL: as many as it takes. */
	unsigned long long *budget;
};

struct warder_witness {
	unsigned int difference; /* number of its bit */
	__u32 row;		 /* of the refusing side */
	char *path;		 /* malloc'ed, NUL-terminated; an abstract name may hold NUL */
	size_t length;
};

/*
 * Find; the shortest come first. 1: the budget or WARDER_WITNESSES_MAX ended it, there may be
 * more. -E2BIG, -ENOMEM.
 */
int warder_witness_find(const struct warder_witness_query *query, struct warder_witness **ret_list,
			size_t *ret_count);

void warder_witnesses_free(struct warder_witness *list, size_t count);

#endif
