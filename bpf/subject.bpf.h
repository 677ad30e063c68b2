/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * subject.bpf.h - who is acting: the gate, the label, the leaf cgroup, the binding.
 *
 * Two identities, and both must allow where they differ: the label in task storage,
 * inherited at fork and sticky wherever the task is moved, and the leaf cgroup. A task
 * in a bound cgroup that carries no label yet gets one at its first judged act.
 *
 * Cannot tell is deny: a label or entry whose subject is gone, a leaf whose entry could
 * not be stored, no memory for the label. The one thing taken for "absent" is a task
 * storage lookup that finds nothing, and so the loader refuses the one kernel on which
 * that lookup fails at random (6.1 with full preemption).
 */
#ifndef WARDER_SUBJECT_BPF_H
#define WARDER_SUBJECT_BPF_H

#include "maps.bpf.h"
#include <warder/decide.h>

/* Who a hook judges. */
struct actor {
	struct warder_task *task; /* scratch; never NULL once actor_find returned 1 */
	__u64 label;		  /* binding to satisfy; 0: none */
	__u64 leaf;		  /* another binding to satisfy as well; 0: none */
	__u8 hook;		  /* enum warder_hook */
	__u8 flags;		  /* enum warder_event_flag */
};

static __always_inline void total_add(__u32 total)
{
	__u64 *count = bpf_map_lookup_elem(&totals, &total);

	if (count)
		__sync_fetch_and_add(count, 1);
}

static __always_inline __u64 total_get(__u32 total)
{
	__u64 *count = bpf_map_lookup_elem(&totals, &total);

	return count ? *count : 1; /* cannot tell: behave as if something had failed */
}

static __always_inline __u64 cgroup_id_of(struct task_struct *task)
{
	return task->cgroups->dfl_cgrp->kn->id;
}

/* Nonzero when a bound cgroup may have this id. */
static __always_inline __u32 gate_open(__u64 id)
{
	__u32 bucket = id & (WARDER_GATE_SIZE - 1);
	__u32 *mark = bpf_map_lookup_elem(&gate, &bucket);

	return mark ? *mark : 1; /* cannot happen; the slow path decides */
}

/*
 * The binding of the current task's leaf cgroup, `id`; 0 when it has none. An entry that
 * could not be inserted leaves the gate marked: then, and only if any insertion ever
 * failed, a bound ancestor turns "no entry" into the deny-all subject.
 */
__noinline __u64 leaf_binding(__u64 id)
{
	struct warder_cgroup *entry;
	__u64 ancestor;
	__u32 level;

	if (!gate_open(id))
		return 0;
	entry = bpf_map_lookup_elem(&cgroups, &id);
	if (entry)
		return entry->binding;
	if (!total_get(WARDER_TOTAL_INHERIT_FAILED))
		return 0;
	for (level = 0; level < WARDER_CGROUP_DEPTH_MAX; level++) {
		ancestor = bpf_get_current_ancestor_cgroup_id(level);
		if (!ancestor)
			return 0;
		if (bpf_map_lookup_elem(&cgroups, &ancestor)) {
			total_add(WARDER_TOTAL_UNKNOWN_LEAF);
			return WARDER_BINDING_UNBOUND;
		}
	}
	total_add(WARDER_TOTAL_UNKNOWN_LEAF);
	return WARDER_BINDING_UNBOUND; /* deeper than we look: cannot tell */
}

/* The subject that `binding` names, or NULL when it is gone. */
static __always_inline struct warder_subject *subject_find(__u64 binding)
{
	__u32 slot = WARDER_SLOT(binding), zero = 0;
	struct warder_subject *subject;
	void *inner;

	inner = bpf_map_lookup_elem(&subjects, &slot);
	if (!inner)
		return 0;
	subject = bpf_map_lookup_elem(inner, &zero);
	if (!subject || subject->binding != binding)
		return 0;
	return subject;
}

/*
 * The image in `slot`, to be used with warder/decide.h, and its head; NULL when that slot
 * holds another generation.
 */
static __always_inline void *image_open(__u32 slot, __u64 generation,
					const union warder_page **ret_first)
{
	const union warder_page *first;
	void *image;

	image = bpf_map_lookup_elem(&images, &slot);
	if (!image)
		return 0;
	first = warder_page(image, 0);
	if (!first || first->head.generation != generation ||
	    first->head.magic != WARDER_IMAGE_MAGIC)
		return 0;
	*ret_first = first;
	return image;
}

/* The image a subject is judged by, or NULL. */
static __always_inline void *image_find(const struct warder_subject *subject,
					const union warder_page **ret_first)
{
	return image_open(subject->image_slot, subject->generation, ret_first);
}

static __always_inline struct warder_task *task_record(struct task_struct *task, __u64 create)
{
	return bpf_task_storage_get(&tasks, task, 0, create);
}

/*
 * 0 when the current task is certainly nobody's. What the whole machine pays, so a hook that it
 * passes often asks this first and keeps the rest in a function of its own: a program saves the
 * registers that it uses before its first instruction.
 */
static __always_inline __u64 actor_mark(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 bucket, *mark;
	__u64 marked;

	if (task->bpf_storage)
		return 1;
	/* Two bytes of the number, which are the bucket: one instruction less than a mask. */
	_Static_assert(WARDER_GATE_SIZE == 1u << 16, "a bucket is two bytes");
	bucket = *(const volatile __u16 *)&task->cgroups->dfl_cgrp->kn->id;
	mark = bpf_map_lookup_elem(&gate, &bucket);
	if (!mark)
		return 1; /* cannot happen; the slow path decides */
	marked = *mark;
	WARDER_PIN(marked);
	return marked;
}

/*
 * Find who the current task is. 0: nobody we judge. 1: `actor` is filled.
 * -EACCES: a subject, but there is no memory to work with.
 */
static __always_inline int actor_find(struct actor *actor, __u8 hook)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 id = cgroup_id_of(task), leaf = 0;
	struct warder_task *record = 0;

	if (!task->bpf_storage && !gate_open(id))
		return 0;
	if (task->bpf_storage)
		record = task_record(task, 0);
	if (gate_open(id))
		leaf = leaf_binding(id);
	if (!leaf && (!record || !record->binding))
		return 0;
	if (!record) {
		record = task_record(task, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (!record) {
			total_add(WARDER_TOTAL_LABEL_FAILED);
			return -EACCES;
		}
	}
	/* The deny-all subject is no membership: whoever leaves it is nobody again. */
	if (!record->binding && leaf != WARDER_BINDING_UNBOUND)
		record->binding = leaf;
	actor->task = record;
	actor->label = record->binding;
	actor->leaf = leaf == record->binding ? 0 : leaf;
	actor->hook = hook;
	actor->flags = 0;
	return 1;
}

/* One more that has a say. There is room for all: see WARDER_JUDGES_MAX. */
static __always_inline void judges_add(struct warder_task *t, __u64 binding)
{
	__u32 at = t->judge_count & (WARDER_JUDGES_MAX - 1);

	t->judges[at] = binding;
	t->judge_count = at + 1;
}

/*
 * The subject `binding` has a say, and those above it. One that was released has none, but
 * those above it keep theirs; one that is gone is put down, and refuses.
 */
__noinline int judges_of(struct warder_task *t, __u64 binding)
{
	struct warder_subject *subject = subject_find(binding);
	__u32 i;

	if (!t)
		return 0;
	if (!subject || !(subject->flags & WARDER_SUBJECT_RELEASED))
		judges_add(t, binding);
	if (!subject)
		return 0;
	for (i = 0; i < WARDER_NESTING_MAX - 1; i++) {
		if (!subject->above[i])
			break;
		judges_add(t, subject->above[i]);
	}
	return 0;
}

/* The judge in place `at`; 0: there are no more. */
static __always_inline __u64 judge_at(const struct warder_task *t, __u32 at)
{
	return at < t->judge_count ? t->judges[at & (WARDER_JUDGES_MAX - 1)] : 0;
}

/*
 * Is `inner` the subject `outer`, or one below it? What is below is its members too: an agent
 * may kill its sandbox, and the sandbox not the agent.
 */
__noinline int binding_is_within(__u64 inner, __u64 outer)
{
	struct warder_subject *subject;
	__u32 i;

	if (inner == outer)
		return 1;
	subject = subject_find(inner);
	if (!subject)
		return 0;
	for (i = 0; i < WARDER_NESTING_MAX - 1; i++) {
		if (!subject->above[i])
			break;
		if (subject->above[i] == outer)
			return 1;
	}
	return 0;
}

/*
 * Does `other` belong to the subject `binding`, or to one below it? By its label, or by its
 * leaf cgroup while it carries none.
 */
static __always_inline int task_is_member(struct task_struct *other, __u64 binding)
{
	struct warder_task *record = task_record(other, 0);
	struct warder_cgroup *entry;
	__u64 id;

	if (record && record->binding)
		return binding_is_within(record->binding, binding);
	id = cgroup_id_of(other);
	entry = bpf_map_lookup_elem(&cgroups, &id);
	return entry && binding_is_within(entry->binding, binding);
}

/* Does the cgroup with this id belong to `binding`, or to a subject below it? */
static __always_inline int cgroup_is_member(__u64 id, __u64 binding)
{
	struct warder_cgroup *entry = bpf_map_lookup_elem(&cgroups, &id);

	return entry && binding_is_within(entry->binding, binding);
}

/* Keys held now by `subject`. */
static __always_inline __u64 keys_held(const struct warder_subject *subject)
{
	return warder_held(subject, subject->granted ? bpf_ktime_get_boot_ns() : 0);
}

#endif
