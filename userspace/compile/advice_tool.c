// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice_tool.c - tools whose grant changes nothing: every set has what they give, or denies it.
 *
 * What a tool names under exec, unix.connect or network.connect is its own, so this is about
 * its files, and about tools that are shared.
 */
#include <errno.h>

#include "compile/advising.h"
#include "compile/compare.h"
#include "compile/compile.h"
#include "policy/right.h"

/* States that all comparisons together may look at. */
#define STATES_MAX (1u << 18)

/* Has the tool a rule that is in the image, and none that is not? */
static bool is_compared(const struct warder_policy *policy, unsigned int tool)
{
	bool has = false;
	size_t i;

	for (i = 0; i < policy->unix_bind_count; i++) {
		if (policy->unix_binds[i].key == tool)
			return false;
	}
	for (i = 0; i < policy->family_count; i++) {
		if (policy->family_rules[i].key == tool)
			return false;
	}
	for (i = 0; i < policy->net_count; i++)
		has |= policy->net_rules[i].key == tool;
	for (i = 0; i < policy->path_count; i++)
		has |= policy->path_rules[i].key == tool &&
		       policy->path_rules[i].rights & warder_rights_judged();
	return has;
}

/* Does the tool add something to the set? 1, 0; negative errno. */
static int adds(const struct warder_advising *a, const struct warder_set *set, unsigned int tool)
{
	static const struct warder_comparison_options options = {.one_way = true, .shortest = true};
	__u64 keys = (set->tools | 1ull << set->key) & ~(1ull << tool), all = keys | 1ull << tool;
	const struct warder_side with = {
		.policy = a->policy, .image = a->image, .held = all, .base = all};
	const struct warder_side without = {
		.policy = a->policy, .image = a->image, .held = keys, .base = keys};
	_cleanup_comparison_ struct warder_comparison found = {0};
	int r;

	/* What is not judged is compared with nothing. */
	if (set->ungoverned)
		return 1;
	r = warder_compare(&with, &without, &options, &found);
	return r < 0 ? r : warder_comparison_differs(&found, WARDER_ONLY_A);
}

static int advise_tool(const struct warder_advising *a, unsigned int tool)
{
	const struct warder_key *key = &a->policy->keys[tool];
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < a->policy->set_count; i++)
		r = adds(a, &a->policy->sets[i], tool);
	/* Too large to compare: nothing is certain. */
	if (r)
		return r < 0 && r != -E2BIG ? r : 0;
	warder_advising_say(a, WARDER_WARNING, &key->place,
			    key->shared ? "without `shared: true`, what it names is its own"
					: "let the tool alone have it, or leave the tool out",
			    "a grant of tool \"%s\" changes nothing: every set may do all of it, "
			    "or denies it",
			    key->name);
	return 0;
}

int warder_advise_tools(const struct warder_advising *a)
{
	const struct warder_policy *policy = a->policy;
	unsigned long long states = warder_image_states(a->image), looked = 0;
	unsigned int tool;
	int r = 0;

	for (tool = 0; r == 0 && tool < policy->key_count; tool++) {
		if (!policy->keys[tool].tool || !is_compared(policy, tool))
			continue;
		looked += states * policy->set_count;
		if (looked > STATES_MAX)
			break;
		r = advise_tool(a, tool);
	}
	return r;
}
