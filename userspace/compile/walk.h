/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * walk.h - the language of one path rule, walked beside another one or beside an image.
 *
 * Only texts that exist count (compile/product.h).
 */
#ifndef WARDER_COMPILE_WALK_H
#define WARDER_COMPILE_WALK_H

#include <warder/image.h>

#include "compile/dfa.h"
#include "policy/policy.h"

/* Which exceptions of a deny count. */
#define WARDER_EXCEPT_ALL  (-1)
#define WARDER_EXCEPT_NONE (-2)

/*
 * The minimal automaton of a rule; the label of a state is the rights that the rule gives or
 * denies there. `except`: the number of the only exception that counts, or one of the above.
 * `classes` tell apart what the rule, and what a text needs (warder_walk_classes). -E2BIG, -ENOMEM.
 */
int warder_walk_language(const struct warder_classes *classes, const struct warder_path_rule *rule,
			 int except, struct warder_dfa **ret_dfa);

/* The bytes that no path rule of a policy, and no place in a text, tells apart. */
void warder_walk_classes(const struct warder_policy *policy, struct warder_classes *ret_classes);

struct warder_walk {
	const struct warder_dfa *rule;	  /* texts that lead nowhere here are left out */
	const struct warder_dfa *other;	  /* NULL: the image */
	const struct warder_image *image; /* of the policy that the classes are of */
	/* Stop where the other one is dead and the rule is not. */
	bool stops_at_dead;
	unsigned long long *budget; /* steps that may still be taken */
	/*
	 * Called for ends of texts: the rights of the rule there (not 0), and the label of the
	 * other one or the row of the image. True: that was what was looked for.
	 */
	bool (*end)(void *context, __u32 rights, __u32 other);
	void *context;
};

/* 1: found, 0: there is none, -E2BIG: the budget ended it, -ENOMEM. */
int warder_walk_run(const struct warder_walk *walk);

#endif
