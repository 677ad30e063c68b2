// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * expect.c - does a policy's own test hold? The enforcer's matcher answers.
 */
#include "compile/expect.h"

#include <errno.h>
#include <string.h>

static __u64 known_keys(const struct warder_policy *policy)
{
	return policy->key_count >= 64 ? ~0ull : (1ull << policy->key_count) - 1;
}

int warder_expect_check(const struct warder_policy *policy, const struct warder_image *image,
			const struct warder_expectation *expectation,
			struct warder_verdict *ret_verdict, bool *ret_holds)
{
	struct warder_side side = {.policy = policy, .image = image};
	struct warder_verdict verdict;
	int r;

	if (expectation->set >= policy->set_count || expectation->with & ~known_keys(policy))
		return -EINVAL;
	side.base = warder_policy_keyring(policy, expectation->set);
	side.held = side.base | expectation->with;
	r = warder_verdict_find(&side, expectation->access, &verdict);
	if (r < 0)
		return r;
	*ret_verdict = verdict;
	/* A verdict that its own rules contradict proves nothing. */
	*ret_holds = verdict.agrees && verdict.allowed == expectation->allow;
	return 0;
}

char *warder_expect_text(const struct warder_expectation *expectation,
			 const struct warder_verdict *verdict, char *out, size_t size)
{
	char rule[1600], wants[128];
	const char *why;
	size_t used;

	if (verdict->fixed)
		why = warder_verdict_fixed_text(verdict, rule, sizeof(rule));
	else
		why = warder_explanation_text(&verdict->why, rule, sizeof(rule));
	if (!verdict->agrees)
		snprintf(out, size,
			 "internal error: the matcher says %s, but the rules say %s (%s)",
			 verdict->allowed ? "allowed" : "refused",
			 verdict->why.allowed ? "allowed" : "refused", why);
	else
		snprintf(out, size, "expected to be %s, but %s: %s",
			 expectation->allow ? "allowed" : "refused",
			 verdict->allowed ? "allowed" : "refused", why);
	used = strlen(out);
	warder_verdict_wants_text(verdict, wants, sizeof(wants));
	if (verdict->layer && verdict->agrees && used < size)
		snprintf(out + used, size - used, " (held by %s%s%s)",
			 warder_layer_name(verdict->layer), wants[0] ? "; " : "", wants);
	return out;
}
