// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice_set.c - sets that nothing leads to.
 */
#include "compile/advising.h"

/* Sets that something starts, by number; a policy has at most one for each key. */
static __u64 started_sets(const struct warder_policy *policy)
{
	__u64 started = 1ull << warder_policy_run_set(policy);
	size_t i, k;

	/* Under agent-in-sandbox the reader has spoken about it. */
	if (policy->has_code_set)
		started |= 1ull << policy->code_set;
	for (i = 0; i < policy->bind_count; i++)
		started |= 1ull << policy->bind_rules[i].set;
	for (i = 0; i < policy->set_count; i++) {
		/* Who may start it by name was thought about. */
		if (policy->sets[i].users.count)
			started |= 1ull << i;
		for (k = 0; k < policy->set_count; k++) {
			if (k != i && policy->sets[k].may_run >> policy->sets[i].key & 1)
				started |= 1ull << i;
		}
	}
	return started;
}

/*
 * Does the policy say who is started in what? Else sets are chosen with `run --set`, and one that
 * nothing leads to is no mistake.
 */
static enum warder_severity severity_of(const struct warder_policy *policy)
{
	size_t i;

	for (i = 0; i < policy->set_count; i++) {
		if (policy->sets[i].may_run)
			return WARDER_WARNING;
	}
	return policy->bind_count ? WARDER_WARNING : WARDER_NOTE;
}

int warder_advise_sets(const struct warder_advising *a)
{
	const struct warder_policy *policy = a->policy;
	__u64 started = started_sets(policy);
	size_t i;

	for (i = 0; i < policy->set_count; i++) {
		const struct warder_set *set = &policy->sets[i];

		if (started >> i & 1)
			continue;
		warder_advising_say(a, severity_of(policy), &set->place,
				    "name it in bind: or may-run:, or leave it out",
				    "set \"%s\" is unused: only `warder run --set %s` starts it",
				    set->name, set->name);
	}
	return 0;
}
