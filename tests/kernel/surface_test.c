// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * surface_test.c - the kernel surface that path verdicts rest on: namespaces, mounts, roots,
 * capabilities, rings. No key opens it.
 */
#include "surface.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>

static const char policy[] =
	"tools: { all: { shared: true, files: { write: ['/**'] } } }\n"
	"sets: { code: { files: { write: ['{DIR}', '{DIR}/**'], read: ['/proc/**'] } } }\n";

static void build(struct kt_subject *s)
{
	kt_mkdir("%s/a/old", s->dir);
	kt_mkdir("%s/b", s->dir);
}

#define FLAGS(x) ((const void *)(long)(x))

#define SURFACE(name, act, argument, HOOK)                                                     \
	{                                                                                      \
		KT_REFUSED(name, act, argument, -EPERM, HOOK, SURFACE, 0, NULL), .quiet = true \
	}
/* The kernel asks for a capability before it comes to a hook of the act itself. */
#define CAPABILITY(name, act) SURFACE(name, act, NULL, CAPABLE)
/* The control gets that far and fails for another reason. */
#define CAPABILITY_OR(name, act, error)                                                           \
	{                                                                                         \
		KT_REFUSED(name, act, NULL, -EPERM, CAPABLE, SURFACE, 0, NULL), .outside = error, \
										.quiet = true     \
	}

static const struct kt_case namespaces[] = {
	SURFACE("unshare user", act_unshare, FLAGS(CLONE_NEWUSER), USERNS_CREATE),
	SURFACE("clone user", act_clone, FLAGS(CLONE_NEWUSER), USERNS_CREATE),
	SURFACE("unshare user and mounts", act_unshare, FLAGS(CLONE_NEWUSER | CLONE_NEWNS),
		USERNS_CREATE),
	SURFACE("unshare mounts", act_unshare, FLAGS(CLONE_NEWNS), CAPABLE),
	SURFACE("unshare network", act_unshare, FLAGS(CLONE_NEWNET), CAPABLE),
	SURFACE("unshare host name", act_unshare, FLAGS(CLONE_NEWUTS), CAPABLE),
	SURFACE("unshare IPC", act_unshare, FLAGS(CLONE_NEWIPC), CAPABLE),
	SURFACE("unshare processes", act_unshare, FLAGS(CLONE_NEWPID), CAPABLE),
	SURFACE("unshare cgroups", act_unshare, FLAGS(CLONE_NEWCGROUP), CAPABLE),
	SURFACE("unshare time", act_unshare, FLAGS(CLONE_NEWTIME), CAPABLE),
	SURFACE("clone mounts", act_clone, FLAGS(CLONE_NEWNS), CAPABLE),
};

static const struct kt_case mounts[] = {
	SURFACE("mount", act_mount, NULL, SB_MOUNT),
	SURFACE("remount", act_remount, NULL, SB_MOUNT),
	SURFACE("bind mount", act_bind, NULL, SB_MOUNT),
	SURFACE("move a mount", act_move, NULL, SB_MOUNT),
	CAPABILITY("unmount", act_umount),
	CAPABILITY("unmount lazily", act_lazy_umount),
	CAPABILITY("fsopen", act_fsopen),
	CAPABILITY("fsmount and move_mount", act_new_mount),
	CAPABILITY("open_tree", act_open_tree),
	CAPABILITY("open_tree and move_mount", act_move_mount),
	CAPABILITY("mount_setattr", act_mount_setattr),
	CAPABILITY("pivot_root", act_pivot_root),
	CAPABILITY("chroot", act_chroot),
};

static const struct kt_case capabilities[] = {
	CAPABILITY("host name", act_hostname),
	CAPABILITY("time", act_set_time),
	CAPABILITY("setuid", act_setuid),
	CAPABILITY("setgid", act_setgid),
	CAPABILITY("setgroups", act_setgroups),
	CAPABILITY("after capset", act_capset),
	CAPABILITY("with a full effective set", act_keep_capability),
	SURFACE("device", act_device, NULL, PATH_MKNOD),
	CAPABILITY("chown", act_give_away),
	CAPABILITY("kernel log", act_syslog),
	CAPABILITY_OR("module", act_module, -ENOEXEC),
	CAPABILITY("open by handle", act_read_by_handle),
	CAPABILITY("reboot key", act_reboot_key),
	CAPABILITY_OR("swap", act_swap, -ENOENT),
	CAPABILITY("accounting", act_account),
	{.name = "priority", .act = act_nice, .inside = -EACCES, .hook = -1, .quiet = true},
};

static const struct kt_case rings[] = {
	{KT_REFUSED("io_uring", act_io_uring, NULL, -EPERM, INODE_INIT_SECURITY_ANON, SURFACE, 0,
		    "[io_uring]"),
	 .quiet = true},
	SURFACE("userfaultfd", act_userfaultfd, FLAGS(0), CAPABLE),
	{KT_REFUSED("userfaultfd, user mode only", act_userfaultfd, FLAGS(1), -EPERM,
		    INODE_INIT_SECURITY_ANON, SURFACE, 0, "[userfaultfd]"),
	 .quiet = true},
};

/* Grants change nothing: so every table is tried with all keys held, too. */
static void run(const struct kt_case *cases, size_t count)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_cases_run(&s, build, cases, count);
	kt_grant(&s, "all", 0);
	kt_cases_run(&s, build, cases, count);
}

TEST(namespaces)
{
	run(namespaces, sizeof(namespaces) / sizeof(namespaces[0]));
}

TEST(mounts)
{
	run(mounts, sizeof(mounts) / sizeof(mounts[0]));
}

/* A mount that is there already: it is neither taken away nor covered. */
TEST(mount_of_somebody_else)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[256], file[300];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(path, sizeof(path), "%s/a", s.dir);
	snprintf(file, sizeof(file), "%s/a/file", s.dir);
	kt_check("mounted", !mount("none", path, "tmpfs", 0, NULL));
	kt_write("%s/a/file", "text", s.dir);
	kt_result("unmount", kt_inside(&s, act_umount, NULL), -EPERM);
	kt_result("cover", kt_inside(&s, act_mount, NULL), -EPERM);
	kt_check("it is still there", !access(file, F_OK));
	umount2(path, MNT_DETACH);
	kt_check("and was a mount", access(file, F_OK) < 0);
}

TEST(capabilities)
{
	char before[65] = "", after[65] = "";

	gethostname(before, sizeof(before));
	run(capabilities, sizeof(capabilities) / sizeof(capabilities[0]));
	gethostname(after, sizeof(after));
	kt_check("the host name is as it was", !strcmp(before, after));
}

TEST(rings)
{
	run(rings, sizeof(rings) / sizeof(rings[0]));
}

/* Somebody who is not root gets nothing more by a user namespace. */
TEST(as_nobody)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("unshare user",
		  kt_inside_as(&s, 65534, act_unshare, FLAGS(CLONE_NEWUSER | CLONE_NEWNS)), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_USERNS_CREATE,
				    .reason = WARDER_REASON_SURFACE});
	kt_result("io_uring", kt_inside_as(&s, 65534, act_io_uring, NULL), -EPERM);
	kt_result("mount", kt_inside_as(&s, 65534, act_mount, NULL), -EPERM);
	/* Debian lets anybody make user namespaces: what is refused inside works outside. */
	kt_result("control",
		  kt_outside_as(&s, 65534, act_unshare, FLAGS(CLONE_NEWUSER | CLONE_NEWNS)), 0);
}

static int act_stay_in_namespace(const void *unused)
{
	if (unshare(CLONE_NEWUSER) < 0)
		return -errno;
	*(volatile int *)kt_shared() = getpid();
	for (;;)
		pause();
}

/* A user namespace that is there already is not entered either. */
TEST(user_namespace_of_somebody_else)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child child;
	int rounds;

	if (!kt_subject_open(&s, "code", policy) ||
	    !kt_start(&child, NULL, act_stay_in_namespace, NULL))
		return;
	for (rounds = 0; rounds < 10000 && !*(volatile int *)kt_shared(); rounds++)
		usleep(1000);
	kt_result("refused", kt_inside(&s, act_join_user_namespace, NULL), -EACCES);
	kt_result("control", kt_outside(&s, act_join_user_namespace, NULL), 0);
	kill(child.pid, SIGKILL);
	kt_wait(&child);
}
