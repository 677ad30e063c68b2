/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * alias.bpf.h - judge what a hook knows as a dentry alone, without the mount it was found on.
 *
 * Its names are those below every mount of its file system in the task's own mount namespace.
 * Which of them the caller used is not known, so all of them have to allow: a name is never
 * widened by another one. None at all is a refusal, but for files that never have one (pipes,
 * memory files, sockets), and so are more mounts than are looked through.
 *
 * mount_lock guards the mounts of a file system: what its sequence count shows to have changed
 * meanwhile is done again.
 */
#ifndef WARDER_ALIAS_BPF_H
#define WARDER_ALIAS_BPF_H

#include "judge.bpf.h"

/* Results of a visit besides reasons; those are small and never negative. */
#define ALIAS_NEXT 0
#define ALIAS_END  (-1)

/* The mount behind the one at `at`, and the new `at`; 0 at the end or when it cannot be read. */
static __always_inline struct mount *alias_next(struct warder_aliases *aliases)
{
	struct super_block *sb = (void *)aliases->sb;
	struct list_head *link = 0;
	struct mount *mount = 0;

	if (bpf_core_field_exists(struct mount___chain, mnt_next_for_sb)) {
		struct super_block___chain *chain = (void *)sb;
		struct mount___chain *last = (void *)aliases->at;
		int error = last ? READ(mount, last->mnt_next_for_sb)
				 : READ(mount, chain->s_mounts);

		aliases->done = !error && !mount;
		aliases->at = (__u64)mount;
		return error ? 0 : mount;
	}
	if (!bpf_core_field_exists(struct mount___list, mnt_instance))
		return 0;
	link = aliases->at
		       ? (void *)aliases->at
		       : (void *)sb + bpf_core_field_offset(struct super_block___list, s_mounts);
	if (READ(link, link->next) || !link)
		return 0;
	aliases->at = (__u64)link;
	if ((void *)link ==
	    (void *)sb + bpf_core_field_offset(struct super_block___list, s_mounts)) {
		aliases->done = 1;
		return 0;
	}
	return (void *)link - bpf_core_field_offset(struct mount___list, mnt_instance);
}

/* Before the first mount, again. */
static __always_inline void alias_restart(struct warder_aliases *aliases)
{
	aliases->at = 0;
	aliases->names = 0;
	aliases->done = 0;
	aliases->counts = path_counts();
}

/* Judge the name that the next mount gives, if any. ALIAS_NEXT, ALIAS_END, or the reason. */
static __always_inline int alias_judge_next(struct warder_task *t, __u64 binding, __u32 rights)
{
	struct mount *mount = alias_next(&t->aliases);
	__u64 ns = 0;
	__u32 at;
	int reason;

	if (!mount)
		return t->aliases.done ? ALIAS_END : WARDER_REASON_UNKNOWN;
	if (READ(ns, mount->mnt_ns))
		return WARDER_REASON_UNKNOWN;
	if (ns != t->aliases.ns)
		return ALIAS_NEXT;
	t->object.dentry = t->aliases.dentry;
	t->object.mnt = (__u64)mount + bpf_core_field_offset(struct mount, mnt);
	t->event.flags &= ~WARDER_EVENT_TEXT_CUT;
	reason = judge_object_state(t, binding, rights, &at);
	/* The walk missed the root of this mount: the object is in another part of the tree. */
	if (reason == WARDER_REASON_UNFINISHED)
		return ALIAS_NEXT;
	t->aliases.names++;
	return reason;
}

/* One mount on, or back to the first when mounts changed. Results as alias_judge_next. */
__noinline int alias_visit(struct warder_task *t, __u64 binding, __u32 rights)
{
	__u64 counts;
	int result;

	if (!t)
		return WARDER_REASON_NO_MEMORY;
	result = alias_judge_next(t, binding, rights);
	if (result == ALIAS_NEXT)
		return result;
	counts = path_counts();
	/* The lower half counts changes of mounts; renames the walk has looked at. */
	if (counts != COUNTS_UNSTABLE && (__u32)counts == (__u32)t->aliases.counts)
		return result;
	t->event.missing = rights;
	if (++t->aliases.tries > WARDER_WALK_RETRIES)
		return WARDER_REASON_UNSTABLE;
	alias_restart(&t->aliases);
	return ALIAS_NEXT;
}

/* Rights on the object of t->aliases, by all of its names; 0 or the reason. */
__noinline int alias_judge(struct warder_task *t, __u64 binding, __u32 rights)
{
	int result = ALIAS_NEXT, i, state = subject_state(subject_find(binding));
	unsigned long flags = 0;
	struct super_block *sb;

	if (!t)
		return WARDER_REASON_NO_MEMORY;
	if (state)
		return state < 0 ? 0 : state;
	sb = (void *)t->aliases.sb;
	t->aliases.tries = 0;
	alias_restart(&t->aliases);
	/* One loop in one function: a walk below it takes all the frames that there are. */
	for (i = 0; i < (int)WARDER_MOUNTS_MAX; i++) {
		result = alias_visit(t, binding, rights);
		if (result != ALIAS_NEXT)
			break;
	}
	if (result != ALIAS_END) {
		t->event.missing = rights;
		return result == ALIAS_NEXT ? WARDER_REASON_UNKNOWN : result;
	}
	if (t->aliases.names)
		return 0;
	if (!READ(flags, sb->s_flags) && !READ(t->magic, sb->s_magic) &&
	    (flags & (SB_KERNMOUNT | SB_NOUSER)))
		return judge_nameless(t, binding, rights);
	t->event.missing = rights;
	return WARDER_REASON_UNFINISHED;
}

/* Judge rights on a dentry, whose address came out of the hook's context. */
static __always_inline int judge_dentry(struct actor *actor, __u64 address, __u32 rights)
{
	struct task_struct *self = bpf_get_current_task_btf();
	struct dentry *dentry = (void *)address;
	struct warder_task *t = actor->task;
	struct super_block *sb = 0;

	t->event.object = WARDER_OBJECT_PATH;
	t->event.rights = rights;
	t->event.missing = rights;
	t->depth = 0;
	if (!dentry || READ(sb, dentry->d_sb) || !sb)
		return WARDER_REASON_UNKNOWN;
	t->aliases.dentry = address;
	t->aliases.sb = (__u64)sb;
	t->aliases.ns = (__u64)BPF_CORE_READ(self, nsproxy, mnt_ns);
	/* A task that is on its way out has none left. */
	if (!t->aliases.ns)
		return WARDER_REASON_UNKNOWN;
	return JUDGE_BOTH(actor, alias_judge(t, binding, rights));
}

#endif
