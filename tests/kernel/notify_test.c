// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * notify_test.c - path_notify: a watch tells the names in a directory and who opens what, so it
 * takes the right to list or to read.
 */
#include "acts.h"

#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/syscall.h>

static const char policy[] = "tools: { all: { shared: true, files: { read: ['{DIR}/**'] } } }\n"
			     "sets: { code: { kernel: [fanotify], files: { read: ['{DIR}/open', "
			     "'{DIR}/open/**', '/proc/**'] } } }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/shut/file", "text", s->dir);
}

/* What a watch of `path` is told when somebody makes a name there: 0, or -ENODATA. */
static int watch(const char *path)
{
	char buffer[4096];
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	if (inotify_add_watch(fd, path, IN_ALL_EVENTS) < 0)
		return -errno;
	close(open(path, O_RDONLY | O_CLOEXEC));
	return read(fd, buffer, sizeof(buffer)) > 0 ? 0 : -ENODATA;
}

static int act_watch(const void *path)
{
	return watch(path);
}

/* By a descriptor that is only a place: opening one asks for nothing. */
static int act_watch_place(const void *path)
{
	char place[64];
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	snprintf(place, sizeof(place), "/proc/self/fd/%d", fd);
	return watch(place);
}

static int act_fanotify(const void *path)
{
	int fd = fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID | FAN_CLOEXEC, O_RDONLY);

	if (fd < 0)
		return -errno;
	return fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN | FAN_ONDIR, AT_FDCWD, path) < 0 ? -errno
											 : 0;
}

static int act_fanotify_mount(const void *path)
{
	int fd = fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID | FAN_CLOEXEC, O_RDONLY);

	if (fd < 0)
		return -errno;
	return fanotify_mark(fd, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_OPEN, AT_FDCWD, path) < 0
		       ? -errno
		       : 0;
}

#define REFUSED(name, act, path, right)                                                   \
	KT_REFUSED(name, act, path, -EACCES, PATH_NOTIFY, NO_RULE, right, "{DIR}/" path), \
		.quiet = true, .key = "all"

static const struct kt_case cases[] = {
	{REFUSED("inotify of a directory", act_watch, "shut", WARDER_LIST)},
	{REFUSED("inotify of a file", act_watch, "shut/file", WARDER_READ)},
	{REFUSED("inotify by a place", act_watch_place, "shut", WARDER_LIST)},
	{REFUSED("fanotify of a directory", act_fanotify, "shut", WARDER_LIST)},
	{REFUSED("fanotify of a file", act_fanotify, "shut/file", WARDER_READ)},
	{KT_REFUSED("fanotify of a file system", act_fanotify_mount, "open", -EPERM, CAPABLE,
		    SURFACE, 0, NULL),
	 .quiet = true},
	{KT_ALLOWED("inotify of a directory it lists", act_watch, "open")},
	{KT_ALLOWED("inotify of a file it reads", act_watch, "open/file")},
	{KT_ALLOWED("inotify by a place it lists", act_watch_place, "open")},
	{KT_ALLOWED("fanotify of a directory it lists", act_fanotify, "open")},
};

TEST(watches)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, cases);
}
