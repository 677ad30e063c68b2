// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * opening.c - which system calls a word of the kernel's surface, or a capability, opens.
 *
 * Each row is what bpf/kernel.bpf.c asks for, seen from the call. A filter is fixed when the
 * program starts and a grant is not: so a tool's word opens the filter of every set, and the hooks
 * refuse the call as long as the key is not held.
 */
#include "policy/opening.h"

#include <linux/capability.h>
#include <string.h>

#include "policy/capability.h"
#include "policy/surface.h"

enum {
	WORD = 1,
	CAPABILITY = 2,
	BOTH = WORD | CAPABILITY,
	MOSTLY = 4, /* most uses need the word */
};

/* clang-format off */
/* X(call, surface, capability, what every use of it needs) */
#define ROWS(X)                                                       \
	X("acct", NONE, CAP_SYS_PACCT, CAPABILITY)                    \
	X("add_key", KEYS, NONE, WORD)                                \
	X("adjtimex", TIME, NONE, 0)                                  \
	X("bpf", BPF, NONE, WORD)                                     \
	X("chroot", CHROOT, CAP_SYS_CHROOT, BOTH)                     \
	X("clock_adjtime", TIME, NONE, 0)                             \
	X("clock_settime", TIME, NONE, MOSTLY)                        \
	X("clone", USER_NAMESPACES, NONE, 0)                          \
	X("clone3", USER_NAMESPACES, NONE, 0)                         \
	X("delete_module", MODULES, CAP_SYS_MODULE, CAPABILITY)       \
	X("fanotify_init", FANOTIFY, NONE, MOSTLY)                    \
	X("fanotify_mark", FANOTIFY, NONE, MOSTLY)                    \
	X("finit_module", MODULES, CAP_SYS_MODULE, BOTH)              \
	X("fsconfig", MOUNTS, NONE, MOSTLY)                           \
	X("fsmount", MOUNTS, CAP_SYS_ADMIN, BOTH)                     \
	X("fsopen", MOUNTS, CAP_SYS_ADMIN, BOTH)                      \
	X("fspick", MOUNTS, CAP_SYS_ADMIN, BOTH)                      \
	X("init_module", MODULES, CAP_SYS_MODULE, BOTH)               \
	X("io_uring_enter", IO_URING, NONE, MOSTLY)                   \
	X("io_uring_register", IO_URING, NONE, MOSTLY)                \
	X("io_uring_setup", IO_URING, NONE, WORD)                     \
	X("ioperm", NONE, CAP_SYS_RAWIO, 0)                           \
	X("iopl", NONE, CAP_SYS_RAWIO, 0)                             \
	X("kexec_file_load", KEXEC, CAP_SYS_BOOT, BOTH)               \
	X("kexec_load", KEXEC, CAP_SYS_BOOT, BOTH)                    \
	X("keyctl", KEYS, NONE, MOSTLY)                               \
	X("listmount", MOUNTS, NONE, 0)                               \
	X("mount", MOUNTS, CAP_SYS_ADMIN, BOTH)                       \
	X("mount_setattr", MOUNTS, CAP_SYS_ADMIN, BOTH)               \
	X("move_mount", MOUNTS, CAP_SYS_ADMIN, BOTH)                  \
	X("mq_getsetattr", POSIX_MQUEUE, NONE, 0)                     \
	X("mq_notify", POSIX_MQUEUE, NONE, 0)                         \
	X("mq_open", POSIX_MQUEUE, NONE, WORD)                        \
	X("mq_timedreceive", POSIX_MQUEUE, NONE, 0)                   \
	X("mq_timedsend", POSIX_MQUEUE, NONE, 0)                      \
	X("mq_unlink", POSIX_MQUEUE, NONE, WORD)                      \
	X("msgctl", SYSV_IPC, NONE, WORD)                             \
	X("msgget", SYSV_IPC, NONE, WORD)                             \
	X("msgrcv", SYSV_IPC, NONE, WORD)                             \
	X("msgsnd", SYSV_IPC, NONE, WORD)                             \
	X("open_by_handle_at", NONE, CAP_DAC_READ_SEARCH, 0)          \
	X("open_tree", MOUNTS, NONE, 0)                               \
	X("open_tree_attr", MOUNTS, NONE, 0)                          \
	X("perf_event_open", PERF, NONE, WORD)                        \
	X("pivot_root", PIVOT_ROOT, CAP_SYS_ADMIN, BOTH)              \
	X("quotactl", QUOTA, NONE, WORD)                              \
	X("quotactl_fd", QUOTA, NONE, WORD)                           \
	X("reboot", NONE, CAP_SYS_BOOT, CAPABILITY)                   \
	X("request_key", KEYS, NONE, MOSTLY)                          \
	X("semctl", SYSV_IPC, NONE, WORD)                             \
	X("semget", SYSV_IPC, NONE, WORD)                             \
	X("semop", SYSV_IPC, NONE, WORD)                              \
	X("semtimedop", SYSV_IPC, NONE, WORD)                         \
	X("setdomainname", NONE, CAP_SYS_ADMIN, CAPABILITY)           \
	X("sethostname", NONE, CAP_SYS_ADMIN, CAPABILITY)             \
	X("setns", SETNS, CAP_SYS_ADMIN, BOTH)                        \
	X("settimeofday", TIME, CAP_SYS_TIME, BOTH)                   \
	X("shmat", SYSV_IPC, NONE, WORD)                              \
	X("shmctl", SYSV_IPC, NONE, WORD)                             \
	X("shmdt", SYSV_IPC, NONE, 0)                                 \
	X("shmget", SYSV_IPC, NONE, WORD)                             \
	X("statmount", MOUNTS, NONE, 0)                               \
	X("swapoff", NONE, CAP_SYS_ADMIN, CAPABILITY)                 \
	X("swapon", NONE, CAP_SYS_ADMIN, CAPABILITY)                  \
	X("syslog", SYSLOG, NONE, WORD)                               \
	X("umount2", MOUNTS, CAP_SYS_ADMIN, BOTH)                     \
	X("unshare", USER_NAMESPACES, NONE, 0)                        \
	X("userfaultfd", USERFAULTFD, NONE, WORD)                     \
	X("vhangup", NONE, CAP_SYS_TTY_CONFIG, CAPABILITY)
/* clang-format on */

#define WARDER_SURFACE_NONE (-1)
#define NONE		    (-1)

static const struct warder_opening rows[] = {
#define X(call_, surface_, capability_, needs)          \
	{.call = call_,                                 \
	 .surface = WARDER_SURFACE_##surface_,          \
	 .capability = capability_,                     \
	 .needs_word = ((needs)&WORD) != 0,             \
	 .needs_capability = ((needs)&CAPABILITY) != 0, \
	 .useless = (needs) != 0},
	ROWS(X)
#undef X
};

const struct warder_opening *warder_opening_find(const char *call)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!strcmp(rows[i].call, call))
			return &rows[i];
	}
	return NULL;
}

const char *warder_opening_name(const struct warder_opening *opening)
{
	return opening->surface >= 0 ? warder_surface_name((unsigned int)opening->surface)
				     : warder_capability_name((unsigned int)opening->capability);
}

const struct warder_surface_rule *warder_opening_word(const struct warder_policy *policy,
						      const struct warder_set *set,
						      const struct warder_opening *opening)
{
	const struct warder_surface_rule *own = NULL, *lent = NULL;
	size_t i;

	for (i = 0; i < policy->surface_count; i++) {
		const struct warder_surface_rule *rule = &policy->surface_rules[i];

		if ((int)rule->surface != opening->surface)
			continue;
		if (rule->key == set->key && rule->deny)
			return NULL;
		if (rule->key == set->key)
			own = rule;
		else if (policy->keys[rule->key].tool && !rule->deny && !lent)
			lent = rule;
	}
	return own ? own : lent;
}

const struct warder_capability_rule *warder_opening_capability(const struct warder_policy *policy,
							       const struct warder_set *set,
							       const struct warder_opening *opening)
{
	size_t i;

	/* What has a word is opened by that. */
	if (opening->surface >= 0)
		return NULL;
	for (i = 0; i < policy->capability_count; i++) {
		const struct warder_capability_rule *rule = &policy->capability_rules[i];

		if (rule->key == set->key && (int)rule->number == opening->capability)
			return rule;
	}
	return NULL;
}
