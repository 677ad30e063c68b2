/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * argument.h - "NAME=VALUE": values of variables from outside.
 */
#ifndef WARDER_POLICY_ARGUMENT_H
#define WARDER_POLICY_ARGUMENT_H

#include "policy/reader.h"

/* The value that the options give to a variable of this name; NULL: none. */
const char *warder_argument_find(const struct warder_reader *reader, const char *name);

/*
 * Every argument is of that form and names a variable of the policy, and no two the same one.
 * Once the variables are read. Reports.
 */
void warder_arguments_check(struct warder_reader *reader);

#endif
