// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_exec.c - accesses that run a file: as a program, as a script, mapped executable.
 */
#include "access.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* --- what they ask for --- */

/* file_open: map-exec when opened to be executed; bprm_check_security: exec. */
static void ask_program(struct asks *asks, int call, const char *path)
{
	asks_path(asks, call, WARDER_HOOK_FILE_OPEN, WARDER_MAP_EXEC, path);
	asks_path(asks, call, WARDER_HOOK_BPRM_CHECK_SECURITY, WARDER_EXEC, path);
}

static void ask_exec(const struct access *access, struct asks *asks)
{
	const char *last = access->interpreter[0] ? access->interpreter : access->object;

	asks_call(asks, SYS_fork, WARDER_HOOK_TASK_ALLOC);
	ask_program(asks, access->type->call, access->object);
	if (access->interpreter[0])
		ask_program(asks, access->type->call, access->interpreter);
	/* The text of the program itself. */
	asks_path(asks, access->type->call, WARDER_HOOK_MMAP_FILE, WARDER_MAP_EXEC, last);
}

static void ask_map(const struct access *access, struct asks *asks)
{
	int hook = access->type->call == SYS_mmap ? WARDER_HOOK_MMAP_FILE
						  : WARDER_HOOK_FILE_MPROTECT;

	asks_path(asks, SYS_openat, WARDER_HOOK_FILE_OPEN, WARDER_READ, access->object);
	asks_path(asks, access->type->call, hook, WARDER_MAP_EXEC, access->object);
}

/* --- what they touch --- */

static bool choose_program(struct access *access, const struct world *world)
{
	const struct place *place = world_pick(world, PLACE_RUNS);

	if (place->kind == PLACE_SCRIPT)
		snprintf(access->interpreter, sizeof(access->interpreter), "%s/%s", world->dir,
			 place->of->path);
	access_object(access, world, place, true);
	return true;
}

static bool choose_regular(struct access *access, const struct world *world)
{
	return access_pick(access, world, PLACE_REGULAR, true);
}

/* --- how they are done --- */

/* In the child: its errno goes home through a pipe that a successful call closes. */
static _Noreturn void become(const struct access *access, int home)
{
	const char *const arguments[] = {access->path, NULL};
	int error;

	if (access->type->call == SYS_execveat)
		syscall(SYS_execveat, AT_FDCWD, access->path, arguments, NULL, 0);
	else
		syscall(SYS_execve, access->path, arguments, NULL);
	error = errno;
	_exit(write(home, &error, sizeof(error)) < 0);
}

/* The program's own exit status, which no other one in the world has. */
static int perform_exec(const struct access *access)
{
	int ends[2], status = 0, error = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = (pid_t)syscall(SYS_fork);
	if (!pid)
		become(access, ends[1]);
	error = pid < 0 ? errno : 0;
	close(ends[1]);
	if (pid > 0 && (read(ends[0], &error, sizeof(error)) < 0 || waitpid(pid, &status, 0) < 0))
		error = errno;
	close(ends[0]);
	if (error)
		return -error;
	return WIFEXITED(status) ? WEXITSTATUS(status) : KT_CRASHED - WTERMSIG(status);
}

static int perform_map(const struct access *access)
{
	_cleanup_close_ int fd = open(access->path, O_RDONLY | O_CLOEXEC);
	bool late = access->type->call == SYS_mprotect;
	int protection = PROT_READ | PROT_EXEC, result = 1;
	void *map;

	if (fd < 0)
		return -errno;
	map = mmap(NULL, 4096, late ? PROT_READ : protection, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	if (late && mprotect(map, 4096, protection) < 0)
		result = -errno;
	munmap(map, 4096);
	return result;
}

const struct access_type access_execs[] = {
	{"execve", SYS_execve, 12, choose_program, ask_exec, perform_exec},
	{"execveat", SYS_execveat, 4, choose_program, ask_exec, perform_exec},
	{"mmap", SYS_mmap, 4, choose_regular, ask_map, perform_map},
	{"mprotect", SYS_mprotect, 3, choose_regular, ask_map, perform_map},
	{},
};
