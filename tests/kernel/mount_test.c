// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * mount_test.c - a path is what leads to the top of the task's own mounts, or no path.
 */
#include "acts.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    files:\n"
			     "      write: ['{DIR}/open/**', '{DIR}/bound/**', /file, '/open/**']\n"
			     "      deny: { read: ['{DIR}/bound/secret'] }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/open/secret", "text", s->dir);
	kt_write("%s/closed/file", "text", s->dir);
	kt_write("%s/closed/secret", "text", s->dir);
	kt_mkdir("%s/bound", s->dir);
	kt_mkdir("%s/deep/sub", s->dir);
}

static bool bind_mount(struct kt_subject *s, const char *from, const char *to)
{
	char source[256], target[256];

	snprintf(source, sizeof(source), "%s/%s", s->dir, from);
	snprintf(target, sizeof(target), "%s/%s", s->dir, to);
	return kt_check_why("bind mount", !mount(source, target, NULL, MS_BIND, NULL), "%m");
}

static void unmount(struct kt_subject *s, const char *name, int flags)
{
	char target[256];

	snprintf(target, sizeof(target), "%s/%s", s->dir, name);
	kt_check_why("unmounted", !umount2(target, flags), "%m");
}

/* The name under which a file is reached counts; each name has its own verdict. */
TEST(bind_mounts)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	if (!bind_mount(&s, "closed", "bound"))
		return;
	kt_result("by its own name", kt_inside(&s, act_read, "closed/file"), -EACCES);
	kt_result("below the mount point", kt_inside(&s, act_read, "bound/file"), 0);
	kt_result("denied below the mount point", kt_inside(&s, act_read, "bound/secret"), -EACCES);
	kt_event(&s, "reported with the mount point",
		 &(struct kt_match){.reason = WARDER_REASON_DENY_RULE,
				    .text = "{DIR}/bound/secret"});
	kt_result("list the mount point", kt_inside(&s, act_list, "bound"), 0);
	kt_result("link across the mounts",
		  kt_inside(&s, act_link, PAIR("bound/secret", "open/alias")), -EXDEV);
	unmount(&s, "bound", 0);
	if (!bind_mount(&s, "open", "deep/sub"))
		return;
	kt_result("an open directory under a closed name", kt_inside(&s, act_read, "deep/sub/file"),
		  -EACCES);
	kt_result("control", kt_outside(&s, act_read, "deep/sub/file"), 0);
	unmount(&s, "deep/sub", 0);
}

/* A file can be a mount point, too. */
TEST(bind_mount_of_a_file)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	if (!bind_mount(&s, "closed/secret", "open/file"))
		return;
	kt_result("its own name", kt_inside(&s, act_read, "closed/secret"), -EACCES);
	kt_result("the name it is mounted on", kt_inside(&s, act_read, "open/file"), 0);
	unmount(&s, "open/file", 0);
	if (!bind_mount(&s, "open/file", "closed/secret"))
		return;
	kt_result("the other way round", kt_inside(&s, act_read, "closed/secret"), -EACCES);
	unmount(&s, "closed/secret", 0);
}

static int directory_fd = -1;

static int act_from_descriptor(const void *path)
{
	return openat(directory_fd, path, O_RDONLY | O_CLOEXEC) < 0 ? -errno : 0;
}

static int act_write_from_descriptor(const void *path)
{
	return openat(directory_fd, path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) < 0 ? -errno : 0;
}

static int act_unlink_from_descriptor(const void *path)
{
	return unlinkat(directory_fd, path, 0) < 0 ? -errno : 0;
}

static void check_detached(struct kt_subject *s, const char *name)
{
	char text[128];

	kt_events_clear(s);
	snprintf(text, sizeof(text), "%s: read", name);
	kt_result(text, kt_inside(s, act_from_descriptor, "file"), -EACCES);
	snprintf(text, sizeof(text), "%s: reported", name);
	kt_event(s, text,
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_UNFINISHED,
				    .missing = WARDER_READ});
	snprintf(text, sizeof(text), "%s: write", name);
	kt_result(text, kt_inside(s, act_write_from_descriptor, "file"), -EACCES);
	snprintf(text, sizeof(text), "%s: unlink", name);
	kt_result(text, kt_inside(s, act_unlink_from_descriptor, "file"), -EACCES);
	snprintf(text, sizeof(text), "%s: control", name);
	kt_result(text, kt_outside(s, act_from_descriptor, "file"), 0);
	close(directory_fd);
	directory_fd = -1;
}

/* Its names would say "/file", which a rule allows: a part of a path is none. */
TEST(lazily_unmounted)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	if (!bind_mount(&s, "closed", "bound"))
		return;
	snprintf(path, sizeof(path), "%s/bound", s.dir);
	directory_fd = open(path, O_RDONLY | O_DIRECTORY);
	kt_result("while it is mounted", kt_inside(&s, act_from_descriptor, "file"), 0);
	unmount(&s, "bound", MNT_DETACH);
	check_detached(&s, "detached");
}

TEST(detached_clone)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(path, sizeof(path), "%s/closed", s.dir);
	directory_fd = syscall(SYS_open_tree, AT_FDCWD, path, 1 /* OPEN_TREE_CLONE */);
	kt_check("cloned", directory_fd >= 0);
	check_detached(&s, "cloned tree");
}

static int act_hold_namespace(const void *path)
{
	volatile int *ready = kt_shared();

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount(path, path, NULL, MS_BIND, NULL) < 0)
		*ready = -errno;
	else
		*ready = 1;
	pause();
	return 0;
}

TEST(another_namespace)
{
	_cleanup_subject_ struct kt_subject s = {};
	volatile int *ready = kt_shared();
	struct kt_child child;
	char path[256], whole[512];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(path, sizeof(path), "%s/open", s.dir);
	if (!kt_start(&child, NULL, act_hold_namespace, path))
		return;
	while (!*ready && !kill(child.pid, 0))
		usleep(1000);
	kt_result("a namespace of its own", *ready, 1);
	snprintf(whole, sizeof(whole), "/proc/%d/root%s", child.pid, path);
	directory_fd = open(whole, O_RDONLY | O_DIRECTORY);
	kt_check("its directory is held", directory_fd >= 0);
	check_detached(&s, "another namespace");
	kill(child.pid, SIGKILL);
	kt_wait(&child);
}

/* Directories that were removed while somebody stands in them. */
static int act_in_removed(const void *unused)
{
	if (mkdir("open/new", 0777) < 0 || chdir("open/new") < 0 || rmdir("../new") < 0)
		return -EBADF;
	return open(".", O_RDONLY | O_DIRECTORY) < 0 ? -errno : 0;
}

TEST(removed_directory)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("refused", kt_inside(&s, act_in_removed, NULL), -EACCES);
	kt_result("control", kt_outside(&s, act_in_removed, NULL), 0);
}

struct handle {
	struct file_handle head;
	char bytes[128];
};

static struct handle handle;

static int act_by_handle(const void *unused)
{
	int top = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (top < 0)
		return -EBADF;
	top = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = open_by_handle_at(top < 0 ? AT_FDCWD : top, &handle.head, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : 0;
}

TEST(open_by_handle)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];
	int id;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(path, sizeof(path), "%s/open/file", s.dir);
	handle.head.handle_bytes = sizeof(handle.bytes);
	kt_check("handle", !name_to_handle_at(AT_FDCWD, path, &handle.head, &id, 0));
	kt_result("refused", kt_inside(&s, act_by_handle, NULL), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_CAPABLE,
				    .reason = WARDER_REASON_SURFACE,
				    .number = 2 /* CAP_DAC_READ_SEARCH */});
	kt_result("control", kt_outside(&s, act_by_handle, NULL), 0);
}

static int act_chroot(const void *path)
{
	return chroot(path) < 0 ? -errno : 0;
}

static int act_bind(const void *argument)
{
	const struct act_pair *pair = argument;

	return mount(pair->from, pair->to, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
}

static int act_namespace(const void *flags)
{
	return unshare((int)(long)flags) < 0 ? -errno : 0;
}

static int act_open_tree(const void *path)
{
	return syscall(SYS_open_tree, AT_FDCWD, path, 1) < 0 ? -errno : 0;
}

/* What would change where paths lead is not a subject's to do. */
TEST(views_are_refused)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("chroot", kt_inside(&s, act_chroot, "open"), -EPERM);
	kt_result("bind mount", kt_inside(&s, act_bind, PAIR("closed", "bound")), -EPERM);
	kt_result("mount namespace", kt_inside(&s, act_namespace, (void *)(long)CLONE_NEWNS),
		  -EPERM);
	kt_result("user namespace", kt_inside(&s, act_namespace, (void *)(long)CLONE_NEWUSER),
		  -EPERM);
	kt_result("open_tree", kt_inside(&s, act_open_tree, "closed"), -EPERM);
	kt_result("chroot control", kt_outside(&s, act_chroot, "open"), 0);
	kt_result("open_tree control", kt_outside(&s, act_open_tree, "closed"), 0);
	kt_result("user namespace control",
		  kt_outside(&s, act_namespace, (void *)(long)CLONE_NEWUSER), 0);
}
