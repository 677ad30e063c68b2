// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * file_test.c - file_open: what may be opened, for what, and by which detours.
 */
#include "acts.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, files: { write: ['{DIR}', '{DIR}/**'] } }\n"
	"sets:\n"
	"  code:\n"
	"    files:\n"
	"      read: ['{DIR}/readable/**']\n"
	"      write: ['{DIR}/open/**']\n"
	"      write-only: ['{DIR}/drop/**']\n"
	"      deny: { read: ['{DIR}/open/secret'], write: ['{DIR}/open/fixed'] }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/readable/file", "text", s->dir);
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/open/secret", "text", s->dir);
	kt_write("%s/open/fixed", "text", s->dir);
	kt_write("%s/drop/file", "text", s->dir);
	kt_write("%s/closed/file", "text", s->dir);
	kt_mkdir("%s/closed/dir", s->dir);
}

/* openat2(2), and a read. */
struct act_resolve {
	const char *directory, *path;
	__u64 resolve;
};
#define RESOLVE(directory, path, flags) (&(const struct act_resolve){directory, path, flags})

static int act_openat2(const void *argument)
{
	const struct act_resolve *wanted = argument;
	struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = wanted->resolve};
	int directory = open(wanted->directory, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (directory < 0)
		return -errno;
	fd = syscall(SYS_openat2, directory, wanted->path, &how, sizeof(how));
	return fd < 0 ? -errno : 0;
}

/* Open with O_PATH, then for real through the descriptor's directory. */
static int act_o_path_directory(const void *path)
{
	int directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (directory < 0)
		return -EBADF; /* O_PATH itself passes no hook: it must succeed */
	return openat(directory, "file", O_RDONLY | O_CLOEXEC) < 0 ? -errno : 0;
}

/* Open with one mode, then again through /proc/self/fd with another. */
static int reopen(const char *path, int first, int second)
{
	int fd = open(path, first | O_CLOEXEC);
	char link[64];

	if (fd < 0)
		return -EBADF;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	fd = open(link, second | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (second != O_RDONLY && write(fd, "W", 1) != 1)
		return -errno;
	return 0;
}

static int act_reopen_o_path(const void *path)
{
	return reopen(path, O_PATH, O_RDONLY);
}

static int act_reopen_write(const void *path)
{
	return reopen(path, O_RDONLY, O_RDWR);
}

/* /proc/self/root, then the absolute path of a file in the working directory. */
static int act_proc_root(const void *path)
{
	char whole[512] = "/proc/self/root";
	size_t length = strlen(whole);

	if (!getcwd(whole + length, sizeof(whole) - length))
		return -EBADF;
	strcat(strcat(whole, "/"), path);
	return act_read(whole);
}

static int act_proc_cwd(const void *path)
{
	char whole[512] = "/proc/thread-self/cwd/";

	return act_read(strcat(whole, path));
}

static int act_chdir(const void *path)
{
	return chdir(path) < 0 ? -EBADF : act_read("file");
}

static int act_fchdir(const void *path)
{
	int directory = open(path, O_PATH | O_CLOEXEC);

	return directory < 0 || fchdir(directory) < 0 ? -EBADF : act_read("./file");
}

/* A symbolic link made by the subject, in a place where it may make one. */
static int act_through_link(const void *path)
{
	if (symlink(path, "open/link") < 0)
		return -EBADF;
	return act_read("open/link");
}

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

static int act_creat(const void *path)
{
	return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) < 0 ? -errno : 0;
}

/* Creating follows a link that leads nowhere yet. */
static int act_create_through_link(const void *path)
{
	if (symlink(path, "open/dangling") < 0)
		return -EBADF;
	return act_creat("open/dangling");
}

/* The flag by which the kernel marks its own opens of programs. */
#define KERNEL_EXEC_FLAG 0x20

#define READ_REFUSED(name, act, argument)                                         \
	KT_REFUSED(name, act, argument, -EACCES, FILE_OPEN, NO_RULE, WARDER_READ, \
		   "{DIR}/closed/file"),                                          \
		.key = "all", .quiet = true
#define WRITE_REFUSED(name, act, argument, object) \
	KT_REFUSED(name, act, argument, -EACCES, FILE_OPEN, NO_RULE, WARDER_WRITE, object)

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

static const struct kt_case detours[] = {
	{READ_REFUSED("O_PATH of the directory, then openat", act_o_path_directory, "closed")},
	{KT_ALLOWED("O_PATH of the directory, then openat", act_o_path_directory, "open")},
	{READ_REFUSED("O_PATH, then /proc/self/fd", act_reopen_o_path, "closed/file")},
	{WRITE_REFUSED("/proc/self/fd with more rights", act_reopen_write, "readable/file",
		       "{DIR}/readable/file"),
	 .key = "all"},
	{KT_ALLOWED("/proc/self/fd with more rights", act_reopen_write, "open/file")},
	{READ_REFUSED("/proc/self/root", act_proc_root, "closed/file")},
	{KT_ALLOWED("/proc/self/root", act_proc_root, "open/file")},
	{READ_REFUSED("/proc/thread-self/cwd", act_proc_cwd, "closed/file")},
	{READ_REFUSED("chdir", act_chdir, "closed")},
	{KT_ALLOWED("chdir", act_chdir, "open")},
	{READ_REFUSED("fchdir", act_fchdir, "closed")},
	{READ_REFUSED("dots", act_read, "open/../closed/./dir/..//file")},
	{KT_ALLOWED("dots", act_read, "closed/../open/file")},
	{READ_REFUSED("openat2", act_openat2, RESOLVE("closed", "file", 0))},
	{READ_REFUSED("openat2 beneath", act_openat2, RESOLVE("closed", "file", RESOLVE_BENEATH))},
	{READ_REFUSED("openat2 in root", act_openat2, RESOLVE("closed", "/file", RESOLVE_IN_ROOT))},
	{READ_REFUSED("openat2 no links", act_openat2,
		      RESOLVE("open", "../closed/file",
			      RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV))},
	{KT_ALLOWED("openat2 in root", act_openat2, RESOLVE("open", "/file", RESOLVE_IN_ROOT))},
	{KT_ALLOWED("openat2 beneath", act_openat2, RESOLVE("open", "file", RESOLVE_BENEATH))},
};

TEST(modes)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, modes);
}

TEST(detours)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, detours);
}

TEST(dangling_link)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("to what is closed", kt_inside(&s, act_create_through_link, "../closed/new"),
		  -EACCES);
	kt_event(&s, "the target is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_PATH_MKNOD,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "{DIR}/closed/new"});
	kt_result("nothing is made", kt_outside(&s, act_read, "closed/new"), -ENOENT);
	kt_result("control", kt_outside(&s, act_creat, "open/dangling"), 0);
}

TEST(symbolic_link)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("to what is closed", kt_inside(&s, act_through_link, "../closed/file"), -EACCES);
	kt_event(&s, "the target is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "{DIR}/closed/file"});
	kt_result("control", kt_outside(&s, act_read, "open/link"), 0);
	kt_remove(s.dir);
	mkdir(s.dir, 0777);
	build(&s);
	kt_result("to what is open", kt_inside(&s, act_through_link, "file"), 0);
}

/* Rules are about names: what comes to a name later is under its rule. */
TEST(replaced_file)
{
	_cleanup_subject_ struct kt_subject s = {};
	char from[256], to[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
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

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
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
