// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * detour_test.c - file_open: the rule of a file holds on whatever way it is reached.
 */
#include "files.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

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

/* Creating follows a link that leads nowhere yet. */
static int act_create_through_link(const void *path)
{
	if (symlink(path, "open/dangling") < 0)
		return -EBADF;
	return act_creat("open/dangling");
}

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

TEST(detours)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", files_policy))
		KT_CASES(&s, files_build, detours);
}

TEST(dangling_link)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", files_policy))
		return;
	files_build(&s);
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

	if (!kt_subject_open(&s, "code", files_policy))
		return;
	files_build(&s);
	kt_result("to what is closed", kt_inside(&s, act_through_link, "../closed/file"), -EACCES);
	kt_event(&s, "the target is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "{DIR}/closed/file"});
	kt_result("control", kt_outside(&s, act_read, "open/link"), 0);
	kt_remove(s.dir);
	mkdir(s.dir, 0777);
	files_build(&s);
	kt_result("to what is open", kt_inside(&s, act_through_link, "file"), 0);
}
