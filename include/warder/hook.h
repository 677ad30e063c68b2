/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * hook.h - every place where warder decides, in one table.
 *
 * The loader attaches by it, events name hooks by it, and a test compares it with
 * the programs in the object and the man page. The order is part of the event ABI.
 *
 * WARDER_LSM_HOOKS	global program `hook_<name>` on the LSM hook of that name
 * WARDER_NEWER_HOOKS	which of them a kernel may lack
 * WARDER_TWIN_HOOKS	lsm_cgroup program `twin_<name>` as well (second net)
 * WARDER_NET_HOOKS	cgroup program `net_<name>` on addresses and packets (second net)
 * WARDER_TRACEPOINTS	tracepoint program `on_<name>`
 * WARDER_TOLD		fentry program `tell_<name>`, which decides nothing
 */
#ifndef WARDER_HOOK_H
#define WARDER_HOOK_H

#define WARDER_LSM_HOOKS(X)                           \
	X(FILE_OPEN, file_open)                       \
	X(MMAP_FILE, mmap_file)                       \
	X(FILE_MPROTECT, file_mprotect)               \
	X(FILE_RECEIVE, file_receive)                 \
	X(PATH_TRUNCATE, path_truncate)               \
	X(PATH_UNLINK, path_unlink)                   \
	X(PATH_RMDIR, path_rmdir)                     \
	X(PATH_MKDIR, path_mkdir)                     \
	X(PATH_MKNOD, path_mknod)                     \
	X(PATH_SYMLINK, path_symlink)                 \
	X(PATH_LINK, path_link)                       \
	X(PATH_RENAME, path_rename)                   \
	X(PATH_CHMOD, path_chmod)                     \
	X(PATH_CHOWN, path_chown)                     \
	X(PATH_CHROOT, path_chroot)                   \
	X(PATH_NOTIFY, path_notify)                   \
	X(FILE_TRUNCATE, file_truncate)               \
	X(INODE_SETATTR, inode_setattr)               \
	X(INODE_SETXATTR, inode_setxattr)             \
	X(INODE_REMOVEXATTR, inode_removexattr)       \
	X(INODE_SET_ACL, inode_set_acl)               \
	X(INODE_REMOVE_ACL, inode_remove_acl)         \
	X(INODE_FILE_SETATTR, inode_file_setattr)     \
	X(BPRM_CHECK_SECURITY, bprm_check_security)   \
	X(BPRM_CREDS_FROM_FILE, bprm_creds_from_file) \
	X(SOCKET_CREATE, socket_create)               \
	X(SOCKET_CONNECT, socket_connect)             \
	X(SOCKET_SENDMSG, socket_sendmsg)             \
	X(SOCKET_BIND, socket_bind)                   \
	X(SOCKET_LISTEN, socket_listen)               \
	X(SOCKET_ACCEPT, socket_accept)               \
	X(INET_CONN_REQUEST, inet_conn_request)       \
	X(SOCKET_SETSOCKOPT, socket_setsockopt)       \
	X(UNIX_STREAM_CONNECT, unix_stream_connect)   \
	X(UNIX_MAY_SEND, unix_may_send)               \
	X(USERNS_CREATE, userns_create)               \
	X(SB_MOUNT, sb_mount)                         \
	X(SB_UMOUNT, sb_umount)                       \
	X(MOVE_MOUNT, move_mount)                     \
	X(SB_PIVOTROOT, sb_pivotroot)                 \
	X(CAPABLE, capable)                           \
	X(TASK_ALLOC, task_alloc)                     \
	X(PTRACE_ACCESS_CHECK, ptrace_access_check)   \
	X(PTRACE_TRACEME, ptrace_traceme)             \
	X(TASK_KILL, task_kill)                       \
	X(TASK_SETRLIMIT, task_setrlimit)             \
	X(TASK_SETNICE, task_setnice)                 \
	X(TASK_SETIOPRIO, task_setioprio)             \
	X(TASK_SETSCHEDULER, task_setscheduler)       \
	X(TASK_SETPGID, task_setpgid)                 \
	X(FILE_FCNTL, file_fcntl)                     \
	X(FILE_IOCTL, file_ioctl)                     \
	X(FILE_IOCTL_COMPAT, file_ioctl_compat)       \
	X(FILE_SEND_SIGIOTASK, file_send_sigiotask)   \
	X(BPF, bpf)                                   \
	X(BPF_MAP, bpf_map)                           \
	X(BPF_PROG, bpf_prog)                         \
	WARDER_SURFACE_HOOKS(X)                       \
	X(INODE_INIT_SECURITY_ANON, inode_init_security_anon)

/*
 * Those of them that older kernels do not have, and what stands in for them there. A kernel
 * that lacks any other is refused.
 */
#define WARDER_NEWER_HOOKS(X)                                                             \
	X(FILE_TRUNCATE, file_truncate)		  /* before 6.2 path_truncate sees it */  \
	X(INODE_SET_ACL, inode_set_acl)		  /* before 6.2 inode_setxattr does */    \
	X(INODE_REMOVE_ACL, inode_remove_acl)	  /* before 6.2 inode_removexattr does */ \
	X(INODE_FILE_SETATTR, inode_file_setattr) /* before 6.17 only file_ioctl leads there */

/* Of them, those of the kernel's surface (warder/surface.h). */
#define WARDER_SURFACE_HOOKS(X)                               \
	X(PERF_EVENT_OPEN, perf_event_open)                   \
	X(KERNEL_MODULE_REQUEST, kernel_module_request)       \
	X(KERNEL_READ_FILE, kernel_read_file)                 \
	X(KERNEL_LOAD_DATA, kernel_load_data)                 \
	X(KEY_ALLOC, key_alloc)                               \
	X(KEY_PERMISSION, key_permission)                     \
	X(URING_SQPOLL, uring_sqpoll)                         \
	X(URING_CMD, uring_cmd)                               \
	X(URING_OVERRIDE_CREDS, uring_override_creds)         \
	X(TUN_DEV_CREATE, tun_dev_create)                     \
	X(TUN_DEV_ATTACH, tun_dev_attach)                     \
	X(TUN_DEV_ATTACH_QUEUE, tun_dev_attach_queue)         \
	X(TUN_DEV_OPEN, tun_dev_open)                         \
	X(QUOTACTL, quotactl)                                 \
	X(QUOTA_ON, quota_on)                                 \
	X(SYSLOG, syslog)                                     \
	X(SETTIME, settime)                                   \
	X(IPC_PERMISSION, ipc_permission)                     \
	X(SHM_ALLOC_SECURITY, shm_alloc_security)             \
	X(SHM_SHMCTL, shm_shmctl)                             \
	X(SEM_ALLOC_SECURITY, sem_alloc_security)             \
	X(SEM_SEMCTL, sem_semctl)                             \
	X(MSG_QUEUE_ALLOC_SECURITY, msg_queue_alloc_security) \
	X(MSG_QUEUE_MSGCTL, msg_queue_msgctl)                 \
	X(INODE_CREATE, inode_create)                         \
	X(INODE_UNLINK, inode_unlink)                         \
	X(TASK_MOVEMEMORY, task_movememory)

/*
 * Rare, weighty hooks that have an lsm_cgroup twin at warder's own cgroup. A kernel has room for
 * ten such hooks in all.
 */
#define WARDER_TWIN_HOOKS(X)                        \
	X(BPRM_CHECK_SECURITY, bprm_check_security) \
	X(SOCKET_CREATE, socket_create)             \
	X(SOCKET_CONNECT, socket_connect)           \
	X(SOCKET_BIND, socket_bind)                 \
	X(UNIX_STREAM_CONNECT, unix_stream_connect) \
	X(USERNS_CREATE, userns_create)             \
	X(SB_MOUNT, sb_mount)                       \
	X(PTRACE_ACCESS_CHECK, ptrace_access_check) \
	X(TASK_KILL, task_kill)                     \
	X(BPF, bpf)

/* Cgroup programs on sockets, their addresses and outgoing packets, at warder's own cgroup. */
#define WARDER_NET_HOOKS(X)         \
	X(SOCK_CREATE, sock_create) \
	X(CONNECT4, connect4)       \
	X(CONNECT6, connect6)       \
	X(SENDMSG4, sendmsg4)       \
	X(SENDMSG6, sendmsg6)       \
	X(BIND4, bind4)             \
	X(BIND6, bind6)             \
	X(EGRESS, egress)

/*
 * Tracepoints (programs `on_<name>`): cgroups that appear inherit the entry of their
 * parent, and those that go take their entry along; tasks born in one are labelled.
 */
#define WARDER_TRACEPOINTS(X)                     \
	X(SCHED_PROCESS_FORK, sched_process_fork) \
	X(CGROUP_MKDIR, cgroup_mkdir)             \
	X(CGROUP_RMDIR, cgroup_rmdir)

/*
 * Functions of the kernel (programs `tell_<name>`) where others than warder's programs refuse what
 * warder told them to, and a program only reports it. A kernel without one still refuses.
 */
#define WARDER_TOLD(X) X(SECCOMP, seccomp)

enum warder_hook {
#define X(name, lower) WARDER_HOOK_##name,
	WARDER_LSM_HOOKS(X)
#undef X
#define X(name, lower) WARDER_HOOK_NET_##name,
	WARDER_NET_HOOKS(X)
#undef X
#define X(name, lower) WARDER_HOOK_##name,
		WARDER_TRACEPOINTS(X)
#undef X
#define X(name, lower) WARDER_HOOK_##name,
			WARDER_TOLD(X)
#undef X
				WARDER_HOOK_COUNT,
};

#endif
