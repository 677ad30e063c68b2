// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * variables.c - `--var NAME=VALUE`, as often as it is there.
 */
#include "cli/variables.h"

#include <string.h>

#include "base/vector.h"
#include "cli/say.h"
#include "cli/verb.h"

int warder_variables_take(void *context, const char *verb, const char *argument)
{
	struct warder_variables *variables = context;
	const char *equals = strchr(argument, '=');

	if (!equals || equals == argument)
		return warder_say_usage(verb, "%s: --var \"%s\": write --var NAME=VALUE", verb,
					argument);
	if (!VECTOR_ROOM(variables->list, variables->count, variables->capacity)) {
		warder_say("%s: out of memory", verb);
		return WARDER_EXIT_FAILED;
	}
	variables->list[variables->count++] = argument;
	return WARDER_EXIT_OK;
}

void warder_variables_give(const struct warder_variables *variables,
			   struct warder_policy_options *options)
{
	options->variables = variables->list;
	options->variable_count = variables->count;
}

void warder_variables_release(struct warder_variables *variables)
{
	free(variables->list);
	*variables = (struct warder_variables){0};
}
