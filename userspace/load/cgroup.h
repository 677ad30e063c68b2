/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * cgroup.h - cgroup v2 directories: find, make, identify, empty, remove.
 */
#ifndef WARDER_LOAD_CGROUP_H
#define WARDER_LOAD_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/types.h>

#include "base/error.h"

/* Name of warder's own cgroup below the mount of cgroup v2. */
#define WARDER_CGROUP_NAME "warder"

/*
 * Where cgroup v2 is mounted, from the text of a mountinfo file (unified, or the
 * "unified" part of a hybrid layout). *ret_path is malloc'ed. -ENOENT nowhere.
 */
int warder_cgroup_find_mount(const char *mountinfo, char **ret_path);

/* Make `parent`/`name`. *ret_path is malloc'ed. */
int warder_cgroup_create(const char *parent, const char *name, char **ret_path,
			 struct warder_error *reterr);

/* Open a cgroup directory; -ENOENT, or -ENOTDIR/-EINVAL when it is no cgroup v2. */
int warder_cgroup_open(const char *path, int *ret_fd, struct warder_error *reterr);

/* The id of an open cgroup directory: what the kernel side sees. */
int warder_cgroup_id(int fd, __u64 *ret_id);

/* Path of the cgroup with this id below the mount; *ret_path is malloc'ed. */
int warder_cgroup_path(const char *mount, __u64 id, char **ret_path);

/* Read, write a control file of the cgroup; *ret_text is malloc'ed. */
int warder_cgroup_read(const char *path, const char *file, char **ret_text);
int warder_cgroup_write(const char *path, const char *file, const char *text);

/* Does any task live in the cgroup or below? Negative errno when it cannot be told. */
int warder_cgroup_populated(const char *path);

/* Processes in the cgroup and below. */
int warder_cgroup_pids(const char *path, pid_t **ret_pids, size_t *ret_count);

/* Kill all that lives in it and below, and wait until nothing does, `milliseconds` at most. */
int warder_cgroup_kill(const char *path, unsigned int milliseconds, struct warder_error *reterr);

/* Remove the directory and all below. 0 when it is gone already; -EBUSY tasks live in it. */
int warder_cgroup_remove(const char *path);

/* Move a process (all its threads) into the cgroup and read back that it is there. */
int warder_cgroup_enter(const char *path, pid_t pid, struct warder_error *reterr);

/*
 * fork(2), with the child inside the cgroup from its first instruction on. Returns as
 * fork does, negative errno on failure; in the parent *ret_pidfd refers to the child.
 */
pid_t warder_cgroup_fork(int cgroup_fd, int *ret_pidfd);

/* Call `visit` with the path of each cgroup below `path`, parents first; stops at nonzero. */
int warder_cgroup_each(const char *path, int (*visit)(const char *path, void *context),
		       void *context);

#endif
