/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * product.h - two automata walked together, over the texts that exist and no others.
 *
 * A text is a path as the kernel feeds it: components that are not empty, "." or "..", and hold
 * neither NUL nor slash; or "@" and any bytes. A node is a pair of states and a place in the
 * text. Lengths of names are not looked at here (witness.h does): the nodes are those that
 * some text of names of any length reaches.
 *
 * A difference is a right that one side has at the end of a text and the other has not. Bits 0
 * to 15: the first side has it; bits 16 to 31: the second.
 */
#ifndef WARDER_COMPILE_PRODUCT_H
#define WARDER_COMPILE_PRODUCT_H

#include "compile/dfa.h"
#include "compile/numbering.h"
#include "compile/side.h"

/* Largest product: about 100 MiB. */
#define WARDER_PRODUCT_NODES_MAX (1u << 21)

/* The pair of dead states: nothing is allowed there, nor behind it. */
#define WARDER_PRODUCT_DEAD WARDER_NUMBER_NONE

/* Where in a text a node stands. */
enum warder_text_place {
	WARDER_TEXT_START,    /* nothing was read */
	WARDER_TEXT_TOP,      /* "/": the root directory, if it ends here */
	WARDER_TEXT_SLASH,    /* behind a further slash */
	WARDER_TEXT_DOT,      /* "." so far */
	WARDER_TEXT_DOTS,     /* ".." so far */
	WARDER_TEXT_NAME,     /* in a name that may end */
	WARDER_TEXT_ABSTRACT, /* in an abstract name */
	WARDER_TEXT_NONE,     /* no text goes on like this */
};

struct warder_product_node {
	__u32 a, b;	  /* states */
	__u32 differs;	  /* differences of the text that ends here */
	__u32 reaches;	  /* differences here or behind it */
	__u32 first_edge; /* index in `edges`; the next node's is the end */
	__u8 place;	  /* enum warder_text_place */
};

struct warder_product {
	const struct warder_side *a, *b;
	__u32 judged;			   /* file rights that count */
	struct warder_classes classes;	   /* bytes that neither side and no place tells apart */
	struct warder_product_node *nodes; /* node 0: the start */
	size_t count, capacity;
	__u32 *edges; /* distinct successors */
	size_t edge_count, edge_capacity;
	struct warder_numbering numbers; /* of the nodes */
};

/* Build. -E2BIG: more than WARDER_PRODUCT_NODES_MAX nodes. -ENOMEM. Release it in any case. */
int warder_product_build(const struct warder_side *a, const struct warder_side *b,
			 struct warder_product *ret_product);
void warder_product_release(struct warder_product *product);

/* The node behind `node` and `byte`; WARDER_PRODUCT_DEAD also where no text goes on so. */
__u32 warder_product_next(const struct warder_product *product, __u32 node, unsigned char byte);

/* The place behind a byte. */
enum warder_text_place warder_text_next(enum warder_text_place place, unsigned char byte);

/* May a text end here? */
bool warder_text_ends(enum warder_text_place place);

/*
 * How much a byte is liked in a text that is shown to people: 0 most (small letters). From
 * WARDER_BYTE_ODD on it does not show as itself.
 */
#define WARDER_BYTE_ODD 128u
unsigned int warder_byte_rank(unsigned char byte);

/* Make the best liked byte of each class its example. */
void warder_classes_prefer(struct warder_classes *classes);

#endif
