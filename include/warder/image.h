/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * image.h - a compiled policy instance: pure data, one map value, never written in place.
 *
 * userspace/compile fills it, userspace/load copies it into a frozen map, and
 * include/warder/decide.h reads it, in the kernel and on the host alike.
 *
 * Automaton. A state is the index of its first cell; a state has `stride` cells.
 * The first cell holds the number of the state's verdict row, the others the next
 * state by byte class. So one step is one addition and one load:
 *	state = cells[state + classes[byte]]
 * State 0 is dead: all its cells are 0 and row 0 grants nothing.
 * What is fed: "/" and the name for every component from the top ("/" alone for the
 * root directory); "@" and the name for an abstract unix socket.
 */
#ifndef WARDER_IMAGE_H
#define WARDER_IMAGE_H

#include <linux/types.h>
#include <warder/access.h>
#include <warder/limits.h>

#define WARDER_IMAGE_MAGIC 0x72647277u /* "wrdr" */

/* No row: the value of warder_row.below where what lies below is not uniform. */
#define WARDER_ROW_NONE 0xffffffffu

/* What one automaton state says: for each right, which keys allow and which deny. */
struct warder_row {
	__u64 allow[WARDER_RIGHT_COUNT]; /* keys that allow; reservation is already applied */
	__u64 deny[WARDER_RIGHT_COUNT];	 /* keys that deny; a held one beats every allow */
	/*
	 * The one row that every path strictly below this one ends in ("uniform
	 * below"), or WARDER_ROW_NONE. Directory renames rest on it.
	 */
	__u32 below;
	__u32 pad;
};

/* From `hi:lo` up to the next range: which port segments apply. */
struct warder_range {
	__u64 hi, lo; /* first address, host byte order, IPv4 as ::ffff:a.b.c.d */
	__u32 first;  /* index of the first segment in warder_image.ports */
	__u32 count;  /* segments; at most WARDER_SEGMENTS_MAX */
};

/* A segment of ports; segments of one range and protocol never overlap. */
struct warder_port {
	__u16 low, high; /* inclusive, host byte order */
	__u8 proto;	 /* enum warder_proto */
	__u8 pad[3];
	__u64 allow[WARDER_NET_OP_COUNT]; /* keys, reservation applied */
	__u64 deny[WARDER_NET_OP_COUNT];
};

struct warder_image {
	__u32 magic;	   /* WARDER_IMAGE_MAGIC */
	__u32 abi;	   /* WARDER_ABI */
	__u64 generation;  /* set at load; 0 before */
	__u32 stride;	   /* cells of a state: byte classes + 1; at most 257 */
	__u32 cell_count;  /* cells in use, a multiple of stride */
	__u32 start;	   /* first state */
	__u32 row_count;   /* rows in use, at least 1 */
	__u32 range_count; /* ranges in use; 0, or the first range starts at :: */
	__u32 port_count;
	__u32 key_count;
	__u32 has_syscalls; /* 1 when any syscall_deny is set */
	/* Keys that deny a system call, by its x86-64 number. */
	__u64 syscall_deny[WARDER_SYSCALLS_MAX];
	__u16 classes[256]; /* byte -> 1 .. stride-1 */
	struct warder_range ranges[WARDER_RANGES_MAX];
	struct warder_port ports[WARDER_PORTS_MAX];
	struct warder_row rows[WARDER_ROWS_MAX];
	__u32 cells[WARDER_CELLS_MAX];
};

_Static_assert(sizeof(struct warder_row) == 16 * WARDER_RIGHT_COUNT + 8, "row layout");
_Static_assert(sizeof(struct warder_range) == 24, "range layout");
_Static_assert(sizeof(struct warder_port) == 8 + 16 * WARDER_NET_OP_COUNT, "port layout");
_Static_assert(sizeof(struct warder_image) < 4u * 1024 * 1024, "largest map value of Linux 6.1");

#endif
