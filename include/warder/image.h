/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * image.h - a compiled policy instance: pure data, pages of one map, never written in place.
 *
 * userspace/compile fills it, userspace/load copies it into a frozen map, one value a page,
 * and include/warder/decide.h reads it, in the kernel and on the host alike. On the host the
 * pages follow one another in memory.
 *
 * Pages. The first begins with struct warder_image; then come the pages of cells, each with
 * all that a step needs; tables (rows, ranges, ports) fill the rest of the first page and go
 * on behind the cells. An item of a table never lies across two pages. userspace/compile/layout.h
 * computes what is where.
 *
 * Automaton. A state is a page of cells and a place in it, the head, which holds the number
 * of the state's verdict row and where most bytes lead. Where byte class c leads elsewhere,
 * the c-th cell behind the head says so, and names the state that it belongs to: cells of
 * others lie in between. So one step is one comparison:
 *	cell = head + classes[byte]
 *	state = cell->owner == state ? cell->next : head->next
 * State 0 is dead: it leads to itself, and its row, 0, grants nothing. An unused cell is all
 * zero: it belongs to state 0, and says the same.
 * What is fed: "/" and the name for every component from the top ("/" alone for the
 * root directory); "@" and the name for an abstract unix socket.
 */
#ifndef WARDER_IMAGE_H
#define WARDER_IMAGE_H

#include <linux/types.h>
#include <warder/access.h>
#include <warder/limits.h>
#include <warder/surface.h>

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
	/*
	 * Keys that deny to rename something strictly below ("can still reach a deny"): to
	 * rename a directory takes that away from its name, too.
	 */
	__u64 nailed;
};

/* From `hi:lo` up to the next range: which port segments apply. */
struct warder_range {
	__u64 hi, lo; /* first address, host byte order, IPv4 as ::ffff:a.b.c.d */
	__u32 first;  /* number of the first segment */
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

/* This bit of warder_cell.owner marks a head; the others are then the number of its row. */
#define WARDER_CELL_HEAD 0x80000000u

struct warder_cell {
	__u32 owner; /* the state that it belongs to, or WARDER_CELL_HEAD | row */
	__u32 next;  /* the state that it leads to */
};

/* A state is WARDER_STATE(page, place): pages of cells count from 0, places are cells. */
#define WARDER_STATE(page, place) ((page) << WARDER_STATE_SHIFT | (place))
#define WARDER_STATE_SHIFT	  12
#define WARDER_STATE_PLACE	  0xfffu /* mask of the place */
/* All states are below. */
#define WARDER_STATES_END WARDER_STATE(WARDER_CELL_PAGES_MAX, 0)

#define WARDER_PAGE_CELLS 4063u
/* Heads lie in the first so many cells: then no class leads out of the page. */
#define WARDER_PAGE_STATES (WARDER_PAGE_CELLS - WARDER_CLASSES_MAX)

struct warder_cell_page {
	struct warder_cell cells[WARDER_PAGE_CELLS];
	__u64 generation;  /* as in the head of the image */
	__u8 classes[256]; /* byte -> 1 .. class_count; the same in every page */
};

/* The begin of the first page. */
struct warder_image {
	__u32 magic;	   /* WARDER_IMAGE_MAGIC */
	__u32 abi;	   /* WARDER_ABI */
	__u64 generation;  /* set at load; 0 before */
	__u32 page_count;  /* pages, this one included */
	__u32 cell_pages;  /* of them pages of cells, from page 1 on */
	__u32 state_count; /* states, the dead one included */
	__u32 class_count; /* byte classes */
	__u32 start;	   /* first state */
	__u32 row_count;   /* rows in use, at least 1 */
	__u32 range_count; /* ranges in use; 0, or the first range starts at :: */
	__u32 range_first; /* where in the tables' pages they begin, in ranges */
	__u32 port_count;
	__u32 port_first; /* in ports */
	__u32 key_count;
	__u32 has_syscalls; /* 1 when any syscall_deny is set */
	/* Keys that deny a system call, by its x86-64 number. */
	__u64 syscall_deny[WARDER_SYSCALLS_MAX];
	/* Keys that name a capability, by its number; and a part of the kernel's surface. */
	__u64 capability_allow[WARDER_CAPABILITIES_MAX];
	__u64 surface_allow[WARDER_SURFACES_MAX];
	__u64 surface_deny[WARDER_SURFACES_MAX]; /* a held one beats every allow */
};

/* How many items of a table a page takes: a power of two, so that an index is split by shifts. */
#define WARDER_PAGE_ITEMS(type)               \
	(sizeof(struct type) <= 32    ? 1024u \
	 : sizeof(struct type) <= 64  ? 512u  \
	 : sizeof(struct type) <= 128 ? 256u  \
				      : 128u)

#define WARDER_PAGE_ROWS   WARDER_PAGE_ITEMS(warder_row)
#define WARDER_PAGE_RANGES WARDER_PAGE_ITEMS(warder_range)
#define WARDER_PAGE_PORTS  WARDER_PAGE_ITEMS(warder_port)

union warder_page {
	struct warder_image head;
	struct warder_cell_page cells;
	struct warder_row rows[WARDER_PAGE_ROWS];
	struct warder_range ranges[WARDER_PAGE_RANGES];
	struct warder_port ports[WARDER_PAGE_PORTS];
	__u8 bytes[WARDER_PAGE_SIZE];
};

/* Rows begin in the first page, right behind the head. */
#define WARDER_ROW_FIRST                                                         \
	((__u32)((sizeof(struct warder_image) + sizeof(struct warder_row) - 1) / \
		 sizeof(struct warder_row)))

_Static_assert(sizeof(struct warder_row) == 16 * WARDER_RIGHT_COUNT + 16, "row layout");
_Static_assert(sizeof(struct warder_range) == 24, "range layout");
_Static_assert(sizeof(struct warder_port) == 8 + 16 * WARDER_NET_OP_COUNT, "port layout");
_Static_assert(sizeof(struct warder_cell) == 8, "cell layout");
_Static_assert(sizeof(struct warder_cell_page) == WARDER_PAGE_SIZE, "layout of a page of cells");
_Static_assert(WARDER_PAGE_CELLS <= WARDER_STATE_PLACE + 1, "places of a page");
_Static_assert(sizeof(struct warder_image) ==
		       64 + 8 * (WARDER_SYSCALLS_MAX + WARDER_CAPABILITIES_MAX +
				 2 * WARDER_SURFACES_MAX),
	       "head layout");
_Static_assert(sizeof(union warder_page) == WARDER_PAGE_SIZE, "page layout");

#endif
