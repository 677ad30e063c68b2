// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * attribute_test.c - what is written beside the contents: sizes, times, extended attributes,
 * access control lists, flags; by name, by descriptor and through /proc/self/fd.
 */
#include "attributes.h"

#include <sys/mount.h>
#include <sys/stat.h>

#define CHATTR_REFUSED(what, act, argument, HOOK, object)                              \
	{                                                                              \
		KT_REFUSED(what, act, argument, -EACCES, HOOK, NO_RULE, WARDER_CHATTR, \
			   "{DIR}/" object),                                           \
			.key = "all"                                                   \
	}
#define ALLOWED(what, act, argument)            \
	{                                       \
		KT_ALLOWED(what, act, argument) \
	}

static const struct kt_case times[] = {
	CHATTR_REFUSED("utimensat", act_utimes, "readable/file", INODE_SETATTR, "readable/file"),
	CHATTR_REFUSED("now", act_utimes_now, "readable/file", INODE_SETATTR, "readable/file"),
	CHATTR_REFUSED("futimens", act_futimens, "readable/file", INODE_SETATTR, "readable/file"),
	CHATTR_REFUSED("of a link", act_lutimes, "readable/link", INODE_SETATTR, "readable/link"),
	CHATTR_REFUSED("through a link", act_utimes, "open/link", INODE_SETATTR, "readable/file"),
	CHATTR_REFUSED("of a directory", act_utimes, "readable", INODE_SETATTR, "readable"),
	ALLOWED("utimensat", act_utimes, "open/file"),
	ALLOWED("now", act_utimes_now, "open/file"),
	ALLOWED("futimens", act_futimens, "open/file"),
	ALLOWED("of a link", act_lutimes, "open/link"),
	{KT_REFUSED("denied", act_utimes, "open/fixed", -EACCES, INODE_SETATTR, DENY_RULE,
		    WARDER_CHATTR, "{DIR}/open/fixed")},
};

TEST(times)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", attributes_policy))
		KT_CASES(&s, attributes_build, times);
}

static const struct kt_case extended[] = {
	CHATTR_REFUSED("set", act_setxattr, "readable/file", INODE_SETXATTR, "readable/file"),
	CHATTR_REFUSED("set by descriptor", act_fsetxattr, "readable/file", INODE_SETXATTR,
		       "readable/file"),
	CHATTR_REFUSED("set by O_PATH", act_setxattr_by_proc, "readable/file", INODE_SETXATTR,
		       "readable/file"),
	CHATTR_REFUSED("remove", act_removexattr, "readable/file", INODE_REMOVEXATTR,
		       "readable/file"),
	ALLOWED("set", act_setxattr, "open/file"),
	ALLOWED("set by descriptor", act_fsetxattr, "open/file"),
	ALLOWED("set by O_PATH", act_setxattr_by_proc, "open/file"),
	ALLOWED("remove", act_removexattr, "open/file"),
};

TEST(extended_attributes)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", attributes_policy))
		KT_CASES(&s, attributes_build, extended);
}

/* Before 6.2 an access list is an extended attribute like any other. */
TEST(access_lists)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_case lists[] = {
		CHATTR_REFUSED("set", act_set_acl, "readable/file", INODE_SET_ACL, "readable/file"),
		CHATTR_REFUSED("remove", act_remove_acl, "readable/file", INODE_REMOVE_ACL,
			       "readable/file"),
		ALLOWED("set", act_set_acl, "open/file"),
		ALLOWED("remove", act_remove_acl, "open/file"),
	};

	if (kt_kernel_is("6.1")) {
		lists[0].hook = WARDER_HOOK_INODE_SETXATTR;
		lists[1].hook = WARDER_HOOK_INODE_REMOVEXATTR;
	}
	if (kt_subject_open(&s, "code", attributes_policy))
		KT_CASES(&s, attributes_build, lists);
}

/* file_setattr(2) is of Linux 6.17; before, flags were set by ioctl alone. */
static const struct kt_case flags[] = {
	{KT_REFUSED("file_setattr", act_file_setattr, "readable/file", -EACCES, INODE_FILE_SETATTR,
		    NO_RULE, WARDER_CHATTR, "{DIR}/readable/file"),
	 .key = "all", .quiet = true},
	ALLOWED("file_setattr", act_file_setattr, "open/file"),
};

TEST(flags)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_skip_on("6.1", "file_setattr", "this kernel has no such call") ||
	    kt_skip_on("6.12", "file_setattr", "this kernel has no such call"))
		return;
	if (kt_subject_open(&s, "code", attributes_policy))
		KT_CASES(&s, attributes_build, flags);
}

static const struct kt_case truncations[] = {
	{KT_REFUSED("by name", act_truncate, "readable/file", -EACCES, PATH_TRUNCATE, NO_RULE,
		    WARDER_WRITE, "{DIR}/readable/file"),
	 .key = "all"},
	ALLOWED("by name", act_truncate, "open/file"),
	ALLOWED("by descriptor", act_ftruncate, "open/file"),
};

TEST(truncate)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", attributes_policy))
		KT_CASES(&s, attributes_build, truncations);
}

/* What was opened while a grant lasted is not truncated or stamped when it is over. */
static int act_after_grant(const void *argument)
{
	const struct after_grant *wanted = argument;
	struct stage *stage = kt_shared();
	int fd = open(wanted->path, O_RDWR | O_CLOEXEC);

	stage->ready = 1;
	if (fd < 0 || stage_wait(&stage->go) < 0)
		return -EBADF;
	return wanted->act(fd);
}

static void after_grant(kt_act *act, int hook, __u32 right, const struct after_grant *wanted)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct stage *stage = stage_reset();
	struct kt_child child;

	if (!kt_subject_open(&s, "code", attributes_policy))
		return;
	attributes_build(&s);
	if (!kt_grant(&s, "all", 0) || !kt_start(&child, &s, act, wanted))
		return;
	kt_result("opened", stage_wait(&stage->ready), 0);
	kt_check("ended", kt_revoke(&s, "all"));
	kt_events_clear(&s);
	stage->go = 1;
	kt_result("refused", kt_wait(&child), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = hook,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = right,
				    .text = "{DIR}/closed/file"});
}

TEST(descriptor_after_a_grant)
{
	int truncate = kt_kernel_is("6.1") ? WARDER_HOOK_PATH_TRUNCATE : WARDER_HOOK_FILE_TRUNCATE;

	after_grant(act_after_grant, truncate, WARDER_WRITE,
		    &(const struct after_grant){"closed/file", attribute_ftruncate});
	after_grant(act_after_grant, WARDER_HOOK_INODE_SETATTR, WARDER_CHATTR,
		    &(const struct after_grant){"closed/file", attribute_futimens});
	after_grant(act_after_grant, WARDER_HOOK_INODE_SETXATTR, WARDER_CHATTR,
		    &(const struct after_grant){"closed/file", attribute_fsetxattr});
}

/*
 * The hooks are given no mount. A file that two mounts show has two names, and either has to
 * allow: the broader one opens nothing that the other keeps.
 */
static void bind(struct kt_subject *s, const char *what, const char *where)
{
	char from[256], to[256];

	snprintf(from, sizeof(from), "%s/%s", s->dir, what);
	snprintf(to, sizeof(to), "%s/%s", s->dir, where);
	kt_mkdir("%s", to);
	kt_check("bound", !mount(from, to, NULL, MS_BIND, NULL));
}

static void unbind(struct kt_subject *s, const char *where)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", s->dir, where);
	kt_check("unbound", !umount2(path, MNT_DETACH));
}

TEST(two_names)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", attributes_policy))
		return;
	attributes_build(&s);
	bind(&s, "readable", "open/alias");
	bind(&s, "open", "open/twice");
	kt_result("refused by the name that was used", kt_inside(&s, act_utimes, "readable/file"),
		  -EACCES);
	kt_result("refused by the other name", kt_inside(&s, act_utimes, "open/alias/file"),
		  -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_INODE_SETATTR,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_CHATTR,
				    .text = "{DIR}/readable/file"});
	kt_result("attribute refused", kt_inside(&s, act_setxattr, "open/alias/file"), -EACCES);
	kt_result("both names allow", kt_inside(&s, act_utimes, "open/twice/file"), 0);
	kt_result("by the other", kt_inside(&s, act_utimes, "open/file"), 0);
	kt_result("control", kt_outside(&s, act_utimes, "open/alias/file"), 0);
	if (kt_grant(&s, "all", 0))
		kt_result("granted", kt_inside(&s, act_utimes, "open/alias/file"), 0);
	kt_revoke(&s, "all");
	unbind(&s, "open/twice");
	unbind(&s, "open/alias");
	kt_result("again one name", kt_inside(&s, act_utimes, "open/file"), 0);
}

/* Reached by a mount of no namespace at all: which name it has cannot be told. */
static int act_utimes_at(const void *descriptor)
{
	int fd;

	memcpy(&fd, descriptor, sizeof(fd));
	return utimensat(fd, "file", NULL, 0) < 0 ? -errno : 0;
}

TEST(detached_mount)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];
	int fd;

	if (!kt_subject_open(&s, "code", attributes_policy))
		return;
	attributes_build(&s);
	snprintf(path, sizeof(path), "%s/open/other", s.dir);
	kt_mkdir("%s", path);
	kt_check("mounted", !mount("none", path, "tmpfs", 0, NULL));
	kt_write("%s/file", "text", path);
	kt_result("mounted", kt_inside(&s, act_utimes, "open/other/file"), 0);
	fd = open(path, O_PATH | O_CLOEXEC);
	kt_check("held", fd >= 0);
	unbind(&s, "open/other");
	kt_result("refused", kt_inside(&s, act_utimes_at, &fd), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_INODE_SETATTR,
				    .reason = WARDER_REASON_UNFINISHED});
	kt_result("control", kt_outside(&s, act_utimes_at, &fd), 0);
	close(fd);
}

/* Files that never had a name are their holders' own. */
TEST(nameless)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", attributes_policy))
		return;
	kt_result("memory file", kt_inside(&s, act_memfd_attributes, NULL), 0);
	kt_result("pipe", kt_inside(&s, act_pipe_times, NULL), 0);
	kt_result("socket", kt_inside(&s, act_socket_times, NULL), 0);
	kt_events_clear(&s);
}

/* Modes and owners are judged once, by the hooks that know the mount. */
TEST(judged_once)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", attributes_policy))
		return;
	attributes_build(&s);
	kt_result("mode refused", kt_inside(&s, act_chmod, "readable/file"), -EACCES);
	kt_result("owner refused", kt_inside(&s, act_chown, "readable/file"), -EACCES);
	kt_check("by their hooks",
		 !kt_event_find(
			 &s, &(struct kt_match){.hook = WARDER_HOOK_INODE_SETATTR, .reason = -1}));
	kt_result("mode", kt_inside(&s, act_chmod, "open/file"), 0);
	kt_result("owner", kt_inside(&s, act_chown, "open/file"), 0);
}
