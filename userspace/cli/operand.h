/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * operand.h - FILE, FILE:SET or FILE:SET+TOOL,TOOL: a policy, and who of it is meant.
 */
#ifndef WARDER_CLI_OPERAND_H
#define WARDER_CLI_OPERAND_H

#include "compile/side.h"

struct warder_operand {
	const char *text; /* as given */
	char *file;
	char *set;   /* NULL: not named */
	char *tools; /* "a,b"; NULL: none */
	struct warder_policy *policy;
	struct warder_image *image;
};

/*
 * Split the text, load and compile the file. `what` (the verb) begins messages, which are said
 * here; so are errors of the policy. The exit code: WARDER_EXIT_OK, or what to end with.
 */
int warder_operand_open(const char *what, const char *text,
			const struct warder_policy_options *options,
			struct warder_operand *ret_operand);
void warder_operand_close(struct warder_operand *operand);

/*
 * The same of a file whose set and tools are options or arguments of their own; those may be NULL.
 * *ret_set is the set that is named, or that `run` starts.
 */
int warder_operand_open_set(const char *what, const char *text, const char *set, const char *tools,
			    const struct warder_policy_options *options,
			    struct warder_operand *ret_operand, unsigned int *ret_set);

/*
 * The keyring of the set that is named, or that `run` starts, with the tools. Says what is wrong;
 * as warder_operand_open.
 */
int warder_operand_side(const char *what, const struct warder_operand *operand,
			struct warder_side *ret_side);

/*
 * The directory that is "/" to the subjects: warder_option.take of --root, with a struct
 * warder_policy_options.
 */
int warder_operand_take_root(void *options, const char *what, const char *root);

#define _cleanup_operand_ __attribute__((cleanup(warder_operand_close)))

#endif
