// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * unenforced.c - what a policy says about an access in words that this version does not enforce.
 */
#include "compile/unenforced.h"

#include <stdio.h>
#include <string.h>

#include "policy/reader.h"
#include "policy/section.h"

static const struct warder_unenforced nothing;

/* The set whose base key is held; NULL: the keys of tools alone. */
static const struct warder_set *set_of(const struct warder_side *side)
{
	size_t i;

	for (i = 0; i < side->policy->set_count; i++) {
		if (side->held >> side->policy->sets[i].key & 1)
			return &side->policy->sets[i];
	}
	return NULL;
}

static struct warder_unenforced of_rule(const struct warder_side *side,
					enum warder_unenforced_cause cause, unsigned int key,
					struct warder_place place, const char *section,
					const char *rule)
{
	return (struct warder_unenforced){.cause = cause,
					  .place = place,
					  .section = section,
					  .rule = rule,
					  .key_name = side->policy->keys[key].name};
}

static struct warder_unenforced of_set(const struct warder_set *set,
				       enum warder_unenforced_cause cause)
{
	return (struct warder_unenforced){
		.cause = cause, .differs = true, .place = set->place, .key_name = set->name};
}

/* enum warder_class: of a path, those of all its rights. */
static unsigned int classes_of(const struct warder_access *access)
{
	unsigned int classes = 0;

	switch (access->kind) {
	case WARDER_ACCESS_ADDRESS:
		return WARDER_CLASS_NETWORK;
	case WARDER_ACCESS_SYSCALL:
		return WARDER_CLASS_SYSCALLS;
	case WARDER_ACCESS_CAPABILITY:
		return WARDER_CLASS_CAPABILITIES;
	case WARDER_ACCESS_SURFACE:
		return 0;
	case WARDER_ACCESS_PATH:
		break;
	}
	if (access->rights & WARDER_CONNECT)
		classes |= WARDER_CLASS_UNIX;
	if (access->rights & WARDER_COARSE_EXEC)
		classes |= WARDER_CLASS_EXEC;
	if (access->rights & ~(__u32)(WARDER_CONNECT | WARDER_COARSE_EXEC))
		classes |= WARDER_CLASS_FILES;
	return classes;
}

/* Of the classes of an access, those whose `ungoverned` is no set of rules yet. */
static unsigned int unenforced_of(const struct warder_access *access)
{
	unsigned int classes = classes_of(access), left = 0, class;

	for (class = WARDER_CLASS_FILES; class <= WARDER_CLASS_CAPABILITIES; class <<= 1) {
		if (classes & class && !warder_construct_enforced(warder_section_construct(class)))
			left |= class;
	}
	return left;
}

/* --- system calls --- */

static struct warder_unenforced find_syscall(const struct warder_side *side,
					     const struct warder_set *set,
					     const struct warder_access *access, bool allowed)
{
	const struct warder_policy *policy = side->policy;
	bool profile = set && set->profile != WARDER_PROFILE_NONE;
	struct warder_unenforced u;
	size_t i;

	/* What a hook refuses is refused, whatever a filter says. */
	if (!allowed)
		return nothing;
	for (i = 0; i < policy->filter_count; i++) {
		const struct warder_syscall_rule *rule = &policy->filter_rules[i];

		if (!(side->held >> rule->key & 1) || (int)rule->number != access->number)
			continue;
		/* Beyond the profile: allowed with it and without. */
		if (!rule->deny)
			profile = false;
		else {
			u = of_rule(side, WARDER_UNENFORCED_DENY, rule->key, rule->place,
				    "syscalls.deny", rule->text);
			u.differs = true;
			return u;
		}
	}
	return profile ? of_set(set, WARDER_UNENFORCED_PROFILE) : nothing;
}

struct warder_unenforced warder_unenforced_find(const struct warder_side *side,
						const struct warder_access *access, bool allowed)
{
	const struct warder_set *set = set_of(side);

	if (set && set->ungoverned & unenforced_of(access))
		return of_set(set, WARDER_UNENFORCED_UNGOVERNED);
	switch (access->kind) {
	case WARDER_ACCESS_SYSCALL:
		return find_syscall(side, set, access, allowed);
	case WARDER_ACCESS_CAPABILITY:
	case WARDER_ACCESS_SURFACE:
	case WARDER_ACCESS_PATH:
	case WARDER_ACCESS_ADDRESS:
		break;
	}
	return nothing;
}

/* --- words --- */

char *warder_unenforced_text(const struct warder_unenforced *u, char *out, size_t size)
{
	char quoted[WARDER_QUOTED_MAX], rule[1024] = "";

	if (u->rule) {
		warder_reader_quote(u->rule, strlen(u->rule), quoted);
		snprintf(rule, sizeof(rule), "%s:%u: %s %s", u->place.file, u->place.line,
			 u->section, quoted);
	}
	out[0] = 0;
	switch (u->cause) {
	case WARDER_UNENFORCED_NONE:
		break;
	case WARDER_UNENFORCED_GRANT:
		snprintf(out, size, "%s would grant it", rule);
		break;
	case WARDER_UNENFORCED_DENY:
		snprintf(out, size, "%s denies it", rule);
		break;
	case WARDER_UNENFORCED_UNGOVERNED:
		snprintf(out, size, "%s:%u: set %s leaves it ungoverned", u->place.file,
			 u->place.line, u->key_name);
		break;
	case WARDER_UNENFORCED_PROFILE:
		snprintf(out, size, "%s:%u: the profile of system calls of set %s may refuse it",
			 u->place.file, u->place.line, u->key_name);
		break;
	}
	return out;
}
