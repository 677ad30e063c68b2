/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * launch.h - start a program inside a cgroup that is a subject already, with no window.
 *
 * The child waits behind a gate until it is in the cgroup, carries nothing inherited but
 * standard input, output and error, and has no code of the user's in it before it is
 * judged. Without a user it is born inside; with one it sets its credentials outside
 * first (a subject may not) and is moved before the gate opens.
 */
#ifndef WARDER_RUN_LAUNCH_H
#define WARDER_RUN_LAUNCH_H

#include <sys/types.h>

#include "policy/policy.h"
#include "run/user.h"

struct warder_launch {
	const char *cgroup; /* of the subject */
	char *const *arguments;
	char *const *environment;
	const struct warder_user *user; /* NULL: the caller's */
	const struct warder_policy *policy;
	unsigned int set; /* of the policy: whose filters it gets */
};

struct warder_child {
	pid_t pid;
	int pidfd;
	int exec_error; /* errno of the failed exec, 0 when the program runs */
};

/*
 * Start it. 0 also when the exec failed: then exec_error says why and the child has
 * exited with 126 or 127. On failure there is no child.
 */
int warder_launch(const struct warder_launch *launch, struct warder_child *ret_child,
		  struct warder_error *reterr);

#endif
