/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * rule_path.h - from the path text of a rule to what the kernel will see.
 */
#ifndef WARDER_POLICY_RULE_PATH_H
#define WARDER_POLICY_RULE_PATH_H

#include "policy/reader.h"

/*
 * Read a path: replace subject-relative names (/dev/fd, /proc/thread-self), follow links in the
 * literal part. Reports; false when it is no path.
 */
bool warder_rule_path_read(struct warder_reader *reader, const struct warder_yaml *node,
			   bool abstract, struct warder_rule_path *ret_path);

/*
 * Is the path one of those names, or below one? What stands for the name, as a pattern, and
 * what follows it; NULL when it is none of them. Static, and a part of `path`.
 */
const char *warder_rule_path_alias(const char *path, const char **ret_rest);

/*
 * Such a name replaced in a path that is no pattern; a copy of any other path. Malloc'ed.
 * -EINVAL: it means another directory for each thread (/proc/thread-self). -ENOMEM.
 */
int warder_rule_path_place(const char *path, char **ret_place);

/* Release the contents, not the struct. */
void warder_rule_path_release(struct warder_rule_path *path);

/* How a path is matched by the rule, as written or as resolved: warder_pattern_match. */
int warder_rule_path_match(const struct warder_rule_path *rule, const char *path, size_t length);

#endif
