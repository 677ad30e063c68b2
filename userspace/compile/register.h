/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * register.h - the states of an automaton that are all different, found by what they say.
 *
 * Where no path leads back, an automaton is minimised by looking each state up here once all
 * that it leads to have been.
 */
#ifndef WARDER_COMPILE_REGISTER_H
#define WARDER_COMPILE_REGISTER_H

#include "compile/dfa.h"

struct warder_register_slot {
	uint32_t state; /* 0: free */
	uint32_t hash;	/* spares a look at most states that are others */
};

struct warder_register {
	const struct warder_dfa *dfa;
	struct warder_register_slot *slots;
	size_t slot_count;
};

/* For at most `most` states. -ENOMEM. */
int warder_register_init(struct warder_register *reg, const struct warder_dfa *dfa, size_t most);
void warder_register_release(struct warder_register *reg);

/*
 * Where the state with this label and these targets is (0: not there; write it there once it
 * is a state of the automaton).
 */
uint32_t *warder_register_find(struct warder_register *reg, uint32_t label, const uint32_t *row);

#endif
