// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * process.bpf.c - tasks, and what a subject may do to others: its own members only.
 *
 *   task_alloc			the child inherits the label; no birth into another cgroup
 *   ptrace_access_check	ptrace, process_vm_*, pidfd_getfd, /proc/PID of others
 *   ptrace_traceme		the tracer has to be a member
 *   task_kill			signals
 *   task_setrlimit, task_setnice, task_setioprio, task_setscheduler, task_movememory
 *				limits (a limit kills, too), priorities, where memory lies
 *   file_fcntl			signals that the kernel is told to send when input comes; none of a
 *				terminal's
 *   file_send_sigiotask	the same signals, when the subject itself sets them off
 *   sched_process_fork		a child that somebody outside cloned into a bound cgroup
 *   cgroup_mkdir, cgroup_rmdir	a new cgroup inherits its parent's entry
 */

SEC("lsm/task_alloc")
int BPF_PROG(hook_task_alloc, struct task_struct *task, unsigned long clone_flags)
{
	struct warder_task *child;

	/* The loader needs it whole in BTF; behind two pointers the compiler leaves it out. */
	if (!bpf_core_type_id_local(struct warder_subject))
		return -EPERM;
	HOOK_BEGIN(actor, TASK_ALLOC);
	if (!reason && (clone_flags & CLONE_INTO_CGROUP))
		reason = WARDER_REASON_SURFACE;
	if (reason)
		return actor_end(&actor, reason, -EPERM);
	if (!actor.label)
		return 0;
	child = task_record(task, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!child) {
		total_add(WARDER_TOTAL_LABEL_FAILED);
		return actor_end(&actor, WARDER_REASON_NO_MEMORY, -EPERM);
	}
	child->binding = actor.label;
	return 0;
}

/*
 * A child of somebody outside, born in a bound cgroup (CLONE_INTO_CGROUP): labelled before
 * it runs, so that it is this subject's wherever it is moved before its first act. It is in
 * its cgroup already and not awake yet. A deny-all cgroup labels nobody.
 */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_sched_process_fork, struct task_struct *parent, struct task_struct *child)
{
	__u64 id = cgroup_id_of(child);
	struct warder_task *record;
	struct warder_cgroup *entry;

	if (!gate_open(id) || child->bpf_storage)
		return 0;
	entry = bpf_map_lookup_elem(&cgroups, &id);
	if (!entry || entry->binding == WARDER_BINDING_UNBOUND)
		return 0;
	record = task_record(child, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!record)
		total_add(WARDER_TOTAL_LABEL_FAILED);
	else if (!record->binding)
		record->binding = entry->binding;
	return 0;
}

static __always_inline int judge_other(struct actor *actor, struct task_struct *other, int signal)
{
	struct warder_event *event = &actor->task->event;

	event->object = WARDER_OBJECT_PROCESS;
	event->number = other->tgid;
	event->signal = signal;
	return JUDGE_BOTH(actor, task_is_member(other, binding) ? 0 : WARDER_REASON_NOT_MEMBER);
}

static __noinline int body_ptrace_access_check(struct task_struct *child, __u8 flags)
{
	HOOK_BEGIN(actor, PTRACE_ACCESS_CHECK);
	actor.flags = flags;
	if (!reason)
		reason = judge_other(&actor, child, 0);
	return actor_end(&actor, reason, -EPERM);
}

SEC("lsm/ptrace_access_check")
int BPF_PROG(hook_ptrace_access_check, struct task_struct *child, unsigned int mode)
{
	return body_ptrace_access_check(child, 0);
}

SEC("lsm_cgroup/ptrace_access_check")
int BPF_PROG(twin_ptrace_access_check, struct task_struct *child, unsigned int mode)
{
	return twin_return(body_ptrace_access_check(child, WARDER_EVENT_SECOND_NET));
}

SEC("lsm/ptrace_traceme")
int BPF_PROG(hook_ptrace_traceme, struct task_struct *parent)
{
	HOOK_BEGIN(actor, PTRACE_TRACEME);
	if (!reason)
		reason = judge_other(&actor, parent, 0);
	return actor_end(&actor, reason, -EPERM);
}

static __noinline int body_task_kill(struct task_struct *other, int signal, __u8 flags)
{
	HOOK_BEGIN(actor, TASK_KILL);
	actor.flags = flags;
	if (!reason)
		reason = judge_other(&actor, other, signal);
	return actor_end(&actor, reason, -EPERM);
}

/* `cred` is set only where the kernel sends on behalf of an earlier caller (USB). */
SEC("lsm/task_kill")
int BPF_PROG(hook_task_kill, struct task_struct *other, struct kernel_siginfo *info, int signal,
	     const struct cred *cred)
{
	if (parameter_value(ctx, 3, 0))
		return 0;
	return body_task_kill(other, signal, 0);
}

SEC("lsm_cgroup/task_kill")
int BPF_PROG(twin_task_kill, struct task_struct *other, struct kernel_siginfo *info, int signal,
	     const struct cred *cred)
{
	if (parameter_value(ctx, 3, 0))
		return 1;
	return twin_return(body_task_kill(other, signal, WARDER_EVENT_SECOND_NET));
}

/* One act upon another task that is nobody's but a member's. */
#define OTHER_HOOK(NAME, other)                                 \
	do {                                                    \
		HOOK_BEGIN(actor, NAME);                        \
		if (!reason)                                    \
			reason = judge_other(&actor, other, 0); \
		return actor_end(&actor, reason, -EPERM);       \
	} while (0)

SEC("lsm/task_setrlimit")
int BPF_PROG(hook_task_setrlimit, struct task_struct *other, unsigned int resource,
	     struct rlimit *limit)
{
	OTHER_HOOK(TASK_SETRLIMIT, other);
}

SEC("lsm/task_setnice")
int BPF_PROG(hook_task_setnice, struct task_struct *other, int nice)
{
	OTHER_HOOK(TASK_SETNICE, other);
}

SEC("lsm/task_setioprio")
int BPF_PROG(hook_task_setioprio, struct task_struct *other, int priority)
{
	OTHER_HOOK(TASK_SETIOPRIO, other);
}

SEC("lsm/task_setscheduler")
int BPF_PROG(hook_task_setscheduler, struct task_struct *other)
{
	OTHER_HOOK(TASK_SETSCHEDULER, other);
}

SEC("lsm/task_movememory")
int BPF_PROG(hook_task_movememory, struct task_struct *other)
{
	OTHER_HOOK(TASK_MOVEMEMORY, other);
}

SEC("lsm/file_send_sigiotask")
int BPF_PROG(hook_file_send_sigiotask, struct task_struct *other, struct fown_struct *owner,
	     int signal)
{
	OTHER_HOOK(FILE_SEND_SIGIOTASK, other);
}

/* The number of the current process as it knows itself; 0 when it cannot be read. */
static __always_inline int own_number(void)
{
	struct task_struct *self = bpf_get_current_task_btf();
	struct pid *pid = BPF_CORE_READ(self, signal, pids[PIDTYPE_TGID]);
	__u32 level = 0, at;
	int number = 0;

	if (READ(level, pid->level))
		return 0;
	at = bpf_core_field_offset(struct pid, numbers) + level * bpf_core_type_size(struct upid);
	return bpf_probe_read_kernel(&number, sizeof(number), (void *)pid + at) ? 0 : number;
}

/*
 * Whom the kernel shall send a signal when something can be read: the process itself, or
 * nobody. It sends it later, whoever causes it then, so this is where it is judged. Nonzero
 * refuses, as in body_capable.
 */
static __noinline int body_fcntl(unsigned int command, int number)
{
	HOOK_BEGIN(actor, FILE_FCNTL);
	if (!reason) {
		actor.task->event.object = WARDER_OBJECT_PROCESS;
		if (command == F_SETOWN_EX)
			reason = WARDER_REASON_SURFACE; /* whom is said in user memory */
		else if (number && number != own_number())
			reason = WARDER_REASON_NOT_MEMBER;
		if (command == F_SETOWN)
			actor.task->event.number = number;
	}
	return actor_end(&actor, reason, -EPERM);
}

/*
 * A terminal that is told to signal its input names by itself whom: its foreground process
 * group, which is anybody's; and it sends any signal that one says.
 */
static __always_inline int asks_for_signals(const struct file *file, unsigned int command,
					    unsigned long argument)
{
	if (command != F_SETSIG && !(command == F_SETFL && (argument & FASYNC)))
		return 0;
	return (file->f_inode->i_mode & S_IFMT) == S_IFCHR;
}

static __noinline int body_device_signals(void)
{
	HOOK_BEGIN(actor, FILE_FCNTL);
	if (!reason) {
		actor.task->event.object = WARDER_OBJECT_NAMED;
		__builtin_memcpy(actor.task->text, "device", 6);
		actor.task->event.text_length = 6;
	}
	return surface_end(&actor, reason);
}

SEC("lsm/file_fcntl")
int BPF_PROG(hook_file_fcntl, struct file *file, unsigned int command, unsigned long argument)
{
	if (command == F_SETOWN || command == F_SETOWN_EX)
		return body_fcntl(command, argument) ? -EPERM : 0;
	if (asks_for_signals(file, command, argument))
		return body_device_signals() ? -EPERM : 0;
	return 0;
}

/* Gate first, then the entry: a task in between is seen as "marked, no entry" and refused. */
SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_cgroup_mkdir, struct cgroup *cgroup, const char *path)
{
	struct cgroup_subsys_state *up = cgroup->self.parent;
	struct warder_cgroup *parent, entry = {};
	__u64 id = cgroup->kn->id, parent_id = 0;
	__u32 bucket = id & (WARDER_GATE_SIZE - 1), *mark;
	struct cgroup *above;

	if (cgroup->root->hierarchy_id || !up)
		return 0;
	above = (void *)up - bpf_core_field_offset(struct cgroup, self);
	parent_id = BPF_CORE_READ(above, kn, id);
	parent = bpf_map_lookup_elem(&cgroups, &parent_id);
	/* A parent whose own entry could not be inserted has none, but its gate is marked. */
	if (!parent && !(gate_open(parent_id) && total_get(WARDER_TOTAL_INHERIT_FAILED)))
		return 0;
	mark = bpf_map_lookup_elem(&gate, &bucket);
	if (mark)
		*mark = 1;
	if (!parent)
		return 0;
	entry.binding = parent->binding;
	if (bpf_map_update_elem(&cgroups, &id, &entry, BPF_ANY)) {
		total_add(WARDER_TOTAL_INHERIT_FAILED);
		parent->flags |= WARDER_CGROUP_CHILDREN_UNKNOWN;
	}
	return 0;
}

SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(on_cgroup_rmdir, struct cgroup *cgroup, const char *path)
{
	__u64 id = cgroup->kn->id;

	if (cgroup->root->hierarchy_id || !gate_open(id))
		return 0;
	bpf_map_delete_elem(&cgroups, &id);
	return 0;
}
