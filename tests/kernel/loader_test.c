// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * loader_test.c - what a program brings along to run it: an interpreter, a loader.
 */
#include "programs.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/wait.h>

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

	if (!kt_subject_open(&s, "code", programs_policy))
		return;
	programs_build(&s);
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

	if (!kt_subject_open(&s, "code", programs_policy))
		return;
	programs_build(&s);
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
