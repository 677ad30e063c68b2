// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * file_test.c - file_open: what may be opened, and for what.
 */
#include "files.h"

static int act_tmpfile(const void *path)
{
	int fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

	return fd < 0 ? -errno : 0;
}

/* An open that the kernel counts as neither reading nor writing ("for ioctl only"). */
static int act_mode_three(const void *path)
{
	return open(path, O_ACCMODE | O_CLOEXEC) < 0 ? -errno : 0;
}

/* The flag by which the kernel marks its own opens of programs. */
#define KERNEL_EXEC_FLAG 0x20

static const struct kt_case modes[] = {
	{READ_REFUSED("read", act_read, "closed/file")},
	{KT_ALLOWED("read", act_read, "readable/file")},
	{WRITE_REFUSED("write", act_write, "readable/file", "{DIR}/readable/file"), .key = "all"},
	{KT_ALLOWED("write", act_write, "open/file")},
	{KT_ALLOWED("write-only", act_write, "drop/file")},
	{KT_REFUSED("read what is write-only", act_read, "drop/file", -EACCES, FILE_OPEN, NO_RULE,
		    WARDER_READ, "{DIR}/drop/file"),
	 .quiet = true, .key = "all"},
	{WRITE_REFUSED("append", act_append, "readable/file", "{DIR}/readable/file"), .key = "all"},
	{WRITE_REFUSED("read and write", act_open, OPEN("readable/file", O_RDWR),
		       "{DIR}/readable/file"),
	 .key = "all"},
	{WRITE_REFUSED("truncate while reading", act_open,
		       OPEN("readable/file", O_RDONLY | O_TRUNC), "{DIR}/readable/file"),
	 .key = "all"},
	{WRITE_REFUSED("mode 3", act_mode_three, "readable/file", "{DIR}/readable/file"),
	 .key = "all", .quiet = true},
	{WRITE_REFUSED("the flag of the kernel's own opens", act_open,
		       OPEN("readable/file", O_RDWR | KERNEL_EXEC_FLAG), "{DIR}/readable/file"),
	 .key = "all"},
	{KT_REFUSED("list", act_list, "closed", -EACCES, FILE_OPEN, NO_RULE, WARDER_LIST,
		    "{DIR}/closed"),
	 .key = "all", .quiet = true},
	{KT_ALLOWED("list the root of a tree", act_list, "readable")},
	{KT_REFUSED("create", act_create, "closed/new", -EACCES, PATH_MKNOD, NO_RULE, WARDER_CREATE,
		    "{DIR}/closed/new"),
	 .key = "all"},
	{KT_REFUSED("create in what is readable", act_creat, "readable/new", -EACCES, PATH_MKNOD,
		    NO_RULE, WARDER_CREATE, "{DIR}/readable/new"),
	 .key = "all"},
	{KT_ALLOWED("create", act_create, "open/new")},
	{KT_REFUSED("tmpfile", act_tmpfile, "readable", -EACCES, FILE_OPEN, NO_RULE, WARDER_CREATE,
		    NULL),
	 .key = "all", .quiet = true},
	{KT_ALLOWED("tmpfile", act_tmpfile, "open")},
	{KT_REFUSED("deny rule against reading", act_read, "open/secret", -EACCES, FILE_OPEN,
		    DENY_RULE, WARDER_READ, "{DIR}/open/secret"),
	 .quiet = true},
	{KT_REFUSED("deny rule against writing", act_write, "open/fixed", -EACCES, FILE_OPEN,
		    DENY_RULE, WARDER_WRITE, "{DIR}/open/fixed")},
	{KT_REFUSED("deny rule against appending", act_append, "open/fixed", -EACCES, FILE_OPEN,
		    DENY_RULE, WARDER_WRITE, "{DIR}/open/fixed")},
};

TEST(modes)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", files_policy))
		KT_CASES(&s, files_build, modes);
}

/* Rules are about names: what comes to a name later is under its rule. */
TEST(replaced_file)
{
	_cleanup_subject_ struct kt_subject s = {};
	char from[256], to[256];

	if (!kt_subject_open(&s, "code", files_policy))
		return;
	files_build(&s);
	snprintf(from, sizeof(from), "%s/open/file", s.dir);
	snprintf(to, sizeof(to), "%s/closed/file", s.dir);
	kt_result("read while it is open", kt_inside(&s, act_read, "open/file"), 0);
	kt_check("moved outside", !rename(from, to));
	kt_result("the new file has the old name's rule", kt_inside(&s, act_read, "closed/file"),
		  -EACCES);
	kt_result("control", kt_outside(&s, act_read, "closed/file"), 0);
	kt_check("moved back", !rename(to, from));
	kt_result("and again", kt_inside(&s, act_read, "open/file"), 0);
}

TEST(grant_ends_by_itself)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", files_policy))
		return;
	files_build(&s);
	kt_events_clear(&s);
	if (!kt_grant(&s, "all", 2))
		return;
	kt_result("granted", kt_inside(&s, act_read, "closed/file"), 0);
	kt_event(&s, "use of a granted key is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_GRANTED_KEY,
				    .text = "{DIR}/closed/file"});
	sleep(3);
	kt_result("after its time", kt_inside(&s, act_read, "closed/file"), -EACCES);
}
