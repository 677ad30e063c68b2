/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * advice.h - what is right in a policy and probably not meant: the warnings of `check`.
 *
 * Nothing here changes what is enforced. What is said was decided by the automata, never by
 * how a rule looks; where that would take too long, nothing is said.
 */
#ifndef WARDER_COMPILE_ADVICE_H
#define WARDER_COMPILE_ADVICE_H

#include <warder/image.h>

#include "policy/policy.h"

/*
 * Rules on paths, and on addresses, of one key that are looked at one by one; of a key with more,
 * none is.
 */
#define WARDER_ADVICE_RULES_MAX 400u

/*
 * Add warnings and notes about a policy and its image (compile/compile.h). `options` are those
 * the policy was read with; with keep_links the file system is not looked at. -ENOMEM.
 */
int warder_advise(const struct warder_policy *policy, const struct warder_image *image,
		  const struct warder_policy_options *options,
		  struct warder_diagnostics *diagnostics);

#endif
