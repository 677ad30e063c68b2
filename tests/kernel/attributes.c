// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * attributes.c - acts on what is written beside the contents of a file, and a policy about them.
 */
#include "attributes.h"

#include <linux/fs.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#define SYS_FILE_SETATTR 469
#define ACL		 "system.posix_acl_access"

const char attributes_policy[] = "tools:\n"
				 "  all: { shared: true, files: { write: ['{DIR}', '{DIR}/**'], "
				 "chattr: ['{DIR}', '{DIR}/**'] } }\n"
				 "sets:\n"
				 "  code:\n"
				 "    files:\n"
				 "      read: ['{DIR}/readable/**']\n"
				 "      write: ['{DIR}/open/**']\n"
				 "      deny: { chattr: ['{DIR}/open/fixed'] }\n";

/* An access list as the kernel takes it: version 2, and entries of tag, permissions, id. */
static const struct access_list {
	__u32 version;
	struct {
		__u16 tag, permissions;
		__u32 id;
	} entries[5];
} list = {2,
	  {{0x01, 6, (__u32)-1},
	   {0x02, 4, 1234},
	   {0x04, 4, (__u32)-1},
	   {0x10, 4, (__u32)-1},
	   {0x20, 0, (__u32)-1}}};

/* Another user may read. */
static const struct access_list other = {2,
					 {{0x01, 6, (__u32)-1},
					  {0x02, 4, 5678},
					  {0x04, 4, (__u32)-1},
					  {0x10, 4, (__u32)-1},
					  {0x20, 0, (__u32)-1}}};

/* tmpfs has attributes of users from 6.6 on; before, an access list is set in the same way. */
static const char *attribute(void)
{
	return kt_kernel_is("6.1") ? ACL : "user.warder";
}

static int error_of(int result)
{
	return result < 0 ? -errno : 0;
}

static const struct timespec long_before[2] = {{.tv_sec = 500}, {.tv_sec = 600}};

static void build_in(struct kt_subject *s, const char *directory)
{
	char path[256], to[256];

	kt_write("%s/%s/file", "text", s->dir, directory);
	snprintf(path, sizeof(path), "%s/%s/file", s->dir, directory);
	if (setxattr(path, attribute(), &list, sizeof(list), 0) < 0 ||
	    setxattr(path, ACL, &list, sizeof(list), 0) < 0)
		abort();
	if (utimensat(AT_FDCWD, path, long_before, 0) < 0)
		abort();
	snprintf(to, sizeof(to), "%s/%s/link", s->dir, directory);
	if (symlink("../readable/file", to) < 0)
		abort();
}

void attributes_build(struct kt_subject *s)
{
	build_in(s, "readable");
	build_in(s, "open");
	build_in(s, "closed");
	kt_write("%s/open/fixed", "text", s->dir);
}

static const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 2000}};

int act_utimes(const void *path)
{
	return error_of(utimensat(AT_FDCWD, path, long_ago, 0));
}

int act_utimes_now(const void *path)
{
	return error_of(utimensat(AT_FDCWD, path, NULL, 0));
}

int act_lutimes(const void *path)
{
	return error_of(utimensat(AT_FDCWD, path, long_ago, AT_SYMLINK_NOFOLLOW));
}

int attribute_futimens(int fd)
{
	return error_of(futimens(fd, long_ago));
}

int attribute_fsetxattr(int fd)
{
	return error_of(fsetxattr(fd, attribute(), &other, sizeof(other), 0));
}

int attribute_ftruncate(int fd)
{
	return error_of(ftruncate(fd, 1));
}

static int opened(const char *path, int flags, attribute_act *act)
{
	_cleanup_close_ int fd = open(path, flags | O_CLOEXEC);

	return fd < 0 ? -EBADF : act(fd);
}

int act_futimens(const void *path)
{
	return opened(path, O_RDONLY, attribute_futimens);
}

int act_fsetxattr(const void *path)
{
	return opened(path, O_RDONLY, attribute_fsetxattr);
}

int act_ftruncate(const void *path)
{
	return opened(path, O_RDWR, attribute_ftruncate);
}

int act_setxattr(const void *path)
{
	return error_of(setxattr(path, attribute(), &other, sizeof(other), 0));
}

int act_removexattr(const void *path)
{
	return error_of(removexattr(path, attribute()));
}

static int setxattr_by_proc(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return act_setxattr(path);
}

int act_setxattr_by_proc(const void *path)
{
	return opened(path, O_PATH, setxattr_by_proc);
}

int act_set_acl(const void *path)
{
	return error_of(setxattr(path, ACL, &other, sizeof(other), 0));
}

int act_remove_acl(const void *path)
{
	return error_of(removexattr(path, ACL));
}

int act_file_setattr(const void *path)
{
	const struct {
		__u64 xflags;
		__u32 extent_size, extents, project, copy_size;
	} wanted = {.xflags = FS_XFLAG_NODUMP};

	return error_of(syscall(SYS_FILE_SETATTR, AT_FDCWD, path, &wanted, sizeof(wanted), 0));
}

int act_memfd_attributes(const void *unused)
{
	int fd = memfd_create("own", MFD_CLOEXEC), error;

	if (fd < 0)
		return -EBADF;
	error = attribute_futimens(fd);
	return error ? error : attribute_ftruncate(fd);
}

int act_pipe_times(const void *unused)
{
	int ends[2];

	return pipe2(ends, O_CLOEXEC) < 0 ? -EBADF : attribute_futimens(ends[0]);
}

int act_socket_times(const void *unused)
{
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -EBADF;
	error = attribute_futimens(ends[0]);
	return error ? error : error_of(fchmod(ends[0], 0600));
}
