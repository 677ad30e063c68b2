/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * excepting.h - a deny with exceptions as one automaton.
 */
#ifndef WARDER_COMPILE_EXCEPTING_H
#define WARDER_COMPILE_EXCEPTING_H

#include "compile/cost.h"
#include "compile/dfa.h"

/* What the rule says where it denies `rights`, as a label. */
typedef uint32_t (*warder_rights_label)(void *context, const struct warder_path_rule *rule,
					__u32 rights);

/* The minimal automaton of the rule. -E2BIG: `costs` as in compile/unite.h. -ENOMEM. */
int warder_excepting_build(const struct warder_classes *classes,
			   const struct warder_path_rule *rule, warder_rights_label label,
			   void *context, struct warder_costs *costs, struct warder_dfa **ret_dfa);

#endif
