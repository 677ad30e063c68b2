// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ioctl.bpf.c - control calls: the right `ioctl` on the file's path.
 *
 *   file_ioctl		below
 *   file_ioctl_compat	where ioctl of the i386 and x32 tables ends up: no subject's
 *
 * Four kinds of commands. Some put input into a terminal, change what it runs on, or name whom
 * the kernel signals: no subject's. Some are answers, are about the descriptor alone, or need
 * files that were opened for what they do: everybody's, on any file. Some write flags of the
 * inode: chattr. All others need `ioctl`, on devices and on ordinary files alike: a file system
 * has dozens of its own, and nobody knows them all.
 *
 * A socket has no path; what answers about addresses and interfaces is everybody's there, too,
 * and no rule can give the rest. Anonymous inodes (epoll, timers, what a device hands out) are
 * their makers' own: what made them was judged, and they do not come in from elsewhere.
 */

enum ioctl_kind {
	IOCTL_GUARDED, /* the right `ioctl` */
	IOCTL_NEVER,
	IOCTL_FREE,
	IOCTL_CHATTR,
	IOCTL_SOCKET, /* free on sockets, guarded elsewhere */
};

__noinline int ioctl_kind_of(__u32 command)
{
	switch (command) {
	case FIOSETOWN:
	case SIOCSPGRP:
	case TIOCSTI:
	case TIOCLINUX:
	case TIOCSETD:
	case TIOCCONS:
		return IOCTL_NEVER;
	case FS_IOC_SETFLAGS:
	case FS_IOC32_SETFLAGS:
	case FS_IOC_FSSETXATTR:
	case FS_IOC_SETVERSION:
	case FS_IOC32_SETVERSION:
		return IOCTL_CHATTR;
	/* The descriptor. */
	case FIOCLEX:
	case FIONCLEX:
	case FIONBIO:
	case FIOASYNC:
	case FIONREAD: /* TIOCINQ, SIOCINQ */
	case FIOQSIZE:
	case FIGETBSZ:
	/* Of two files, the kernel asks how they were opened. */
	case FICLONE:
	case FICLONERANGE:
	/* Answers about a file. */
	case FS_IOC_GETFLAGS:
	case FS_IOC32_GETFLAGS:
	case FS_IOC_GETVERSION:
	case FS_IOC32_GETVERSION:
	case FS_IOC_FSGETXATTR:
	case FS_IOC_FIEMAP:
	case FS_IOC_GETFSUUID:
	case FS_IOC_GETFSSYSFSPATH:
	/* Answers about a terminal; to let go of one's own. */
	case TCGETS:
	case TCGETA:
	case TCGETS2:
	case TIOCGWINSZ:
	case TIOCGPGRP:
	case TIOCGSID:
	case TIOCGETD:
	case TIOCGPTN:
	case TIOCOUTQ: /* SIOCOUTQ */
	case TIOCNOTTY:
		return IOCTL_FREE;
	case FIOGETOWN:
	case SIOCGPGRP:
	case SIOCATMARK:
	case SIOCGSTAMP_OLD:
	case SIOCGSTAMPNS_OLD:
	case SIOCGSTAMP_NEW:
	case SIOCGSTAMPNS_NEW:
	case SIOCOUTQNSD:
	case SIOCGIFNAME:
	case SIOCGIFCONF:
	case SIOCGIFFLAGS:
	case SIOCGIFADDR:
	case SIOCGIFDSTADDR:
	case SIOCGIFBRDADDR:
	case SIOCGIFNETMASK:
	case SIOCGIFMETRIC:
	case SIOCGIFMTU:
	case SIOCGIFHWADDR:
	case SIOCGIFINDEX:
	case SIOCGIFTXQLEN:
	case SIOCGIFMAP:
		return IOCTL_SOCKET;
	}
	return IOCTL_GUARDED;
}

static __always_inline int ioctl_refused(struct actor *actor, int socket)
{
	actor->task->event.object = WARDER_OBJECT_NAMED;
	if (socket) {
		__builtin_memcpy(actor->task->text, "control of a socket", 19);
		actor->task->event.text_length = 19;
	} else {
		__builtin_memcpy(actor->task->text, "signal owner or terminal input", 30);
		actor->task->event.text_length = 30;
	}
	return WARDER_REASON_SURFACE;
}

/* As for all of a terminal's calls, its file has to allow `ioctl`, too. */
static __always_inline int judge_foreground(struct actor *actor)
{
	int reason = foreground_is_ours(actor);

	if (reason) {
		actor->task->event.object = WARDER_OBJECT_NAMED;
		__builtin_memcpy(actor->task->text, "the terminal of another job", 27);
		actor->task->event.text_length = 27;
	}
	return reason;
}

static __always_inline int judge_ioctl(struct actor *actor, struct file *file, __u32 command)
{
	int socket = (file->f_inode->i_mode & S_IFMT) == S_IFSOCK;
	int kind = ioctl_kind_of(command);

	/* A terminal chooses whom it signals: as file_fcntl. */
	if (command == FIOASYNC && (file->f_inode->i_mode & S_IFMT) == S_IFCHR)
		kind = IOCTL_NEVER;
	if (kind == IOCTL_FREE || (socket && kind == IOCTL_SOCKET))
		return 0;
	if (kind == IOCTL_NEVER || socket)
		return ioctl_refused(actor, socket && kind != IOCTL_NEVER);
	return judge_path(actor, file->f_path.dentry, file->f_path.mnt,
			  kind == IOCTL_CHATTR ? WARDER_CHATTR : WARDER_IOCTL);
}

/* Nonzero refuses: a function of its own, as body_capable. */
static __noinline int body_ioctl(struct file *file, __u32 command)
{
	HOOK_BEGIN(actor, FILE_IOCTL);
	if (!reason && command == TIOCSPGRP)
		reason = judge_foreground(&actor);
	if (!reason)
		reason = judge_ioctl(&actor, file, command);
	if (reason == WARDER_REASON_SURFACE || reason == WARDER_REASON_NOT_MEMBER)
		return actor_end(&actor, reason, -EPERM);
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/file_ioctl")
int BPF_PROG(hook_file_ioctl, struct file *file, unsigned int command, unsigned long argument)
{
	return body_ioctl(file, command);
}

/* The system call that brings one here is refused already; were it not, this would be. */
SEC("lsm/file_ioctl_compat")
int BPF_PROG(hook_file_ioctl_compat, struct file *file, unsigned int command,
	     unsigned long argument)
{
	HOOK_BEGIN(actor, FILE_IOCTL_COMPAT);
	return surface_end(&actor, reason);
}
