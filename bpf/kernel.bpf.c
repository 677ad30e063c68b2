// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * kernel.bpf.c - the kernel surface that path verdicts rest on: refused to every subject.
 *
 *   userns_create, sb_mount, sb_umount, move_mount, sb_pivotroot	no other view of names
 *   capable			no capability, in any user namespace
 *   inode_init_security_anon	no io_uring, no userfaultfd
 */

#define SURFACE_HOOK(NAME)                          \
	do {                                        \
		HOOK_BEGIN(actor, NAME);            \
		return surface_end(&actor, reason); \
	} while (0)

static __noinline int body_userns_create(__u8 flags)
{
	HOOK_BEGIN(actor, USERNS_CREATE);
	actor.flags = flags;
	return surface_end(&actor, reason);
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

SEC("lsm/sb_mount")
int BPF_PROG(hook_sb_mount, const char *name, const struct path *path, const char *type,
	     unsigned long flags, void *data)
{
	SURFACE_HOOK(SB_MOUNT);
}

SEC("lsm/sb_umount")
int BPF_PROG(hook_sb_umount, struct vfsmount *mnt, int flags)
{
	SURFACE_HOOK(SB_UMOUNT);
}

SEC("lsm/move_mount")
int BPF_PROG(hook_move_mount, const struct path *from, const struct path *to)
{
	SURFACE_HOOK(MOVE_MOUNT);
}

SEC("lsm/sb_pivotroot")
int BPF_PROG(hook_sb_pivotroot, const struct path *old, const struct path *new)
{
	SURFACE_HOOK(SB_PIVOTROOT);
}

/* Nonzero refuses. A function of its own, so that the verifier sees the hook return -EPERM or 0. */
static __noinline int body_capable(int cap, unsigned int opts)
{
	struct warder_stats *counters;

	HOOK_BEGIN(actor, CAPABLE);
	if (!reason) {
		reason = WARDER_REASON_SURFACE;
		actor.task->event.object = WARDER_OBJECT_CAP;
		actor.task->event.number = cap;
	}
	/* The kernel probes capabilities all the time without meaning to use them. */
	if (opts & CAP_OPT_NOAUDIT) {
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
	struct task_struct *self = bpf_get_current_task_btf();

	if (self->cred != self->real_cred)
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
	if (!reason && (name_is(name, "[io_uring]", 11) || name_is(name, "[userfaultfd]", 14)))
		reason = WARDER_REASON_SURFACE;
out:
	return actor_end(&actor, reason, -EPERM);
}
