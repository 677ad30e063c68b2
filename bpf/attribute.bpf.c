// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * attribute.bpf.c - what is written beside the contents of a file: times, extended attributes,
 * access control lists, flags.
 *
 *   file_truncate				write, where path_truncate is not called
 *   inode_setattr				chattr, when it sets times
 *   inode_setxattr, inode_removexattr		chattr
 *   inode_set_acl, inode_remove_acl		chattr
 *   inode_file_setattr				chattr; of an ioctl, file_ioctl has judged it
 *
 * The inode_* hooks are given no mount: alias.bpf.h finds the names. What the kernel does under
 * credentials that it borrowed (an overlay on its layers) follows from an act that was judged.
 */

SEC("lsm/file_truncate")
int BPF_PROG(hook_file_truncate, struct file *file)
{
	HOOK_BEGIN(actor, FILE_TRUNCATE);
	if (!reason)
		reason = judge_path(&actor, file->f_path.dentry, file->f_path.mnt, WARDER_WRITE);
	return actor_end(&actor, reason, -EACCES);
}

/* chattr on the dentry at this address. */
#define ATTRIBUTE_HOOK(NAME, dentry)                                            \
	do {                                                                    \
		if (credentials_are_borrowed())                                 \
			return 0;                                               \
		HOOK_BEGIN(actor, NAME);                                        \
		if (!reason)                                                    \
			reason = judge_dentry(&actor, (dentry), WARDER_CHATTR); \
		return actor_end(&actor, reason, -EACCES);                      \
	} while (0)

/*
 * Modes and owners come from chmod and chown, which path_chmod and path_chown have judged, and
 * sizes from what path_truncate or file_truncate has; without any of them the kernel takes
 * away set-user-ID bits. So what is left is utimensat and its like. Cannot read: judged.
 */
static __always_inline int sets_times(__u64 address)
{
	struct iattr *attr = (void *)address;
	unsigned int valid = 0;

	if (READ(valid, attr->ia_valid))
		return 1;
	return (valid & (ATTR_ATIME | ATTR_MTIME | ATTR_ATIME_SET | ATTR_MTIME_SET)) &&
	       !(valid & ATTR_SIZE);
}

/* The dentry is the last parameter but one: 6.9 put another one in front of both. */
SEC("lsm/inode_setattr")
int hook_inode_setattr(unsigned long long *ctx)
{
	__u64 count = bpf_get_func_arg_cnt(ctx), dentry = 0, attr = 0;

	if (bpf_get_func_arg(ctx, count - 2, &dentry) || bpf_get_func_arg(ctx, count - 1, &attr))
		dentry = 0;
	else if (!sets_times(attr))
		return 0;
	ATTRIBUTE_HOOK(INODE_SETATTR, dentry);
}

SEC("lsm/inode_setxattr")
int hook_inode_setxattr(unsigned long long *ctx)
{
	ATTRIBUTE_HOOK(INODE_SETXATTR, ctx[1]);
}

SEC("lsm/inode_removexattr")
int hook_inode_removexattr(unsigned long long *ctx)
{
	ATTRIBUTE_HOOK(INODE_REMOVEXATTR, ctx[1]);
}

SEC("lsm/inode_set_acl")
int hook_inode_set_acl(unsigned long long *ctx)
{
	ATTRIBUTE_HOOK(INODE_SET_ACL, ctx[1]);
}

SEC("lsm/inode_remove_acl")
int hook_inode_remove_acl(unsigned long long *ctx)
{
	ATTRIBUTE_HOOK(INODE_REMOVE_ACL, ctx[1]);
}

SEC("lsm/inode_file_setattr")
int hook_inode_file_setattr(unsigned long long *ctx)
{
	if (running_call() == SYS_IOCTL)
		return 0;
	ATTRIBUTE_HOOK(INODE_FILE_SETATTR, ctx[0]);
}
