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

/*
 * What the base key of a set answers to a call: its deny rules, its allow rules, its profile, in
 * this order. True: refused. *ret_rule is the rule that decided, or NULL: the profile, or nothing.
 */
bool warder_profile_refuses(const struct warder_policy *policy, const struct warder_set *set,
			    int number, const struct warder_syscall_rule **ret_rule);

/* Has the set anything that a filter has to hold? */
bool warder_profile_is_needed(const struct warder_policy *policy, const struct warder_set *set);

#endif
