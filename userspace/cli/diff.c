// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * diff.c - `warder diff A B`: what each may and the other may not, exactly, with witnesses; and
 * what they say otherwise that is no right.
 */
#include <stdio.h>

#include "base/message.h"
#include "cli/difference.h"
#include "cli/pairs.h"
#include "cli/say.h"
#include "cli/settings.h"
#include "cli/verb.h"

static const char more[] =
	"A and B are FILE:SET, or FILE:SET+TOOL,... with tools that were granted. FILE alone is "
	"the\n"
	"set that `warder run` starts; when both are, each set, alone and with every tool lent to\n"
	"it, and each tool is compared with its namesake.\n"
	"\n"
	"A minus marks what only A allows, a plus what only B allows. For each right and each pair "
	"of\n"
	"rules there is one line, with a shortest path or smallest address that shows it.\n"
	"\n"
	"What is no right is compared as it is written: the model, env, limits, what is not\n"
	"enforced yet, and all else that the language has.\n"
	"\n"
	"Exit status: 0 no difference, 3 some, 1 failed, 2 usage.\n";

static bool differs(const struct warder_pair *pair)
{
	return warder_pair_differs(pair, WARDER_ONLY_A) || warder_pair_differs(pair, WARDER_ONLY_B);
}

static void print_pair(const struct warder_pairs_request *request, const struct warder_pair *pair)
{
	if (pair->only_a || pair->only_b) {
		warder_message_print(stdout, "%s%s %s\n", pair->only_a ? "- " : "+ ", pair->noun,
				     pair->name);
		return;
	}
	if (pair->noun)
		warder_message_print(stdout, "%s %s%s:\n", pair->noun, pair->name,
				     pair->lent ? " with every tool" : "");
	warder_differences_print(&pair->comparison, WARDER_ONLY_A, "- ", request->all, stdout);
	warder_differences_print(&pair->comparison, WARDER_ONLY_B, "+ ", request->all, stdout);
}

/* The matcher judges nothing of what it does not know. */
static void print_unenforced(const char *text, const struct warder_operand *operand)
{
	if (operand->policy->unenforced)
		warder_message_print(stdout,
				     "%s: this version loads no such policy: it does not enforce "
				     "all of it (`warder check` says what)\n",
				     text);
}

static void print_text(const struct warder_pairs_request *request, const struct warder_pairs *pairs,
		       bool same, bool alike)
{
	size_t i;

	print_unenforced(request->a, &pairs->a);
	print_unenforced(request->b, &pairs->b);
	warder_settings_print(&pairs->settings[0], &pairs->settings[1], stdout);
	if (same) {
		warder_message_print(stdout,
				     alike ? "%s and %s allow the same\n"
					   : "the rules on paths, addresses and system calls "
					     "of %s and %s allow the same: they differ in "
					     "what is named above\n",
				     request->a, request->b);
		return;
	}
	warder_message_print(stdout, "--- only %s allows\n+++ only %s allows\n", request->a,
			     request->b);
	for (i = 0; i < pairs->count; i++) {
		if (differs(&pairs->list[i]))
			print_pair(request, &pairs->list[i]);
	}
}

static int diff(struct warder_pairs_request *request)
{
	_cleanup_pairs_ struct warder_pairs pairs = {0};
	int result = warder_pairs_open(request, &pairs);
	bool same = true, alike;
	json_t *json;
	size_t i;

	if (result != WARDER_EXIT_OK)
		return result;
	for (i = 0; i < pairs.count; i++)
		same &= !differs(&pairs.list[i]);
	alike = same && !warder_settings_differ(&pairs.settings[0], &pairs.settings[1]);
	if (request->json) {
		json = warder_pairs_json(&pairs);
		json_object_set_new(json, "same", json_boolean(alike));
		json_object_set_new(json, "settings",
				    warder_settings_json(&pairs.settings[0], &pairs.settings[1]));
		json_object_set_new(
			json, "loadable",
			json_boolean(!pairs.a.policy->unenforced && !pairs.b.policy->unenforced));
		result = warder_say_json(json);
	} else {
		print_text(request, &pairs, same, alike);
	}
	return result == WARDER_EXIT_OK && !alike ? WARDER_EXIT_REFUSED : result;
}

int verb_diff(int argc, char **argv)
{
	struct warder_pairs_request request = {.options = {.accept_unenforced = true},
					       .settings = true};
	int result = warder_pairs_options(argc, argv, more, &request);

	if (result < 0)
		result = diff(&request);
	warder_variables_release(&request.variables);
	return result;
}
