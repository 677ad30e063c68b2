// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * explain.c - why an access is allowed or refused: the rule, its file and line.
 */
#include "compile/explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <warder/decide.h>

#include "policy/profile.h"
#include "policy/reader.h"
#include "policy/rule_path.h"

/* What the rules say about one object and one right. */
struct findings {
	const struct warder_path_rule *allow, *deny, *reserve;
	__u64 allowed; /* held keys that allow */
	__u64 named;   /* tools that name the object */
};

/* "/", "/a/b" without empty, "." and ".." components; or "@name". */
static bool is_clean(const char *path, size_t length)
{
	size_t at, end;

	if (length && path[0] == '@')
		return true;
	if (!length || path[0] != '/' || memchr(path, 0, length))
		return false;
	if (length == 1)
		return true;
	for (at = 1; at <= length; at = end + 1) {
		const char *slash = at < length ? memchr(path + at, '/', length - at) : NULL;

		end = slash ? (size_t)(slash - path) : length;
		if (end == at || (end - at == 1 && path[at] == '.') ||
		    (end - at == 2 && path[at] == '.' && path[at + 1] == '.'))
			return false;
	}
	return true;
}

/* Rights that a rule gives or denies on the path; negative errno. */
static int rights_at(const struct warder_path_rule *rule, const char *path, size_t length,
		     __u32 *ret_rights, bool *ret_names)
{
	int match = warder_rule_path_match(&rule->path, path, length), except = 0;
	size_t i;

	*ret_rights = 0;
	*ret_names = rule->names && match & WARDER_MATCH_WHOLE;
	if (match <= 0)
		return match;
	for (i = 0; i < rule->except_count && except >= 0; i++) {
		int one = warder_rule_path_match(&rule->except[i], path, length);

		except = one < 0 ? one : except | one;
	}
	if (except < 0)
		return except;
	*ret_rights = rule->rights;
	if (!rule->deny && !(match & WARDER_MATCH_WHOLE))
		*ret_rights &= WARDER_ROOT_OF_TREE;
	if (except & WARDER_MATCH_WHOLE)
		*ret_rights = 0;
	else if (except & WARDER_MATCH_ROOT)
		*ret_rights &= ~(__u32)WARDER_ROOT_OF_TREE;
	return 0;
}

/* Which rights does naming an object reserve? */
static __u32 reserved_rights(const struct warder_path_rule *rule)
{
	return rule->rights & WARDER_CONNECT ? WARDER_CONNECT : WARDER_COARSE_EXEC;
}

static int find(const struct warder_policy *policy, __u64 held, __u32 right, const char *path,
		size_t length, struct findings *f)
{
	size_t i;

	*f = (struct findings){0};
	for (i = 0; i < policy->path_count; i++) {
		const struct warder_path_rule *rule = &policy->path_rules[i];
		__u64 key = 1ull << rule->key;
		__u32 rights;
		bool names;
		int r;

		if (!(rule->rights & right))
			continue;
		r = rights_at(rule, path, length, &rights, &names);
		if (r < 0)
			return r;
		if (names && right & reserved_rights(rule)) {
			f->named |= key;
			if (!f->reserve && !policy->keys[rule->key].shared)
				f->reserve = rule;
		}
		if (!(rights & right) || !(held & key))
			continue;
		if (rule->deny && !f->deny)
			f->deny = rule;
		if (!rule->deny)
			f->allowed |= key;
	}
	return 0;
}

/* The allow rule that counts: of a tool that names the object, where it is reserved. */
static int find_allow(const struct warder_policy *policy, __u64 keys, __u32 right, const char *path,
		      size_t length, struct findings *f)
{
	size_t i;

	for (i = 0; i < policy->path_count && !f->allow; i++) {
		const struct warder_path_rule *rule = &policy->path_rules[i];
		__u32 rights;
		bool names;
		int r;

		if (rule->deny || !(rule->rights & right) || !(keys >> rule->key & 1))
			continue;
		r = rights_at(rule, path, length, &rights, &names);
		if (r < 0)
			return r;
		if (rights & right)
			f->allow = rule;
	}
	return 0;
}

static void fill(struct warder_explanation *e, const struct warder_policy *policy,
		 enum warder_cause cause, unsigned int key, struct warder_place place,
		 const char *section, const char *rule)
{
	e->cause = cause;
	e->allowed = cause == WARDER_CAUSE_ALLOWED;
	e->key = (int)key;
	e->key_name = policy->keys[key].name;
	e->place = place;
	e->section = section;
	e->rule = rule;
}

static void fill_path(struct warder_explanation *e, const struct warder_policy *policy,
		      enum warder_cause cause, const struct warder_path_rule *rule)
{
	fill(e, policy, cause, rule->key, rule->place, rule->section, rule->path.text);
}

static int explain_right(const struct warder_policy *policy, __u64 held, __u32 right,
			 const char *path, size_t length, struct warder_explanation *ret)
{
	struct warder_explanation e = {.right = right, .key = -1};
	struct findings f;
	__u64 keys;
	int r = find(policy, held, right, path, length, &f);

	if (r < 0)
		return r;
	keys = f.reserve ? f.allowed & f.named : f.allowed;
	r = find_allow(policy, keys, right, path, length, &f);
	if (r < 0)
		return r;
	e.cause = WARDER_CAUSE_NO_RULE;
	if (f.deny)
		fill_path(&e, policy, WARDER_CAUSE_DENIED, f.deny);
	else if (f.allow)
		fill_path(&e, policy, WARDER_CAUSE_ALLOWED, f.allow);
	else if (f.reserve && !(held >> f.reserve->key & 1))
		fill_path(&e, policy, WARDER_CAUSE_RESERVED, f.reserve);
	*ret = e;
	return 0;
}

int warder_explain_path(const struct warder_policy *policy, __u64 held, __u32 rights,
			const char *path, size_t length, struct warder_explanation *ret)
{
	struct warder_explanation why = {0}, e;
	bool found = false;
	int bit, r;

	if (!is_clean(path, length) || !(rights & WARDER_RIGHTS_ALL))
		return -EINVAL;
	for (bit = 0; bit < WARDER_RIGHT_COUNT; bit++) {
		if (!(rights >> bit & 1))
			continue;
		r = explain_right(policy, held, 1u << bit, path, length, &e);
		if (r < 0)
			return r;
		if (!found || (why.allowed && !e.allowed) || e.cause == WARDER_CAUSE_DENIED)
			why = e;
		found = true;
		/* It is the kernel's reason, too, whatever else is missing. */
		if (e.cause == WARDER_CAUSE_DENIED)
			break;
	}
	*ret = why;
	return 0;
}

/* What the rules say about one operation on one address and port. */
struct net_findings {
	const struct warder_net_rule *allow, *deny, *named, *reserve; /* the first of each */
};

static void find_net(const struct warder_policy *policy, __u64 held, enum warder_net_op op,
		     __u8 proto, struct warder_address address, __u16 port, struct net_findings *f)
{
	size_t i;

	*f = (struct net_findings){0};
	for (i = 0; i < policy->net_count; i++) {
		const struct warder_net_rule *rule = &policy->net_rules[i];
		bool has = held >> rule->key & 1;

		if (warder_net_rule_op(rule) != op ||
		    !warder_net_rule_contains(rule, proto, address, port))
			continue;
		if (rule->names && !f->reserve && !policy->keys[rule->key].shared)
			f->reserve = rule;
		if (rule->names && has && !f->named)
			f->named = rule;
		if (has && rule->deny && !f->deny)
			f->deny = rule;
		if (has && !rule->deny && !f->allow)
			f->allow = rule;
	}
	if (f->reserve)
		f->allow = f->named;
}

int warder_explain_net(const struct warder_policy *policy, __u64 held, enum warder_net_op op,
		       __u8 proto, struct warder_address address, __u16 port,
		       struct warder_explanation *ret)
{
	struct warder_explanation e = {.key = -1, .cause = WARDER_CAUSE_NO_RULE};
	const struct warder_net_rule *rule;
	struct net_findings f;

	if (op == WARDER_NET_CONNECT)
		warder_address_normalise(&address.hi, &address.lo);
	find_net(policy, held, op, proto, address, port, &f);
	rule = f.deny ? f.deny : f.allow ? f.allow : f.reserve;
	if (warder_port_is_free(op, proto, port))
		e = (struct warder_explanation){
			.key = -1, .cause = WARDER_CAUSE_ALLOWED, .allowed = true};
	else if (rule)
		fill(&e, policy,
		     f.deny    ? WARDER_CAUSE_DENIED
		     : f.allow ? WARDER_CAUSE_ALLOWED
			       : WARDER_CAUSE_RESERVED,
		     rule->key, rule->place, warder_net_rule_section(rule), rule->text);
	*ret = e;
	return 0;
}

/* What the base key of a set says about a call. */
static void fill_call(struct warder_explanation *e, const struct warder_policy *policy,
		      const struct warder_set *set, int number)
{
	struct warder_call call;

	warder_profile_find(policy, set, number, &call);
	if (call.rule)
		fill(e, policy, call.refused ? WARDER_CAUSE_DENIED : WARDER_CAUSE_ALLOWED, set->key,
		     call.rule->place, call.refused ? "syscalls.deny" : "syscalls.allow",
		     call.rule->text);
	else if (call.word)
		fill(e, policy, WARDER_CAUSE_ALLOWED, call.word->key, call.word->place, "kernel",
		     call.word->text);
	else if (call.opener)
		fill(e, policy, WARDER_CAUSE_ALLOWED, call.opener->key, call.opener->place,
		     "capabilities", call.opener->text);
	else if (set->profile != WARDER_PROFILE_NONE)
		fill(e, policy, call.refused ? WARDER_CAUSE_DENIED : WARDER_CAUSE_ALLOWED, set->key,
		     set->profile_place, "syscalls.profile", warder_profile_name(set->profile));
}

/* The set whose base key has something to say, and is held: the first that refuses, or any. */
int warder_explain_syscall(const struct warder_policy *policy, __u64 held, int number,
			   struct warder_explanation *ret)
{
	struct warder_explanation e = {.key = -1, .cause = WARDER_CAUSE_ALLOWED, .allowed = true};
	bool any = false;
	size_t i;

	for (i = 0; i < policy->set_count && e.allowed; i++) {
		const struct warder_set *set = &policy->sets[i];

		any |= warder_profile_is_needed(policy, set);
		if (held >> set->key & 1)
			fill_call(&e, policy, set, number);
	}
	/* As in warder_decide_syscall: numbers that no mask covers are refused. */
	if (e.allowed && any && (number < 0 || number >= (int)WARDER_SYSCALLS_MAX)) {
		e.cause = WARDER_CAUSE_NO_RULE;
		e.allowed = false;
	}
	*ret = e;
	return 0;
}

int warder_explain_capability(const struct warder_policy *policy, __u64 held, int number,
			      struct warder_explanation *ret)
{
	struct warder_explanation e = {.key = -1, .cause = WARDER_CAUSE_NO_RULE};
	size_t i;

	for (i = 0; i < policy->capability_count; i++) {
		const struct warder_capability_rule *rule = &policy->capability_rules[i];

		if ((int)rule->number != number || !(held >> rule->key & 1))
			continue;
		fill(&e, policy, WARDER_CAUSE_ALLOWED, rule->key, rule->place, "capabilities",
		     rule->text);
		break;
	}
	*ret = e;
	return 0;
}

int warder_explain_surface(const struct warder_policy *policy, __u64 held, int surface,
			   struct warder_explanation *ret)
{
	struct warder_explanation e = {.key = -1, .cause = WARDER_CAUSE_NO_RULE};
	size_t i;

	for (i = 0; i < policy->surface_count && e.cause != WARDER_CAUSE_DENIED; i++) {
		const struct warder_surface_rule *rule = &policy->surface_rules[i];

		if ((int)rule->surface != surface || !(held >> rule->key & 1))
			continue;
		if (rule->deny)
			fill(&e, policy, WARDER_CAUSE_DENIED, rule->key, rule->place, "kernel.deny",
			     rule->text);
		else if (!e.allowed)
			fill(&e, policy, WARDER_CAUSE_ALLOWED, rule->key, rule->place, "kernel",
			     rule->text);
	}
	*ret = e;
	return 0;
}

char *warder_explanation_text(const struct warder_explanation *e, char *out, size_t size)
{
	char quoted[WARDER_QUOTED_MAX], place[512];

	if (!e->rule) {
		snprintf(out, size, "%s", e->allowed ? "no rule denies it" : "no rule");
		return out;
	}
	snprintf(place, sizeof(place), "%s:%u", e->place.file, e->place.line);
	warder_reader_quote(e->rule, strlen(e->rule), quoted);
	if (e->cause == WARDER_CAUSE_RESERVED)
		snprintf(out, size, "reserved for tool %s (%s: %s %s)", e->key_name, place,
			 e->section, quoted);
	else
		snprintf(out, size, "%s: %s %s", place, e->section, quoted);
	return out;
}
