/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * dfa.h - deterministic automata over byte classes whose states carry labels.
 *
 * State 0 is dead: it leads to itself and has label 0. All automata of one compilation
 * use the same classes, so they can be combined.
 */
#ifndef WARDER_COMPILE_DFA_H
#define WARDER_COMPILE_DFA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/pattern.h"

/*
 * What the automata of one compilation may take together: beyond it the patterns blow up, and the
 * policy is refused in a few seconds instead of filling the memory. Steps are counted, not timed:
 * a policy is refused everywhere or nowhere.
 */
struct warder_budget {
	unsigned long long steps; /* done; about a nanosecond each */
	size_t cells;		  /* states * classes of all automata there are */
};

#define WARDER_BUDGET_STEPS 2500000000ull
#define WARDER_BUDGET_CELLS (64u << 20)

/* Bytes that no pattern tells apart. */
struct warder_classes {
	uint32_t count;
	uint16_t of[256];	      /* byte -> class, from 0 */
	unsigned char example[256];   /* class -> one of its bytes */
	struct warder_byteset alone;  /* bytes that were split off already */
	struct warder_budget *budget; /* of all automata over these classes; NULL: no end */
};

struct warder_dfa {
	const struct warder_classes *classes;
	struct warder_budget *budget; /* of the classes; without one, it may outlive them */
	uint32_t start;
	uint32_t count;	 /* states */
	size_t capacity; /* states there is room for */
	uint32_t *next;	 /* count * classes->count */
	uint32_t *label; /* count */
};

/* All bytes in one class; each set splits it. */
void warder_classes_init(struct warder_classes *classes);
void warder_classes_split(struct warder_classes *classes, const struct warder_byteset *set);
/* Split by everything a pattern tells apart. */
void warder_classes_add(struct warder_classes *classes, const struct warder_pattern *pattern);
/* Number them by their first bytes, so that the order of the splits does not matter. */
void warder_classes_order(struct warder_classes *classes);

/* An automaton of the dead state only. NULL: no memory. */
struct warder_dfa *warder_dfa_new(const struct warder_classes *classes);
void warder_dfa_free(struct warder_dfa **dfa);

/* Take steps from the budget. -E2BIG when they are used up. */
int warder_dfa_spend(const struct warder_classes *classes, unsigned long long steps);

/* Add a state that leads nowhere. -ENOMEM; -E2BIG: beyond the budget. */
int warder_dfa_add(struct warder_dfa *dfa, uint32_t label, uint32_t *ret_state);

/* Drop the states from `count` on. */
void warder_dfa_shrink(struct warder_dfa *dfa, uint32_t count);

static inline uint32_t *warder_dfa_row(const struct warder_dfa *dfa, uint32_t state)
{
	return &dfa->next[(size_t)state * dfa->classes->count];
}

/* Label of a state by how the pattern matched there: enum warder_match bits -> label. */
typedef uint32_t warder_match_labels[4];

/* The automaton of one pattern. -E2BIG, -ENOMEM. */
int warder_dfa_from_pattern(const struct warder_classes *classes,
			    const struct warder_pattern *pattern, const warder_match_labels labels,
			    struct warder_dfa **ret_dfa);

/* How two labels become one; called again and again for the same pair. */
typedef uint32_t (*warder_label_join)(void *context, uint32_t a, uint32_t b);

/* The automaton whose states say what both say. -E2BIG, -ENOMEM. */
int warder_dfa_union(const struct warder_dfa *a, const struct warder_dfa *b, warder_label_join join,
		     void *context, struct warder_dfa **ret_dfa);

/*
 * Replace *dfa by the smallest automaton that gives every text the same label, its states
 * numbered in the order a walk meets them: equal languages give equal automata. -E2BIG,
 * -ENOMEM.
 */
int warder_dfa_minimise(struct warder_dfa **dfa);

/*
 * Number the states in the order in which a walk from `start` meets them, class by class; drop
 * those that it does not meet. With `one`, `start` and all targets are numbers up to `most`, and
 * one[number] is the state that stands for it. -ENOMEM.
 */
int warder_dfa_number(struct warder_dfa *dfa, uint32_t start, const uint32_t *one, uint32_t most);

#define _cleanup_dfa_ __attribute__((cleanup(warder_dfa_free)))

#endif
