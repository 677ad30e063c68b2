/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * obstacle.h - what keeps a program from being started when it is not the policy.
 */
#ifndef WARDER_RUN_OBSTACLE_H
#define WARDER_RUN_OBSTACLE_H

#include <stddef.h>

#include "run/user.h"

/*
 * In words, why execvp(3) of `program` failed with `error` (an errno), for `user`
 * (NULL: root) and along `path` (its PATH; NULL: it has none): a mode, a mount, a directory, an
 * interpreter that is not there. Returns `text`, "" when there is nothing to say.
 */
char *warder_obstacle_find(const char *program, const char *path, const struct warder_user *user,
			   int error, char *text, size_t size);

#endif
