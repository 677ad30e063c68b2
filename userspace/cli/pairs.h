/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pairs.h - what `within` and `diff` compare: two keyrings, or two policies part by part.
 *
 * FILE against FILE compares each set with the one of the same name, and each tool, alone, with
 * its namesake: so it covers what a subject starts with and what a grant can add. A deny of a set
 * also takes from what is lent, which neither shows alone: so each set is compared with every tool
 * as well. (An allow is a union over keys: no choice of fewer tools shows more.)
 */
#ifndef WARDER_CLI_PAIRS_H
#define WARDER_CLI_PAIRS_H

#include <jansson.h>

#include "cli/operand.h"
#include "cli/variables.h"
#include "compile/compare.h"
#include "policy/setting.h"

struct warder_pair {
	const char *noun; /* "set", "tool"; NULL: the two operands themselves */
	const char *name; /* of it */
	bool lent;	  /* a set with every tool of its policy, as after all grants */
	struct warder_side a, b;
	bool only_a, only_b; /* the other policy has no such set or tool */
	struct warder_comparison comparison;
};

struct warder_pairs {
	struct warder_operand a, b;
	struct warder_pair *list;
	size_t count, capacity;
	struct warder_settings settings[2]; /* of both; empty unless asked for */
};

/* What both verbs are asked. */
struct warder_pairs_request {
	const char *verb;
	const char *a, *b; /* operands */
	struct warder_policy_options options;
	struct warder_variables variables; /* released by whoever made the request */
	struct warder_comparison_options compare;
	bool settings; /* what is no right is compared, too */
	bool json, all;
};

/*
 * Read the command line. -1: go on; else the exit code (a mistake was said, or help was printed).
 * `more` is the help below the options.
 */
int warder_pairs_options(int argc, char **argv, const char *more,
			 struct warder_pairs_request *request);

/* Open both operands, pair and compare. Says what is wrong; the exit code. */
int warder_pairs_open(const struct warder_pairs_request *request, struct warder_pairs *ret_pairs);
void warder_pairs_close(struct warder_pairs *pairs);

/* Does anything differ in this direction? */
bool warder_pair_differs(const struct warder_pair *pair, enum warder_direction direction);

/* All as one new object; NULL when memory is short. */
json_t *warder_pairs_json(const struct warder_pairs *pairs);

#define _cleanup_pairs_ __attribute__((cleanup(warder_pairs_close)))

#endif
