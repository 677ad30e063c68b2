/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * setting.h - what a policy says beside the rules that an image holds, as words to be compared.
 *
 * Rules on paths, addresses to connect to and system calls that a hook denies are compared for
 * what they allow (compile/compare.h). All the rest of the language is here: the model, what a
 * set is apart from its rights, and rules that no image holds yet. Left out are comments,
 * `version`, and `include`, whose rules are the set's own.
 */
#ifndef WARDER_POLICY_SETTING_H
#define WARDER_POLICY_SETTING_H

#include "policy/policy.h"

/* One value; of a list, one of its items. */
struct warder_setting {
	const char
		*noun; /* "set" or "tool"; NULL: the policy, or the one set that is asked about */
	const char *name; /* of the set or tool; NULL */
	const char *part; /* "model", "env" */
	const char *verb; /* of an item: "passes"; NULL: the one value of the part */
	char *value;	  /* as in a policy, NUL-terminated; not escaped */
};

struct warder_settings {
	struct warder_setting *list;
	size_t count, capacity;
};

/* Of a whole policy: its own, those of each set and of each tool. -ENOMEM. */
int warder_settings_of_policy(const struct warder_policy *policy,
			      struct warder_settings *ret_settings);

/* Of one set, with the rules of the keys `held`. -ENOMEM. */
int warder_settings_of_set(const struct warder_policy *policy, unsigned int set, __u64 held,
			   struct warder_settings *ret_settings);

/*
 * Next change from `a` to `b` at or behind *at, which starts with 0: both ends of it; one is NULL
 * where an item is only on one side. What belongs to a set or tool that only one side has is
 * none. False: there are no more.
 */
bool warder_settings_next_change(const struct warder_settings *a, const struct warder_settings *b,
				 size_t *at, const struct warder_setting **ret_a,
				 const struct warder_setting **ret_b);

void warder_settings_release(struct warder_settings *settings);

#define _cleanup_settings_ __attribute__((cleanup(warder_settings_release)))

#endif
