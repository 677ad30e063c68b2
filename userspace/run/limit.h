/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * limit.h - `limits:` of a set, kept by the controllers of cgroup v2.
 */
#ifndef WARDER_RUN_LIMIT_H
#define WARDER_RUN_LIMIT_H

#include "base/error.h"
#include "policy/policy.h"

/*
 * Set the limits on `cgroup`, a directory in `root` (warder's own cgroup), which nothing runs in
 * yet, and read them back. Has the controllers that it needs handed down to `root` and below;
 * memory brings no swap along. -EOPNOTSUPP a controller is missing, or cannot be handed down: the
 * message names it and the limit.
 */
int warder_limit_set(const char *root, const char *cgroup, const struct warder_limits *limits,
		     struct warder_error *reterr);

/*
 * Are they in force on `cgroup` now? 0, or the error that warder_limit_set had: -ESTALE somebody
 * has changed one; -ENOENT there is none.
 */
int warder_limit_check(const char *cgroup, const struct warder_limits *limits,
		       struct warder_error *reterr);

#endif
