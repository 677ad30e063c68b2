/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * subject.h - who is judged: bindings, keyrings, cgroup entries, counters.
 *
 * A binding id is (serial << 16 | slot); serials are never reused, so an id that a
 * task carries can never name somebody else's subject, even when the slot is used
 * again: the subject in the slot holds another id and the answer is deny.
 */
#ifndef WARDER_SUBJECT_H
#define WARDER_SUBJECT_H

#include <linux/types.h>
#include <warder/limits.h>

#define WARDER_SLOT_BITS     16
#define WARDER_SLOT(binding) ((__u32)(binding) & (WARDER_SUBJECTS_MAX - 1))

/* Slot 0 is the deny-all subject of cgroups below warder's root that are not bound (yet). */
#define WARDER_BINDING_UNBOUND (1ull << WARDER_SLOT_BITS)

enum warder_subject_flag {
	WARDER_SUBJECT_DENY_ALL = 1, /* no image: everything judged is refused */
	WARDER_SUBJECT_RELEASED = 2, /* unbound by an operator: no longer judged */
	WARDER_SUBJECT_KILL = 4,     /* `on-violation: kill` */
	WARDER_SUBJECT_SEPARATE = 8, /* `separate: true`: not held to what its parent may */
};

/*
 * A deadline that never comes: a grant without expiry. Deadlines and clock readings stay
 * below 2^63 (292 years of ns), so that the sign of a difference tells which is later.
 */
#define WARDER_FOREVER 0x7fffffffffffffffull

/*
 * One subject: the only element of an inner map, replaced whole by swapping the
 * map, so a reader sees the old keyring or the new one and never a mixture.
 */
struct warder_subject {
	__u64 binding;	  /* the id this slot belongs to now */
	__u64 generation; /* of the image in image_slot; another one there means deny */
	__u32 image_slot; /* index into the images map */
	__u32 flags;	  /* enum warder_subject_flag */
	__u64 base;	  /* keys held as long as the subject lives */
	__u64 granted;	  /* keys held by a grant until deadline[key] */
	__u64 soonest;	  /* smallest deadline of `granted`; WARDER_FOREVER when there is none */
	/* CLOCK_BOOTTIME ns; meaningful where `granted` has the bit. */
	__u64 deadline[WARDER_KEYS_MAX];
	__u64 since;  /* when it was bound, CLOCK_BOOTTIME ns */
	__u64 cgroup; /* id of its cgroup */
	__u32 runner; /* pid of the process that serves it; 0 = none */
	__u32 pad;
	__u64 parent; /* the subject that it was started for or lies below; 0: none */
	/*
	 * Those that have to allow as well, the nearest first, closed by a 0 where there are
	 * fewer. Written once, when it is bound; one that is gone refuses everything.
	 */
	__u64 above[WARDER_NESTING_MAX - 1];
	char name[WARDER_NAME_MAX];   /* the subject's name, unique while it lives */
	char policy[WARDER_NAME_MAX]; /* for people who read the maps; never judged */
	char set[WARDER_NAME_MAX];
};

enum warder_cgroup_flag {
	WARDER_CGROUP_CHILDREN_UNKNOWN = 1, /* a child's entry could not be inserted */
};

/* Value of the cgroups map, by cgroup id. */
struct warder_cgroup {
	__u64 binding;
	__u32 flags; /* enum warder_cgroup_flag */
	__u32 pad;
};

/* Counters of one slot. Never part of a verdict. */
struct warder_stats {
	__u64 binding;	  /* whose counters these are; reset when the slot is bound anew */
	__u64 denied;	  /* refusals; not those that turned out to be none (EVENT_EXISTED) */
	__u64 events;	  /* events sent */
	__u64 dropped;	  /* events lost: the ring was full */
	__u64 suppressed; /* events held back by the burst limit */
	__u64 killed;	  /* processes killed for a refusal (`on-violation: kill`) */
	__u64 quiet;	  /* refusals of checks the kernel makes without audit (capable NOAUDIT) */
	__u64 unstable;	  /* walks given up after WARDER_WALK_RETRIES disturbances */
	__u64 unfinished; /* walks that did not end at the top of the task's mount namespace */
	__u64 unknown;	  /* "cannot tell" of any other kind: unread memory, failed allocation */
	__u64 sequence;	  /* number of the last event */
	__u64 window_start; /* burst limit: begin of the running second, CLOCK_BOOTTIME ns */
	__u64 window_count;
};

/* The one element of the state map: what warder processes share; under the lock file. */
struct warder_state {
	__u64 abi;	       /* WARDER_ABI of who loaded */
	__u64 next_serial;     /* of bindings */
	__u64 next_generation; /* of images */
	__u64 root_cgroup;     /* id of warder's own cgroup */
	__u64 loaded_at;       /* CLOCK_BOOTTIME ns */
	__u64 twins_left_out;  /* a bit each, in the order of WARDER_TWIN_HOOKS: no slot for it */
};

/* Counters of the whole machine: index into the totals map (one __u64 each). */
enum warder_total {
	WARDER_TOTAL_INHERIT_FAILED, /* cgroup entries that could not be inserted */
	WARDER_TOTAL_UNKNOWN_LEAF,   /* refusals: unbound leaf below a bound ancestor */
	WARDER_TOTAL_LABEL_FAILED,   /* labels that could not be stored (fork refused, or deny) */
	WARDER_TOTAL_NO_SUBJECT,     /* refusals: label or cgroup names a subject that is gone */
	WARDER_TOTAL_COUNT,
};

#endif
