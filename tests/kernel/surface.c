// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * surface.c - acts on the kernel itself. Each returns 0 or -errno.
 */
#include "surface.h"

#include <grp.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

static int error_of(long result)
{
	return result < 0 ? -errno : 0;
}

int act_unshare(const void *flags)
{
	return error_of(unshare((long)flags));
}

int act_clone(const void *flags)
{
	pid_t child = syscall(SYS_clone, (long)flags | SIGCHLD, 0, 0, 0, 0);

	if (!child)
		_exit(0);
	if (child > 0)
		waitpid(child, NULL, 0);
	return error_of(child);
}

/* The namespace of a process that stands in kt_shared(). */
int act_join_user_namespace(const void *unused)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/ns/user", *(int *)kt_shared());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : error_of(setns(fd, CLONE_NEWUSER));
}

int act_mount(const void *unused)
{
	int result = error_of(mount("none", "a", "tmpfs", 0, NULL));

	umount2("a", MNT_DETACH);
	return result;
}

int act_remount(const void *unused)
{
	return error_of(mount(NULL, "/tmp", NULL, MS_REMOUNT | MS_BIND | MS_NOSUID, NULL))
		       ?: error_of(mount(NULL, "/tmp", NULL, MS_REMOUNT | MS_BIND, NULL));
}

int act_bind(const void *unused)
{
	int result = error_of(mount("a", "b", NULL, MS_BIND, NULL));

	umount2("b", MNT_DETACH);
	return result;
}

int act_move(const void *unused)
{
	int result;

	mount("a", "a", NULL, MS_BIND, NULL);
	mount(NULL, "a", NULL, MS_PRIVATE, NULL);
	result = error_of(mount("a", "b", NULL, MS_MOVE, NULL));
	umount2("b", MNT_DETACH);
	umount2("a", MNT_DETACH);
	return result;
}

static int unmount(int flags)
{
	mount("a", "a", NULL, MS_BIND, NULL);
	return error_of(umount2("a", flags));
}

/* What is mounted there was mounted by the test. */
int act_umount(const void *unused)
{
	return unmount(0);
}

int act_lazy_umount(const void *unused)
{
	return unmount(MNT_DETACH);
}

int act_fsopen(const void *unused)
{
	return error_of(syscall(SYS_fsopen, "tmpfs", 0));
}

int act_new_mount(const void *unused)
{
	int fs = syscall(SYS_fsopen, "tmpfs", 0), mnt;

	if (fs < 0)
		return -errno;
	syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0);
	mnt = syscall(SYS_fsmount, fs, 0, 0);
	if (mnt < 0)
		return -errno;
	if (syscall(SYS_move_mount, mnt, "", AT_FDCWD, "a", MOVE_MOUNT_F_EMPTY_PATH) < 0)
		return -errno;
	return error_of(umount2("a", MNT_DETACH));
}

int act_open_tree(const void *unused)
{
	return error_of(syscall(SYS_open_tree, AT_FDCWD, "a", OPEN_TREE_CLONE));
}

int act_move_mount(const void *unused)
{
	int tree = syscall(SYS_open_tree, AT_FDCWD, "a", OPEN_TREE_CLONE), result;

	if (tree < 0)
		return -errno;
	result =
		error_of(syscall(SYS_move_mount, tree, "", AT_FDCWD, "b", MOVE_MOUNT_F_EMPTY_PATH));
	umount2("b", MNT_DETACH);
	return result;
}

int act_mount_setattr(const void *unused)
{
	struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOSUID};

	return error_of(
		syscall(SYS_mount_setattr, AT_FDCWD, "/tmp", 0, &attributes, sizeof(attributes)));
}

/* Mounts of the control's own namespace. */
int act_pivot_root(const void *unused)
{
	if (!unshare(CLONE_NEWNS)) {
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
		mount("a", "a", NULL, MS_BIND, NULL);
	}
	return chdir("a") < 0 ? -ENOENT : error_of(syscall(SYS_pivot_root, ".", "old"));
}

int act_chroot(const void *unused)
{
	return error_of(chroot("a"));
}

int act_hostname(const void *unused)
{
	char name[65] = "";
	int result;

	gethostname(name, sizeof(name));
	result = error_of(sethostname("renamed", 7));
	if (!result)
		sethostname(name, strlen(name));
	return result;
}

int act_set_time(const void *unused)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return error_of(settimeofday(&now, NULL));
}

int act_setuid(const void *unused)
{
	return error_of(syscall(SYS_setuid, 1));
}

int act_setgid(const void *unused)
{
	return error_of(syscall(SYS_setgid, 1));
}

int act_setgroups(const void *unused)
{
	gid_t group = 4;

	return error_of(syscall(SYS_setgroups, 1, &group));
}

/* Adding to the inheritable ones what is permitted needs no capability, and gives none. */
int act_capset(const void *unused)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {};

	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	if (syscall(SYS_capset, &header, data) < 0)
		return -errno;
	return act_hostname(NULL);
}

int act_device(const void *unused)
{
	int result = error_of(mknod("a/device", S_IFCHR | 0600, makedev(1, 3)));

	unlink("a/device");
	return result;
}

int act_give_away(const void *unused)
{
	return error_of(chown("a", 1, 1)) ?: error_of(chown("a", 0, 0));
}

int act_syslog(const void *unused)
{
	return error_of(klogctl(8 /* SYSLOG_ACTION_CONSOLE_LEVEL */, NULL, 7));
}

/* What is no module is looked at only by those who may load one. */
int act_module(const void *unused)
{
	return error_of(syscall(SYS_init_module, "none", 4, ""));
}

int act_nice(const void *unused)
{
	return error_of(setpriority(PRIO_PROCESS, 0, -5));
}

int act_own_limit(const void *unused)
{
	struct rlimit limit = {1 << 21, 1 << 21};

	return error_of(setrlimit(RLIMIT_SIGPENDING, &limit));
}

/* Any handle will do: the capability is asked for first. */
int act_read_by_handle(const void *unused)
{
	struct {
		struct file_handle head;
		unsigned char bytes[64];
	} handle = {.head.handle_bytes = 64};
	int mount_id, directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (name_to_handle_at(AT_FDCWD, ".", &handle.head, &mount_id, 0) < 0)
		return -EBADF;
	return error_of(open_by_handle_at(directory, &handle.head, O_PATH));
}

int act_reboot_key(const void *unused)
{
	return error_of(syscall(SYS_reboot, 0xfee1dead, 672274793, 0 /* CAD off */, NULL));
}

int act_swap(const void *unused)
{
	return error_of(syscall(SYS_swapon, "missing", 0));
}

int act_account(const void *unused)
{
	return error_of(syscall(SYS_acct, NULL));
}

/* A program with a file capability gives nothing that counts: the effective set is there. */
int act_keep_capability(const void *unused)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {};

	if (syscall(SYS_capget, &header, data) < 0 || !data[0].effective)
		return -EBADF;
	return act_hostname(NULL);
}

int act_io_uring(const void *unused)
{
	char parameters[120] = {};

	return error_of(syscall(SYS_io_uring_setup, 2, parameters));
}

int act_userfaultfd(const void *flags)
{
	return error_of(syscall(SYS_userfaultfd, (long)flags));
}
