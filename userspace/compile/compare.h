/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * compare.h - what one keyring may and another may not: exactly, with shortest witnesses.
 *
 * Compared is what the enforcer decides: paths with every right, unix sockets, addresses,
 * system calls, capabilities, the kernel's surface, with reservation and deny. Nothing is sampled:
 * where no difference is found there is none. Not compared: whether a directory can be moved in one
 * piece (else mv copies); and what is no right (policy/setting.h).
 */
#ifndef WARDER_COMPILE_COMPARE_H
#define WARDER_COMPILE_COMPARE_H

#include "compile/explain.h"
#include "compile/side.h"
#include "policy/access_text.h"

/* Which side has what the other one has not. */
enum warder_direction {
	WARDER_ONLY_A,
	WARDER_ONLY_B,
	WARDER_DIRECTION_COUNT,
};

/*
 * One difference: an act, the rule that allows it on one side and why the other side refuses.
 * For each pair of reasons there is one, with the shortest path (the smallest address and port)
 * that shows it. Names and texts belong to the two policies.
 */
struct warder_difference {
	enum warder_direction direction;
	enum warder_access_kind kind;
	__u32 rights; /* of a path: all of them have the same reasons */
	char *path;   /* malloc'ed; an abstract name may hold NUL */
	size_t length;
	enum warder_net_op op; /* of an address */
	__u8 proto;
	struct warder_address address;
	__u16 port;
	int number; /* of a system call, a capability, or enum warder_surface */
	struct warder_explanation allows, refuses;
};

struct warder_comparison {
	/* By direction, kind, rights; the shortest first. */
	struct warder_difference *list;
	size_t count, capacity;
	/* What differs at all, also where `list` has room for no more. */
	__u32 rights[WARDER_DIRECTION_COUNT];
	bool addresses[WARDER_DIRECTION_COUNT];
	bool syscalls[WARDER_DIRECTION_COUNT];
	bool surface[WARDER_DIRECTION_COUNT]; /* capabilities too */
	/*
	 * There are more pairs of reasons than the list has, or not all rules were looked at. What
	 * the list has is right, and has the shortest witness of each right all the same.
	 */
	bool incomplete[WARDER_DIRECTION_COUNT];
};

struct warder_comparison_options {
	bool one_way;  /* only what A may and B may not */
	bool shortest; /* one difference for each right, operation or call, and no more */
	size_t most;   /* differences in each direction; 0: WARDER_DIFFERENCES_MAX */
};

#define WARDER_DIFFERENCES_MAX 1000u

/*
 * Compare two sides, each with its policy. `options` may be NULL (all zero).
 * -E2BIG: the two automata together are too large. -ENOTRECOVERABLE: the rules do not say what
 * the image does, which is a mistake in warder. -ENOMEM.
 */
int warder_compare(const struct warder_side *a, const struct warder_side *b,
		   const struct warder_comparison_options *options,
		   struct warder_comparison *ret_comparison);

void warder_comparison_release(struct warder_comparison *comparison);

/* Are both the same reason: cause and rule? */
bool warder_explanation_same(const struct warder_explanation *a,
			     const struct warder_explanation *b);

/* Does anything differ in this direction? Nothing in WARDER_ONLY_A: A is within B. */
bool warder_comparison_differs(const struct warder_comparison *comparison,
			       enum warder_direction direction);

/*
 * The act as an ACCESS, so that `explain` takes it: "read+list /srv/x". Malloc'ed, and may hold
 * any bytes; NULL when memory is short.
 */
char *warder_difference_access(const struct warder_difference *difference);

/* "connect". Static. */
const char *warder_operation_name(enum warder_net_op op);

#define _cleanup_comparison_ __attribute__((cleanup(warder_comparison_release)))

#endif
