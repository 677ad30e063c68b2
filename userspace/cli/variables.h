/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * variables.h - `--var NAME=VALUE`, as often as it is there.
 */
#ifndef WARDER_CLI_VARIABLES_H
#define WARDER_CLI_VARIABLES_H

#include "policy/policy.h"

/* Zero-initialise; the texts belong to the command line. */
struct warder_variables {
	const char **list;
	size_t count, capacity;
};

/*
 * Take one value of --var over: warder_option.take with a struct warder_variables. Whether the
 * policy knows the variable is the parser's business.
 */
int warder_variables_take(void *variables, const char *verb, const char *argument);

/* Have a policy read with these values; they must outlive the options. */
void warder_variables_give(const struct warder_variables *variables,
			   struct warder_policy_options *options);

void warder_variables_release(struct warder_variables *variables);

#define _cleanup_variables_ __attribute__((cleanup(warder_variables_release)))

#endif
