/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * expect.h - does a policy's own test hold? The enforcer's matcher answers.
 */
#ifndef WARDER_COMPILE_EXPECT_H
#define WARDER_COMPILE_EXPECT_H

#include "compile/verdict.h"

/* One test: a subject of a set, that holds more tools than the set, tries something. */
struct warder_expectation {
	unsigned int set;
	__u64 with; /* keys of the tools that it holds besides those of the set */
	bool allow; /* it is expected to be allowed; else to be refused */
	const struct warder_access *access;
};

/*
 * *ret_holds: the verdict is the expected one, and the rules say the same. The verdict with its
 * rule is in *ret_verdict. -EINVAL: no such set, or a key that is none of the policy. -ENOMEM.
 */
int warder_expect_check(const struct warder_policy *policy, const struct warder_image *image,
			const struct warder_expectation *expectation,
			struct warder_verdict *ret_verdict, bool *ret_holds);

/*
 * Why it does not hold, as a message: "expected to be refused, but allowed: p.yaml:12:
 * exec "/usr/bin/..."". Cut to fit; not escaped. Returns `out`.
 */
char *warder_expect_text(const struct warder_expectation *expectation,
			 const struct warder_verdict *verdict, char *out, size_t size);

/*
 * Run the tests that a policy carries (`expect:`); those of presets are not the policy's and are
 * left out. What does not hold is an error at its place. What rests on something that this
 * version does not enforce is not tested, and a note says so. `options` are those the policy was
 * read with: symbolic links in paths are followed as in its rules. -EINVAL: some do not hold.
 * -ENOMEM; what open() of the root says.
 */
int warder_expect_run(const struct warder_policy *policy, const struct warder_image *image,
		      const struct warder_policy_options *options,
		      struct warder_diagnostics *diagnostics);

#endif
