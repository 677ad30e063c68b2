// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * within.c - `warder within A B`: is all that A may allowed by B? Exactly, with witnesses.
 */
#include <stdio.h>

#include "base/message.h"
#include "cli/difference.h"
#include "cli/pairs.h"
#include "cli/say.h"
#include "cli/verb.h"

static const char more[] =
	"A and B are FILE:SET, or FILE:SET+TOOL,... with tools that were granted. FILE alone is "
	"the\n"
	"set that `warder run` starts; when both are, each set of A, alone and with every tool "
	"lent\n"
	"to it, and each tool is compared with its namesake in B.\n"
	"\n"
	"Compared is what the kernel decides: paths, unix sockets, addresses and system calls, "
	"with\n"
	"reservation and deny. Each difference is a shortest one that `warder explain` takes.\n"
	"\n"
	"Exit status: 0 A is within B, 3 it is not, 1 failed, 2 usage.\n";

static void print_pair(const struct warder_pairs_request *request, const struct warder_pair *pair)
{
	const char *noun = pair->noun;

	if (noun && pair->only_a)
		warder_message_print(stdout, "%s %s: only %s has it\n", noun, pair->name,
				     request->a);
	else if (noun)
		warder_message_print(stdout, "%s %s%s:\n", noun, pair->name,
				     pair->lent ? " with every tool" : "");
	if (!pair->only_a)
		warder_differences_print(&pair->comparison, WARDER_ONLY_A, "  ", request->all,
					 stdout);
}

static void print_text(const struct warder_pairs_request *request, const struct warder_pairs *pairs,
		       bool within)
{
	size_t i;

	warder_message_print(stdout, within ? "%s is within %s\n" : "%s is not within %s\n",
			     request->a, request->b);
	for (i = 0; i < pairs->count; i++) {
		if (warder_pair_differs(&pairs->list[i], WARDER_ONLY_A))
			print_pair(request, &pairs->list[i]);
	}
}

static int within(struct warder_pairs_request *request)
{
	_cleanup_pairs_ struct warder_pairs pairs = {0};
	int result = warder_pairs_open(request, &pairs);
	bool within = true;
	json_t *json;
	size_t i;

	if (result != WARDER_EXIT_OK)
		return result;
	for (i = 0; i < pairs.count; i++)
		within &= !warder_pair_differs(&pairs.list[i], WARDER_ONLY_A);
	if (request->json) {
		json = warder_pairs_json(&pairs);
		json_object_set_new(json, "within", json_boolean(within));
		result = warder_say_json(json);
	} else {
		print_text(request, &pairs, within);
	}
	return result == WARDER_EXIT_OK && !within ? WARDER_EXIT_REFUSED : result;
}

int verb_within(int argc, char **argv)
{
	struct warder_pairs_request request = {.compare = {.one_way = true}};
	int result = warder_pairs_options(argc, argv, more, &request);

	if (result < 0)
		result = within(&request);
	warder_variables_release(&request.variables);
	return result;
}
