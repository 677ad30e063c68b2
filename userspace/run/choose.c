// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * choose.c - which set a run starts in.
 */
#include "run/choose.h"

#include <errno.h>
#include <stdio.h>

static int unknown_set(const struct warder_policy *policy, const char *name,
		       struct warder_error *reterr)
{
	char known[1024] = "";
	size_t used = 0, i;

	for (i = 0; i < policy->set_count && used < sizeof(known); i++)
		used += snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
				 policy->sets[i].name);
	return warder_error_set(reterr, -ENOENT, "policy \"%s\" has no set \"%s\"; it has: %s",
				policy->name, name, known);
}

int warder_run_choose_set(const struct warder_policy *policy, const char *name, bool code,
			  unsigned int *ret_set, struct warder_error *reterr)
{
	if (name)
		return warder_policy_find_set(policy, name, ret_set) < 0
			       ? unknown_set(policy, name, reterr)
			       : 0;
	/* Under agent-in-sandbox generated code runs as its agent. */
	if (!code || warder_policy_code_set(policy, ret_set) < 0)
		*ret_set = warder_policy_run_set(policy);
	return 0;
}
