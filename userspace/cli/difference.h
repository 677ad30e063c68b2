/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * difference.h - differences between two keyrings, for people and as JSON.
 */
#ifndef WARDER_CLI_DIFFERENCE_H
#define WARDER_CLI_DIFFERENCE_H

#include <jansson.h>
#include <stdio.h>

#include "compile/compare.h"

/* Shown in each direction, unless all are wanted. */
#define WARDER_DIFFERENCES_SHOWN 20u

/*
 * One direction: each act behind `mark`, with what allows and what refuses it, escaped. Unless
 * `all`: one act for each rule that refuses, at most WARDER_DIFFERENCES_SHOWN of them, and how
 * many more there are.
 */
void warder_differences_print(const struct warder_comparison *comparison,
			      enum warder_direction direction, const char *mark, bool all,
			      FILE *out);

/* All, as an array; NULL when memory is short. */
json_t *warder_differences_json(const struct warder_comparison *comparison);

#endif
