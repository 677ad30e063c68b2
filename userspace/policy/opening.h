/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * opening.h - system calls that are good for nothing without a word of the kernel's surface, or a
 * capability: who names that opens them in his profile, too.
 */
#ifndef WARDER_POLICY_OPENING_H
#define WARDER_POLICY_OPENING_H

#include "policy/policy.h"

struct warder_opening {
	const char *call;
	int surface;	/* enum warder_surface, whose word opens it; -1: none does */
	int capability; /* that opens it where no word does, and is asked for; -1: none */
	/*
	 * Hooks refuse every use of the call unless the word is held. Where it is not set they
	 * refuse those that have an effect beyond the caller.
	 */
	bool needs_word;
	bool needs_capability; /* the same of the capability */
	bool useless;	       /* without the word there is no use for it worth allowing */
};

/* The row of a call; NULL: no word and no capability belongs to it. */
const struct warder_opening *warder_opening_find(const char *call);

/* The word, or the name of the capability where it has none. Static. */
const char *warder_opening_name(const struct warder_opening *opening);

/*
 * The rule whose word opens the call to subjects of the set: its own, or, unless the set denies the
 * word, that of a tool, which a grant may bring while the program runs. NULL.
 */
const struct warder_surface_rule *warder_opening_word(const struct warder_policy *policy,
						      const struct warder_set *set,
						      const struct warder_opening *opening);

/* The rule for the capability that opens the call; NULL. */
const struct warder_capability_rule *
warder_opening_capability(const struct warder_policy *policy, const struct warder_set *set,
			  const struct warder_opening *opening);

#endif
