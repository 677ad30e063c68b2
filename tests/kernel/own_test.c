// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * own_test.c - warder's own files: the lock, the kept policies that grants are named by, the
 * audit log. No rule of a policy opens them, however broad (userspace/presets/guard.yaml).
 */
#include "acts.h"

#include <sys/file.h>

static const char policy[] = "sets: { code: { files: { write: ['/**'] } } }\n";

#define OWN WARDER_RUN_DIR "/guard-test"

static void build_own(struct kt_subject *s)
{
	kt_write("%s/file", "text", OWN);
	kt_mkdir(OWN "/dir");
}

static int act_lock(const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0;
}

#define REFUSED(name, act, argument, HOOK, right) \
	KT_REFUSED(name, act, argument, -EACCES, HOOK, DENY_RULE, right, NULL), .quiet = true

static const struct kt_case own_files[] = {
	{REFUSED("lock a file", act_lock, OWN "/file", FILE_OPEN, WARDER_READ)},
	{REFUSED("read", act_read, OWN "/file", FILE_OPEN, WARDER_READ)},
	{REFUSED("list", act_list, OWN, FILE_OPEN, WARDER_LIST)},
	{REFUSED("append", act_append, OWN "/file", FILE_OPEN, WARDER_WRITE)},
	{REFUSED("truncate", act_truncate, OWN "/file", PATH_TRUNCATE, WARDER_WRITE)},
	{REFUSED("create", act_create, OWN "/new", PATH_MKNOD, WARDER_CREATE)},
	{REFUSED("delete", act_unlink, OWN "/file", PATH_UNLINK, WARDER_DELETE)},
	{REFUSED("remove a directory", act_rmdir, OWN "/dir", PATH_RMDIR, WARDER_DELETE)},
	{REFUSED("rename", act_rename, PAIR(OWN "/file", OWN "/other"), PATH_RENAME,
		 WARDER_RENAME)},
	{REFUSED("rename the directory", act_rename, PAIR(OWN, OWN "2"), PATH_RENAME,
		 WARDER_RENAME)},
	{REFUSED("link", act_link, PAIR(OWN "/file", OWN "2"), PATH_LINK, WARDER_LINK)},
};

TEST(own_files)
{
	_cleanup_subject_ struct kt_subject s = {};
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	for (i = 0; i < sizeof(own_files) / sizeof(own_files[0]); i++) {
		kt_remove(OWN);
		kt_remove(OWN "2");
		kt_cases_run(&s, build_own, &own_files[i], 1);
	}
	kt_remove(OWN);
	kt_remove(OWN "2");
	kt_result("the real lock", kt_inside(&s, act_lock, WARDER_RUN_DIR "/lock"), -EACCES);
	kt_result("their neighbour", kt_inside(&s, act_list, "/run"), 0);
}
