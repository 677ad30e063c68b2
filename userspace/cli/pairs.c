// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pairs.c - what `within` and `diff` compare: two keyrings, or two policies part by part.
 */
#include "cli/pairs.h"

#include <errno.h>
#include <string.h>

#include "audit/event.h"
#include "base/vector.h"
#include "cli/difference.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"

int warder_pairs_options(int argc, char **argv, const char *more,
			 struct warder_pairs_request *request)
{
	const struct warder_option options[] = {
		{0, "var", "NAME=VALUE", "the value of a variable of the policies; may be repeated",
		 .take = warder_variables_take, .context = &request->variables},
		{0, "root", "DIR", "symbolic links in patterns are those below DIR (default /)",
		 .take = warder_operand_take_root, .context = &request->options},
		{0, "no-links", .text = "leave symbolic links in patterns alone",
		 .flag = &request->options.keep_links},
		{'a', "all", .text = "show every pair of rules that differs",
		 .flag = &request->all},
		{'j', "json", .text = "print one JSON object", .flag = &request->json},
		{},
	};
	const struct warder_usage usage = {
		.verb = argv[0],
		.options = options,
		.more = more,
		.fewest = 2,
		.most = 2,
		.wanted = "name two policies: FILE or FILE:SET[+TOOL,...]",
	};
	char **operands;
	int result = warder_options_read(&usage, argc, argv, &operands);

	if (result >= 0)
		return result;
	warder_variables_give(&request->variables, &request->options);
	request->verb = argv[0];
	request->a = operands[0];
	request->b = operands[1];
	return -1;
}

/* --- pairs --- */

static bool add_pair(struct warder_pairs *pairs, const struct warder_pair *pair)
{
	if (!VECTOR_ROOM(pairs->list, pairs->count, pairs->capacity))
		return false;
	pairs->list[pairs->count++] = *pair;
	return true;
}

/* The keyring of a key by itself: a set with its tools, or a tool. False: there is none. */
static bool side_of_key(const struct warder_operand *operand, const char *name, bool tool,
			struct warder_side *ret_side)
{
	struct warder_side side = {.policy = operand->policy, .image = operand->image};
	unsigned int number;

	if (tool) {
		if (warder_policy_find_tool(operand->policy, name, &number) < 0)
			return false;
		side.held = 1ull << number;
	} else {
		if (warder_policy_find_set(operand->policy, name, &number) < 0)
			return false;
		side.held = warder_policy_keyring(operand->policy, number);
	}
	side.base = side.held;
	*ret_side = side;
	return true;
}

static __u64 every_tool(const struct warder_policy *policy)
{
	__u64 tools = 0;
	size_t i;

	for (i = 0; i < policy->key_count; i++)
		tools |= (__u64)policy->keys[i].tool << i;
	return tools;
}

/* The same set when all tools are lent to it; nothing to add where it has them all. */
static bool add_lent_pair(struct warder_pairs *pairs, struct warder_pair pair)
{
	__u64 a = every_tool(pair.a.policy), b = every_tool(pair.b.policy);

	if (!(a & ~pair.a.held) && !(b & ~pair.b.held))
		return true;
	pair.lent = true;
	pair.a.held |= a;
	pair.b.held |= b;
	return add_pair(pairs, &pair);
}

/* Each set or tool of one policy; of the second only what the first has not. */
static bool pair_keys(struct warder_pairs *pairs, const struct warder_operand *from, bool tool)
{
	size_t i;

	for (i = 0; i < from->policy->key_count; i++) {
		const struct warder_key *key = &from->policy->keys[i];
		struct warder_pair pair = {.noun = tool ? "tool" : "set", .name = key->name};

		if (key->tool != tool)
			continue;
		pair.only_b = !side_of_key(&pairs->a, key->name, tool, &pair.a);
		pair.only_a = !side_of_key(&pairs->b, key->name, tool, &pair.b);
		if (from == &pairs->b && !pair.only_b)
			continue;
		if (!add_pair(pairs, &pair))
			return false;
		if (!tool && !pair.only_a && !pair.only_b && !add_lent_pair(pairs, pair))
			return false;
	}
	return true;
}

static int pair_operands(const struct warder_pairs_request *request, struct warder_pairs *pairs)
{
	struct warder_pair pair = {0};
	int result;

	if (!pairs->a.set && !pairs->b.set) {
		if (pair_keys(pairs, &pairs->a, false) && pair_keys(pairs, &pairs->b, false) &&
		    pair_keys(pairs, &pairs->a, true) && pair_keys(pairs, &pairs->b, true))
			return WARDER_EXIT_OK;
		warder_say("%s: out of memory", request->verb);
		return WARDER_EXIT_FAILED;
	}
	result = warder_operand_side(request->verb, &pairs->a, &pair.a);
	if (result == WARDER_EXIT_OK)
		result = warder_operand_side(request->verb, &pairs->b, &pair.b);
	if (result == WARDER_EXIT_OK && !add_pair(pairs, &pair)) {
		warder_say("%s: out of memory", request->verb);
		result = WARDER_EXIT_FAILED;
	}
	return result;
}

static int compare_pairs(const struct warder_pairs_request *request, struct warder_pairs *pairs)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < pairs->count; i++) {
		struct warder_pair *pair = &pairs->list[i];

		if (!pair->only_a && !pair->only_b)
			r = warder_compare(&pair->a, &pair->b, &request->compare,
					   &pair->comparison);
	}
	if (r == 0)
		return WARDER_EXIT_OK;
	if (r == -E2BIG)
		warder_say("%s: the two policies are too large to be compared; compare less of "
			   "them: FILE:SET, or smaller policies",
			   request->verb);
	else if (r == -ENOTRECOVERABLE)
		warder_say("%s: internal error: the rules of a policy do not say what its compiled "
			   "form does; please report it with both policies",
			   request->verb);
	else
		warder_say("%s: %s", request->verb, strerror(-r));
	return WARDER_EXIT_FAILED;
}

/* Of one operand: all of its policy, or the one set that is compared with another one. */
static int gather_settings(const struct warder_operand *operand, const struct warder_side *side,
			   struct warder_settings *ret_settings)
{
	unsigned int set = warder_policy_run_set(operand->policy);

	if (!side)
		return warder_settings_of_policy(operand->policy, ret_settings);
	if (operand->set)
		warder_policy_find_set(operand->policy, operand->set, &set);
	return warder_settings_of_set(operand->policy, set, side->held, ret_settings);
}

static int open_settings(const struct warder_pairs_request *request, struct warder_pairs *pairs)
{
	struct warder_pair *pair = pairs->a.set || pairs->b.set ? &pairs->list[0] : NULL;
	int r = gather_settings(&pairs->a, pair ? &pair->a : NULL, &pairs->settings[0]);

	if (r == 0)
		r = gather_settings(&pairs->b, pair ? &pair->b : NULL, &pairs->settings[1]);
	if (r == 0)
		return WARDER_EXIT_OK;
	warder_say("%s: %s", request->verb, strerror(-r));
	return WARDER_EXIT_FAILED;
}

int warder_pairs_open(const struct warder_pairs_request *request, struct warder_pairs *ret_pairs)
{
	struct warder_pairs *pairs = ret_pairs;
	int result;

	*pairs = (struct warder_pairs){0};
	result = warder_operand_open(request->verb, request->a, &request->options, &pairs->a);
	if (result == WARDER_EXIT_OK)
		result = warder_operand_open(request->verb, request->b, &request->options,
					     &pairs->b);
	if (result == WARDER_EXIT_OK)
		result = pair_operands(request, pairs);
	if (result == WARDER_EXIT_OK)
		result = compare_pairs(request, pairs);
	if (result == WARDER_EXIT_OK && request->settings)
		result = open_settings(request, pairs);
	return result;
}

void warder_pairs_close(struct warder_pairs *pairs)
{
	size_t i;

	for (i = 0; i < pairs->count; i++)
		warder_comparison_release(&pairs->list[i].comparison);
	free(pairs->list);
	warder_settings_release(&pairs->settings[0]);
	warder_settings_release(&pairs->settings[1]);
	warder_operand_close(&pairs->a);
	warder_operand_close(&pairs->b);
	*pairs = (struct warder_pairs){0};
}

bool warder_pair_differs(const struct warder_pair *pair, enum warder_direction direction)
{
	if (pair->only_a || pair->only_b)
		return direction == WARDER_ONLY_A ? pair->only_a : pair->only_b;
	return warder_comparison_differs(&pair->comparison, direction);
}

static json_t *pair_json(const struct warder_pair *pair)
{
	json_t *object = json_object();

	if (pair->noun)
		json_object_set_new(object, pair->noun, json_string(pair->name));
	if (pair->lent)
		json_object_set_new(object, "every_tool", json_true());
	if (pair->only_a || pair->only_b) {
		json_object_set_new(object, "only", json_string(pair->only_a ? "a" : "b"));
		return object;
	}
	json_object_set_new(object, "differences", warder_differences_json(&pair->comparison));
	json_object_set_new(object, "complete",
			    json_boolean(!pair->comparison.incomplete[WARDER_ONLY_A] &&
					 !pair->comparison.incomplete[WARDER_ONLY_B]));
	return object;
}

json_t *warder_pairs_json(const struct warder_pairs *pairs)
{
	json_t *root = json_object(), *list = json_array();
	size_t i;

	for (i = 0; i < pairs->count; i++)
		json_array_append_new(list, pair_json(&pairs->list[i]));
	warder_json_set_bytes(root, "a", pairs->a.text, strlen(pairs->a.text));
	warder_json_set_bytes(root, "b", pairs->b.text, strlen(pairs->b.text));
	json_object_set_new(root, "parts", list);
	return root;
}
