// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * operand.c - FILE, FILE:SET or FILE:SET+TOOL,TOOL: a policy, and who of it is meant.
 */
#include "cli/operand.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "compile/compile.h"

static int no_memory(const char *what)
{
	warder_say("%s: out of memory", what);
	return WARDER_EXIT_FAILED;
}

/* A name with a colon is that of a file when there is such a file. */
static bool split(const char *text, struct warder_operand *operand)
{
	const char *colon = access(text, F_OK) == 0 ? NULL : strrchr(text, ':'), *plus;

	operand->text = text;
	operand->file = colon ? strndup(text, (size_t)(colon - text)) : strdup(text);
	if (!operand->file)
		return false;
	if (!colon)
		return true;
	plus = strchrnul(colon + 1, '+');
	operand->set = strndup(colon + 1, (size_t)(plus - colon - 1));
	if (*plus)
		operand->tools = strdup(plus + 1);
	return operand->set && (!*plus || operand->tools);
}

int warder_operand_open(const char *what, const char *text,
			const struct warder_policy_options *options,
			struct warder_operand *ret_operand)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_operand_ struct warder_operand operand = {0};
	int r;

	if (!split(text, &operand))
		return no_memory(what);
	r = warder_policy_load(operand.file, options, &found, &operand.policy);
	if (r == 0)
		r = warder_compile(operand.policy, &found, &operand.image);
	if (r < 0) {
		warder_diagnostics_print(&found, stderr);
		return WARDER_EXIT_FAILED;
	}
	*ret_operand = operand;
	operand = (struct warder_operand){0};
	return WARDER_EXIT_OK;
}

void warder_operand_close(struct warder_operand *operand)
{
	free(operand->file);
	free(operand->set);
	free(operand->tools);
	warder_policy_free(&operand->policy);
	free(operand->image);
	*operand = (struct warder_operand){0};
}

/* Say that there is no such set or tool, and which there are. */
static int unknown_name(const char *what, const struct warder_policy *policy, const char *name,
			bool tool)
{
	const char *noun = tool ? "tool" : "set";
	struct warder_nearest nearest;
	char known[1024] = "";
	size_t used = 0, i;

	warder_nearest_begin(&nearest, name, strlen(name));
	for (i = 0; i < policy->key_count && used < sizeof(known); i++) {
		if (policy->keys[i].tool != tool)
			continue;
		warder_nearest_offer(&nearest, policy->keys[i].name);
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
					 used ? ", " : "", policy->keys[i].name);
	}
	if (nearest.best)
		warder_say("%s: policy \"%s\" has no %s \"%s\"; did you mean \"%s\"?", what,
			   policy->source.name, noun, name, nearest.best);
	else
		warder_say("%s: policy \"%s\" has no %s \"%s\"; it has %s%s", what,
			   policy->source.name, noun, name, used ? "" : "none", known);
	return WARDER_EXIT_FAILED;
}

int warder_operand_open_set(const char *what, const char *text, const char *set, const char *tools,
			    const struct warder_policy_options *options,
			    struct warder_operand *ret_operand, unsigned int *ret_set)
{
	_cleanup_operand_ struct warder_operand operand = {0};
	unsigned int number;
	int result = warder_operand_open(what, text, options, &operand);

	if (result != WARDER_EXIT_OK)
		return result;
	if ((set && operand.set) || (tools && operand.tools))
		return warder_say_usage(what, "%s: \"%s\" names a set already", what, text);
	if (set)
		operand.set = strdup(set);
	if (tools)
		operand.tools = strdup(tools);
	if ((set && !operand.set) || (tools && !operand.tools))
		return no_memory(what);
	number = warder_policy_run_set(operand.policy);
	if (operand.set && warder_policy_find_set(operand.policy, operand.set, &number) < 0)
		return unknown_name(what, operand.policy, operand.set, false);
	*ret_set = number;
	*ret_operand = operand;
	operand = (struct warder_operand){0};
	return WARDER_EXIT_OK;
}

static int add_tools(const char *what, const struct warder_policy *policy, const char *tools,
		     __u64 *held)
{
	_cleanup_free_ char *copy = tools ? strdup(tools) : NULL;
	char *rest = copy, *name;
	unsigned int key;

	if (tools && !copy)
		return no_memory(what);
	while ((name = strsep(&rest, ","))) {
		if (warder_policy_find_tool(policy, name, &key) < 0)
			return unknown_name(what, policy, name, true);
		*held |= 1ull << key;
	}
	return WARDER_EXIT_OK;
}

int warder_operand_side(const char *what, const struct warder_operand *operand,
			struct warder_side *ret_side)
{
	struct warder_side side = {.policy = operand->policy, .image = operand->image};
	unsigned int set = warder_policy_run_set(operand->policy);
	int result;

	if (operand->set && warder_policy_find_set(operand->policy, operand->set, &set) < 0)
		return unknown_name(what, operand->policy, operand->set, false);
	side.base = side.held = warder_policy_keyring(operand->policy, set);
	result = add_tools(what, operand->policy, operand->tools, &side.held);
	if (result == WARDER_EXIT_OK)
		*ret_side = side;
	return result;
}

int warder_operand_take_root(void *context, const char *what, const char *root)
{
	struct warder_policy_options *options = context;
	struct stat st;

	if (stat(root, &st) < 0) {
		warder_say("%s: --root \"%s\": %s", what, root, strerror(errno));
		return WARDER_EXIT_FAILED;
	}
	if (!S_ISDIR(st.st_mode)) {
		warder_say("%s: --root \"%s\": not a directory", what, root);
		return WARDER_EXIT_FAILED;
	}
	options->root = root;
	/* Links below a root that was unpacked by somebody are as good as that somebody. */
	options->trusted_uid = st.st_uid;
	return WARDER_EXIT_OK;
}
