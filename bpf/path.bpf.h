/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * path.bpf.h - from a dentry and its mount to an automaton state.
 *
 * path_collect	walks up, across mount points, and keeps pointers to the names
 * path_feed	feeds them to an image's automaton from the top down
 * path_state	does both, and again when a rename or mount disturbed it
 *
 * The pointers stay valid because programs run inside an RCU read section; the bytes
 * behind them do not (short names live in the dentry and are overwritten in place), so
 * the VFS's own sequence counts are compared after the last byte was read.
 *
 * A walk that ends anywhere but at the top of the task's mount namespace is a refusal.
 */
#ifndef WARDER_PATH_BPF_H
#define WARDER_PATH_BPF_H

#include "subject.bpf.h"

/* Typeless on purpose: a typed declaration of these resolves to address 0. */
extern const void rename_lock __ksym;
extern const void mount_lock __ksym;

/* What a walk found; negative results of path_state are -enum path_result. */
enum path_result {
	PATH_OK,
	PATH_UNFINISHED = 1, /* detached, of another namespace, disconnected, removed */
	PATH_TOO_DEEP,
	PATH_UNSTABLE,
	PATH_UNREADABLE, /* a read failed: cannot tell */
	PATH_GONE,	 /* no image to feed */
	PATH_SPELLING,	 /* a name that may be spelt in other ways */
	PATH_FOREIGN,	 /* below /proc/PID of a process outside the subject */
	PATH_LAYER,	 /* a layer below an overlay, whose own open is judged */
	PATH_NAMELESS,	 /* a file without path: pipe, memfd, anonymous inode, ... */
	PATH_TOP,	 /* of path_step: nothing is above */
};

/* Stands in `names` for the directory of the own process below /proc. */
#define NAME_SELF 1ull
/* ... and for the one component of the root directory, which has no name. */
#define NAME_NONE	2ull
#define MNT_NS_INTERNAL ((__u64)-22) /* ERR_PTR(-EINVAL), fs/mount.h */

#define READ(dst, src) bpf_core_read(&(dst), sizeof(dst), &(src))

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return (void *)mnt - bpf_core_field_offset(struct mount, mnt);
}

/* What path_counts returns when a writer stayed inside; no counts are odd. */
#define COUNTS_UNSTABLE 1ull

/* The sequence counts of renames and mounts, once no writer is inside. */
__noinline __u64 path_counts(void)
{
	__u32 renames = 0, mounts = 0;
	int i;

	for (i = 0; i < 32; i++) {
		if (bpf_probe_read_kernel(&renames, sizeof(renames), &rename_lock) ||
		    bpf_probe_read_kernel(&mounts, sizeof(mounts), &mount_lock))
			break;
		if (!((renames | mounts) & 1))
			return (__u64)renames << 32 | mounts;
	}
	return COUNTS_UNSTABLE;
}

/* Whose is a directory directly below the root of a procfs? */
enum proc_owner {
	PROC_NOBODY, /* not a process directory */
	PROC_OWN,    /* of this process, or of a fellow member */
	PROC_OTHER,
};

__noinline int proc_owner_of(__u64 inode_address, __u64 binding)
{
	struct task_struct *self = bpf_get_current_task_btf(), *task;
	struct inode *inode = (void *)inode_address;
	struct proc_inode *proc;
	struct hlist_node *link = 0;
	struct pid *pid = 0;
	__u64 id = 0;

	if (!inode)
		return PROC_NOBODY;
	proc = (void *)inode - bpf_core_field_offset(struct proc_inode, vfs_inode);
	if (READ(pid, proc->pid))
		return PROC_OTHER;
	if (!pid)
		return PROC_NOBODY;
	if (pid == BPF_CORE_READ(self, signal, pids[PIDTYPE_TGID]))
		return PROC_OWN;
	if (READ(link, pid->tasks[PIDTYPE_PID].first) || !link)
		return PROC_OTHER;
	task = (void *)link - bpf_core_field_offset(struct task_struct, pid_links[PIDTYPE_PID]);
	id = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	return cgroup_is_member(id, binding) ? PROC_OWN : PROC_OTHER;
}

/* Continue the walk on the mount below which `mount` hangs; PATH_TOP when there is none. */
static __always_inline int path_cross(struct warder_task *t, struct mount *mount)
{
	struct mount *up = 0;
	struct super_block *sb = 0;

	if (READ(up, mount->mnt_parent))
		return PATH_UNREADABLE;
	if (up == mount)
		return PATH_TOP;
	if (READ(t->dentry, mount->mnt_mountpoint) || READ(t->root, up->mnt.mnt_root) ||
	    READ(sb, up->mnt.mnt_sb) || READ(t->here, sb->s_magic))
		return PATH_UNREADABLE;
	t->mount = (__u64)up;
	return PATH_OK;
}

/* Is `dentry`, a child of `parent`, a process directory at the root of a procfs, and whose? */
static __always_inline int path_owner(struct warder_task *t, struct dentry *dentry,
				      struct dentry *parent)
{
	struct dentry *above = 0;
	struct inode *inode = 0;

	if (t->here != PROC_SUPER_MAGIC)
		return PROC_NOBODY;
	if (READ(above, parent->d_parent))
		return PROC_OTHER;
	if (above != parent)
		return PROC_NOBODY;
	if (READ(inode, dentry->d_inode))
		return PROC_OTHER;
	return proc_owner_of((__u64)inode, t->binding);
}

/*
 * May `dentry` have been found by another spelling than that of the directory? Then its name
 * is what the first caller wrote, and a rule about it says nothing about the file. Procfs has
 * a comparison of its own, too, but an exact one.
 */
static __always_inline int path_respelt(struct warder_task *t, struct dentry *dentry,
					struct dentry *parent)
{
	struct super_block *sb = 0;
	struct inode *inode = 0;
	void *encoding = 0;
	__u32 flags = 0;

	if (READ(flags, dentry->d_flags))
		return 1;
	if (!(flags & DCACHE_OP_COMPARE) || t->here == PROC_SUPER_MAGIC)
		return 0;
	/* Without CONFIG_UNICODE nothing folds case by directory. */
	if (!bpf_core_field_exists(sb->s_encoding))
		return 1;
	if (READ(sb, dentry->d_sb) || READ(encoding, sb->s_encoding))
		return 1;
	if (!encoding)
		return 1;
	if (READ(inode, parent->d_inode) || READ(flags, inode->i_flags))
		return 1;
	return flags & S_CASEFOLD;
}

/*
 * One step up: PATH_OK to go on, PATH_TOP at the top, else what is wrong. A function of
 * its own over memory in `t`, so that it is verified once and not once an iteration.
 */
__noinline int path_step(struct warder_task *t)
{
	struct dentry *dentry, *parent = 0;
	__u32 n, length = 0;
	__u64 name = 0;
	int owner;

	if (!t)
		return PATH_UNREADABLE;
	dentry = (void *)t->dentry;
	if ((__u64)dentry == t->root)
		return path_cross(t, (void *)t->mount);
	if (READ(parent, dentry->d_parent) || READ(name, dentry->d_name.name) ||
	    READ(length, dentry->d_name.len))
		return PATH_UNREADABLE;
	if (parent == dentry)
		return PATH_UNFINISHED;
	n = t->depth;
	if (n >= WARDER_DEPTH_MAX)
		return PATH_TOO_DEEP;
	if (path_respelt(t, dentry, parent))
		t->respelt = 1;
	owner = path_owner(t, dentry, parent);
	if (owner == PROC_OTHER)
		t->foreign = 1;
	else if (owner == PROC_OWN)
		name = NAME_SELF;
	n &= WARDER_DEPTH_MAX - 1;
	t->names[n] = name;
	t->depth = n + 1;
	t->dentry = (__u64)parent;
	/* Never judged by a part of its name. Its begin stays for the event. */
	if (length > WARDER_COMPONENT_MAX) {
		t->lengths[n] = WARDER_COMPONENT_MAX;
		return PATH_TOO_DEEP;
	}
	t->lengths[n] = length;
	return PATH_OK;
}

/* Fill names, lengths and depth from the object up. Returns enum path_result. */
__noinline int path_collect(struct warder_task *t)
{
	struct task_struct *self = bpf_get_current_task_btf();
	struct super_block *sb = 0;
	struct vfsmount *mnt;
	struct mount *mount;
	unsigned long flags = 0;
	__u64 ns = 0;
	int result = PATH_OK, i;

	if (!t)
		return PATH_UNREADABLE;
	mnt = (void *)t->object.mnt;
	mount = mount_of(mnt);
	t->depth = 0;
	t->foreign = 0;
	t->respelt = 0;
	t->magic = 0;
	if (READ(sb, mnt->mnt_sb) || READ(t->root, mnt->mnt_root) || READ(ns, mount->mnt_ns) ||
	    READ(t->magic, sb->s_magic) || READ(flags, sb->s_flags))
		return PATH_UNREADABLE;
	if (ns == MNT_NS_INTERNAL)
		return flags & (SB_KERNMOUNT | SB_NOUSER) ? PATH_NAMELESS : PATH_LAYER;
	/* mq_open goes through a mount of the IPC namespace, which is in no tree. */
	if (!ns && t->magic == MQUEUE_MAGIC)
		return PATH_NAMELESS;
	t->dentry = t->object.dentry;
	t->mount = (__u64)mount;
	t->here = t->magic;
	for (i = 0; i < (int)WARDER_WALK_MAX; i++) {
		result = path_step(t);
		if (result)
			break;
	}
	if (!result)
		return PATH_TOO_DEEP;
	if (result != PATH_TOP)
		return result;
	mount = (void *)t->mount;
	if (READ(ns, mount->mnt_ns))
		return PATH_UNREADABLE;
	if (!ns || ns != (__u64)BPF_CORE_READ(self, nsproxy, mnt_ns))
		return PATH_UNFINISHED;
	if (t->respelt)
		return PATH_SPELLING;
	return t->foreign ? PATH_FOREIGN : PATH_OK;
}

/* No state is negative, not even a damaged image's: that would be a result of the walk. */
#define STATE_MASK 0x7fffffff
/* Bytes that feed_page takes at a time: the verifier follows each of them. */
#define FEED_STEP 64
/* What the text buffer holds at most while it is fed: less than a step, and a component. */
#define FEED_MAX (FEED_STEP - 1 + 1 + WARDER_COMPONENT_MAX)

/*
 * Feed the bytes of the text buffer from t->fed up to t->filled to the image that `t` names:
 * a step's at most, one at least, and only so long as the state stays in one page. Nothing
 * is looked up in the loop. The state after them, or -PATH_GONE.
 */
__noinline int feed_page(struct warder_task *t, __u32 at)
{
	const struct warder_cell_page *page;
	__s64 fed, left, step;
	__u32 base, place, slot;
	const char *text;
	void *image;

	if (!t)
		return -PATH_GONE;
	slot = t->image_slot;
	image = bpf_map_lookup_elem(&images, &slot);
	if (!image)
		return -PATH_GONE;
	base = at & ~WARDER_STATE_PLACE;
	page = warder_page_of_state(image, at);
	if (!page || page->generation != t->generation ||
	    (at & WARDER_STATE_PLACE) >= WARDER_PAGE_STATES)
		return -PATH_GONE;
	fed = t->fed;
	step = t->filled - fed;
	if (step <= 0)
		return at;
	if (step > FEED_STEP)
		step = FEED_STEP;
	WARDER_PIN(fed);
	fed &= 511;
	text = t->text + fed;
	left = step;
	/* Counted down, and signed: then the one comparison bounds the loop, on Linux 6.1 too. */
	do {
		place = at - base;
		if (place >= WARDER_PAGE_STATES)
			break;
		at = warder_step_in(page, at, place, *text++);
		WARDER_PIN(text);
		left--;
		WARDER_PIN(left);
	} while (left > 0);
	t->fed = fed + step - left;
	return at & STATE_MASK;
}

/* Feed what the text buffer holds, and empty it. The state after it, or -PATH_GONE. */
static __always_inline int feed_text(struct warder_task *t, int at)
{
	__u32 i;

	t->fed = 0;
	for (i = 0; i < FEED_MAX; i++) {
		at = feed_page(t, at);
		if (at < 0 || t->fed >= t->filled)
			break;
	}
	t->filled = 0;
	return at;
}

/*
 * Put component `k` behind what the text buffer holds, and feed it all when it is a step's
 * or there is no other component: short names are fed together. The state, or -enum
 * path_result.
 */
__noinline int feed_component(struct warder_task *t, int at, __u32 k)
{
	__u32 length;
	__u64 name, filled;

	if (!t)
		return -PATH_GONE;
	k &= WARDER_DEPTH_MAX - 1;
	name = t->names[k];
	length = t->lengths[k];
	filled = t->filled;
	filled &= FEED_STEP - 1;
	t->text[filled] = '/';
	if (name == NAME_SELF) {
		__builtin_memcpy(&t->text[filled + 1], "self", 4);
		length = 4;
	} else if (name == NAME_NONE) {
		length = 0;
	} else if (bpf_probe_read_kernel(&t->text[filled + 1], length & 255, (void *)name)) {
		return -PATH_UNREADABLE;
	}
	t->filled = filled + 1 + length;
	return !k || t->filled >= FEED_STEP ? feed_text(t, at) : at;
}

/* The state after all collected names, or -enum path_result. */
__noinline int path_feed(struct warder_task *t)
{
	const union warder_page *first;
	__u32 depth, i;
	int at;

	if (!t || !image_open(t->image_slot, t->generation, &first))
		return -PATH_GONE;
	at = first->head.start & STATE_MASK;
	depth = t->depth;
	t->filled = 0;
	if (!depth) {
		t->names[0] = NAME_NONE;
		return feed_component(t, at, 0);
	}
	for (i = 0; i < WARDER_DEPTH_MAX; i++) {
		if (i >= depth)
			break;
		at = feed_component(t, at, depth - 1 - i);
		if (at < 0)
			break;
	}
	return at;
}

/*
 * The state that the image of `binding` reaches for t->object, or -enum path_result.
 * What was collected stays in `t` for the event.
 */
__noinline int path_state(struct warder_task *t, __u64 binding)
{
	struct warder_subject *subject = subject_find(binding);
	__u64 counts;
	int result;
	__u32 i;

	if (!t || !subject)
		return -PATH_GONE;
	t->image_slot = subject->image_slot;
	t->generation = subject->generation;
	for (i = 0; i <= WARDER_WALK_RETRIES; i++) {
		counts = path_counts();
		if (counts == COUNTS_UNSTABLE)
			continue;
		result = -path_collect(t);
		if (!result)
			result = path_feed(t);
		if (path_counts() == counts)
			return result;
	}
	path_collect(t); /* for the event only */
	return -PATH_UNSTABLE;
}

#endif
