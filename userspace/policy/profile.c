// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * profile.c - the filters of system calls that a set can start from.
 *
 * `default` is what python, node, compilers, git, package managers and a JVM use. It leaves out
 * what the default profiles of container runtimes leave out, and more: the kernel surface
 * (mounts, namespaces, modules, bpf, perf, keyrings, userfaultfd, io_uring), other processes'
 * memory placement, and what is old (modify_ldt, remap_file_pages, uselib, ...). Own members may
 * be traced: hooks judge whose they are. `strict` is for computing on files: files, memory,
 * time, pipes, own threads and children; no sockets, no tracing, no IPC by name, no scheduling.
 */
#include "policy/profile.h"

#include <string.h>
#include <sys/syscall.h>

#include "base/cleanup.h"
#include "policy/opening.h"
#include "policy/syscall.h"

/* By spaces; each begins and ends with one. */
static const char strict[] =
	" access alarm arch_prctl brk chdir chmod chown clock_getres clock_gettime clock_nanosleep"
	" clone close close_range copy_file_range creat dup dup2 dup3 epoll_create epoll_create1"
	" epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit"
	" exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 "
	"fchown"
	" fchownat fcntl fdatasync fgetxattr flistxattr flock fork fstat fstatfs fsync ftruncate"
	" futex futex_requeue futex_wait futex_waitv futex_wake futimesat get_robust_list getcpu"
	" getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpgid getpgrp"
	" getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid "
	"gettid"
	" gettimeofday getuid getxattr getxattrat ioctl kill lchown lgetxattr link linkat listxattr"
	" listxattrat llistxattr lseek lstat madvise membarrier memfd_create mincore mkdir mkdirat"
	" mlock mlock2 mprotect mremap mseal msync munlock munmap mmap nanosleep newfstatat open"
	" openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 poll ppoll prctl pread64"
	" preadv preadv2 prlimit64 pselect6 pwrite64 pwritev pwritev2 read readahead readlink"
	" readlinkat readv rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction"
	" rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait"
	" rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity"
	" sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_yield seccomp"
	" select sendfile set_robust_list set_tid_address setitimer setpgid setrlimit setsid"
	" sigaltstack signalfd signalfd4 splice stat statfs statx symlink symlinkat sync"
	" sync_file_range syncfs sysinfo tee tgkill time timer_create timer_delete timer_getoverrun"
	" timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill"
	" truncate umask uname unlink unlinkat uprobe uretprobe utime utimensat utimes vfork "
	"vmsplice"
	" wait4 waitid write writev ";

/* Beside those of `strict`. */
static const char more[] =
	" accept accept4 bind cachestat capget capset connect fremovexattr fsetxattr getpeername"
	" getsockname getsockopt inotify_add_watch inotify_init inotify_init1 inotify_rm_watch"
	" io_cancel io_destroy io_getevents io_pgetevents io_setup io_submit ioprio_get ioprio_set"
	" landlock_add_rule landlock_create_ruleset landlock_restrict_self listen lremovexattr"
	" lsetxattr map_shadow_stack mknod mknodat mlockall mq_getsetattr mq_notify mq_open"
	" mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd munlockall personality"
	" pkey_alloc pkey_free pkey_mprotect process_vm_readv process_vm_writev ptrace recvfrom"
	" recvmmsg recvmsg removexattr removexattrat sched_setaffinity sched_setattr sched_setparam"
	" sched_setscheduler semctl semget semop semtimedop sendmmsg sendmsg sendto setfsgid "
	"setfsuid"
	" setgid setgroups setpriority setregid setresgid setresuid setreuid setsockopt setuid"
	" setxattr setxattrat shmat shmctl shmdt shmget shutdown socket socketpair ";

const char *warder_profile_name(enum warder_profile profile)
{
	static const char *const names[] = {
		[WARDER_PROFILE_NONE] = "none",
		[WARDER_PROFILE_DEFAULT] = "default",
		[WARDER_PROFILE_STRICT] = "strict",
	};

	return names[profile];
}

static bool is_listed(const char *list, const char *name)
{
	char word[64];

	return snprintf(word, sizeof(word), " %s ", name) < (int)sizeof(word) && strstr(list, word);
}

bool warder_profile_allows(enum warder_profile profile, int number)
{
	_cleanup_free_ char *name = NULL;

	if (profile == WARDER_PROFILE_NONE)
		return true;
	name = warder_syscall_name(number);
	if (!name)
		return false;
	return is_listed(strict, name) ||
	       (profile == WARDER_PROFILE_DEFAULT && is_listed(more, name));
}

static const struct warder_syscall_rule *find_rule(const struct warder_syscall_rule *rules,
						   size_t count, unsigned int key, int number)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (rules[i].key == key && (int)rules[i].number == number)
			return &rules[i];
	}
	return NULL;
}

/* What opens a call that the profile does not list, or not for all arguments. */
static void find_opener(const struct warder_policy *policy, const struct warder_set *set,
			int number, struct warder_call *call)
{
	_cleanup_free_ char *name = warder_syscall_name(number);
	const struct warder_opening *opening = name ? warder_opening_find(name) : NULL;

	if (!opening)
		return;
	call->word = warder_opening_word(policy, set, opening);
	call->opener = warder_opening_capability(policy, set, opening);
}

/* Calls of which a profile lets some uses through: see run/filter.c. */
static bool is_looked_at(int number)
{
	return number == SYS_clone || number == SYS_personality;
}

void warder_profile_find(const struct warder_policy *policy, const struct warder_set *set,
			 int number, struct warder_call *ret_call)
{
	struct warder_call call = {};
	bool listed = warder_profile_allows(set->profile, number);

	/* No call is both denied and allowed by one key. */
	call.rule = find_rule(policy->syscall_rules, policy->syscall_count, set->key, number);
	if (!call.rule)
		call.rule = find_rule(policy->filter_rules, policy->filter_count, set->key, number);
	if (set->profile != WARDER_PROFILE_NONE && listed)
		call.closely = is_looked_at(number);
	if (!call.rule && (!listed || call.closely))
		find_opener(policy, set, number, &call);
	if (call.rule || call.word || call.opener)
		call.closely = false;
	call.refused = call.rule ? call.rule->deny : !listed && !call.word && !call.opener;
	*ret_call = call;
}

bool warder_profile_is_needed(const struct warder_policy *policy, const struct warder_set *set)
{
	size_t i;

	for (i = 0; i < policy->filter_count; i++) {
		if (policy->filter_rules[i].key == set->key && policy->filter_rules[i].deny)
			return true;
	}
	for (i = 0; i < policy->syscall_count; i++) {
		if (policy->syscall_rules[i].key == set->key)
			return true;
	}
	return set->profile != WARDER_PROFILE_NONE;
}
