/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * event.h - what the kernel side reports: one record on the subject's ring.
 *
 * A refusal is always reported; a use of a granted key too (the audit trail of
 * elevated access). No verdict depends on whether a record could be sent: losses
 * are counted in struct warder_stats.
 */
#ifndef WARDER_EVENT_H
#define WARDER_EVENT_H

#include <linux/types.h>
#include <warder/limits.h>

/* Why: X(NAME, "name in JSON", "sentence for people") */
#define WARDER_REASONS(X)                                                                     \
	X(GRANTED_KEY, "granted-key", "allowed by a granted key")                             \
	X(NO_RULE, "no-rule", "no rule of a held key allows it")                              \
	X(DENY_RULE, "deny-rule", "a deny rule of a held key")                                \
	X(WIDEN, "widen", "the new name would give more rights than the old one")             \
	X(DENY_BELOW, "deny-below", "a deny rule of `rename` can match below the directory")  \
	X(UNFINISHED, "unfinished", "the path does not lead to the top of the task's mounts") \
	X(UNSTABLE, "unstable", "the path changed while it was read")                         \
	X(TOO_DEEP, "too-deep", "the path is deeper, or a name longer, than warder walks")    \
	X(SPELLING, "spelling", "the file system takes other spellings of this name, too")    \
	X(UNKNOWN, "unknown", "warder could not tell")                                        \
	X(NO_MEMORY, "no-memory", "no memory for the task's label")                           \
	X(SURFACE, "surface", "kernel surface that no held key names")                        \
	X(NOT_MEMBER, "not-member", "the other process is not part of this subject")          \
	X(FAMILY, "family", "socket family, type or protocol that no rule can name")          \
	X(SYSCALL, "syscall", "the system call is denied")                                    \
	X(FOREIGN_ABI, "foreign-abi", "a system call of another ABI (i386, x32)")             \
	X(NOT_BOUND, "not-bound", "a cgroup below warder's own that has no subject")          \
	X(GONE, "gone", "the subject or image that the task belongs to is gone")              \
	X(UNBOUND, "unbound", "it listens before it is bound: the port is not known yet")

enum warder_reason {
#define X(name, text, doc) WARDER_REASON_##name,
	WARDER_REASONS(X)
#undef X
	WARDER_REASON_COUNT,
};

/* What the object fields hold. */
enum warder_object {
	WARDER_OBJECT_NONE,
	WARDER_OBJECT_PATH,    /* text: the path, from the top of the mount namespace */
	WARDER_OBJECT_UNIX,    /* text: path, or "@name" with NULs kept */
	WARDER_OBJECT_ADDRESS, /* family, proto, port, address */
	WARDER_OBJECT_SOCKET,  /* family, socket_type, proto (the IPPROTO number) */
	WARDER_OBJECT_CAP,     /* number: the capability */
	WARDER_OBJECT_PROCESS, /* number: pid (thread group) of the other process; signal */
	WARDER_OBJECT_SYSCALL, /* number: the system call */
	WARDER_OBJECT_NAMED,   /* text: a class of object without path: "memfd", "[io_uring]" */
	WARDER_OBJECT_SURFACE, /* number: enum warder_surface; text: "" or as NAMED */
};

enum warder_event_flag {
	/* The top of the path is missing: longer than WARDER_TEXT_MAX, or not walked to its end. */
	WARDER_EVENT_TEXT_CUT = 1,
	WARDER_EVENT_SECOND_NET = 2, /* decided by a program of the second net */
	/*
	 * Creating a name was refused before the kernel had looked whether it exists, as open
	 * with O_CREAT asks. If it does, the open goes on and is judged as what it is.
	 */
	WARDER_EVENT_IF_NEW = 4,
	/*
	 * ... and this is that open: the last IF_NEW of this task was none. With error 0 and no
	 * keys the record says nothing but this; it then has the sequence number 0.
	 */
	WARDER_EVENT_EXISTED = 8,
	/*
	 * The process was killed for it (`on-violation: kill`); with IF_NEW: it will be at its
	 * next act, unless that says EXISTED.
	 */
	WARDER_EVENT_KILLED = 16,
};

struct warder_event {
	__u64 sequence;	  /* per subject, from 1; a gap is a loss; 0: see EXISTED */
	__u64 time;	  /* CLOCK_BOOTTIME ns */
	__u64 binding;	  /* subject */
	__u64 judge;	  /* whose rights decided: the subject's own, or of one above it */
	__u64 generation; /* image that was consulted: the judge's */
	__u64 cgroup;	  /* leaf cgroup id of the task */
	__u64 start_time; /* of the process, CLOCK_BOOTTIME ns: with pid, unique */
	__u64 keys; /* GRANTED_KEY: the granted key bits that allowed; DENY_RULE: that denied */
	__u64 address_hi, address_lo; /* as in struct warder_range */
	__u32 pid, tid, uid, gid;
	__u32 rights;	   /* file rights asked for, WARDER_READ... */
	__u32 missing;	   /* those refused */
	__s32 syscall;	   /* number of the running system call */
	__s32 error;	   /* what the caller got: 0 or negative errno */
	__u32 number;	   /* see enum warder_object */
	__u32 signal;	   /* PROCESS: signal number, 0 when not a signal */
	__u16 family;	   /* AF_* */
	__u16 port;	   /* host byte order */
	__u16 proto;	   /* IPPROTO_* */
	__u16 socket_type; /* SOCK_* */
	__u8 hook;	   /* enum warder_hook */
	__u8 reason;	   /* enum warder_reason */
	__u8 object;	   /* enum warder_object */
	__u8 flags;	   /* enum warder_event_flag */
	__u32 text_length; /* bytes of text that follow the record; no terminating NUL */
	char comm[16];	   /* NUL-terminated; untrusted */
	char exe[64];	   /* name (last component) of the program file, cut at 63; untrusted */
			   /* text_length bytes of text follow */
};

_Static_assert(sizeof(struct warder_event) == 10 * 8 + 10 * 4 + 8 + 4 + 4 + 16 + 64,
	       "event layout");

#endif
