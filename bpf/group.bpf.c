// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * group.bpf.c - process groups: the terminal's unit of who reads it and who is stopped.
 *
 *   task_setpgid	a process of a subject leads a group of its own, or joins one of its members
 *   file_ioctl	TIOCSPGRP: it hands on the terminal only from a group of its own (ioctl.bpf.c)
 *
 * In a group of somebody else it would read what is typed for him, and by reading in the
 * background stop him: the kernel does that itself, no hook of signals sees it.
 */

/* A shell puts what it has started into one group: the siblings of a process are looked at. */
#define SIBLINGS_MAX 4096

struct group {
	struct list_head *head, *at; /* the children of its parent */
	void *ns;		     /* the caller's, which `number` is of */
	__u64 cgroup;		     /* of the one that the group is named after; 0: none found */
	__u32 level;		     /* of ns */
	int number;
};

/* The number of a task in the caller's namespace; 0: it has none there, or cannot be read. */
static __always_inline int number_there(struct task_struct *task, const struct group *group)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	struct upid upid = {};
	__u32 level = 0;

	if (READ(level, pid->level) || level < group->level)
		return 0;
	if (bpf_probe_read_kernel(&upid, sizeof(upid),
				  (void *)pid + bpf_core_field_offset(struct pid, numbers) +
					  group->level * bpf_core_type_size(struct upid)))
		return 0;
	return upid.ns == group->ns ? upid.nr : 0;
}

static __always_inline __u64 cgroup_read(struct task_struct *task)
{
	return BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
}

static long look_at_sibling(__u32 i, struct group *group)
{
	struct list_head *at = group->at, *next;
	struct task_struct *task;

	if (at == group->head)
		return 1;
	task = (void *)at - bpf_core_field_offset(struct task_struct, sibling);
	if (number_there(task, group) == group->number) {
		group->cgroup = cgroup_read(task);
		return 1;
	}
	if (READ(next, at->next))
		return 1;
	group->at = next;
	return 0;
}

/* The cgroup of the process that the group is named after: its parent or a sibling. */
static __always_inline void find_leader(struct task_struct *task, struct group *group)
{
	struct task_struct *parent = BPF_CORE_READ(task, real_parent);
	struct list_head *head =
		(void *)parent + bpf_core_field_offset(struct task_struct, children);

	if (number_there(parent, group) == group->number) {
		group->cgroup = cgroup_read(parent);
		return;
	}
	group->head = head;
	if (!READ(group->at, head->next))
		bpf_loop(SIBLINGS_MAX, look_at_sibling, group, 0);
}

/* 1: it stays where it is, or leads. */
static __always_inline int keeps_to_itself(struct task_struct *task, struct group *group)
{
	struct pid *own = BPF_CORE_READ(task, signal, pids[PIDTYPE_PGID]);
	struct upid upid = {};

	if (number_there(task, group) == group->number)
		return 1;
	if (bpf_probe_read_kernel(&upid, sizeof(upid),
				  (void *)own + bpf_core_field_offset(struct pid, numbers) +
					  group->level * bpf_core_type_size(struct upid)))
		return 0;
	return upid.ns == group->ns && upid.nr == group->number;
}

static __always_inline int group_is_ours(struct actor *actor, struct task_struct *task, int number)
{
	struct pid *self = BPF_CORE_READ(bpf_get_current_task_btf(), thread_pid);
	struct group group = {.number = number};

	if (READ(group.level, self->level) ||
	    bpf_probe_read_kernel(&group.ns, sizeof(group.ns),
				  (void *)self + bpf_core_field_offset(struct pid, numbers) +
					  group.level * bpf_core_type_size(struct upid) +
					  bpf_core_field_offset(struct upid, ns)))
		return WARDER_REASON_NOT_MEMBER;
	if (keeps_to_itself(task, &group))
		return 0;
	find_leader(task, &group);
	return JUDGE_BOTH(actor, group.cgroup && cgroup_is_member(group.cgroup, binding)
					 ? 0
					 : WARDER_REASON_NOT_MEMBER);
}

/*
 * The terminal's foreground group reads what is typed: who may be put into its place? A group
 * of members, or one that nobody is left of. Zero: go on.
 */
static __always_inline int foreground_is_ours(struct actor *actor)
{
	struct pid *group = BPF_CORE_READ(bpf_get_current_task_btf(), signal, tty, ctrl.pgrp);
	struct hlist_node *link = NULL;
	struct task_struct *task;
	__u64 cgroup;

	if (!group)
		return 0;
	if (READ(link, group->tasks[PIDTYPE_PGID].first))
		return WARDER_REASON_NOT_MEMBER;
	if (!link)
		return 0;
	task = (void *)link - bpf_core_field_offset(struct task_struct, pid_links[PIDTYPE_PGID]);
	cgroup = cgroup_read(task);
	return JUDGE_BOTH(
		actor, cgroup && cgroup_is_member(cgroup, binding) ? 0 : WARDER_REASON_NOT_MEMBER);
}

SEC("lsm/task_setpgid")
int BPF_PROG(hook_task_setpgid, struct task_struct *task, int number)
{
	HOOK_BEGIN(actor, TASK_SETPGID);
	if (!reason) {
		actor.task->event.object = WARDER_OBJECT_PROCESS;
		actor.task->event.number = number;
		reason = group_is_ours(&actor, task, number);
	}
	return actor_end(&actor, reason, -EPERM);
}
