// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * judged_test.c - every system call that a policy can deny is really refused, by its number.
 *
 * The list of the policy language (userspace/policy/syscall.c) is a promise: each call on it
 * passes a hook before it does anything. Left out here: io_uring_enter, which needs a ring
 * that no subject can make.
 */
#include "acts.h"

#include <linux/sched.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

#define HERE	AT_FDCWD
#define TEXT(x) ((long)(x))

/* Made before the children are forked, so that they have them. */
static int file_fd, socket_fd, namespace_fd;
static long parent;
static struct sockaddr_in address = {.sin_family = AF_INET};
static struct mmsghdr messages[1];
static char bytes[512] __attribute__((aligned(16)));

struct call {
	const char *name;
	long number;
	long arguments[6];
	const long *first; /* in place of the first argument, when it is known only at run time */
};

#define CALL(call, ...)                                                           \
	{                                                                         \
		.name = #call, .number = SYS_##call, .arguments = { __VA_ARGS__ } \
	}
/* The first argument is a variable. */
#define CALL_ON(call, variable, ...)                                                \
	{                                                                           \
		.name = #call, .number = SYS_##call, .arguments = {0, __VA_ARGS__}, \
		.first = &variable                                                  \
	}

static long on_file, on_socket, on_namespace;

static struct call calls[] = {
	CALL(execve, TEXT("prog"), 0, 0),
	CALL(execveat, HERE, TEXT("prog"), 0, 0, 0),
	CALL(truncate, TEXT("file"), 0),
	CALL(unlink, TEXT("file")),
	CALL(unlinkat, HERE, TEXT("file"), 0),
	CALL(rmdir, TEXT("dir")),
	CALL(mkdir, TEXT("new"), 0777),
	CALL(mkdirat, HERE, TEXT("new"), 0777),
	CALL(mknod, TEXT("new"), S_IFIFO | 0666, 0),
	CALL(mknodat, HERE, TEXT("new"), S_IFIFO | 0666, 0),
	CALL(symlink, TEXT("x"), TEXT("new")),
	CALL(symlinkat, TEXT("x"), HERE, TEXT("new")),
	CALL(link, TEXT("file"), TEXT("new")),
	CALL(linkat, HERE, TEXT("file"), HERE, TEXT("new"), 0),
	CALL(rename, TEXT("file"), TEXT("new")),
	CALL(renameat, HERE, TEXT("file"), HERE, TEXT("new")),
	CALL(renameat2, HERE, TEXT("file"), HERE, TEXT("new"), 0),
	CALL(chmod, TEXT("file"), 0700),
	CALL_ON(fchmod, on_file, 0700),
	CALL(fchmodat, HERE, TEXT("file"), 0700),
	CALL(fchmodat2, HERE, TEXT("file"), 0700, 0),
	CALL(chown, TEXT("file"), 0, 0),
	CALL_ON(fchown, on_file, 0),
	CALL(lchown, TEXT("file"), 0, 0),
	CALL(fchownat, HERE, TEXT("file"), 0, 0, 0),
	CALL(socket, AF_INET, SOCK_STREAM, 0),
	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, TEXT(bytes)),
	CALL_ON(connect, on_socket, TEXT(&address), sizeof(address)),
	CALL_ON(sendto, on_socket, TEXT("x"), 1, 0, TEXT(&address), sizeof(address)),
	CALL_ON(sendmsg, on_socket, TEXT(&messages[0].msg_hdr)),
	CALL_ON(sendmmsg, on_socket, TEXT(messages), 1),
	CALL(fork, 0),
	CALL(vfork, 0),
	CALL(clone, SIGCHLD),
	CALL(clone3, TEXT(bytes), 64),
	CALL_ON(kill, parent, 0),
	CALL_ON(tkill, parent, SIGCONT),
	CALL_ON(tgkill, parent, 0, SIGCONT),
	CALL(ptrace, PTRACE_TRACEME),
	CALL(bpf, 0, TEXT(bytes), sizeof(bytes)),
	CALL(io_uring_setup, 1, TEXT(bytes + 256)),
	CALL(userfaultfd, 0),
	CALL(mount, TEXT("none"), TEXT("dir"), TEXT("tmpfs"), 0, 0),
	CALL(umount2, TEXT("/sys/kernel/tracing"), 0),
	CALL(pivot_root, TEXT("dir"), TEXT("dir")),
	CALL(move_mount, HERE, TEXT("dir"), HERE, TEXT("dir"), 0),
	CALL(fsopen, TEXT("tmpfs"), 0),
	CALL(fsmount, -1, 0, 0),
	CALL(fspick, HERE, TEXT("/tmp"), 0),
	CALL_ON(setns, on_namespace, 0),
	CALL(chroot, TEXT("dir")),
	CALL(init_module, TEXT(bytes), 0, TEXT("")),
	CALL(finit_module, -1, TEXT(""), 0),
	CALL(delete_module, TEXT("nosuchmodule"), 0),
	CALL(kexec_load, 0, 0, 0, 0),
	CALL(kexec_file_load, -1, -1, 0, 0, 0),
	CALL(reboot, 0, 0, 0, 0),
	CALL(swapon, TEXT("file"), 0),
	CALL(swapoff, TEXT("file")),
	CALL(settimeofday, 0, 0),
	CALL(acct, 0),
	CALL(sethostname, TEXT("warder-guest"), 12),
	CALL(setdomainname, TEXT("(none)"), 6),
	CALL(vhangup, 0),
};

#define COUNT (sizeof(calls) / sizeof(calls[0]))

static void prepare(struct kt_subject *s)
{
	struct clone_args arguments = {.exit_signal = SIGCHLD};
	char path[256];
	size_t i;

	kt_write("%s/file", "text", s->dir);
	kt_mkdir("%s/dir", s->dir);
	snprintf(path, sizeof(path), "%s/prog", s->dir);
	make_program(path, 0);
	snprintf(path, sizeof(path), "%s/file", s->dir);
	on_file = file_fd = open(path, O_RDWR);
	on_socket = socket_fd = socket(AF_INET, SOCK_DGRAM, 0);
	on_namespace = namespace_fd = open("/proc/self/ns/uts", O_RDONLY);
	parent = getpid();
	address.sin_port = htons(9);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	messages[0].msg_hdr.msg_name = &address;
	messages[0].msg_hdr.msg_namelen = sizeof(address);
	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, &arguments, 64);
	for (i = 0; i < COUNT; i++) {
		if (calls[i].number == SYS_tgkill)
			calls[i].arguments[1] = parent;
	}
}

static void clean_up(void)
{
	close(file_fd);
	close(socket_fd);
	close(namespace_fd);
}

static int act_call(const void *argument)
{
	const struct call *call = argument;
	const long *of = call->arguments;
	long result = syscall(call->number, call->first ? *call->first : of[0], of[1], of[2], of[3],
			      of[4], of[5]);

	/* A child that should not be: no harm from it. */
	if (!result && (call->number == SYS_fork || call->number == SYS_clone ||
			call->number == SYS_clone3 || call->number == SYS_vfork))
		_exit(0);
	return result < 0 ? -errno : 0;
}

/* One set that denies them all, and one that denies none. */
static char *policy_text(void)
{
	char *text = NULL;
	size_t size = 0, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	fputs("sets:\n  code:\n    files: { write: ['{DIR}/**'] }\n    exec: ['{DIR}/**']\n"
	      "    syscalls:\n      deny: [io_uring_enter",
	      out);
	for (i = 0; i < COUNT; i++)
		fprintf(out, ", %s", calls[i].name);
	fputs("]\n  free:\n    files: { write: ['{DIR}/**'] }\n    exec: ['{DIR}/**']\n", out);
	fclose(out);
	return text;
}

/* Calls that this kernel does not have are no way around. */
static bool exists(const struct call *call)
{
	return call->number != SYS_fchmodat2 ||
	       !kt_skip_on("6.1", call->name, "fchmodat2 came with Linux 6.6");
}

TEST(each_is_refused)
{
	_cleanup_free_ char *text = policy_text();
	_cleanup_subject_ struct kt_subject s = {};
	char name[64];
	size_t i;

	if (!kt_subject_open(&s, "code", text))
		return;
	prepare(&s);
	for (i = 0; i < COUNT; i++) {
		struct kt_match match = {
			.hook = -1, .reason = WARDER_REASON_SYSCALL, .number = calls[i].number};

		if (!exists(&calls[i]))
			continue;
		kt_events_clear(&s);
		kt_result(calls[i].name, kt_inside(&s, act_call, &calls[i]), -EPERM);
		snprintf(name, sizeof(name), "%s is reported", calls[i].name);
		kt_event(&s, name, &match);
	}
	clean_up();
}

TEST(control)
{
	_cleanup_free_ char *text = policy_text();
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_match match = {.hook = -1, .reason = WARDER_REASON_SYSCALL};
	size_t i;

	if (!kt_subject_open(&s, "free", text))
		return;
	prepare(&s);
	for (i = 0; i < COUNT; i++)
		kt_inside(&s, act_call, &calls[i]);
	kt_check("without the rules no call is refused for its number", !kt_event_find(&s, &match));
	clean_up();
}
