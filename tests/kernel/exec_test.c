// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * exec_test.c - which programs start, by whatever name or descriptor they are called.
 */
#include "programs.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Run execveat(2) in a child; the errno, or the program's status. */
static int execveat_child(int directory, const char *path, int flags)
{
	char *const arguments[] = {"prog", NULL}, *const environment[] = {NULL};
	int status;
	pid_t pid = fork();

	if (!pid) {
		syscall(SYS_execveat, directory, path, arguments, environment, flags);
		_exit(errno);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -EBADF;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : KT_CRASHED - WTERMSIG(status);
}

static int act_fexecve(const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -EBADF : execveat_child(fd, "", AT_EMPTY_PATH);
}

static int act_fexecve_o_path(const void *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	return fd < 0 ? -EBADF : execveat_child(fd, "", AT_EMPTY_PATH);
}

static int act_execveat(const void *argument)
{
	const struct act_pair *pair = argument;
	int fd = open(pair->from, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -EBADF : execveat_child(fd, pair->to, 0);
}

static int act_exec_by_proc(const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return fd < 0 ? -EBADF : act_exec(link);
}

/* The program's name is removed while a descriptor of it is held. */
static int act_unlinked(const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || unlink(path) < 0)
		return -EBADF;
	return execveat_child(fd, "", AT_EMPTY_PATH);
}

/* A program that the subject itself writes where it may write and execute. */
static int act_own_program(const void *path)
{
	make_program(path, 0);
	return act_exec(path);
}

#define REFUSED(what, act, argument, HOOK, right, object)                               \
	{                                                                               \
		KT_REFUSED(what, act, argument, -EACCES, HOOK, NO_RULE, WARDER_##right, \
			   "{DIR}/" object),                                            \
			.key = "all", .quiet = true                                     \
	}
#define ALLOWED(what, act, argument)            \
	{                                       \
		KT_ALLOWED(what, act, argument) \
	}

static const struct kt_case programs[] = {
	ALLOWED("a/rm", act_exec, "a/rm"),
	REFUSED("a/rmdir", act_exec, "a/rmdir", FILE_OPEN, MAP_EXEC, "a/rmdir"),
	ALLOWED("b/rmdir", act_exec, "b/rmdir"),
	REFUSED("b/rm", act_exec, "b/rm", FILE_OPEN, MAP_EXEC, "b/rm"),
	ALLOWED("nested", act_exec, "bin/sub/dir/prog"),
	REFUSED("nested", act_exec, "closed/sub/prog", FILE_OPEN, MAP_EXEC, "closed/sub/prog"),
	REFUSED("may be mapped but not started", act_exec, "lib/prog", BPRM_CHECK_SECURITY, EXEC,
		"lib/prog"),
	{KT_REFUSED("denied", act_exec, "bin/denied", -EACCES, FILE_OPEN, DENY_RULE,
		    WARDER_MAP_EXEC, "{DIR}/bin/denied"),
	 .quiet = true},
	ALLOWED("dots", act_exec, "closed/../bin/./true"),
	REFUSED("dots", act_exec, "bin/../closed/prog", FILE_OPEN, MAP_EXEC, "closed/prog"),
	REFUSED("symbolic link", act_exec, "work/link", FILE_OPEN, MAP_EXEC, "closed/prog"),
	REFUSED("program in the work tree", act_exec, "work/prog", FILE_OPEN, MAP_EXEC,
		"work/prog"),
	ALLOWED("written by itself", act_own_program, "bin/new"),
	REFUSED("fexecve", act_fexecve, "closed/prog", FILE_OPEN, MAP_EXEC, "closed/prog"),
	ALLOWED("fexecve", act_fexecve, "bin/true"),
	REFUSED("fexecve of O_PATH", act_fexecve_o_path, "closed/prog", FILE_OPEN, MAP_EXEC,
		"closed/prog"),
	REFUSED("fexecve of what may be mapped", act_fexecve, "lib/prog", BPRM_CHECK_SECURITY, EXEC,
		"lib/prog"),
	REFUSED("execveat", act_execveat, PAIR("closed", "prog"), FILE_OPEN, MAP_EXEC,
		"closed/prog"),
	ALLOWED("execveat", act_execveat, PAIR("bin", "true")),
	REFUSED("/proc/self/fd", act_exec_by_proc, "closed/prog", FILE_OPEN, MAP_EXEC,
		"closed/prog"),
};

TEST(programs)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", programs_policy))
		return;
	KT_CASES(&s, programs_build, programs);
}

TEST(written_by_itself)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", programs_policy))
		return;
	programs_build(&s);
	kt_result("refused", kt_inside(&s, act_own_program, "work/new"), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){
			 .hook = -1, .reason = WARDER_REASON_NO_RULE, .text = "{DIR}/work/new"});
	kt_result("control", kt_outside(&s, act_exec, "work/new"), 0);
}

/* Set-user-ID and set-group-ID: the program would run as somebody else. */
TEST(other_user)
{
	static const struct {
		const char *name;
		mode_t mode;
		uid_t uid;
	} rows[] = {{"set-user-ID", 04755, 1000}, {"set-group-ID", 02755, 1000}};
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];
	size_t i;

	if (!kt_subject_open(&s, "code", programs_policy))
		return;
	programs_build(&s);
	snprintf(path, sizeof(path), "%s/bin/true", s.dir);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		kt_check("plain", !chmod(path, 0755));
		kt_result(rows[i].name, kt_inside_as(&s, rows[i].uid, act_exec, "bin/true"), 0);
		kt_check("made", !chmod(path, rows[i].mode));
		kt_events_clear(&s);
		kt_result("refused", kt_inside_as(&s, rows[i].uid, act_exec, "bin/true"), -EPERM);
		kt_event(&s, "reported",
			 &(struct kt_match){.hook = WARDER_HOOK_BPRM_CREDS_FROM_FILE,
					    .reason = WARDER_REASON_SURFACE});
		kt_result("control", kt_outside_as(&s, rows[i].uid, act_exec, "bin/true"), 0);
		kt_result("of oneself", kt_inside(&s, act_exec, "bin/true"), 0);
	}
}

/* An unlinked program has no name to judge any more, whatever it was called. */
TEST(unlinked)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", programs_policy))
		return;
	programs_build(&s);
	kt_result("refused", kt_inside(&s, act_unlinked, "bin/true"), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = -1, .reason = -1, .missing = WARDER_EXEC});
}

static int act_memfd_exec(const void *unused)
{
	int fd = memfd_create("program", MFD_CLOEXEC), from;
	char buffer[4096];
	ssize_t length;

	from = open("bin/true", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || from < 0)
		return -EBADF;
	while ((length = read(from, buffer, sizeof(buffer))) > 0) {
		if (write(fd, buffer, length) != length)
			return -EIO;
	}
	return execveat_child(fd, "", AT_EMPTY_PATH);
}

static int act_memfd_by_proc(const void *unused)
{
	int fd = memfd_create("program", MFD_CLOEXEC);
	char link[64], byte;

	if (fd < 0 || write(fd, "x", 1) != 1)
		return -EBADF;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	fd = open(link, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return read(fd, &byte, 1) == 1 && byte == 'x' ? 0 : -EIO;
}

TEST(memfd)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", programs_policy))
		return;
	programs_build(&s);
	kt_result("executed", kt_inside(&s, act_memfd_exec, NULL), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_SURFACE,
				    .number = WARDER_SURFACE_MEMFD_EXEC,
				    .text = "memfd"});
	kt_result("control", kt_outside(&s, act_memfd_exec, NULL), 0);
	kt_result("read and written", kt_inside(&s, act_memfd_by_proc, NULL), 0);
	if (kt_grant(&s, "all", 0))
		kt_result("no path rule names it", kt_inside(&s, act_memfd_exec, NULL), -EACCES);
	if (kt_grant(&s, "memory", 0))
		kt_result("its own word does", kt_inside(&s, act_memfd_exec, NULL), 0);
	kt_revoke(&s, "memory");
	kt_result("and no longer", kt_inside(&s, act_memfd_exec, NULL), -EACCES);
}
