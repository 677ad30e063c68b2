/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * user.h - whom a command runs as.
 */
#ifndef WARDER_RUN_USER_H
#define WARDER_RUN_USER_H

#include <sys/types.h>

#include "base/error.h"

/* HOME, SHELL, USER, LOGNAME: what says whose a session is, as in su(1). */
#define WARDER_USER_VARIABLES 4

struct warder_user {
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	int group_count;
	char *variables[WARDER_USER_VARIABLES]; /* "HOME=/home/alice", of the user's entry */
};

/* Look up a name, or a number that has an entry. -ENOENT. */
int warder_user_find(const char *name, struct warder_user *ret_user, struct warder_error *reterr);

/*
 * The caller's environment with the user's variables in the place of the caller's own. The
 * list is malloc'ed; its strings belong to `environment` and `user`. -ENOMEM.
 */
int warder_user_environment(const struct warder_user *user, char *const *environment,
			    char ***ret_environment);

/* Become that user for good, supplementary groups included. Negative errno. */
int warder_user_become(const struct warder_user *user);

void warder_user_release(struct warder_user *user);

#define _cleanup_user_ __attribute__((cleanup(warder_user_release)))

#endif
