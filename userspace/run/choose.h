/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * choose.h - which set a run starts in.
 */
#ifndef WARDER_RUN_CHOOSE_H
#define WARDER_RUN_CHOOSE_H

#include <stdbool.h>

#include "base/error.h"
#include "policy/policy.h"

/*
 * `name` when it is given; else, with `code`, the set that the policy's model puts
 * generated code in; else the agent's. -ENOENT: the message names the sets there are.
 */
int warder_run_choose_set(const struct warder_policy *policy, const char *name, bool code,
			  unsigned int *ret_set, struct warder_error *reterr);

#endif
