/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * automaton.h - all path rules of a policy as one minimal automaton.
 */
#ifndef WARDER_COMPILE_AUTOMATON_H
#define WARDER_COMPILE_AUTOMATON_H

#include "compile/cost.h"
#include "compile/dfa.h"
#include "compile/label.h"
#include "policy/policy.h"

struct warder_automaton {
	struct warder_budget budget;
	struct warder_classes classes;
	struct warder_labels labels;
	struct warder_dfa *dfa;	   /* minimal; state labels are numbers in `labels` */
	struct warder_costs costs; /* the dearest first */
};

/*
 * Build. -E2BIG: it grew out of bounds on the way; `costs` then lists only the patterns that
 * were being united. Release it in any case. Do not move it: its parts point to one another.
 */
int warder_automaton_build(const struct warder_policy *policy,
			   struct warder_automaton *ret_automaton);

/* Release the contents, not the struct. */
void warder_automaton_release(struct warder_automaton *automaton);

#endif
