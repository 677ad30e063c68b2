// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * exec_test.c - which programs start, by whatever name or descriptor they are called.
 */
#include "acts.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const char policy[] = "tools:\n"
			     "  all: { shared: true, exec: ['{DIR}/**'] }\n"
			     "sets:\n"
			     "  code:\n"
			     "    exec: ['{DIR}/a/rm', '{DIR}/b/rmdir', '{DIR}/bin/**']\n"
			     "    files:\n"
			     "      read: ['{DIR}/**']\n"
			     "      write: ['{DIR}/work/**', '{DIR}/bin/**']\n"
			     "      map-exec: ['{DIR}/lib/**']\n"
			     "      deny: { exec: ['{DIR}/bin/denied'] }\n";

static void build(struct kt_subject *s)
{
	static const char *const programs[] = {"a/rm",	     "a/rmdir",	    "b/rm",
					       "b/rmdir",    "bin/true",    "bin/sub/dir/prog",
					       "bin/denied", "closed/prog", "closed/sub/prog",
					       "lib/prog",   "work/prog"};
	char path[256];
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", s->dir, programs[i]);
		make_program(path, 0);
	}
	snprintf(path, sizeof(path), "%s/work/link", s->dir);
	if (symlink("../closed/prog", path) < 0)
		abort();
}

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

	if (!kt_subject_open(&s, "code", policy))
		return;
	KT_CASES(&s, build, programs);
}

TEST(written_by_itself)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("refused", kt_inside(&s, act_own_program, "work/new"), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){
			 .hook = -1, .reason = WARDER_REASON_NO_RULE, .text = "{DIR}/work/new"});
	kt_result("control", kt_outside(&s, act_exec, "work/new"), 0);
}

/* An unlinked program has no name to judge any more, whatever it was called. */
TEST(unlinked)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
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

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("executed", kt_inside(&s, act_memfd_exec, NULL), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "memfd"});
	kt_result("control", kt_outside(&s, act_memfd_exec, NULL), 0);
	kt_result("read and written", kt_inside(&s, act_memfd_by_proc, NULL), 0);
	if (kt_grant(&s, "all", 0))
		kt_result("no path rule names it", kt_inside(&s, act_memfd_exec, NULL), -EACCES);
}

static void write_script(struct kt_subject *s, const char *path, const char *interpreter)
{
	_cleanup_free_ char *text = NULL;
	char whole[256];

	if (asprintf(&text, "#!%s/%s\n", s->dir, interpreter) < 0)
		abort();
	kt_write("%s/%s", text, s->dir, path);
	snprintf(whole, sizeof(whole), "%s/%s", s->dir, path);
	if (chmod(whole, 0777) < 0)
		abort();
}

TEST(scripts)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	write_script(&s, "bin/script", "bin/true");
	write_script(&s, "bin/script2", "closed/prog");
	write_script(&s, "work/script", "bin/true");
	kt_result("both allowed", kt_inside(&s, act_exec, "bin/script"), 0);
	kt_result("interpreter refused", kt_inside(&s, act_exec, "bin/script2"), -EACCES);
	kt_event(&s, "interpreter is reported",
		 &(struct kt_match){.hook = -1, .reason = -1, .text = "{DIR}/closed/prog"});
	kt_result("control", kt_outside(&s, act_exec, "bin/script2"), 0);
	kt_result("script refused", kt_inside(&s, act_exec, "work/script"), -EACCES);
	kt_event(&s, "script is reported",
		 &(struct kt_match){.hook = -1, .reason = -1, .text = "{DIR}/work/script"});
	kt_result("control", kt_outside(&s, act_exec, "work/script"), 0);
}

/* A program that names another as its loader: the kernel starts that one. */
static void name_loader(const char *program, const char *loader)
{
	_cleanup_close_ int fd = open(program, O_RDWR | O_CLOEXEC);
	Elf64_Phdr segment = {.p_type = PT_INTERP, .p_flags = PF_R, .p_offset = 4096};
	Elf64_Ehdr head;
	Elf64_Phdr first;

	segment.p_filesz = strlen(loader) + 1;
	if (fd < 0 || pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    pread(fd, &first, sizeof(first), head.e_phoff) != sizeof(first))
		abort();
	head.e_phoff = 2048;
	head.e_phnum = 2;
	if (pwrite(fd, &head, sizeof(head), 0) < 0 ||
	    pwrite(fd, &segment, sizeof(segment), 2048) < 0 ||
	    pwrite(fd, &first, sizeof(first), 2048 + sizeof(segment)) < 0 ||
	    pwrite(fd, loader, segment.p_filesz, 4096) < 0)
		abort();
}

TEST(loader_that_the_program_names)
{
	_cleanup_subject_ struct kt_subject s = {};
	char program[256], loader[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(program, sizeof(program), "%s/bin/interp", s.dir);
	snprintf(loader, sizeof(loader), "%s/closed/loader", s.dir);
	make_program(program, 0);
	make_program(loader, 0);
	name_loader(program, loader);
	kt_result("refused", kt_inside(&s, act_exec, "bin/interp"), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = -1,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_MAP_EXEC,
				    .text = "{DIR}/closed/loader"});
	if (kt_grant(&s, "all", 0))
		kt_check("granted", kt_inside(&s, act_exec, "bin/interp") != -EACCES);
}

/* A real program, through the dynamic loader, from a place that is only readable. */
static int act_loader(const void *path)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, 2);
		execl("/lib64/ld-linux-x86-64.so.2", "ld.so", path, (char *)NULL);
		_exit(126);
	}
	return waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) ? -EIO : WEXITSTATUS(status);
}

TEST(dynamic_loader)
{
	_cleanup_subject_ struct kt_subject s = {};
	static const char with_system[] =
		"tools:\n"
		"  all: { shared: true, exec: ['{DIR}/**'] }\n"
		"sets:\n"
		"  code:\n"
		"    exec: ['/usr/lib/**', '/usr/lib64/**']\n"
		"    files: { read: ['{DIR}/**', '/usr/**', '/etc/**'], write: [/dev/null] }\n";

	if (!kt_subject_open(&s, "code", with_system))
		return;
	kt_copy("/usr/bin/true", "%s/data/prog", s.dir);
	kt_result("refused", kt_inside(&s, act_loader, "data/prog"), 127);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_MMAP_FILE,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_MAP_EXEC,
				    .text = "{DIR}/data/prog"});
	kt_result("control", kt_outside(&s, act_loader, "data/prog"), 0);
	if (kt_grant(&s, "all", 0))
		kt_result("granted", kt_inside(&s, act_loader, "data/prog"), 0);
}
