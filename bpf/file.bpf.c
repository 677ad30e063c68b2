// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * file.bpf.c - files by path.
 *
 *   file_open		read, list, write; a program or its loader: map-exec
 *   mmap_file		map-exec of files; anonymous memory is not judged
 *   file_mprotect	the same, for mappings that become executable
 *   file_receive	descriptors that come in from elsewhere, by what they can do
 *   path_notify		list, read: a watch tells names, and who opens what when
 *   path_*		create, delete, rename, link, chattr; link and rename never widen
 *
 * A decision is made on the object's own path as the kernel holds it, never on the
 * string that the caller passed.
 */

static __always_inline int judge_path(struct actor *actor, struct dentry *dentry,
				      struct vfsmount *mnt, __u32 rights)
{
	actor->task->object.dentry = (__u64)dentry;
	actor->task->object.mnt = (__u64)mnt;
	return JUDGE_BOTH(actor, judge_object(actor->task, binding, rights));
}

static __always_inline int is_directory(struct inode *inode)
{
	return (inode->i_mode & S_IFMT) == S_IFDIR;
}

/* Removed from its directory, and no root of a file system (those are never hashed). */
static __always_inline int is_unlinked(struct dentry *dentry)
{
	return !dentry->d_hash.pprev && dentry->d_parent != dentry;
}

static __always_inline __u32 open_rights(struct file *file)
{
	__u32 mode = file->f_mode, flags = file->f_flags, rights = 0;

	if (flags & FMODE_EXEC)
		return WARDER_MAP_EXEC;
	if (mode & FMODE_READ)
		rights |= is_directory(file->f_inode) ? WARDER_LIST : WARDER_READ;
	if (mode & FMODE_WRITE)
		rights |= WARDER_WRITE;
	if (flags & O_TRUNC)
		rights |= WARDER_WRITE;
	if (flags & O_TMPFILE_)
		rights |= WARDER_CREATE;
	/* Access mode 3, "for ioctl only": neither bit is set, and it is no harmless open. */
	if (!rights)
		rights = WARDER_READ | WARDER_WRITE;
	return rights;
}

/*
 * An open with O_CREAT asks for the creation (path_mknod) before the file system was asked
 * whether the name exists. A refusal does not end it: it goes on as an open without O_CREAT,
 * and when the name exists it is judged in file_open like any other.
 */
static __always_inline int is_early(struct dentry *dentry, int kind)
{
	__u32 looking = BIT(28); /* include/linux/dcache.h, up to 6.14 or so */

	if (bpf_core_enum_value_exists(enum dentry_flags, DCACHE_PAR_LOOKUP))
		looking = bpf_core_enum_value(enum dentry_flags, DCACHE_PAR_LOOKUP);
	return kind == S_IFREG && (dentry->d_flags & looking);
}

/*
 * Can no open create a file in this directory, whatever the verdict is? So it is in procfs,
 * where /dev/stderr leads. (What is no open is not asked about here: a pin on the bpf file
 * system is made although its directories create nothing.) Cannot tell: no.
 */
static __always_inline int creates_nothing(const struct path *dir)
{
	const struct inode_operations *operations = 0;
	void *create = 0, *atomic_open = 0;
	struct inode *inode = 0;

	if (READ(inode, dir->dentry->d_inode) || !inode || READ(operations, inode->i_op) ||
	    !operations || READ(create, operations->create) ||
	    READ(atomic_open, operations->atomic_open))
		return 0;
	return !create && !atomic_open;
}

static __always_inline void early_refused(struct actor *actor, struct dentry *dentry)
{
	actor->flags |= WARDER_EVENT_IF_NEW;
	actor->task->early = (__u64)dentry;
	actor->task->early_call = running_call();
}

/* Is this the open whose creation was refused too early? Asked once, at the next open. */
static __always_inline int early_existed(struct warder_task *t, struct dentry *dentry)
{
	__u64 early = t->early;

	t->early = 0;
	return early && early == (__u64)dentry && t->early_call == running_call();
}

static __noinline int body_file_open(struct file *file)
{
	struct dentry *dentry;

	HOOK_BEGIN(actor, FILE_OPEN);
	dentry = file->f_path.dentry;
	if (!reason)
		reason = judge_path(&actor, dentry, file->f_path.mnt, open_rights(file));
	if (!reason && is_directory(file->f_inode) && is_unlinked(dentry))
		reason = WARDER_REASON_UNFINISHED;
	if (early_existed(actor.task, dentry))
		actor.flags |= WARDER_EVENT_EXISTED;
	else if (actor.task->doomed)
		kill_current(actor_binding(&actor));
	actor.task->doomed = 0;
	return actor_end(&actor, reason, -EACCES);
}

/* The dearest of all to those who are nobody's: each instruction up to the return is counted. */
SEC("lsm/file_open")
long hook_file_open(unsigned long long *ctx)
{
	unsigned long long *volatile kept = ctx; /* cheaper than a register that is to be saved */
	__u64 marked = actor_mark();

	if ((__u32)marked)
		return body_file_open((struct file *)kept[0]);
	return marked; /* a 0 that needs not be made */
}

/*
 * map-exec of a file that is mapped. Behind an overlay the mapping may hold the layer's
 * file: then the path that the user opened is judged, and without one the answer is no.
 */
static __always_inline int judge_map_exec(struct actor *actor, struct file *file)
{
	struct vfsmount *mnt = file->f_path.mnt;
	struct dentry *dentry = file->f_path.dentry;
	struct super_block *sb = mnt->mnt_sb;
	__u64 ns = 0;

	if (bpf_core_read(&ns, sizeof(ns), &mount_of(mnt)->mnt_ns))
		return WARDER_REASON_UNKNOWN;
	if (ns == MNT_NS_INTERNAL && !(sb->s_flags & (SB_KERNMOUNT | SB_NOUSER))) {
		struct backing_file *backing = (void *)file;

		if (!bpf_core_field_exists(backing->user_path))
			return WARDER_REASON_UNKNOWN;
		dentry = BPF_CORE_READ(backing, user_path.dentry);
		mnt = BPF_CORE_READ(backing, user_path.mnt);
		if (!dentry || !mnt)
			return WARDER_REASON_UNKNOWN;
		if (BPF_CORE_READ(mount_of(mnt), mnt_ns) == (void *)MNT_NS_INTERNAL)
			return WARDER_REASON_UNKNOWN;
	}
	return judge_path(actor, dentry, mnt, WARDER_MAP_EXEC);
}

SEC("lsm/mmap_file")
int BPF_PROG(hook_mmap_file, struct file *file, unsigned long reqprot, unsigned long prot,
	     unsigned long flags)
{
	/* Who is nobody's goes before the parameter is read, which costs more than the gate. */
	if (!(prot & PROT_EXEC) || !actor_mark() || !parameter_value(ctx, 0, 1) || !file)
		return 0;
	HOOK_BEGIN(actor, MMAP_FILE);
	if (!reason)
		reason = judge_map_exec(&actor, file);
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/file_mprotect")
int BPF_PROG(hook_file_mprotect, struct vm_area_struct *vma, unsigned long reqprot,
	     unsigned long prot)
{
	struct file *file;

	if (!(prot & PROT_EXEC))
		return 0;
	file = vma->vm_file;
	if (!file)
		return 0;
	HOOK_BEGIN(actor, FILE_MPROTECT);
	if (!reason)
		reason = judge_map_exec(&actor, file);
	return actor_end(&actor, reason, -EACCES);
}

/* A socket is welcome where it was made inside the subject: it has its maker's identity. */
static __always_inline int judge_received_socket(struct actor *actor, struct file *file)
{
	struct socket *socket = file->private_data;
	__u64 id = BPF_CORE_READ(socket, sk, sk_cgrp_data.cgroup, kn, id);

	actor->task->event.object = WARDER_OBJECT_NAMED;
	__builtin_memcpy(actor->task->text, "socket made elsewhere", 21);
	actor->task->event.text_length = 21;
	return JUDGE_BOTH(actor, cgroup_is_member(id, binding) ? 0 : WARDER_REASON_NOT_MEMBER);
}

SEC("lsm/file_receive")
int BPF_PROG(hook_file_receive, struct file *file)
{
	__u32 mode, rights = 0;

	HOOK_BEGIN(actor, FILE_RECEIVE);
	mode = file->f_mode;
	if (reason)
		goto out;
	/* A place only: what is opened from there is judged by itself. */
	if (file->f_flags & O_PATH)
		goto out;
	if ((file->f_inode->i_mode & S_IFMT) == S_IFSOCK) {
		reason = judge_received_socket(&actor, file);
		goto out;
	}
	if (mode & FMODE_READ)
		rights |= is_directory(file->f_inode) ? WARDER_LIST : WARDER_READ;
	if (mode & FMODE_WRITE)
		rights |= WARDER_WRITE;
	if (!rights)
		rights = WARDER_READ | WARDER_WRITE;
	reason = judge_path(&actor, file->f_path.dentry, file->f_path.mnt, rights);
out:
	return actor_end(&actor, reason, -EACCES);
}

/* One name, one set of rights: most path hooks. */
#define PATH_HOOK(lower, NAME, dentry, mnt, rights)                       \
	do {                                                              \
		HOOK_BEGIN(actor, NAME);                                  \
		if (!reason)                                              \
			reason = judge_path(&actor, dentry, mnt, rights); \
		return actor_end(&actor, reason, -EACCES);                \
	} while (0)

SEC("lsm/path_truncate")
int BPF_PROG(hook_path_truncate, const struct path *path)
{
	PATH_HOOK(path_truncate, PATH_TRUNCATE, path->dentry, path->mnt, WARDER_WRITE);
}

SEC("lsm/path_unlink")
int BPF_PROG(hook_path_unlink, const struct path *dir, struct dentry *dentry)
{
	PATH_HOOK(path_unlink, PATH_UNLINK, dentry, dir->mnt, WARDER_DELETE);
}

SEC("lsm/path_rmdir")
int BPF_PROG(hook_path_rmdir, const struct path *dir, struct dentry *dentry)
{
	PATH_HOOK(path_rmdir, PATH_RMDIR, dentry, dir->mnt, WARDER_DELETE);
}

SEC("lsm/path_mkdir")
int BPF_PROG(hook_path_mkdir, const struct path *dir, struct dentry *dentry, int mode)
{
	PATH_HOOK(path_mkdir, PATH_MKDIR, dentry, dir->mnt, WARDER_CREATE);
}

SEC("lsm/path_symlink")
int BPF_PROG(hook_path_symlink, const struct path *dir, struct dentry *dentry, const char *old_name)
{
	PATH_HOOK(path_symlink, PATH_SYMLINK, dentry, dir->mnt, WARDER_CREATE);
}

SEC("lsm/path_chmod")
int BPF_PROG(hook_path_chmod, const struct path *path, int mode)
{
	PATH_HOOK(path_chmod, PATH_CHMOD, path->dentry, path->mnt, WARDER_CHATTR);
}

SEC("lsm/path_chown")
int BPF_PROG(hook_path_chown, const struct path *path, __u64 uid, __u64 gid)
{
	PATH_HOOK(path_chown, PATH_CHOWN, path->dentry, path->mnt, WARDER_CHATTR);
}

SEC("lsm/path_mknod")
int BPF_PROG(hook_path_mknod, const struct path *dir, struct dentry *dentry, int mode,
	     unsigned int dev)
{
	int kind = mode & S_IFMT;

	HOOK_BEGIN(actor, PATH_MKNOD);
	actor.task->early = 0;
	if (!reason) {
		reason = judge_path(&actor, dentry, dir->mnt, WARDER_CREATE);
		if (is_early(dentry, kind)) {
			/* Refused all the same, but there was nothing to refuse. */
			if (creates_nothing(dir))
				return reason ? -EACCES : 0;
			if (reason)
				early_refused(&actor, dentry);
		}
	}
	/* A device node is a door of its own; device 0:0 is a whiteout. */
	if (!reason && (kind == S_IFBLK || (kind == S_IFCHR && dev)))
		return surface_end(&actor, 0);
	return actor_end(&actor, reason, -EACCES);
}

/* Judge t->move: the rights on either name, and that the new one widens nothing. */
__noinline int judge_renaming(struct warder_task *t, __u64 binding)
{
	__u32 from = 0, to = 0;
	__u64 generation;
	int reason, state;

	if (!t)
		return WARDER_REASON_NO_MEMORY;
	state = subject_state(subject_find(binding));
	if (state)
		return state < 0 ? 0 : state;
	t->object = t->move.from;
	reason = judge_object_state(t, binding, t->move.from_rights, &from);
	if (reason)
		return reason;
	generation = t->generation;
	/* Before the other name is walked: the report tells of the last one. */
	if (t->move.directory)
		reason = judge_nailed(t, binding, from);
	if (reason)
		return reason;
	t->object = t->move.to;
	reason = judge_object_state(t, binding, t->move.to_rights, &to);
	if (!reason && t->move.directory && t->move.exchange)
		reason = judge_nailed(t, binding, to);
	if (reason)
		return reason;
	/* A state of 0 was not reached by a walk (nameless, layer): nothing to compare. */
	if (!from || !to)
		return WARDER_REASON_UNKNOWN;
	reason = judge_move(binding, generation, (__u64)from << 32 | to, t->move.directory);
	if (!reason && t->move.exchange)
		reason = judge_move(binding, generation, (__u64)to << 32 | from, t->move.directory);
	return reason;
}

SEC("lsm/path_link")
int BPF_PROG(hook_path_link, struct dentry *old_dentry, const struct path *new_dir,
	     struct dentry *new_dentry)
{
	struct warder_move *move;

	HOOK_BEGIN(actor, PATH_LINK);
	move = &actor.task->move;
	/* linkat refuses to cross mounts, so the old name is on the new one's mount. */
	move->from.dentry = (__u64)old_dentry;
	move->from.mnt = (__u64)new_dir->mnt;
	move->to.dentry = (__u64)new_dentry;
	move->to.mnt = (__u64)new_dir->mnt;
	move->from_rights = WARDER_LINK;
	move->to_rights = WARDER_CREATE;
	move->directory = 0;
	move->exchange = 0;
	if (!reason)
		reason = JUDGE_BOTH(&actor, judge_renaming(actor.task, binding));
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/path_rename")
int BPF_PROG(hook_path_rename, const struct path *old_dir, struct dentry *old_dentry,
	     const struct path *new_dir, struct dentry *new_dentry, unsigned int flags)
{
	struct inode *old_inode, *new_inode;
	struct warder_move *move;

	HOOK_BEGIN(actor, PATH_RENAME);
	old_inode = old_dentry->d_inode;
	new_inode = new_dentry->d_inode;
	move = &actor.task->move;
	move->from.dentry = (__u64)old_dentry;
	move->from.mnt = (__u64)old_dir->mnt;
	move->to.dentry = (__u64)new_dentry;
	move->to.mnt = (__u64)new_dir->mnt;
	move->from_rights = WARDER_RENAME;
	move->to_rights = WARDER_CREATE;
	move->directory = old_inode && is_directory(old_inode);
	move->exchange = 0;
	if (flags & RENAME_EXCHANGE) {
		move->exchange = 1;
		move->from_rights |= WARDER_CREATE;
		move->to_rights |= WARDER_RENAME;
		if (new_inode && is_directory(new_inode))
			move->directory = 1;
	} else if (new_inode) {
		move->to_rights |= WARDER_DELETE;
	}
	if (flags & RENAME_WHITEOUT)
		move->from_rights |= WARDER_CREATE;
	if (!reason)
		reason = JUDGE_BOTH(&actor, judge_renaming(actor.task, binding));
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/path_notify")
int BPF_PROG(hook_path_notify, const struct path *path, __u64 mask, unsigned int kind)
{
	__u32 rights;

	HOOK_BEGIN(actor, PATH_NOTIFY);
	/* 0: one inode. Else a whole mount, file system or namespace. */
	if (kind)
		return surface_end(&actor, reason);
	rights = is_directory(path->dentry->d_inode) ? WARDER_LIST : WARDER_READ;
	/* fanotify tells apart nothing that inotify does not, but has a call of its own. */
	if (!reason && running_call() == NR_FANOTIFY_MARK) {
		reason = JUDGE_BOTH(&actor,
				    judge_surface(actor.task, binding, WARDER_SURFACE_FANOTIFY));
		if (reason)
			return actor_end(&actor, reason, -EPERM);
	}
	if (!reason)
		reason = judge_path(&actor, path->dentry, path->mnt, rights);
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/path_chroot")
int BPF_PROG(hook_path_chroot, const struct path *path)
{
	HOOK_BEGIN(actor, PATH_CHROOT);
	return surface_judge(&actor, reason, WARDER_SURFACE_CHROOT);
}
