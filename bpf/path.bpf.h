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
	PATH_FOREIGN,	 /* below /proc/PID of a process outside the subject */
	PATH_LAYER,	 /* a layer below an overlay, whose own open is judged */
	PATH_NAMELESS,	 /* a file without path: pipe, memfd, anonymous inode, ... */
};

/* Stands in `names` for the directory of the own process below /proc. */
#define NAME_SELF	 1ull
#define MNT_NS_INTERNAL ((__u64)-22) /* ERR_PTR(-EINVAL), fs/mount.h */

#define READ(dst, src) bpf_core_read(&(dst), sizeof(dst), &(src))

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return (void *)mnt - bpf_core_field_offset(struct mount, mnt);
}

/* The sequence counts, once no writer is inside; 0 when one stayed there. */
static __always_inline int path_counts(__u32 *renames, __u32 *mounts)
{
	int i;

	for (i = 0; i < 32; i++) {
		if (bpf_probe_read_kernel(renames, sizeof(*renames), &rename_lock) ||
		    bpf_probe_read_kernel(mounts, sizeof(*mounts), &mount_lock))
			return 0;
		if (!((*renames | *mounts) & 1))
			return 1;
	}
	return 0;
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

/* Fill names, lengths and depth from the object up. Returns enum path_result. */
__noinline int path_collect(struct warder_task *t, __u64 dentry_address, __u64 mnt_address)
{
	struct dentry *dentry = (void *)dentry_address, *root = 0, *parent = 0, *grand = 0;
	struct vfsmount *mnt = (void *)mnt_address;
	struct mount *mount = mount_of(mnt), *up = 0;
	struct task_struct *self = bpf_get_current_task_btf();
	struct super_block *sb = 0;
	unsigned long magic = 0, flags = 0;
	__u64 ns = 0, name = 0;
	__u32 length = 0, n = 0, i;

	if (!t)
		return PATH_UNREADABLE;
	t->depth = 0;
	if (READ(sb, mnt->mnt_sb) || READ(root, mnt->mnt_root) || READ(ns, mount->mnt_ns) ||
	    READ(magic, sb->s_magic) || READ(flags, sb->s_flags))
		return PATH_UNREADABLE;
	t->magic = magic;
	if (ns == MNT_NS_INTERNAL)
		return flags & (SB_KERNMOUNT | SB_NOUSER) ? PATH_NAMELESS : PATH_LAYER;

	for (i = 0; i < WARDER_WALK_MAX; i++) {
		if (dentry == root) {
			if (READ(up, mount->mnt_parent))
				return PATH_UNREADABLE;
			if (up == mount)
				goto top;
			if (READ(dentry, mount->mnt_mountpoint) || READ(root, up->mnt.mnt_root) ||
			    READ(sb, up->mnt.mnt_sb) || READ(magic, sb->s_magic))
				return PATH_UNREADABLE;
			mount = up;
			continue;
		}
		if (READ(parent, dentry->d_parent) || READ(name, dentry->d_name.name) ||
		    READ(length, dentry->d_name.len))
			return PATH_UNREADABLE;
		if (parent == dentry)
			return PATH_UNFINISHED;
		if (n >= WARDER_DEPTH_MAX)
			return PATH_TOO_DEEP;
		if (magic == PROC_SUPER_MAGIC) {
			if (READ(grand, parent->d_parent))
				return PATH_UNREADABLE;
			if (grand == parent) {
				struct inode *inode = 0;
				int owner;

				if (READ(inode, dentry->d_inode))
					return PATH_UNREADABLE;
				owner = proc_owner_of((__u64)inode, t->binding);
				if (owner == PROC_OTHER)
					t->foreign = 1;
				if (owner == PROC_OWN)
					name = NAME_SELF;
			}
		}
		n &= WARDER_DEPTH_MAX - 1;
		t->names[n] = name;
		t->lengths[n] = length;
		n++;
		t->depth = n;
		dentry = parent;
	}
	return PATH_TOO_DEEP;
top:
	if (READ(ns, mount->mnt_ns))
		return PATH_UNREADABLE;
	if (!ns || ns != (__u64)BPF_CORE_READ(self, nsproxy, mnt_ns))
		return PATH_UNFINISHED;
	return t->foreign ? PATH_FOREIGN : PATH_OK;
}

/* Feed the first `length` bytes of the text buffer. */
__noinline int feed_text(struct warder_task *t, struct warder_image *image, __u32 at, __u32 length)
{
	__u32 i;

	if (!t || !image)
		return 0;
	for (i = 0; i < 256; i++) {
		if (i >= length)
			break;
		at = warder_step(image, at, t->text[i]);
	}
	return at;
}

/* The state after all collected names, or -enum path_result. */
__noinline int path_feed(struct warder_task *t, struct warder_image *image)
{
	__u32 depth, i, at;

	if (!t || !image)
		return -PATH_GONE;
	at = image->start;
	depth = t->depth;
	if (!depth)
		return warder_step(image, at, '/');
	for (i = 0; i < WARDER_DEPTH_MAX; i++) {
		__u32 k, length;
		__u64 name;

		if (i >= depth)
			break;
		k = (depth - 1 - i) & (WARDER_DEPTH_MAX - 1);
		name = t->names[k];
		length = t->lengths[k];
		at = warder_step(image, at, '/');
		if (name == NAME_SELF) {
			t->text[0] = 's';
			t->text[1] = 'e';
			t->text[2] = 'l';
			t->text[3] = 'f';
			length = 4;
		} else {
			length &= 255;
			if (bpf_probe_read_kernel(t->text, length, (void *)name))
				return -PATH_UNREADABLE;
		}
		at = feed_text(t, image, at, length);
	}
	return at;
}

/*
 * The state that the image of `binding` reaches for this object, or -enum path_result.
 * What was collected stays in `t` for the event.
 */
__noinline int path_state(struct warder_task *t, __u64 dentry, __u64 mnt, __u64 binding)
{
	struct warder_subject *subject = subject_find(binding);
	struct warder_image *image;
	__u32 renames, mounts, renames_after, mounts_after, i;
	int result;

	if (!t || !subject)
		return -PATH_GONE;
	image = image_find(subject);
	if (!image)
		return -PATH_GONE;
	for (i = 0; i <= WARDER_WALK_RETRIES; i++) {
		if (!path_counts(&renames, &mounts))
			continue;
		t->foreign = 0;
		result = -path_collect(t, dentry, mnt);
		if (!result)
			result = path_feed(t, image);
		if (!path_counts(&renames_after, &mounts_after))
			continue;
		if (renames == renames_after && mounts == mounts_after)
			return result;
	}
	return -PATH_UNSTABLE;
}

#endif
