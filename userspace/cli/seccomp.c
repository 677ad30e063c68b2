// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * seccomp.c - `warder seccomp [SET] --oci`: the filter of a set for a container runtime.
 */
#include <stdio.h>
#include <string.h>

#include "cli/operand.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/variables.h"
#include "cli/verb.h"
#include "run/oci.h"

struct arguments {
	struct warder_policy_options options;
	struct warder_variables variables;
	const char *policy;
	bool oci;
	const char *set;
};

static int read_arguments(int argc, char **argv, struct arguments *a)
{
	const struct warder_option options[] = {
		{'p', "policy", "FILE", "the policy", .place = &a->policy},
		{0, "oci", .text = "as `linux.seccomp` of the OCI runtime specification",
		 .flag = &a->oci},
		{0, "var", "NAME=VALUE", "the value of a variable of the policy; may be repeated",
		 .take = warder_variables_take, .context = &a->variables},
		{},
	};
	const struct warder_usage usage = {
		.verb = "seccomp",
		.options = options,
		.more = "SET is the set that `warder run` starts, unless it is named.\n"
			"Docker, podman, runc and crun take what is printed as a seccomp "
			"profile.\n",
		.most = 1,
		.wanted = "seccomp: name one set, or none",
	};
	char **words;
	int result = warder_options_read(&usage, argc, argv, &words);

	if (result >= 0)
		return result;
	if (!a->policy)
		return warder_say_usage("seccomp", "seccomp: no policy; name one with -p FILE");
	if (!a->oci)
		return warder_say_usage("seccomp", "seccomp: in which form? --oci is the only one");
	a->set = *words;
	return -1;
}

static int print(struct arguments *a)
{
	_cleanup_operand_ struct warder_operand operand = {0};
	const struct warder_policy *policy;
	unsigned int number;
	int result;

	warder_variables_give(&a->variables, &a->options);
	result = warder_operand_open_set("seccomp", a->policy, a->set, NULL, &a->options, &operand,
					 &number);
	if (result != WARDER_EXIT_OK)
		return result;
	policy = operand.policy;
	if (policy->sets[number].ungoverned & WARDER_CLASS_SYSCALLS) {
		warder_say("seccomp: set \"%s\" leaves system calls ungoverned: it has no filter",
			   policy->sets[number].name);
		return WARDER_EXIT_FAILED;
	}
	return warder_say_json(warder_oci_seccomp(policy, number));
}

int verb_seccomp(int argc, char **argv)
{
	/* Whoever starts the container enforces it: other parts of the policy do not matter. */
	struct arguments arguments = {.options = {.accept_unenforced = true}};
	int result = read_arguments(argc, argv, &arguments);

	if (result < 0)
		result = print(&arguments);
	warder_variables_release(&arguments.variables);
	return result;
}
