// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * verdict.c - what the enforcer answers to an access, why, and what would open it.
 */
#include "compile/verdict.h"

#include <errno.h>

#include "base/cleanup.h"
#include "policy/syscall.h"

#define REFUSED	   "this version refuses it to every subject, whatever the policy grants"
#define NOT_LOADED "this version does not enforce that, and loads no such policy"

static enum warder_net_op operation(const struct warder_access *access)
{
	if (access->verb == WARDER_VERB_BIND)
		return WARDER_NET_BIND;
	return access->verb == WARDER_VERB_ACCEPT ? WARDER_NET_ACCEPT : WARDER_NET_CONNECT;
}

/* --- the answer of decide.h --- */

static bool decide_path(const struct warder_side *side, const struct warder_access *access,
			struct warder_verdict *v)
{
	const struct warder_row *row =
		warder_side_row(side, warder_side_state(side, access->path, access->length));
	__u64 denied;
	__u32 missing = warder_decide_row(row, access->rights, side->held, side->base, &denied,
					  &v->granted);

	v->right = missing ? missing & -missing : access->rights & -access->rights;
	v->denied = row->deny[__builtin_ctz(v->right)] & side->held;
	return !missing;
}

static bool decide_address(const struct warder_side *side, const struct warder_access *access,
			   struct warder_verdict *v)
{
	struct warder_address at = access->address;
	enum warder_net_op op = operation(access);
	__u64 denied;
	bool allowed;

	if (op == WARDER_NET_CONNECT)
		warder_address_normalise(&at.hi, &at.lo);
	allowed = warder_decide_net(side->image, op, (__u8)access->proto, at.hi, at.lo,
				    access->port, side->held, side->base, &denied, &v->granted);
	v->denied = denied;
	return allowed;
}

static const struct warder_opening *opening_of(int number)
{
	_cleanup_free_ char *name = warder_syscall_name(number);

	return name ? warder_opening_find(name) : NULL;
}

/* Do hooks refuse every use of the call, because its word or its capability is not held? */
static bool lacks_word(const struct warder_side *side, const struct warder_opening *opening,
		       __u64 *ret_granted)
{
	return opening && opening->needs_word &&
	       !warder_side_surface(side, opening->surface, ret_granted);
}

static bool lacks_capability(const struct warder_side *side, const struct warder_opening *opening)
{
	return opening && opening->needs_capability &&
	       !warder_side_capable(side, opening->capability);
}

/* Is all held that the call takes? */
static bool names_it(const struct warder_side *side, const struct warder_opening *opening)
{
	__u64 ignored;

	return (opening->surface < 0 || warder_side_surface(side, opening->surface, &ignored)) &&
	       (opening->capability < 0 || warder_side_capable(side, opening->capability));
}

static bool decide_call(const struct warder_side *side, const struct warder_access *access,
			struct warder_verdict *v)
{
	_cleanup_free_ char *name = warder_syscall_name(access->number);
	const struct warder_opening *opening = name ? warder_opening_find(name) : NULL;
	bool calls = warder_side_calls(side, access->number), words;

	words = !lacks_word(side, opening, &v->granted) && !lacks_capability(side, opening);
	if (!calls)
		v->layer = !words || (name && warder_syscall_is_judged(name)) ? WARDER_LAYER_BOTH
									      : WARDER_LAYER_FILTER;
	else if (!words)
		v->layer = WARDER_LAYER_HOOKS;
	if (opening && (!calls || !words || (opening->useless && opening->surface >= 0)) &&
	    !names_it(side, opening))
		v->wants = opening;
	if (!calls || !words)
		v->granted = 0;
	return calls && words;
}

static bool decide(const struct warder_side *side, const struct warder_access *access,
		   struct warder_verdict *v)
{
	switch (access->kind) {
	case WARDER_ACCESS_PATH:
		return decide_path(side, access, v);
	case WARDER_ACCESS_ADDRESS:
		return decide_address(side, access, v);
	case WARDER_ACCESS_SYSCALL:
		return decide_call(side, access, v);
	case WARDER_ACCESS_CAPABILITY:
		return warder_side_capable(side, access->number);
	case WARDER_ACCESS_SURFACE:
		return warder_side_surface(side, access->number, &v->granted);
	}
	v->fixed = REFUSED;
	return false;
}

/* --- the rule --- */

/* Masks first, as in the kernel; then what hooks ask for beside them. */
static int explain_call(const struct warder_side *side, int number, struct warder_explanation *why)
{
	const struct warder_opening *opening = opening_of(number);
	__u64 ignored;
	int r = warder_explain_syscall(side->policy, side->held, number, why);

	if (r < 0 || !why->allowed || !opening)
		return r;
	if (lacks_capability(side, opening) && !lacks_word(side, opening, &ignored))
		return warder_explain_capability(side->policy, side->held, opening->capability,
						 why);
	if (opening->needs_word)
		return warder_explain_surface(side->policy, side->held, opening->surface, why);
	return 0;
}

static int explain(const struct warder_side *side, const struct warder_access *access,
		   struct warder_explanation *why)
{
	switch (access->kind) {
	case WARDER_ACCESS_PATH:
		return warder_explain_path(side->policy, side->held, access->rights, access->path,
					   access->length, why);
	case WARDER_ACCESS_ADDRESS:
		return warder_explain_net(side->policy, side->held, operation(access),
					  (__u8)access->proto, access->address, access->port, why);
	case WARDER_ACCESS_SYSCALL:
		return explain_call(side, access->number, why);
	case WARDER_ACCESS_CAPABILITY:
		return warder_explain_capability(side->policy, side->held, access->number, why);
	case WARDER_ACCESS_SURFACE:
		return warder_explain_surface(side->policy, side->held, access->number, why);
	}
	return -EINVAL;
}

static bool agrees(const struct warder_verdict *v, const struct warder_access *access)
{
	if (v->allowed != v->why.allowed)
		return false;
	if (access->kind == WARDER_ACCESS_ADDRESS)
		return v->denied == (v->why.cause == WARDER_CAUSE_DENIED);
	return access->kind != WARDER_ACCESS_PATH ||
	       (v->right == v->why.right && v->denied == (v->why.cause == WARDER_CAUSE_DENIED));
}

/* --- what would open it --- */

static bool opened_by(const struct warder_side *side, const struct warder_access *access,
		      __u64 keys)
{
	struct warder_side more = *side;
	struct warder_verdict v = {0};

	more.held |= keys;
	return decide(&more, access, &v);
}

/* A grant only ever adds: where one tool opens it, it opens it whatever else is held. */
static void find_openers(const struct warder_side *side, const struct warder_access *access,
			 struct warder_verdict *v)
{
	__u64 tools = 0;
	size_t key;

	for (key = 0; key < side->policy->key_count; key++) {
		__u64 bit = 1ull << key;

		if (!side->policy->keys[key].tool || side->held & bit)
			continue;
		tools |= bit;
		if (opened_by(side, access, bit))
			v->openers |= bit;
	}
	v->opens_together = !v->openers && tools && opened_by(side, access, tools);
}

/* What is asked names no kind of object: a directory keeps its name where a file does not. */
static int find_below(const struct warder_side *side, const struct warder_access *access,
		      struct warder_verdict *v)
{
	int r;

	if (!v->allowed || access->kind != WARDER_ACCESS_PATH || !(access->rights & WARDER_RENAME))
		return 0;
	r = warder_explain_below(side->policy, side->held, access->path, access->length, &v->below);
	v->nailed = r == 0 && !v->below.allowed;
	return r;
}

/* The matcher's answer is not the policy's: whoever asks must not take it for that. */
static void consider_unenforced(const struct warder_side *side, const struct warder_access *access,
				struct warder_verdict *v)
{
	v->unenforced = warder_unenforced_find(side, access, v->allowed);
	if (!v->unenforced.differs || v->fixed)
		return;
	v->fixed = NOT_LOADED;
	v->allowed = v->explained = false;
	v->granted = v->openers = 0;
	v->opens_together = false;
}

int warder_verdict_find(const struct warder_side *side, const struct warder_access *access,
			struct warder_verdict *ret_verdict)
{
	struct warder_verdict v = {0};
	int r;

	v.allowed = decide(side, access, &v);
	if (side->policy && !v.fixed) {
		r = explain(side, access, &v.why);
		if (r < 0)
			return r;
		v.explained = true;
		if (!v.allowed)
			find_openers(side, access, &v);
		r = find_below(side, access, &v);
		if (r < 0)
			return r;
	}
	v.agrees = !v.explained || agrees(&v, access);
	if (side->policy)
		consider_unenforced(side, access, &v);
	*ret_verdict = v;
	return 0;
}
