// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * oci.c - the filter of a set as the seccomp profile of a container runtime.
 *
 * Several rules of one call are alternatives, and so are several conditions of one argument: what
 * is to be unlike two values is written as the ranges of numbers that are left.
 */
#include "run/oci.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "base/cleanup.h"
#include "policy/syscall.h"
#include "run/filter.h"

/* The kernel takes 32 bits of these arguments; the upper half is the caller's noise. */
#define LOWER_HALF 0xffffffffu

/* Input for the caller's terminal. */
static const unsigned int terminal[] = {TIOCSTI, TIOCLINUX};

#define TERMINAL_COUNT (sizeof(terminal) / sizeof(terminal[0]))

/* One rule: names, and what is done with them; takes `names` over. */
static json_t *make_rule(json_t *names, const char *action, int error)
{
	json_t *rule = json_pack("{s:o, s:s}", "names", names, "action", action);

	if (rule && error)
		json_object_set_new(rule, "errnoRet", json_integer(error));
	return rule;
}

static json_t *one_name(const char *name)
{
	return json_pack("[s]", name);
}

/* ... when the argument, as far as the mask goes, has this value. */
static void add_masked(json_t *rules, const char *name, const char *action, int error, int argument,
		       unsigned int mask, unsigned int value)
{
	json_t *rule = make_rule(one_name(name), action, error);

	json_object_set_new(rule, "args",
			    json_pack("[{s:i, s:I, s:I, s:s}]", "index", argument, "value",
				      (json_int_t)mask, "valueTwo", (json_int_t)value, "op",
				      "SCMP_CMP_MASKED_EQ"));
	json_array_append_new(rules, rule);
}

/* Does a request of the terminal begin with the bits of `value` that the mask has? */
static bool leads_to_terminal(unsigned int mask, unsigned int value)
{
	size_t i;

	for (i = 0; i < TERMINAL_COUNT; i++) {
		if ((terminal[i] & mask) == value)
			return true;
	}
	return false;
}

/*
 * Allow all requests but those of the terminal: each block of numbers with a common begin that has
 * none of them, and lies in a larger one that has.
 */
static void allow_other_requests(json_t *rules, unsigned int mask, unsigned int value)
{
	unsigned int bit = mask ? (mask & -mask) >> 1 : 1u << 31;

	if (!leads_to_terminal(mask, value)) {
		add_masked(rules, "ioctl", "SCMP_ACT_ALLOW", 0, 1, mask, value);
		return;
	}
	if (mask == LOWER_HALF)
		return;
	allow_other_requests(rules, mask | bit, value);
	allow_other_requests(rules, mask | bit, value | bit);
}

/* With a profile: what is refused is not named, but for what gets another errno. */
static void add_listed(json_t *rules, const struct warder_set *set, const char *name, int number,
		       const struct warder_call *call, json_t *allowed)
{
	size_t i;

	if (warder_filter_is_quiet(set, number, call))
		json_array_append_new(rules, make_rule(one_name(name), "SCMP_ACT_ERRNO", ENOSYS));
	else if (call->refused)
		return;
	else if (number == SYS_ioctl)
		allow_other_requests(rules, 0, 0);
	else if (number == SYS_clone && call->closely)
		add_masked(rules, name, "SCMP_ACT_ALLOW", 0, 0, WARDER_CLONE_NAMESPACES, 0);
	else if (number == SYS_personality && call->closely)
		for (i = 0; i < WARDER_PERSONALITIES; i++)
			add_masked(rules, name, "SCMP_ACT_ALLOW", 0, 0, LOWER_HALF,
				   warder_personalities[i]);
	else
		json_array_append_new(allowed, json_string(name));
}

/* Without one, what is allowed is not named. */
static void add_refused(json_t *rules, const char *name, int number, const struct warder_call *call,
			json_t *refused)
{
	size_t i;

	if (call->refused)
		json_array_append_new(refused, json_string(name));
	else if (number == SYS_ioctl)
		for (i = 0; i < TERMINAL_COUNT; i++)
			add_masked(rules, name, "SCMP_ACT_ERRNO", EPERM, 1, LOWER_HALF,
				   terminal[i]);
}

json_t *warder_oci_seccomp(const struct warder_policy *policy, unsigned int number)
{
	const struct warder_set *set = &policy->sets[number];
	bool listed = set->profile != WARDER_PROFILE_NONE;
	json_t *rules = json_array(), *names = json_array(), *root;
	struct warder_call call;
	int i;

	for (i = 0; i < (int)WARDER_SYSCALLS_MAX; i++) {
		_cleanup_free_ char *name = warder_syscall_name(i);

		if (!name)
			continue;
		warder_profile_find(policy, set, i, &call);
		if (listed)
			add_listed(rules, set, name, i, &call, names);
		else
			add_refused(rules, name, i, &call, names);
	}
	if (json_array_size(names))
		json_array_insert_new(rules, 0,
				      make_rule(names, listed ? "SCMP_ACT_ALLOW" : "SCMP_ACT_ERRNO",
						listed ? 0 : EPERM));
	else
		json_decref(names);
	root = json_pack("{s:s, s:[s], s:o}", "defaultAction",
			 listed ? "SCMP_ACT_ERRNO" : "SCMP_ACT_ALLOW", "architectures",
			 "SCMP_ARCH_X86_64", "syscalls", rules);
	if (root && listed)
		json_object_set_new(root, "defaultErrnoRet", json_integer(EPERM));
	return root;
}
