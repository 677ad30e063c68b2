/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * refine.h - which states of an automaton mean the same.
 */
#ifndef WARDER_COMPILE_REFINE_H
#define WARDER_COMPILE_REFINE_H

#include "compile/dfa.h"

/*
 * Number the states that `member` marks (they lead only to one another): two have the same
 * number exactly when they give every text the same label, and 0 is for those that lead to no
 * label. Numbers go up to *ret_count; those of other states mean nothing. -E2BIG, -ENOMEM.
 */
int warder_dfa_refine(const struct warder_dfa *dfa, const unsigned char *member,
		      uint32_t *ret_block, uint32_t *ret_count);

#endif
