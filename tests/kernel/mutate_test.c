// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * mutate_test.c - names and attributes: truncate, unlink, rmdir, mkdir, mknod, symlink,
 * chmod, chown.
 */
#include "acts.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

static const char policy[] = "tools:\n"
			     "  all: { shared: true, files: { write: ['{DIR}', '{DIR}/**'] } }\n"
			     "sets:\n"
			     "  code:\n"
			     "    files:\n"
			     "      read: ['{DIR}/readable/**']\n"
			     "      write: ['{DIR}/open/**']\n"
			     "      create: ['{DIR}/only/create/**']\n"
			     "      delete: ['{DIR}/only/delete/**']\n"
			     "      chattr: ['{DIR}/only/chattr/**']\n"
			     "      deny: { write: ['{DIR}/open/fixed/**'] }\n";

static void build(struct kt_subject *s)
{
	static const char *const places[] = {"readable",    "open",	   "open/fixed",
					     "only/create", "only/delete", "only/chattr",
					     "closed"};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		kt_write("%s/%s/file", "text", s->dir, places[i]);
		kt_mkdir("%s/%s/dir", s->dir, places[i]);
	}
	kt_mkdir("%s/empty", s->dir);
}

static int act_open_truncate(const void *path)
{
	return act_open(OPEN(path, O_WRONLY | O_TRUNC));
}

/* A descriptor of what may be written is its holder's: truncating it is writing. */
static int act_ftruncate(const void *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -EBADF;
	return ftruncate(fd, 1) < 0 ? -errno : 0;
}

static int act_block_device(const void *path)
{
	return mknod(path, S_IFBLK | 0666, makedev(8, 0)) < 0 ? -errno : 0;
}

static int act_char_device(const void *path)
{
	return mknod(path, S_IFCHR | 0666, makedev(1, 1)) < 0 ? -errno : 0;
}

static int act_mknod_file(const void *path)
{
	return mknod(path, S_IFREG | 0666, 0) < 0 ? -errno : 0;
}

static int act_bind_socket(const void *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	if (fd < 0)
		return -EBADF;
	return bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
}

static int act_fchmod(const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -EBADF;
	return fchmod(fd, 0700) < 0 ? -errno : 0;
}

static int act_lchown(const void *path)
{
	return lchown(path, -1, getgid()) < 0 ? -errno : 0;
}

#define REFUSED(what, act, path, HOOK, right)                                                \
	{                                                                                    \
		KT_REFUSED(what " " path, act, path, -EACCES, HOOK, NO_RULE, WARDER_##right, \
			   "{DIR}/" path),                                                   \
			.key = "all"                                                         \
	}
#define DENIED(what, act, path, HOOK, right)                                                   \
	{                                                                                      \
		KT_REFUSED(what " " path, act, path, -EACCES, HOOK, DENY_RULE, WARDER_##right, \
			   "{DIR}/" path)                                                      \
	}
#define ALLOWED(what, act, path)                     \
	{                                            \
		KT_ALLOWED(what " " path, act, path) \
	}

/* To a group of one's own: it needs no capability, and changes nothing here. */
#define CHOWN(what, act, REASON, path)                                                           \
	{                                                                                        \
		KT_REFUSED(what " " path, act, path, -EACCES, PATH_CHOWN, REASON, WARDER_CHATTR, \
			   "{DIR}/" path),                                                       \
			.quiet = true                                                            \
	}

static const struct kt_case mutations[] = {
	REFUSED("truncate", act_truncate, "readable/file", PATH_TRUNCATE, WRITE),
	DENIED("truncate", act_truncate, "open/fixed/file", PATH_TRUNCATE, WRITE),
	ALLOWED("truncate", act_truncate, "open/file"),
	REFUSED("open and truncate", act_open_truncate, "readable/file", FILE_OPEN, WRITE),
	ALLOWED("ftruncate", act_ftruncate, "open/file"),

	REFUSED("unlink", act_unlink, "readable/file", PATH_UNLINK, DELETE),
	REFUSED("unlink", act_unlink, "closed/file", PATH_UNLINK, DELETE),
	REFUSED("unlink", act_unlink, "only/create/file", PATH_UNLINK, DELETE),
	DENIED("unlink", act_unlink, "open/fixed/file", PATH_UNLINK, DELETE),
	ALLOWED("unlink", act_unlink, "open/file"),
	ALLOWED("unlink", act_unlink, "only/delete/file"),

	REFUSED("rmdir", act_rmdir, "readable/dir", PATH_RMDIR, DELETE),
	REFUSED("rmdir", act_rmdir, "only/create/dir", PATH_RMDIR, DELETE),
	REFUSED("rmdir", act_rmdir, "empty", PATH_RMDIR, DELETE),
	DENIED("rmdir", act_rmdir, "open/fixed/dir", PATH_RMDIR, DELETE),
	ALLOWED("rmdir", act_rmdir, "open/dir"),

	REFUSED("mkdir", act_mkdir, "readable/new", PATH_MKDIR, CREATE),
	REFUSED("mkdir", act_mkdir, "only/delete/new", PATH_MKDIR, CREATE),
	DENIED("mkdir", act_mkdir, "open/fixed/new", PATH_MKDIR, CREATE),
	ALLOWED("mkdir", act_mkdir, "open/new"),
	ALLOWED("mkdir", act_mkdir, "only/create/new"),

	REFUSED("fifo", act_mkfifo, "readable/new", PATH_MKNOD, CREATE),
	ALLOWED("fifo", act_mkfifo, "only/create/new"),
	REFUSED("mknod", act_mknod_file, "closed/new", PATH_MKNOD, CREATE),
	ALLOWED("mknod", act_mknod_file, "only/create/new"),
	REFUSED("unix socket", act_bind_socket, "readable/new", PATH_MKNOD, CREATE),
	ALLOWED("unix socket", act_bind_socket, "only/create/new"),

	REFUSED("symlink", act_symlink, "readable/new", PATH_SYMLINK, CREATE),
	DENIED("symlink", act_symlink, "open/fixed/new", PATH_SYMLINK, CREATE),
	ALLOWED("symlink", act_symlink, "only/create/new"),

	REFUSED("chmod", act_chmod, "readable/file", PATH_CHMOD, CHATTR),
	REFUSED("fchmod", act_fchmod, "readable/file", PATH_CHMOD, CHATTR),
	DENIED("chmod", act_chmod, "open/fixed/file", PATH_CHMOD, CHATTR),
	ALLOWED("chmod", act_chmod, "open/file"),
	ALLOWED("chmod", act_chmod, "only/chattr/file"),
	CHOWN("chown", act_chown, NO_RULE, "readable/file"),
	CHOWN("lchown", act_lchown, NO_RULE, "readable/file"),
	CHOWN("chown", act_chown, DENY_RULE, "open/fixed/file"),
	ALLOWED("chown", act_chown, "open/file"),
};

TEST(mutations)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, mutations);
}

/* No capability is a subject's, so devices are refused twice over. */
TEST(devices)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("block device", kt_inside(&s, act_block_device, "open/new"), -EPERM);
	kt_result("character device", kt_inside(&s, act_char_device, "open/new"), -EPERM);
	if (!kt_grant(&s, "all", 0))
		return;
	kt_result("no grant helps", kt_inside(&s, act_block_device, "open/new"), -EPERM);
	kt_result("control", kt_outside(&s, act_block_device, "open/new"), 0);
}
