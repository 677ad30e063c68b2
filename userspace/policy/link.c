// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * link.c - where a path leads once its symbolic links are followed, seen from a root directory.
 */
#include "policy/link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* As many as the kernel follows. */
#define LINKS_MAX 40

struct walk {
	int root_fd;
	uid_t trusted_uid;
	char done[PATH_MAX]; /* resolved so far: "" is the root */
	char todo[PATH_MAX]; /* still to walk: "" or "/name/..." */
	int links;
	struct warder_link_error *error;
};

/* A path as *at() functions want it below root_fd. */
static const char *relative(const char *path)
{
	return *path ? path + 1 : ".";
}

static int distrust(struct walk *walk, const char *link, const char *format, const char *object)
{
	snprintf(walk->error->link, sizeof(walk->error->link), "%s", link);
	snprintf(walk->error->reason, sizeof(walk->error->reason), format, object);
	return -EPERM;
}

static int check_directory(struct walk *walk, const char *path, const char *link)
{
	const char *shown = *path ? path : "/";
	struct stat st;

	if (fstatat(walk->root_fd, relative(path), &st, AT_SYMLINK_NOFOLLOW) < 0)
		return distrust(walk, link, "the directory %s cannot be examined", shown);
	if (st.st_uid && st.st_uid != walk->trusted_uid)
		return distrust(walk, link, "the directory %s does not belong to root", shown);
	if (st.st_mode & 022)
		return distrust(walk, link, "the directory %s can be written by others", shown);
	return 0;
}

/* Every directory from the root down to the one that holds the link, and the link itself. */
static int check_trust(struct walk *walk, const char *link, const struct stat *st)
{
	char path[PATH_MAX] = "";
	const char *at = link;
	int r;

	if (st->st_uid && st->st_uid != walk->trusted_uid)
		return distrust(walk, link, "it does not belong to root%s", "");
	do {
		size_t length = (size_t)(at - link);

		memcpy(path, link, length);
		path[length] = 0;
		r = check_directory(walk, path, link);
		if (r < 0)
			return r;
		at = strchr(at + 1, '/');
	} while (at);
	return 0;
}

/* Put the target of the link `path` in front of what is still to walk. */
static int follow(struct walk *walk, const char *path, const struct stat *st)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t length;
	int r = check_trust(walk, path, st);

	if (r < 0)
		return r;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	length = readlinkat(walk->root_fd, relative(path), target, sizeof(target) - 1);
	if (length < 0)
		return -errno;
	target[length] = 0;
	memcpy(rest, walk->todo, sizeof(rest));
	if (snprintf(walk->todo, sizeof(walk->todo), "%s%s%s", target[0] == '/' ? "" : "/", target,
		     rest) >= (int)sizeof(walk->todo))
		return -ENAMETOOLONG;
	if (target[0] == '/')
		walk->done[0] = 0;
	return 0;
}

/* Take the next component off `todo`; false at the end. */
static bool next_component(struct walk *walk, char *ret_name)
{
	char *start = walk->todo + strspn(walk->todo, "/"), *end = strchrnul(start, '/');

	if (!*start) {
		walk->todo[0] = 0;
		return false;
	}
	memcpy(ret_name, start, (size_t)(end - start));
	ret_name[end - start] = 0;
	memmove(walk->todo, end, strlen(end) + 1);
	return true;
}

static void step_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (slash)
		*slash = 0;
}

/* 1: go on; 0: the rest is not walked. */
static int step(struct walk *walk, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	int r;

	if (!strcmp(name, "."))
		return 1;
	if (!strcmp(name, "..")) {
		step_up(walk);
		return 1;
	}
	if (snprintf(path, sizeof(path), "%s/%s", walk->done, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	r = fstatat(walk->root_fd, relative(path), &st, AT_SYMLINK_NOFOLLOW);
	if (r == 0 && S_ISLNK(st.st_mode)) {
		r = follow(walk, path, &st);
		return r < 0 ? r : 1;
	}
	memcpy(walk->done, path, sizeof(path));
	return r == 0 && strcmp(path, "/proc");
}

static int walk_all(struct walk *walk)
{
	char name[PATH_MAX];
	int r = 1;

	while (r > 0 && next_component(walk, name))
		r = step(walk, name);
	return r;
}

int warder_link_resolve(int root_fd, uid_t trusted_uid, const char *path, char **ret_resolved,
			struct warder_link_error *reterr)
{
	struct walk walk = {.root_fd = root_fd, .trusted_uid = trusted_uid, .error = reterr};
	_cleanup_free_ char *resolved = NULL;
	int r;

	*ret_resolved = NULL;
	if (strlen(path) >= sizeof(walk.todo))
		return 0;
	strcpy(walk.todo, path);
	r = walk_all(&walk);
	if (r == -EPERM || r == -ENOMEM)
		return r;
	if (r < 0 || !walk.links)
		return 0;
	if (asprintf(&resolved, "%s%s", walk.done, walk.todo) < 0) {
		resolved = NULL;
		return -ENOMEM;
	}
	if (!*resolved) {
		free(resolved);
		resolved = strdup("/");
		if (!resolved)
			return -ENOMEM;
	}
	if (strcmp(resolved, path))
		*ret_resolved = TAKE_PTR(resolved);
	return 0;
}
