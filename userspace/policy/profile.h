/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * profile.h - the filters of system calls that a set can start from, as lists of x86-64 calls.
 */
#ifndef WARDER_POLICY_PROFILE_H
#define WARDER_POLICY_PROFILE_H

#include "policy/policy.h"

/* "none", "default", "strict". Static. */
const char *warder_profile_name(enum warder_profile profile);

/* Does the profile allow the call with this number? One without a name is allowed by `none` only.
 */
bool warder_profile_allows(enum warder_profile profile, int number);

/* What the base key of a set answers to a call. */
struct warder_call {
	bool refused; /* by the filter, and by the masks that hooks judge */
	/* What decided, the first of these that is there; none: the profile, or nothing. */
	const struct warder_syscall_rule *rule;	     /* a deny or an allow of the set */
	const struct warder_surface_rule *word;	     /* opens it beyond the profile */
	const struct warder_capability_rule *opener; /* the same of a capability */
	bool closely; /* allowed, but the filter of a profile looks at its arguments */
};

/* Its deny rules, its allow rules, its profile and what opens more than that, in this order. */
void warder_profile_find(const struct warder_policy *policy, const struct warder_set *set,
			 int number, struct warder_call *ret_call);

/* Has the set anything that a filter has to hold? */
bool warder_profile_is_needed(const struct warder_policy *policy, const struct warder_set *set);

#endif
