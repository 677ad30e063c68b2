/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * surface.h - the kernel surface: one table, from which numbers, words and texts follow.
 *
 * What a subject may use of the kernel beyond files, sockets and programs. All of it is refused
 * unless a held key names it (`kernel: [WORD]`). The order is part of the ABI: it is the index
 * into the masks of an image, and the number in an event.
 */
#ifndef WARDER_SURFACE_H
#define WARDER_SURFACE_H

/* X(NAME, "word in policies and events", "what it covers") */
#define WARDER_SURFACES(X)                                                                       \
	X(USER_NAMESPACES, "user-namespaces", "create a user namespace")                         \
	X(MOUNTS, "mounts", "mount, unmount, move and change mounts")                            \
	X(PIVOT_ROOT, "pivot-root", "change the root mount")                                     \
	X(CHROOT, "chroot", "change the root directory")                                         \
	X(SETNS, "setns", "enter a namespace")                                                   \
	X(BPF, "bpf", "load BPF programs and maps; never others' by number or pin")              \
	X(PERF, "perf", "performance events")                                                    \
	X(MODULES, "modules", "load modules and firmware")                                       \
	X(MODULE_AUTOLOAD, "module-autoload", "have the kernel load a module for a call")        \
	X(KEXEC, "kexec", "load another kernel")                                                 \
	X(KEYS, "keys", "the kernel's keyrings")                                                 \
	X(IO_URING, "io-uring", "create rings")                                                  \
	X(IO_URING_SQPOLL, "io-uring-sqpoll", "rings that a kernel thread serves")               \
	X(IO_URING_CMD, "io-uring-cmd", "commands to devices and sockets through a ring")        \
	X(IO_URING_PERSONALITY, "io-uring-personality", "acts of a ring under kept credentials") \
	X(USERFAULTFD, "userfaultfd", "serve page faults")                                       \
	X(FANOTIFY, "fanotify", "watch files with fanotify")                                     \
	X(TUN, "tun", "tunnel devices")                                                          \
	X(QUOTA, "quota", "read and set disk quotas")                                            \
	X(SYSLOG, "syslog", "the kernel's log")                                                  \
	X(TIME, "time", "set the clock")                                                         \
	X(SYSV_IPC, "sysv-ipc", "System V shared memory, semaphores, message queues")            \
	X(POSIX_MQUEUE, "posix-mqueue", "POSIX message queues")                                  \
	X(MEMFD_EXEC, "memfd-exec", "execute memory files (memfd)")                              \
	X(SOCKET_OPTIONS, "socket-options", "socket options that reroute or attach programs")

enum warder_surface {
#define X(name, text, doc) WARDER_SURFACE_##name,
	WARDER_SURFACES(X)
#undef X
	WARDER_SURFACE_COUNT,
};

/* Masks of an image, a power of two each: numbers are cut to it. */
#define WARDER_SURFACES_MAX	64u
#define WARDER_CAPABILITIES_MAX 64u

_Static_assert(WARDER_SURFACE_COUNT <= WARDER_SURFACES_MAX, "every part of the surface has a mask");

#endif
