/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * label.h - what the rules that match a path say together, as a number.
 *
 * States of an automaton carry label numbers, so that two states are alike exactly when
 * their numbers are. Joining two labels is a bitwise or: the order of rules never counts.
 */
#ifndef WARDER_COMPILE_LABEL_H
#define WARDER_COMPILE_LABEL_H

#include <stddef.h>
#include <stdint.h>

#include <warder/image.h>

/* What a tool can reserve by naming it. */
enum warder_reserve {
	WARDER_RESERVE_EXEC,	/* exec and map-exec */
	WARDER_RESERVE_CONNECT, /* connect to a unix socket */
	WARDER_RESERVE_COUNT,
};

struct warder_label {
	uint64_t allow[WARDER_RIGHT_COUNT];
	uint64_t deny[WARDER_RIGHT_COUNT];
	uint64_t named[WARDER_RESERVE_COUNT];	 /* tools that name the object */
	uint64_t reserved[WARDER_RESERVE_COUNT]; /* those of them that do not share it */
};

/* The labels in use; number 0 is the empty one. */
struct warder_labels {
	struct warder_label *list;
	size_t count, capacity;
	uint32_t *slots; /* number + 1 by hash; 0: free */
	size_t slot_count;
	struct {
		uint64_t pair; /* both numbers; 0: free */
		uint32_t joined;
	} * joins; /* joins that were asked for before */
	size_t join_count, join_used;
	int error; /* -ENOMEM; -E2BIG: too many */
};

int warder_labels_init(struct warder_labels *labels);
void warder_labels_release(struct warder_labels *labels);

/* The number of a label; 0 when that cannot be had (labels->error). */
uint32_t warder_labels_number(struct warder_labels *labels, const struct warder_label *label);

/* The number of the join of two. */
uint32_t warder_labels_join(struct warder_labels *labels, uint32_t a, uint32_t b);

/* The row of a label: reservation applied. `below` is left WARDER_ROW_NONE. */
void warder_label_row(const struct warder_label *label, struct warder_row *ret_row);

#endif
