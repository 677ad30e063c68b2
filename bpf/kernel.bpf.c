// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * kernel.bpf.c - the kernel's surface: refused where no held key names it (warder/surface.h).
 *
 *   userns_create, sb_mount, sb_umount, move_mount, sb_pivotroot	other views of names
 *   capable			capabilities, in any user namespace; and what has no hook of its own
 *   inode_init_security_anon	io_uring, userfaultfd
 *   uring_sqpoll, uring_cmd, uring_override_creds	what a ring does beyond plain calls
 *   perf_event_open, kernel_module_request, kernel_read_file, kernel_load_data, key_alloc,
 *   key_permission, tun_dev_*, quotactl, quota_on, syslog, settime	the part of that name
 *   ipc_permission, shm_*, sem_*, msg_queue_*	System V IPC: its objects carry no label
 *   inode_create, inode_unlink	POSIX message queues: made and removed without a path
 */

#define SURFACE_HOOK(NAME, SURFACE)                                             \
	do {                                                                    \
		HOOK_BEGIN(actor, NAME);                                        \
		return surface_judge(&actor, reason, WARDER_SURFACE_##SURFACE); \
	} while (0)

static __noinline int body_userns_create(__u8 flags)
{
	HOOK_BEGIN(actor, USERNS_CREATE);
	actor.flags = flags;
	return surface_judge(&actor, reason, WARDER_SURFACE_USER_NAMESPACES);
}

SEC("lsm/userns_create")
int BPF_PROG(hook_userns_create, const struct cred *cred)
{
	return body_userns_create(0);
}

SEC("lsm_cgroup/userns_create")
int BPF_PROG(twin_userns_create, const struct cred *cred)
{
	return twin_return(body_userns_create(WARDER_EVENT_SECOND_NET));
}

static __noinline int body_sb_mount(__u8 flags)
{
	HOOK_BEGIN(actor, SB_MOUNT);
	actor.flags = flags;
	return surface_judge(&actor, reason, WARDER_SURFACE_MOUNTS);
}

SEC("lsm/sb_mount")
int BPF_PROG(hook_sb_mount, const char *name, const struct path *path, const char *type,
	     unsigned long flags, void *data)
{
	return body_sb_mount(0);
}

SEC("lsm_cgroup/sb_mount")
int BPF_PROG(twin_sb_mount, const char *name, const struct path *path, const char *type,
	     unsigned long flags, void *data)
{
	return twin_return(body_sb_mount(WARDER_EVENT_SECOND_NET));
}

SEC("lsm/sb_umount")
int BPF_PROG(hook_sb_umount, struct vfsmount *mnt, int flags)
{
	SURFACE_HOOK(SB_UMOUNT, MOUNTS);
}

SEC("lsm/move_mount")
int BPF_PROG(hook_move_mount, const struct path *from, const struct path *to)
{
	SURFACE_HOOK(MOVE_MOUNT, MOUNTS);
}

SEC("lsm/sb_pivotroot")
int BPF_PROG(hook_sb_pivotroot, const struct path *old, const struct path *new)
{
	SURFACE_HOOK(SB_PIVOTROOT, PIVOT_ROOT);
}

/*
 * Calls that pass no hook of their own but ask for CAP_SYS_ADMIN: -1 when it is none of them.
 * Who holds that capability still needs their word.
 */
static __always_inline int surface_of_call(__s32 number)
{
	switch (number) {
	case NR_SETNS:
		return WARDER_SURFACE_SETNS;
	case NR_UMOUNT2:
	case NR_OPEN_TREE:
	case NR_FSOPEN:
	case NR_FSCONFIG:
	case NR_FSMOUNT:
	case NR_FSPICK:
	case NR_MOUNT_SETATTR:
	case NR_OPEN_TREE_ATTR:
		return WARDER_SURFACE_MOUNTS;
	default:
		return -1;
	}
}

static __always_inline int judge_administration(struct actor *actor, int cap)
{
	int surface = cap == CAP_SYS_ADMIN ? surface_of_call(running_call()) : -1;

	if (surface < 0)
		return 0;
	return JUDGE_BOTH(actor, judge_surface(actor->task, binding, surface));
}

/* Nonzero refuses. A function of its own, so that the verifier sees the hook return -EPERM or 0. */
static __noinline int body_capable(int cap, unsigned int opts)
{
	struct warder_stats *counters;

	HOOK_BEGIN(actor, CAPABLE);
	if (!reason)
		reason = JUDGE_BOTH(&actor, judge_capability(actor.task, binding, cap));
	if (!reason)
		reason = judge_administration(&actor, cap);
	/* The kernel probes capabilities all the time without meaning to use them. */
	if (reason && (opts & CAP_OPT_NOAUDIT)) {
		counters = stats_of(actor_binding(&actor));
		if (counters)
			__sync_fetch_and_add(&counters->quiet, 1);
		return 1;
	}
	return actor_end(&actor, reason, -EPERM);
}

/*
 * Judged only under the task's own credentials: the kernel borrows others on a task's
 * behalf (overlay copy-up, whiteouts), and a refusal there breaks every container.
 */
SEC("lsm/capable")
int BPF_PROG(hook_capable, const struct cred *cred, struct user_namespace *ns, int cap,
	     unsigned int opts)
{
	if (credentials_are_borrowed())
		return 0;
	return body_capable(cap, opts) ? -EPERM : 0;
}

static __always_inline int name_is(const char *name, const char *wanted, int size)
{
	int i;

	for (i = 0; i < size; i++) {
		if (name[i] != wanted[i])
			return 0;
	}
	return 1;
}

SEC("lsm/inode_init_security_anon")
int BPF_PROG(hook_inode_init_security_anon, struct inode *inode, const struct qstr *qstr,
	     const struct inode *context)
{
	char name[16] = {};
	long size;

	HOOK_BEGIN(actor, INODE_INIT_SECURITY_ANON);
	if (reason)
		goto out;
	size = bpf_probe_read_kernel_str(name, sizeof(name), qstr->name);
	if (size < 1) {
		reason = WARDER_REASON_UNKNOWN;
		size = 1;
	}
	actor.task->event.object = WARDER_OBJECT_NAMED;
	__builtin_memcpy(actor.task->text, name, sizeof(name));
	actor.task->event.text_length = size - 1;
	if (!reason && name_is(name, "[io_uring]", 11))
		return surface_judge(&actor, reason, WARDER_SURFACE_IO_URING);
	if (!reason && name_is(name, "[userfaultfd]", 14))
		return surface_judge(&actor, reason, WARDER_SURFACE_USERFAULTFD);
out:
	return actor_end(&actor, reason, -EPERM);
}

/* --- rings --- */

SEC("lsm/uring_sqpoll")
int BPF_PROG(hook_uring_sqpoll)
{
	SURFACE_HOOK(URING_SQPOLL, IO_URING_SQPOLL);
}

SEC("lsm/uring_cmd")
int BPF_PROG(hook_uring_cmd)
{
	SURFACE_HOOK(URING_CMD, IO_URING_CMD);
}

SEC("lsm/uring_override_creds")
int BPF_PROG(hook_uring_override_creds)
{
	SURFACE_HOOK(URING_OVERRIDE_CREDS, IO_URING_PERSONALITY);
}

/* --- what is measured, loaded, kept --- */

SEC("lsm/perf_event_open")
int BPF_PROG(hook_perf_event_open)
{
	SURFACE_HOOK(PERF_EVENT_OPEN, PERF);
}

SEC("lsm/kernel_module_request")
int BPF_PROG(hook_kernel_module_request)
{
	SURFACE_HOOK(KERNEL_MODULE_REQUEST, MODULE_AUTOLOAD);
}

SEC("lsm/kernel_read_file")
int BPF_PROG(hook_kernel_read_file, struct file *file, unsigned int id)
{
	int kexec = id == bpf_core_enum_value(enum kernel_read_file_id, READING_KEXEC_IMAGE) ||
		    id == bpf_core_enum_value(enum kernel_read_file_id, READING_KEXEC_INITRAMFS);

	HOOK_BEGIN(actor, KERNEL_READ_FILE);
	return surface_judge(&actor, reason, kexec ? WARDER_SURFACE_KEXEC : WARDER_SURFACE_MODULES);
}

SEC("lsm/kernel_load_data")
int BPF_PROG(hook_kernel_load_data, unsigned int id)
{
	int kexec = id == bpf_core_enum_value(enum kernel_load_data_id, LOADING_KEXEC_IMAGE) ||
		    id == bpf_core_enum_value(enum kernel_load_data_id, LOADING_KEXEC_INITRAMFS);

	HOOK_BEGIN(actor, KERNEL_LOAD_DATA);
	return surface_judge(&actor, reason, kexec ? WARDER_SURFACE_KEXEC : WARDER_SURFACE_MODULES);
}

SEC("lsm/key_alloc")
int BPF_PROG(hook_key_alloc)
{
	SURFACE_HOOK(KEY_ALLOC, KEYS);
}

SEC("lsm/key_permission")
int BPF_PROG(hook_key_permission)
{
	SURFACE_HOOK(KEY_PERMISSION, KEYS);
}

/* --- devices, disks, logs, clocks --- */

SEC("lsm/tun_dev_create")
int BPF_PROG(hook_tun_dev_create)
{
	SURFACE_HOOK(TUN_DEV_CREATE, TUN);
}

SEC("lsm/tun_dev_attach")
int BPF_PROG(hook_tun_dev_attach)
{
	SURFACE_HOOK(TUN_DEV_ATTACH, TUN);
}

SEC("lsm/tun_dev_attach_queue")
int BPF_PROG(hook_tun_dev_attach_queue)
{
	SURFACE_HOOK(TUN_DEV_ATTACH_QUEUE, TUN);
}

SEC("lsm/tun_dev_open")
int BPF_PROG(hook_tun_dev_open)
{
	SURFACE_HOOK(TUN_DEV_OPEN, TUN);
}

SEC("lsm/quotactl")
int BPF_PROG(hook_quotactl)
{
	SURFACE_HOOK(QUOTACTL, QUOTA);
}

SEC("lsm/quota_on")
int BPF_PROG(hook_quota_on)
{
	SURFACE_HOOK(QUOTA_ON, QUOTA);
}

SEC("lsm/syslog")
int BPF_PROG(hook_syslog)
{
	SURFACE_HOOK(SYSLOG, SYSLOG);
}

SEC("lsm/settime")
int BPF_PROG(hook_settime)
{
	SURFACE_HOOK(SETTIME, TIME);
}

/* --- IPC --- */

/*
 * System V objects belong to whoever has the same user: nothing on them says which subject made
 * them. So they are for all or for nobody. IPC_RMID and IPC_SET ask no ipc_permission.
 */
SEC("lsm/ipc_permission")
int BPF_PROG(hook_ipc_permission)
{
	SURFACE_HOOK(IPC_PERMISSION, SYSV_IPC);
}

SEC("lsm/shm_alloc_security")
int BPF_PROG(hook_shm_alloc_security)
{
	SURFACE_HOOK(SHM_ALLOC_SECURITY, SYSV_IPC);
}

SEC("lsm/shm_shmctl")
int BPF_PROG(hook_shm_shmctl)
{
	SURFACE_HOOK(SHM_SHMCTL, SYSV_IPC);
}

SEC("lsm/sem_alloc_security")
int BPF_PROG(hook_sem_alloc_security)
{
	SURFACE_HOOK(SEM_ALLOC_SECURITY, SYSV_IPC);
}

SEC("lsm/sem_semctl")
int BPF_PROG(hook_sem_semctl)
{
	SURFACE_HOOK(SEM_SEMCTL, SYSV_IPC);
}

SEC("lsm/msg_queue_alloc_security")
int BPF_PROG(hook_msg_queue_alloc_security)
{
	SURFACE_HOOK(MSG_QUEUE_ALLOC_SECURITY, SYSV_IPC);
}

SEC("lsm/msg_queue_msgctl")
int BPF_PROG(hook_msg_queue_msgctl)
{
	SURFACE_HOOK(MSG_QUEUE_MSGCTL, SYSV_IPC);
}

/* Nonzero refuses, as in body_capable. */
static __noinline int body_mqueue(__u8 hook)
{
	struct actor actor;
	int reason = 0, begun = actor_begin(&actor, hook, &reason);

	if (begun <= 0)
		return begun;
	return surface_judge(&actor, reason, WARDER_SURFACE_POSIX_MQUEUE);
}

/* mq_open makes the queue before it opens it, and mq_unlink has no other hook. */
SEC("lsm/inode_create")
int BPF_PROG(hook_inode_create, struct inode *dir)
{
	if (dir->i_sb->s_magic != MQUEUE_MAGIC)
		return 0;
	return body_mqueue(WARDER_HOOK_INODE_CREATE) ? -EPERM : 0;
}

SEC("lsm/inode_unlink")
int BPF_PROG(hook_inode_unlink, struct inode *dir)
{
	if (dir->i_sb->s_magic != MQUEUE_MAGIC)
		return 0;
	return body_mqueue(WARDER_HOOK_INODE_UNLINK) ? -EPERM : 0;
}
