// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * explain_below.c - which rule denies to rename something below a directory.
 */
#include "compile/explain.h"
#include "compile/walk.h"

/* Can the rule match a path that goes on from `path`, a directory? 1, 0, negative errno. */
static int goes_on(const struct warder_classes *classes, const struct warder_path_rule *rule,
		   const char *path, size_t length)
{
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	uint32_t state;
	size_t i;
	int r = warder_walk_language(classes, rule, WARDER_EXCEPT_ALL, &dfa);

	if (r < 0)
		return r;
	state = dfa->start;
	/* The top directory is a slash already. */
	for (i = 0; i < length + (length > 1); i++) {
		unsigned char byte = i < length ? (unsigned char)path[i] : '/';

		state = warder_dfa_row(dfa, state)[classes->of[byte]];
	}
	return state != 0;
}

int warder_explain_below(const struct warder_policy *policy, __u64 held, const char *path,
			 size_t length, struct warder_explanation *ret)
{
	struct warder_explanation e = {.allowed = true, .key = -1, .cause = WARDER_CAUSE_NO_RULE};
	struct warder_classes classes;
	size_t i;
	int r = 0;

	warder_walk_classes(policy, &classes);
	for (i = 0; r == 0 && i < policy->path_count; i++) {
		const struct warder_path_rule *rule = &policy->path_rules[i];

		if (!rule->deny || !(rule->rights & WARDER_RENAME) || !(held >> rule->key & 1))
			continue;
		r = goes_on(&classes, rule, path, length);
		if (r <= 0)
			continue;
		e = (struct warder_explanation){
			.cause = WARDER_CAUSE_DENIED,
			.right = WARDER_RENAME,
			.key = (int)rule->key,
			.key_name = policy->keys[rule->key].name,
			.place = rule->place,
			.section = rule->section,
			.rule = rule->path.text,
		};
	}
	if (r < 0)
		return r;
	*ret = e;
	return 0;
}
