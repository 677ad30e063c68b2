// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * name.c - numbers of an event as people know them.
 */
#include "audit/name.h"

#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warder/access.h>
#include <warder/hook.h>

#include "policy/capability.h"
#include "policy/surface.h"
#include "policy/syscall.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const hook_names[WARDER_HOOK_COUNT] = {
#define X(name, lower) [WARDER_HOOK_##name] = #lower,
	WARDER_LSM_HOOKS(X) WARDER_TRACEPOINTS(X) WARDER_TOLD(X)
#undef X
#define X(name, lower) [WARDER_HOOK_NET_##name] = #lower,
		WARDER_NET_HOOKS(X)
#undef X
};

/* Hooks whose act the rights of the event do not say. */
static const char *const acts[WARDER_HOOK_COUNT] = {
	[WARDER_HOOK_FILE_OPEN] = "open",
	[WARDER_HOOK_MMAP_FILE] = "map",
	[WARDER_HOOK_FILE_MPROTECT] = "make executable",
	[WARDER_HOOK_FILE_RECEIVE] = "receive",
	[WARDER_HOOK_PATH_TRUNCATE] = "truncate",
	[WARDER_HOOK_PATH_UNLINK] = "delete",
	[WARDER_HOOK_PATH_RMDIR] = "delete",
	[WARDER_HOOK_PATH_MKDIR] = "create",
	[WARDER_HOOK_PATH_MKNOD] = "create",
	[WARDER_HOOK_PATH_SYMLINK] = "create",
	[WARDER_HOOK_PATH_LINK] = "link",
	[WARDER_HOOK_PATH_RENAME] = "rename",
	[WARDER_HOOK_PATH_CHMOD] = "change mode",
	[WARDER_HOOK_BPRM_CREDS_FROM_FILE] = "start",
	[WARDER_HOOK_FILE_TRUNCATE] = "truncate",
	[WARDER_HOOK_INODE_SETATTR] = "change times",
	[WARDER_HOOK_INODE_SETXATTR] = "set an attribute",
	[WARDER_HOOK_INODE_REMOVEXATTR] = "remove an attribute",
	[WARDER_HOOK_INODE_SET_ACL] = "set an access list",
	[WARDER_HOOK_INODE_REMOVE_ACL] = "remove an access list",
	[WARDER_HOOK_INODE_FILE_SETATTR] = "change flags",
	[WARDER_HOOK_PATH_CHOWN] = "change owner",
	[WARDER_HOOK_PATH_CHROOT] = "chroot",
	[WARDER_HOOK_PATH_NOTIFY] = "watch",
	[WARDER_HOOK_BPRM_CHECK_SECURITY] = "execute",
	[WARDER_HOOK_SOCKET_CREATE] = "create socket",
	[WARDER_HOOK_SOCKET_CONNECT] = "connect",
	[WARDER_HOOK_SOCKET_SENDMSG] = "send",
	[WARDER_HOOK_SOCKET_BIND] = "bind",
	[WARDER_HOOK_SOCKET_LISTEN] = "listen",
	[WARDER_HOOK_SOCKET_ACCEPT] = "accept on",
	[WARDER_HOOK_INET_CONN_REQUEST] = "accept from",
	[WARDER_HOOK_SOCKET_SETSOCKOPT] = "join a multicast group",
	[WARDER_HOOK_UNIX_STREAM_CONNECT] = "connect",
	[WARDER_HOOK_UNIX_MAY_SEND] = "send",
	[WARDER_HOOK_USERNS_CREATE] = "create user namespace",
	[WARDER_HOOK_SB_MOUNT] = "mount",
	[WARDER_HOOK_SB_UMOUNT] = "unmount",
	[WARDER_HOOK_MOVE_MOUNT] = "move mount",
	[WARDER_HOOK_SB_PIVOTROOT] = "pivot root",
	[WARDER_HOOK_CAPABLE] = "use capability",
	[WARDER_HOOK_TASK_ALLOC] = "clone into a cgroup",
	[WARDER_HOOK_PTRACE_ACCESS_CHECK] = "inspect",
	[WARDER_HOOK_PTRACE_TRACEME] = "be traced",
	[WARDER_HOOK_TASK_KILL] = "signal",
	[WARDER_HOOK_TASK_SETRLIMIT] = "limit",
	[WARDER_HOOK_TASK_SETNICE] = "change priority",
	[WARDER_HOOK_TASK_SETIOPRIO] = "change I/O priority",
	[WARDER_HOOK_TASK_SETSCHEDULER] = "change scheduling",
	[WARDER_HOOK_TASK_SETPGID] = "join the group of",
	[WARDER_HOOK_FILE_FCNTL] = "have signalled",
	[WARDER_HOOK_FILE_IOCTL] = "control",
	[WARDER_HOOK_FILE_IOCTL_COMPAT] = "control",
	[WARDER_HOOK_FILE_SEND_SIGIOTASK] = "signal",
	[WARDER_HOOK_BPF] = "use bpf",
	[WARDER_HOOK_BPF_MAP] = "use a bpf map",
	[WARDER_HOOK_BPF_PROG] = "use a bpf program",
	[WARDER_HOOK_INODE_INIT_SECURITY_ANON] = "create",
	[WARDER_HOOK_PERF_EVENT_OPEN] = "use",
	[WARDER_HOOK_KERNEL_MODULE_REQUEST] = "use",
	[WARDER_HOOK_KERNEL_READ_FILE] = "use",
	[WARDER_HOOK_KERNEL_LOAD_DATA] = "use",
	[WARDER_HOOK_KEY_ALLOC] = "use",
	[WARDER_HOOK_KEY_PERMISSION] = "use",
	[WARDER_HOOK_URING_SQPOLL] = "use",
	[WARDER_HOOK_URING_CMD] = "use",
	[WARDER_HOOK_URING_OVERRIDE_CREDS] = "use",
	[WARDER_HOOK_TUN_DEV_CREATE] = "use",
	[WARDER_HOOK_TUN_DEV_ATTACH] = "use",
	[WARDER_HOOK_TUN_DEV_ATTACH_QUEUE] = "use",
	[WARDER_HOOK_TUN_DEV_OPEN] = "use",
	[WARDER_HOOK_QUOTACTL] = "use",
	[WARDER_HOOK_QUOTA_ON] = "use",
	[WARDER_HOOK_SYSLOG] = "use",
	[WARDER_HOOK_SETTIME] = "use",
	[WARDER_HOOK_IPC_PERMISSION] = "use",
	[WARDER_HOOK_SHM_ALLOC_SECURITY] = "use",
	[WARDER_HOOK_SHM_SHMCTL] = "use",
	[WARDER_HOOK_SEM_ALLOC_SECURITY] = "use",
	[WARDER_HOOK_SEM_SEMCTL] = "use",
	[WARDER_HOOK_MSG_QUEUE_ALLOC_SECURITY] = "use",
	[WARDER_HOOK_MSG_QUEUE_MSGCTL] = "use",
	[WARDER_HOOK_INODE_CREATE] = "use",
	[WARDER_HOOK_INODE_UNLINK] = "use",
	[WARDER_HOOK_TASK_MOVEMEMORY] = "move memory of",
	[WARDER_HOOK_NET_CONNECT4] = "connect",
	[WARDER_HOOK_NET_CONNECT6] = "connect",
	[WARDER_HOOK_NET_SENDMSG4] = "send",
	[WARDER_HOOK_NET_SENDMSG6] = "send",
	[WARDER_HOOK_NET_SOCK_CREATE] = "create socket",
	[WARDER_HOOK_NET_BIND4] = "bind",
	[WARDER_HOOK_NET_BIND6] = "bind",
	[WARDER_HOOK_NET_EGRESS] = "send a packet",
	[WARDER_HOOK_SCHED_PROCESS_FORK] = "fork",
	[WARDER_HOOK_CGROUP_MKDIR] = "make a cgroup",
	[WARDER_HOOK_CGROUP_RMDIR] = "remove a cgroup",
	[WARDER_HOOK_SECCOMP] = "call",
};

static const char *const reason_names[] = {
#define X(name, text, doc) text,
	WARDER_REASONS(X)
#undef X
};

static const char *const reason_texts[] = {
#define X(name, text, doc) doc,
	WARDER_REASONS(X)
#undef X
};

static const char *const right_names[] = {
#define X(name, text, doc) text,
	WARDER_RIGHTS(X)
#undef X
};

static const char *lookup(const char *const *names, size_t count, unsigned int number)
{
	return number < count ? names[number] : NULL;
}

static const char *lookup_or_unknown(const char *const *names, size_t count, unsigned int number)
{
	const char *name = lookup(names, count, number);

	return name ? name : "?";
}

const char *warder_name_hook(unsigned int hook)
{
	return lookup_or_unknown(hook_names, COUNT(hook_names), hook);
}

const char *warder_name_act(unsigned int hook)
{
	return lookup_or_unknown(acts, COUNT(acts), hook);
}

const char *warder_name_reason(unsigned int reason)
{
	return lookup_or_unknown(reason_names, COUNT(reason_names), reason);
}

const char *warder_text_reason(unsigned int reason)
{
	return lookup_or_unknown(reason_texts, COUNT(reason_texts), reason);
}

const char *warder_name_capability(unsigned int capability)
{
	return warder_capability_name(capability);
}

const char *warder_name_surface(unsigned int surface)
{
	const char *name = warder_surface_name(surface);

	return name ? name : "?";
}

const char *warder_name_rights(__u32 rights, char *buffer, size_t size)
{
	size_t used = 0, i;

	buffer[0] = '\0';
	for (i = 0; i < COUNT(right_names) && used < size; i++) {
		if (rights >> i & 1)
			used += snprintf(buffer + used, size - used, "%s%s", used ? "+" : "",
					 right_names[i]);
	}
	return buffer;
}

/* The bit that marks a number of the x32 ABI. */
#define X32_BIT 0x40000000

const char *warder_name_syscall(int number, bool foreign, char *buffer, size_t size)
{
	uint32_t table = SCMP_ARCH_X86_64;
	char *name;

	if (foreign)
		table = number & X32_BIT ? SCMP_ARCH_X32 : SCMP_ARCH_X86;
	name = !foreign	    ? warder_syscall_name(number)
	       : number < 0 ? NULL
			    : seccomp_syscall_resolve_num_arch(table, number);
	if (name)
		snprintf(buffer, size, "%s%s", name,
			 !foreign		  ? ""
			 : table == SCMP_ARCH_X32 ? " (x32)"
						  : " (i386)");
	else
		snprintf(buffer, size, "#%d", number);
	free(name);
	return buffer;
}
