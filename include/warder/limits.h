/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * limits.h - every size that both sides of the kernel boundary agree on.
 *
 * Changing a number here changes map layouts: WARDER_ABI must rise with it, so
 * that a controller never adopts pinned maps of another shape.
 */
#ifndef WARDER_LIMITS_H
#define WARDER_LIMITS_H

/* Version of the layouts in include/warder. Stored in struct warder_state. */
#define WARDER_ABI 5

/* Keys of one policy: the width of a keyring and of every mask in an image. */
#define WARDER_KEYS_MAX 64

/*
 * Bytes of a page, the step from one size of image to the next: an image takes as many pages
 * as it needs. In the kernel it is an array map of n values, which takes n * 32 KiB and at
 * most 4 KiB more (tests/kernel/image_test.c compares):
 *	   2 pages	 68 KiB	base and python, some trees: up to about 1,000 states
 *	  50 to 140	1.6 to 4.4 MiB	10,000 literal directories: 50 to 260 thousand states
 *	1062 pages	 33 MiB	the most there can be
 * A value of a map is 4 MiB at most on Linux 6.1 (KMALLOC_MAX_SIZE); a map is not limited so.
 */
#define WARDER_PAGE_SIZE 32768u

/*
 * Pages of cells of one automaton, 4063 cells each: a cell for each state, and one for each
 * class of bytes by which it leads elsewhere than by most.
 */
#define WARDER_CELL_PAGES_MAX 1024u
/* Byte classes of one automaton. */
#define WARDER_CLASSES_MAX 255u

/* Distinct verdict rows of an image. Row 0 grants nothing. A power of two. */
#define WARDER_ROWS_MAX 4096u

/* Address ranges and port rules of an image; powers of two. */
#define WARDER_RANGES_MAX 2048u
#define WARDER_PORTS_MAX  4096u
/* Port segments of one address range; bounds the loop in warder_decide_net. */
#define WARDER_SEGMENTS_MAX 64u
/* Steps of the binary search over ranges: log2(WARDER_RANGES_MAX) + 1. */
#define WARDER_RANGE_STEPS 12u

/* System call numbers the mask covers; larger numbers are refused. x86-64 has ~470. */
#define WARDER_SYSCALLS_MAX 512u

/* The last x86-64 call that has a name here (file_setattr); a profile answers ENOSYS above it. */
#define WARDER_SYSCALL_NEWEST 469u

/* Loaded images and bound subjects at one time. Powers of two. */
#define WARDER_IMAGES_MAX   64u
#define WARDER_SUBJECTS_MAX 4096u
/* Bound cgroups, the descendants of subjects' cgroups included (default; a load option). */
#define WARDER_CGROUPS_MAX 65536u
/* Buckets of the gate: a cgroup id whose bucket is 0 is not bound. A power of two. */
#define WARDER_GATE_SIZE 65536u

/* Bytes of one subject's event ring. A power of two of pages. */
#define WARDER_RING_SIZE (256u * 1024u)
/* Events a second and subject; further ones are counted as suppressed, not sent. */
#define WARDER_EVENT_BURST 512u

/* Components of the longest path that is walked; a deeper object is refused. A power of two. */
#define WARDER_DEPTH_MAX 256u
/*
 * Bytes of the longest name in a path that is walked: NAME_MAX. FAT, exFAT, NTFS, CIFS and FUSE
 * have longer ones; those are refused.
 */
#define WARDER_COMPONENT_MAX 255u
/* Mount crossings plus components that one walk may take. */
#define WARDER_WALK_MAX 320u
/* How often a walk is repeated when a rename or mount disturbed it. */
#define WARDER_WALK_RETRIES 8u
/*
 * Mounts of one file system, in all namespaces, that are looked through for the names of an
 * object that is known without its mount; with more of them it is refused.
 */
#define WARDER_MOUNTS_MAX 4096u
/*
 * Bytes of the object text in an event; the tail of a longer path is cut (and marked).
 * A power of two.
 */
#define WARDER_TEXT_MAX 4096u

/* A subject and those above it that have to allow as well: nested at most this deep. */
#define WARDER_NESTING_MAX 8u
/* All that may have a say about one act: those of the label and those of the leaf cgroup. */
#define WARDER_JUDGES_MAX (2 * WARDER_NESTING_MAX)

/* Depth of the cgroup tree that is searched for a bound ancestor. */
#define WARDER_CGROUP_DEPTH_MAX 64u

/* Bytes of a name (policy, set, key), with the terminating NUL. */
#define WARDER_NAME_MAX 64u

#endif
