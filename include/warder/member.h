/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * member.h - what the kernel side tells about each living task that carries a label.
 *
 * The life of a subject is counted in these, not in cgroups alone: the label stays on a
 * task that somebody outside moved to another cgroup.
 */
#ifndef WARDER_MEMBER_H
#define WARDER_MEMBER_H

#include <linux/types.h>

/*
 * One record of the iterator pinned as links/iter/members. Records follow each other
 * without a gap; a read may end in the middle of one.
 */
struct warder_member {
	__u64 binding;	  /* the label; never 0 */
	__u64 start_time; /* of the process, CLOCK_BOOTTIME ns: with pid, unique */
	__u32 pid;	  /* of the process (thread group), in the initial namespace */
	__u32 tid;	  /* of the task */
};

_Static_assert(sizeof(struct warder_member) == 2 * 8 + 2 * 4, "member layout");

#endif
