// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * syscall.c - system calls by name, and whether denying one can be enforced.
 */
#include "policy/syscall.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include <warder/limits.h>

#include "base/nearest.h"

/*
 * By the hook that judges (include/warder/hook.h); tests/kernel/hooked_test.c makes each of these
 * calls. Left out on purpose: open and its kin (O_PATH passes no hook), mmap and mprotect (judged
 * only where they make code executable), read and write (sockets only), getsockopt, unshare (most
 * flags pass none); calls that pass a hook for some of their arguments only: rt_sigqueueinfo,
 * rt_tgsigqueueinfo and pidfd_send_signal (not with a code above 0, to oneself), prlimit64 (not to
 * read), move_pages, process_vm_readv and kcmp (not of oneself), keyctl (not to ask), clock_settime
 * (other clocks), open_tree (not without a copy), iopl and ioperm (only to raise), ioctl and fcntl
 * (not what everybody may), io_uring_enter and io_uring_register (a ring has no hook for itself).
 * ptrace is on it: all its other requests need a tracee, and that passes one.
 */
static const char *const judged[] = {
	/* bprm_check_security */
	"execve",
	"execveat",
	/* path_*, file_truncate */
	"truncate",
	"ftruncate",
	"unlink",
	"unlinkat",
	"rmdir",
	"mkdir",
	"mkdirat",
	"mknod",
	"mknodat",
	"symlink",
	"symlinkat",
	"link",
	"linkat",
	"rename",
	"renameat",
	"renameat2",
	"chmod",
	"fchmod",
	"fchmodat",
	"fchmodat2",
	"chown",
	"fchown",
	"lchown",
	"fchownat",
	"inotify_add_watch",
	/* inode_setattr: where it sets no time, it does nothing */
	"utime",
	"utimes",
	"futimesat",
	"utimensat",
	/* inode_setxattr, inode_removexattr, inode_set_acl, inode_remove_acl, inode_file_setattr */
	"setxattr",
	"lsetxattr",
	"fsetxattr",
	"setxattrat",
	"removexattr",
	"lremovexattr",
	"fremovexattr",
	"removexattrat",
	"file_setattr",
	/* socket_* */
	"socket",
	"socketpair",
	"connect",
	"bind",
	"listen",
	"accept",
	"accept4",
	"setsockopt",
	"sendto",
	"sendmsg",
	"sendmmsg",
	/* task_*, ptrace_access_check, ptrace_traceme, file_receive */
	"fork",
	"vfork",
	"clone",
	"clone3",
	"kill",
	"tkill",
	"tgkill",
	"ptrace",
	"pidfd_getfd",
	"setrlimit",
	"setpriority",
	"ioprio_set",
	"sched_setscheduler",
	"sched_setparam",
	"sched_setattr",
	"sched_setaffinity",
	"migrate_pages",
	/* bpf, perf_event_open, inode_init_security_anon */
	"bpf",
	"perf_event_open",
	"io_uring_setup",
	"userfaultfd",
	/* capable, before anything else */
	"mount",
	"umount2",
	"pivot_root",
	"move_mount",
	"mount_setattr",
	"fsopen",
	"fsmount",
	"fspick",
	"setns",
	"chroot",
	"init_module",
	"finit_module",
	"delete_module",
	"kexec_load",
	"kexec_file_load",
	"reboot",
	"swapon",
	"swapoff",
	"settimeofday",
	"acct",
	"sethostname",
	"setdomainname",
	"vhangup",
	/* key_permission, quotactl, syslog */
	"add_key",
	"quotactl",
	"quotactl_fd",
	"syslog",
	/* ipc_permission, shm_*, sem_*, msg_queue_*; inode_create, inode_unlink, file_open */
	"shmget",
	"shmat",
	"shmctl",
	"semget",
	"semop",
	"semtimedop",
	"semctl",
	"msgget",
	"msgsnd",
	"msgrcv",
	"msgctl",
	"mq_open",
	"mq_unlink",
};

/* Operations of a ring (IORING_OP_*), by the calls that they stand for. */
static const char *const ring[] = {"accept",	"accept4",   "bind",	   "connect",
				   "close",	"epoll_ctl", "epoll_wait", "fadvise64",
				   "fallocate", "fgetxattr", "fsetxattr",  "fsync",
				   "fdatasync", "ftruncate", "futex",	   "getxattr",
				   "link",	"linkat",    "listen",	   "madvise",
				   "mkdir",	"mkdirat",   "open",	   "openat",
				   "openat2",	"pipe",	     "pipe2",	   "poll",
				   "ppoll",	"pread64",   "preadv",	   "preadv2",
				   "pwrite64",	"pwritev",   "pwritev2",   "read",
				   "readv",	"recvfrom",  "recvmsg",	   "recvmmsg",
				   "rename",	"renameat",  "renameat2",  "rmdir",
				   "sendmmsg",	"sendmsg",   "sendto",	   "setxattr",
				   "shutdown",	"socket",    "splice",	   "stat",
				   "statx",	"symlink",   "symlinkat",  "sync_file_range",
				   "tee",	"unlink",    "unlinkat",   "waitid",
				   "write",	"writev"};

/*
 * Calls that an older libseccomp does not know, from number 451 on. The last is
 * WARDER_SYSCALL_NEWEST: what a name, and a profile, can mean does not depend on the library.
 */
#define FIRST_NEWER 451

static const char *const newer[] = {
	"cachestat",	     "fchmodat2",	  "map_shadow_stack", "futex_wake",
	"futex_wait",	     "futex_requeue",	  "statmount",	      "listmount",
	"lsm_get_self_attr", "lsm_set_self_attr", "lsm_list_modules", "mseal",
	"setxattrat",	     "getxattrat",	  "listxattrat",      "removexattrat",
	"open_tree_attr",    "file_getattr",	  "file_setattr",
};

#define NEWER_COUNT (sizeof(newer) / sizeof(newer[0]))

_Static_assert(FIRST_NEWER + NEWER_COUNT - 1 == WARDER_SYSCALL_NEWEST, "the newest call");

/* These came late, with the numbers 335 and 336, for the kernel's own probes. */
static const char *const probes[] = {"uretprobe", "uprobe"};
#define FIRST_PROBE 335

int warder_syscall_number(const char *name)
{
	int number = seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, name);
	size_t i;

	for (i = 0; i < NEWER_COUNT; i++) {
		if (!strcmp(name, newer[i]))
			return FIRST_NEWER + (int)i;
	}
	for (i = 0; i < 2; i++) {
		if (!strcmp(name, probes[i]))
			return FIRST_PROBE + (int)i;
	}
	/* Negative numbers stand for calls of other architectures. */
	if (number < 0 || number > (int)WARDER_SYSCALL_NEWEST)
		return -ENOENT;
	return number;
}

static bool is_in(const char *const *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

bool warder_syscall_is_judged(const char *name)
{
	return is_in(judged, sizeof(judged) / sizeof(judged[0]), name);
}

bool warder_syscall_in_ring(const char *name)
{
	return is_in(ring, sizeof(ring) / sizeof(ring[0]), name);
}

char *warder_syscall_name(int number)
{
	if (number >= FIRST_NEWER && number <= (int)WARDER_SYSCALL_NEWEST)
		return strdup(newer[number - FIRST_NEWER]);
	if (number >= FIRST_PROBE && number < FIRST_PROBE + 2)
		return strdup(probes[number - FIRST_PROBE]);
	if (number < 0 || number > (int)WARDER_SYSCALL_NEWEST)
		return NULL;
	return seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, number);
}

char *warder_syscall_nearest(const char *name)
{
	char *best = NULL, *candidate;
	struct warder_nearest nearest;
	int number;

	warder_nearest_begin(&nearest, name, strlen(name));
	for (number = 0; number < (int)WARDER_SYSCALLS_MAX; number++) {
		candidate = warder_syscall_name(number);
		if (!candidate)
			continue;
		warder_nearest_offer(&nearest, candidate);
		if (nearest.best == candidate) {
			free(best);
			best = candidate;
		} else {
			free(candidate);
		}
	}
	return best;
}
