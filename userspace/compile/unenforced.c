// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * unenforced.c - what a policy says about an access in words that this version does not enforce.
 */
#include "compile/unenforced.h"

#include <stdio.h>
#include <string.h>

#include "policy/reader.h"

static const struct warder_unenforced nothing;
static const struct warder_unenforced no_rule = {.cause = WARDER_UNENFORCED_NO_RULE};

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

/* --- addresses --- */

static enum warder_net_act act_of(const struct warder_access *access)
{
	if (access->verb == WARDER_VERB_BIND)
		return WARDER_ACT_BIND;
	return access->verb == WARDER_VERB_ACCEPT ? WARDER_ACT_ACCEPT : WARDER_ACT_CONNECT;
}

static const char *section_of(enum warder_net_act act, bool deny)
{
	static const char *const names[][2] = {
		[WARDER_ACT_CONNECT] = {"network.connect", "network.deny.connect"},
		[WARDER_ACT_BIND] = {"network.bind", "network.deny.bind"},
		[WARDER_ACT_ACCEPT] = {"network.accept", "network.deny.accept"},
	};

	return names[act][deny];
}

/* The first rule of one of these keys that is about the address; NULL: there is none. */
static const struct warder_net_rule *find_rule(const struct warder_side *side, __u64 keys,
					       const struct warder_access *access, bool deny)
{
	enum warder_net_act act = act_of(access);
	struct warder_address address = access->address;
	size_t i;

	/* To bind to no address is to bind to all of them; only a peer becomes loopback. */
	if (act == WARDER_ACT_CONNECT)
		warder_address_normalise(&address.hi, &address.lo);
	for (i = 0; i < side->policy->later_net_count; i++) {
		const struct warder_net_rule *rule = &side->policy->later_net_rules[i];

		if (keys >> rule->key & 1 && rule->endpoint.act == act && rule->deny == deny &&
		    warder_endpoint_contains(&rule->endpoint, (__u8)access->proto, address,
					     access->port))
			return rule;
	}
	return NULL;
}

static __u64 other_tools(const struct warder_side *side)
{
	__u64 tools = 0;
	size_t i;

	for (i = 0; i < side->policy->key_count; i++)
		tools |= (__u64)side->policy->keys[i].tool << i;
	return tools & ~side->held;
}

static struct warder_unenforced find_address(const struct warder_side *side,
					     const struct warder_access *access, bool allowed)
{
	enum warder_unenforced_cause cause = WARDER_UNENFORCED_DENY;
	const struct warder_net_rule *rule = find_rule(side, side->held, access, true);
	struct warder_unenforced u;

	if (!rule) {
		cause = WARDER_UNENFORCED_GRANT;
		rule = find_rule(side, side->held, access, false);
	}
	if (!rule) {
		cause = WARDER_UNENFORCED_LENT;
		rule = find_rule(side, other_tools(side), access, false);
	}
	if (!rule)
		return act_of(access) == WARDER_ACT_CONNECT ? nothing : no_rule;
	u = of_rule(side, cause, rule->key, rule->place, section_of(rule->endpoint.act, rule->deny),
		    rule->text);
	u.differs = cause == WARDER_UNENFORCED_DENY ? allowed : cause == WARDER_UNENFORCED_GRANT;
	return u;
}

/* --- system calls and capabilities --- */

static struct warder_unenforced find_capability(const struct warder_side *side,
						const struct warder_access *access)
{
	struct warder_unenforced u;
	size_t i;

	for (i = 0; i < side->policy->capability_count; i++) {
		const struct warder_capability_rule *rule = &side->policy->capability_rules[i];

		if (!(side->held >> rule->key & 1) || (int)rule->number != access->number)
			continue;
		u = of_rule(side, WARDER_UNENFORCED_GRANT, rule->key, rule->place, "capabilities",
			    rule->text);
		u.differs = true;
		return u;
	}
	return no_rule;
}

struct warder_unenforced warder_unenforced_find(const struct warder_side *side,
						const struct warder_access *access, bool allowed)
{
	const struct warder_set *set = set_of(side);

	if (set && set->ungoverned & classes_of(access))
		return of_set(set, WARDER_UNENFORCED_UNGOVERNED);
	switch (access->kind) {
	case WARDER_ACCESS_ADDRESS:
		return find_address(side, access, allowed);
	case WARDER_ACCESS_CAPABILITY:
		return find_capability(side, access);
	case WARDER_ACCESS_SYSCALL:
	case WARDER_ACCESS_PATH:
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
	case WARDER_UNENFORCED_NO_RULE:
		snprintf(out, size, "no rule would grant it");
		break;
	case WARDER_UNENFORCED_GRANT:
		snprintf(out, size, "%s would grant it", rule);
		break;
	case WARDER_UNENFORCED_LENT:
		snprintf(out, size, "%s of tool %s, which is not held, would grant it", rule,
			 u->key_name);
		break;
	case WARDER_UNENFORCED_DENY:
		snprintf(out, size, "%s denies it", rule);
		break;
	case WARDER_UNENFORCED_UNGOVERNED:
		snprintf(out, size, "%s:%u: set %s leaves it ungoverned", u->place.file,
			 u->place.line, u->key_name);
		break;
	}
	return out;
}
