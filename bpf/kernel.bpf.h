/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * kernel.bpf.h - the kernel structures that warder looks into, and no others.
 *
 * Only the fields that are read stand here; CO-RE finds their places on the running
 * kernel, and a field that is gone fails the load (which is visible) instead of
 * reading something else (which is not). Written by hand instead of generated from
 * the build host's BTF, so that the object is the same wherever it is built, and so
 * that this file is the list of what a new kernel can break.
 */
#ifndef WARDER_KERNEL_BPF_H
#define WARDER_KERNEL_BPF_H

#include <linux/types.h>
#include <linux/bpf.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct list_head {
	struct list_head *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct hlist_bl_node {
	struct hlist_bl_node *next, **pprev;
};

/* --- tasks and cgroups --- */

struct kernfs_node {
	__u64 id;
};

struct cgroup_subsys_state {
	struct cgroup_subsys_state *parent;
};

struct cgroup_root {
	int hierarchy_id; /* 0: the unified hierarchy */
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct mnt_namespace;
struct pid_namespace;

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

typedef struct {
	unsigned int val;
} kuid_t;

typedef struct {
	unsigned int val;
} kgid_t;

struct cred {
	kuid_t euid;
	kgid_t egid;
};

enum pid_type {
	PIDTYPE_PID,
	PIDTYPE_TGID,
	PIDTYPE_PGID,
	PIDTYPE_SID,
	PIDTYPE_MAX,
};

/* A process number, as one pid namespace knows it. */
struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level; /* of the innermost namespace: the last of `numbers` */
	struct hlist_head tasks[PIDTYPE_MAX];
	struct upid numbers[1];
};

typedef struct {
	int counter;
} atomic_t;

struct tty_struct {
	struct {
		struct pid *pgrp; /* the foreground process group */
	} ctrl;
};

struct signal_struct {
	atomic_t live; /* threads that are not on their way out */
	struct pid *pids[PIDTYPE_MAX];
	struct tty_struct *tty; /* the controlling terminal */
};

struct thread_info {
	__u32 status;
};

struct mm_struct {
	struct file *exe_file;
};

struct bpf_local_storage;
struct io_uring_task;

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	struct mm_struct *mm;
	unsigned int in_execve : 1;
	int pid;
	int tgid;
	struct pid *thread_pid;
	struct task_struct *real_parent;
	struct list_head children;
	struct list_head sibling; /* in the parent's `children` */
	struct task_struct *group_leader;
	struct hlist_node pid_links[PIDTYPE_MAX];
	__u64 start_boottime;
	const struct cred *real_cred;
	const struct cred *cred;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	struct css_set *cgroups;
	struct bpf_local_storage *bpf_storage;
	struct io_uring_task *io_uring; /* set once it has used a ring; not in a ring's workers */
};

/* --- what an iterator over tasks is called with --- */

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct pt_regs {
	unsigned long orig_ax;
};

/* --- files --- */

struct qstr {
	union {
		struct {
			__u32 hash;
			__u32 len;
		};
		__u64 hash_len;
	};
	const unsigned char *name;
};

struct super_block {
	unsigned long s_flags;
	unsigned long s_magic;
	struct dentry *s_root;
	void *s_encoding; /* set where directories may take names in any case */
};

/* What a directory can do: a function that is missing is not offered. */
struct inode_operations {
	void *create;
	void *atomic_open;
};

struct inode {
	unsigned short i_mode;
	unsigned int i_flags;
	unsigned int i_nlink;
	const struct inode_operations *i_op;
	struct super_block *i_sb;
};

/* Newer kernels name the bits of d_flags, and have moved some. */
enum dentry_flags {
	DCACHE_PAR_LOOKUP = 1 << 28, /* the file system has not said yet whether the name exists */
};

struct dentry {
	unsigned int d_flags;
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
};

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
	struct mnt_namespace *mnt_ns;
};

/*
 * The mounts of a file system. Up to 6.17 or so they are on a list of the usual kind; then
 * they are chained by pointers. One name, two types: the part of a name behind three
 * underscores is not looked for in the kernel.
 */
struct super_block___list {
	struct list_head s_mounts;
};

struct mount___list {
	struct list_head mnt_instance;
};

struct super_block___chain {
	struct mount *s_mounts;
};

struct mount___chain {
	struct mount *mnt_next_for_sb;
};

struct iattr {
	unsigned int ia_valid;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	unsigned int f_mode;
	unsigned int f_flags;
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
};

/* 6.5 and later: a file on a layer below an overlay, with the path the user opened. */
struct backing_file {
	struct file file;
	struct path user_path;
};

struct proc_inode {
	struct pid *pid;
	struct inode vfs_inode;
};

struct linux_binprm {
	struct cred *cred; /* of the new program */
	struct file *file;
};

struct vm_area_struct {
	struct file *vm_file;
};

/* --- sockets --- */

struct in6_addr {
	union {
		__be32 u6_addr32[4];
	} in6_u;
};

struct sock_common {
	unsigned short skc_family;
	__be32 skc_rcv_saddr; /* the address it is bound to */
	struct in6_addr skc_v6_rcv_saddr;
	__u16 skc_num; /* the port it has, host byte order */
	__be32 skc_daddr;
	struct in6_addr skc_v6_daddr;
	__be16 skc_dport;
};

struct request_sock {
	struct sock_common __req_common;
};

struct sk_buff {
	__be16 protocol;
};

struct sock_cgroup_data {
	struct cgroup *cgroup;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_type;
	__u16 sk_protocol;
	__u8 sk_userlocks : 4;
	struct sock_cgroup_data sk_cgrp_data;
	struct bpf_local_storage *sk_bpf_storage;
};

struct socket {
	short type;
	struct sock *sk;
};

struct sockaddr_un {
	unsigned short sun_family;
	char sun_path[108];
};

struct unix_address {
	int len; /* of the whole address, family included */
	struct sockaddr_un name[0];
};

struct unix_sock {
	struct unix_address *addr;
	struct path path;
};

struct msghdr {
	void *msg_name;
	int msg_namelen;
};

struct bpf_map;
struct bpf_prog;
struct fown_struct;
struct rlimit;
struct user_namespace;
struct kernel_siginfo;
struct sockaddr;

#pragma clang attribute pop

/* What kernel_read_file and kernel_load_data read: numbers that move, so asked of the kernel. */
enum kernel_read_file_id {
	READING_KEXEC_IMAGE = 3,
	READING_KEXEC_INITRAMFS = 4,
};

enum kernel_load_data_id {
	LOADING_KEXEC_IMAGE = 3,
	LOADING_KEXEC_INITRAMFS = 4,
};

/* --- constants that BTF does not carry, from the kernel's headers --- */

#define BIT(n) (1u << (n))

#define S_IFMT	 00170000
#define S_IFSOCK 0140000
#define S_IFBLK	 0060000
#define S_IFREG	 0100000
#define S_IFDIR	 0040000
#define S_IFCHR	 0020000
#define S_IFIFO	 0010000

#define FMODE_READ  0x1 /* include/linux/fs.h */
#define FMODE_WRITE 0x2
#define FMODE_EXEC  0x20 /* in f_flags: opened to be executed */
#define O_TRUNC	    00001000
#define FASYNC	    00020000
#define O_PATH	    010000000
#define O_TMPFILE_  020000000 /* __O_TMPFILE */

#define DCACHE_OP_COMPARE BIT(1)  /* include/linux/dcache.h */
#define S_CASEFOLD	  BIT(15) /* include/linux/fs.h */

/* What notify_change is to change (include/linux/fs.h). */
#define ATTR_SIZE      BIT(3)
#define ATTR_ATIME     BIT(4)
#define ATTR_MTIME     BIT(5)
#define ATTR_ATIME_SET BIT(7)
#define ATTR_MTIME_SET BIT(8)

#define SYS_IOCTL 16

#define SB_KERNMOUNT (1ul << 22)
#define SB_NOUSER    (1ul << 31)

#define PROC_SUPER_MAGIC    0x9fa0
#define PIPEFS_MAGIC	    0x50495045
#define PIDFS_MAGIC	    0x50494446
#define SOCKFS_MAGIC	    0x534f434b
#define TMPFS_MAGIC	    0x01021994 /* memfd and shared memory, on an internal mount */
#define HUGETLBFS_MAGIC	    0x958458f6
#define ANON_INODE_FS_MAGIC 0x09041934
#define NSFS_MAGIC	    0x6e736673
#define CGROUP_SUPER_MAGIC  0x27e0eb
#define CGROUP2_SUPER_MAGIC 0x63677270
#define BPF_FS_MAGIC	    0xcafe4a11
#define MQUEUE_MAGIC	    0x19800202 /* ipc/mqueue.c */

#define PF_IO_WORKER	  0x10 /* performs the requests of a ring */
#define PF_EXITING	  0x4  /* in flags: never returns to user mode */
#define PROT_EXEC	  0x4
#define CLONE_INTO_CGROUP 0x200000000ull
#define CAP_OPT_NOAUDIT	  0x2
#define CAP_SYS_CHROOT	  18
#define CAP_SYS_ADMIN	  21
#define F_SETFL		  4
#define F_SETOWN	  8
#define F_SETSIG	  10
#define F_SETOWN_EX	  15
#define RENAME_EXCHANGE	  0x2
#define RENAME_WHITEOUT	  0x4
#define TS_COMPAT	  0x2
#define X32_BIT		  0x40000000

/* System calls of x86-64. */
#define NR_UMOUNT2	  166
#define NR_FANOTIFY_MARK  301
#define NR_SETNS	  308
#define NR_OPEN_TREE	  428
#define NR_FSOPEN	  430
#define NR_FSCONFIG	  431
#define NR_FSMOUNT	  432
#define NR_FSPICK	  433
#define NR_MOUNT_SETATTR  442
#define NR_OPEN_TREE_ATTR 467

#define AF_UNSPEC	   0
#define AF_UNIX		   1
#define AF_INET		   2
#define AF_INET6	   10
#define SOCK_STREAM	   1
#define SOCK_DGRAM	   2
#define SOCK_SEQPACKET	   5
#define SOCK_BINDPORT_LOCK 8 /* of sk_userlocks: the port was asked for */
#define ETH_P_IP	   0x0800
#define ETH_P_IPV6	   0x86dd
#define NEXTHDR_HOP	   0
#define NEXTHDR_ROUTING	   43
#define NEXTHDR_DEST	   60
#define IPPROTO_IP	   0
#define IPPROTO_TCP	   6
#define IPPROTO_UDP	   17
#define IPPROTO_IPV6	   41
#define IPPROTO_RAW	   255
#define BPF_TCP_SYN_SENT   2
#define BPF_TCP_LISTEN	   10
#define SOL_SOCKET	   1

/* Socket options, from include/uapi/linux/in.h and in6.h. */
#define IP_ADD_MEMBERSHIP 35
#define MCAST_JOIN_GROUP  42
#define MCAST_MSFILTER	  48

/* Socket options that reroute, or attach programs (net.bpf.c). */
#define SO_DONTROUTE		 5
#define SO_BINDTODEVICE		 25
#define SO_ATTACH_FILTER	 26
#define SO_MARK			 36
#define SO_ATTACH_BPF		 50
#define SO_ATTACH_REUSEPORT_CBPF 51
#define SO_ATTACH_REUSEPORT_EBPF 52
#define SO_BINDTOIFINDEX	 62
#define IP_HDRINCL		 3
#define IP_OPTIONS		 4
#define IP_IPSEC_POLICY		 16
#define IP_XFRM_POLICY		 17
#define IP_TRANSPARENT		 19
#define IP_UNICAST_IF		 50
#define IP_LOCAL_PORT_RANGE	 51
#define IP_TABLES_FIRST		 64
#define IPV6_ADDRFORM		 1
#define IPV6_2292PKTOPTIONS	 6
#define IPV6_IPSEC_POLICY	 34
#define IPV6_XFRM_POLICY	 35
#define IPV6_HDRINCL		 36
#define IPV6_PKTINFO		 50
#define IPV6_HOPOPTS		 54
#define IPV6_RTHDRDSTOPTS	 55
#define IPV6_RTHDR		 57
#define IPV6_DSTOPTS		 59
#define IP6T_SET_REPLACE	 64
#define IP6T_SET_ADD_COUNTERS	 65
#define IPV6_TRANSPARENT	 75
#define IPV6_UNICAST_IF		 76
#define IPV6_TABLES_FIRST	 128
#define TCP_REPAIR		 19
#define TCP_REPAIR_OPTIONS	 22
#define TCP_REPAIR_WINDOW	 29
#define TCP_ULP			 31
#define UDP_ENCAP		 100
#define IPV6_ADD_MEMBERSHIP	 20
#define IPV6_DROP_MEMBERSHIP	 21
#define IPV6_JOIN_ANYCAST	 27
#define IPV6_LEAVE_ANYCAST	 28

#define SIGKILL 9
/* Control calls, as x86-64 numbers them: asm-generic/ioctls.h, linux/fs.h, linux/sockios.h. */
#define FIOSETOWN	      0x8901
#define SIOCSPGRP	      0x8902
#define TIOCSTI		      0x5412
#define TIOCLINUX	      0x541c
#define TIOCCONS	      0x541d
#define TIOCSETD	      0x5423
#define FS_IOC_SETFLAGS	      0x40086602
#define FS_IOC32_SETFLAGS     0x40046602
#define FS_IOC_FSSETXATTR     0x401c5820
#define FS_IOC_SETVERSION     0x40087602
#define FS_IOC32_SETVERSION   0x40047602
#define FIOCLEX		      0x5451
#define FIONCLEX	      0x5450
#define FIONBIO		      0x5421
#define FIOASYNC	      0x5452
#define FIONREAD	      0x541b
#define FIOQSIZE	      0x5460
#define FIGETBSZ	      0x2
#define FICLONE		      0x40049409
#define FICLONERANGE	      0x4020940d
#define FS_IOC_GETFLAGS	      0x80086601
#define FS_IOC32_GETFLAGS     0x80046601
#define FS_IOC_GETVERSION     0x80087601
#define FS_IOC32_GETVERSION   0x80047601
#define FS_IOC_FSGETXATTR     0x801c581f
#define FS_IOC_FIEMAP	      0xc020660b
#define FS_IOC_GETFSUUID      0x80111500
#define FS_IOC_GETFSSYSFSPATH 0x80811501
#define TCGETS		      0x5401
#define TCGETA		      0x5405
#define TCGETS2		      0x802c542a
#define TIOCGWINSZ	      0x5413
#define TIOCGPGRP	      0x540f
#define TIOCSPGRP	      0x5410
#define TIOCGSID	      0x5429
#define TIOCGETD	      0x5424
#define TIOCGPTN	      0x80045430
#define TIOCOUTQ	      0x5411
#define TIOCNOTTY	      0x5422
#define FIOGETOWN	      0x8903
#define SIOCGPGRP	      0x8904
#define SIOCATMARK	      0x8905
#define SIOCGSTAMP_OLD	      0x8906
#define SIOCGSTAMPNS_OLD      0x8907
#define SIOCGSTAMP_NEW	      0x80108906
#define SIOCGSTAMPNS_NEW      0x80108907
#define SIOCOUTQNSD	      0x894b
#define SIOCGIFNAME	      0x8910
#define SIOCGIFCONF	      0x8912
#define SIOCGIFFLAGS	      0x8913
#define SIOCGIFADDR	      0x8915
#define SIOCGIFDSTADDR	      0x8917
#define SIOCGIFBRDADDR	      0x8919
#define SIOCGIFNETMASK	      0x891b
#define SIOCGIFMETRIC	      0x891d
#define SIOCGIFMTU	      0x8921
#define SIOCGIFHWADDR	      0x8927
#define SIOCGIFINDEX	      0x8933
#define SIOCGIFTXQLEN	      0x8942
#define SIOCGIFMAP	      0x8970

#define EPERM  1
#define EACCES 13
#define EXDEV  18

#endif
