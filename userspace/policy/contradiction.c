// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * contradiction.c - system calls of which two places of a policy say what does not go together:
 * a ring beside a deny that it passes by, an allow that hooks refuse.
 */
#include "policy/contradiction.h"

#include <stdio.h>
#include <string.h>

#include <warder/surface.h>

#include "policy/opening.h"
#include "policy/syscall.h"

/* The rule by which a holder of all these keys may create rings. */
static const struct warder_surface_rule *find_ring(const struct warder_policy *policy, __u64 keys)
{
	size_t i;

	for (i = 0; i < policy->surface_count; i++) {
		const struct warder_surface_rule *rule = &policy->surface_rules[i];

		if (rule->surface == WARDER_SURFACE_IO_URING && !rule->deny &&
		    keys >> rule->key & 1)
			return rule;
	}
	return NULL;
}

/* Does the set keep rings away, whatever is granted? */
static bool denies_ring(const struct warder_policy *policy, unsigned int key)
{
	size_t i;

	for (i = 0; i < policy->surface_count; i++) {
		const struct warder_surface_rule *rule = &policy->surface_rules[i];

		if (rule->surface == WARDER_SURFACE_IO_URING && rule->deny && rule->key == key)
			return true;
	}
	return false;
}

/*
 * The number of a call names the entry, not the operation: what a ring does, no deny of a call
 * stops. A grant may add any tool.
 */
static void check_rings(struct warder_reader *reader, const struct warder_syscall_rule *rules,
			size_t count)
{
	const struct warder_policy *policy = reader->policy;
	const struct warder_surface_rule *ring;
	__u64 tools = 0;
	size_t i;

	for (i = 0; i < policy->key_count; i++)
		tools |= (__u64)policy->keys[i].tool << i;
	for (i = 0; i < count; i++) {
		const struct warder_syscall_rule *rule = &rules[i];
		struct warder_span span = {rule->place.line, rule->place.column,
					   (unsigned int)strlen(rule->text)};

		ring = find_ring(policy, tools | 1ull << rule->key);
		if (!rule->deny || !ring || !warder_syscall_in_ring(rule->text) ||
		    denies_ring(policy, rule->key))
			continue;
		warder_diagnostics_add(reader->diagnostics, WARDER_ERROR, reader->source, span,
				       "allow no ring, or deny none of what it can do",
				       "\"%s\" names io-uring, and a ring can do what denying "
				       "\"%s\" is meant to stop",
				       policy->keys[ring->key].name, rule->text);
	}
}

/* A profile that has no sockets stands against a ring, which makes them. */
static void check_profiles(struct warder_reader *reader)
{
	const struct warder_policy *policy = reader->policy;
	const struct warder_surface_rule *ring;
	struct warder_span span = {.width = 1};
	__u64 tools = 0;
	size_t i;

	for (i = 0; i < policy->key_count; i++)
		tools |= (__u64)policy->keys[i].tool << i;
	for (i = 0; i < policy->set_count; i++) {
		const struct warder_set *set = &policy->sets[i];

		ring = find_ring(policy, tools | 1ull << set->key);
		if (set->profile != WARDER_PROFILE_STRICT || !ring || denies_ring(policy, set->key))
			continue;
		span.line = set->profile_place.line;
		span.column = set->profile_place.column;
		warder_diagnostics_add(
			reader->diagnostics, WARDER_ERROR, reader->source, span,
			"say kernel: {deny: [io-uring]} in the set, or take another profile",
			"\"%s\" names io-uring, and a ring can do what profile \"strict\" of set "
			"\"%s\" is meant to stop",
			policy->keys[ring->key].name, set->name);
	}
}

/* Does a key of the policy name what the call needs? */
static bool is_of_use(const struct warder_policy *policy, const struct warder_set *set,
		      const struct warder_opening *opening)
{
	return !opening || !opening->useless || warder_opening_word(policy, set, opening) ||
	       warder_opening_capability(policy, set, opening);
}

/* To allow a call that hooks refuse all the same looks like a grant, and is none. */
static void check_allowed(struct warder_reader *reader, const struct warder_set *set)
{
	const struct warder_policy *policy = reader->policy;
	const struct warder_opening *opening;
	char hint[160];
	size_t i;

	for (i = 0; i < policy->filter_count; i++) {
		const struct warder_syscall_rule *rule = &policy->filter_rules[i];
		struct warder_span span = {rule->place.line, rule->place.column,
					   (unsigned int)strlen(rule->text)};

		opening = warder_opening_find(rule->text);
		if (rule->key != set->key || rule->deny || is_of_use(policy, set, opening))
			continue;
		snprintf(hint, sizeof(hint), "write %s: [%s]: that opens the call, too",
			 opening->surface >= 0 ? "kernel" : "capabilities",
			 warder_opening_name(opening));
		warder_diagnostics_add(
			reader->diagnostics, WARDER_ERROR, reader->source, span, hint,
			"allowing \"%s\" opens nothing: hooks refuse it without \"%s\"", rule->text,
			warder_opening_name(opening));
	}
}

void warder_contradictions_report(struct warder_reader *reader)
{
	const struct warder_policy *policy = reader->policy;
	size_t i;

	check_rings(reader, policy->syscall_rules, policy->syscall_count);
	check_rings(reader, policy->filter_rules, policy->filter_count);
	check_profiles(reader);
	for (i = 0; i < policy->set_count; i++)
		check_allowed(reader, &policy->sets[i]);
}
