// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_call.c - accesses that only a denied system call can stop.
 */
#include "access.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static void ask_call(const struct access *access, struct asks *asks)
{
	static const struct {
		int call, hook;
	} hooks[] = {{SYS_fork, WARDER_HOOK_TASK_ALLOC},
		     {SYS_kill, WARDER_HOOK_TASK_KILL},
		     {SYS_socket, WARDER_HOOK_SOCKET_CREATE},
		     {SYS_socketpair, WARDER_HOOK_SOCKET_CREATE}};
	size_t i;

	for (i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		if (hooks[i].call == access->type->call)
			asks_call(asks, hooks[i].call, hooks[i].hook);
	}
}

static bool choose_nothing(struct access *access, const struct world *world)
{
	return true;
}

static int perform_fork(const struct access *access)
{
	pid_t pid = (pid_t)syscall(SYS_fork);

	if (!pid)
		_exit(0);
	return pid < 0 ? -errno : ERROR_OF(waitpid(pid, NULL, 0));
}

static int perform_call(const struct access *access)
{
	int ends[2] = {-1, -1}, result = 1;

	if (access->type->call == SYS_kill)
		return ERROR_OF(syscall(SYS_kill, getpid(), 0));
	if (access->type->call == SYS_socket)
		ends[0] = result = (int)syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	else
		result = (int)syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
	result = ERROR_OF(result);
	if (ends[0] >= 0)
		close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
	return result;
}

const struct access_type access_calls[] = {
	{"fork", SYS_fork, 1, choose_nothing, ask_call, perform_fork},
	{"kill", SYS_kill, 1, choose_nothing, ask_call, perform_call},
	{"socket", SYS_socket, 1, choose_nothing, ask_call, perform_call},
	{"socketpair", SYS_socketpair, 1, choose_nothing, ask_call, perform_call},
	{},
};
