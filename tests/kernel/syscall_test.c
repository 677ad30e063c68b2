// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * syscall_test.c - the system call that runs, judged in every hook: number, noise, other ABIs.
 */
#include "acts.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    syscalls: { deny: [mkdir, unlinkat, socket] }\n"
			     "    files: { write: ['{DIR}/**'] }\n";

static const char without[] = "sets: { code: { files: { write: ['{DIR}/**'] } } }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/file", "text", s->dir);
}

static int act_mkdirat(const void *path)
{
	return syscall(SYS_mkdirat, AT_FDCWD, path, 0777) < 0 ? -errno : 0;
}

static int act_old_mkdir(const void *path)
{
	return syscall(SYS_mkdir, path, 0777) < 0 ? -errno : 0;
}

static int act_unlinkat(const void *path)
{
	return syscall(SYS_unlinkat, AT_FDCWD, path, 0) < 0 ? -errno : 0;
}

static int act_socket(const void *unused)
{
	return syscall(SYS_socket, 1, 1, 0) < 0 ? -errno : 0;
}

/* Exit status of a program that execveat starts. */
static int act_execveat(const void *path)
{
	const char *const arguments[] = {path, NULL};
	int status = 0, error = 0;
	pid_t pid = fork();

	if (!pid) {
		syscall(SYS_execveat, AT_FDCWD, path, arguments, NULL, 0);
		error = errno;
		_exit(200 + error);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	if (WIFSIGNALED(status))
		return KT_CRASHED - WTERMSIG(status);
	return WEXITSTATUS(status) > 200 ? 200 - WEXITSTATUS(status) : WEXITSTATUS(status);
}

static int act_openat(const void *path)
{
	return syscall(SYS_openat, AT_FDCWD, path, O_RDONLY) < 0 ? -errno : 0;
}

/* The whole register, as no library would set it. */
static long raw(unsigned long number, long a, long b, long c, long d)
{
	register long r10 asm("r10") = d;
	long result;

	asm volatile("syscall"
		     : "=a"(result)
		     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
		     : "rcx", "r11", "memory");
	return result;
}

static int act_noise(const void *path)
{
	return (int)raw(0x7700000000ul | SYS_mkdir, (long)path, 0777, 0, 0);
}

static int act_noise_other(const void *path)
{
	return (int)raw(0x7700000000ul | SYS_mkdirat, AT_FDCWD, (long)path, 0777, 0);
}

/* Sign bits: the kernel takes the lower half only. */
static int act_noise_sign(const void *path)
{
	return (int)raw(0xffffffff00000000ul | SYS_mkdir, (long)path, 0777, 0, 0);
}

static int act_x32(const void *path)
{
	long result = raw(0x40000000ul | SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0);

	return result < 0 ? (int)result : 0;
}

/* open by int 0x80: number 5 of the i386 table, with a path below 4 GiB. */
static int act_i386(const void *path)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long result;

	if (low == MAP_FAILED)
		return -EBADF;
	strcpy(low, path);
	asm volatile("int $0x80"
		     : "=a"(result)
		     : "a"(5), "b"(low), "c"(O_RDONLY), "d"(0)
		     : "r8", "r9", "r10", "r11", "memory");
	return (int)result < 0 ? (int)result : 0;
}

static const struct kt_case numbers[] = {
#define DENIED(what, act, argument, HOOK, quiet_)                                                \
	{                                                                                        \
		KT_REFUSED(what, act, argument, -EPERM, HOOK, SYSCALL, 0, NULL), .quiet = quiet_ \
	}
	DENIED("mkdir", act_old_mkdir, "new", PATH_MKDIR, false),
	DENIED("mkdir with noise in the upper half", act_noise, "new", PATH_MKDIR, false),
	DENIED("mkdir with a sign in the upper half", act_noise_sign, "new", PATH_MKDIR, false),
	DENIED("unlinkat", act_unlinkat, "file", PATH_UNLINK, false),
	DENIED("socket", act_socket, NULL, SOCKET_CREATE, true),
	{KT_ALLOWED("the number names the entry: mkdirat", act_mkdirat, "new")},
	{KT_ALLOWED("mkdirat with noise", act_noise_other, "new")},
	{KT_ALLOWED("unlink", act_unlink, "file")},
};

TEST(denied_numbers)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, numbers);
}

TEST(number_in_the_event)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("refused", kt_inside(&s, act_noise, "new"), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_PATH_MKDIR,
				    .reason = WARDER_REASON_SYSCALL,
				    .number = SYS_mkdir});
}

/*
 * Once the old program is gone the kernel pretends that it was execve, whatever it was: who
 * denies that one does not kill what the other has started.
 */
TEST(execveat_is_not_execve)
{
	static const char no_execve[] = "sets: { code: { syscalls: { deny: [execve] },\n"
					"  exec: ['{DIR}/**'] } }\n";
	static const char no_execveat[] = "sets: { code: { syscalls: { deny: [execveat] },\n"
					  "  exec: ['{DIR}/**'] } }\n";
	_cleanup_subject_ struct kt_subject without_execve = {}, without_execveat = {};
	char path[256];

	if (!kt_subject_open(&without_execve, "code", no_execve) ||
	    !kt_subject_open(&without_execveat, "code", no_execveat))
		return;
	snprintf(path, sizeof(path), "%s/program", without_execve.dir);
	make_program(path, 7);
	kt_result("execve", kt_inside(&without_execve, act_exec, "program"), -EPERM);
	kt_result("execveat", kt_inside(&without_execve, act_execveat, "program"), 7);
	kt_result("control", kt_outside(&without_execve, act_execveat, "program"), 7);
	snprintf(path, sizeof(path), "%s/program", without_execveat.dir);
	make_program(path, 7);
	kt_result("denied execveat", kt_inside(&without_execveat, act_execveat, "program"), -EPERM);
	kt_result("execve beside it", kt_inside(&without_execveat, act_exec, "program"), 7);
}

static void check_foreign(struct kt_subject *s)
{
	kt_events_clear(s);
	kt_result("i386", kt_inside(s, act_i386, "file"), -EPERM);
	kt_event(s, "i386 reported",
		 &(struct kt_match){.hook = -1, .reason = WARDER_REASON_FOREIGN_ABI, .number = 5});
	kt_result("i386 control", kt_outside(s, act_i386, "file"), 0);
	/* The x32 table answers ENOSYS where the kernel is built without it: no way in either. */
	if (kt_outside(s, act_x32, "file") == -ENOSYS) {
		kt_result("x32 does not exist here", kt_inside(s, act_x32, "file"), -ENOSYS);
	} else {
		kt_result("x32", kt_inside(s, act_x32, "file"), -EPERM);
		kt_event(s, "x32 reported",
			 &(struct kt_match){.hook = -1, .reason = WARDER_REASON_FOREIGN_ABI});
	}
}

TEST(foreign_abi)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	check_foreign(&s);
}

/* No rule about calls at all: the other tables are refused all the same. */
TEST(foreign_abi_without_rules)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", without))
		return;
	build(&s);
	check_foreign(&s);
	kt_result("openat", kt_inside(&s, act_openat, "file"), 0);
}
