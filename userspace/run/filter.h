/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * filter.h - the seccomp filters of a run: what passes no hook, or not always.
 *
 * They stay for the life of the program and of all its children, whatever is unloaded.
 */
#ifndef WARDER_RUN_FILTER_H
#define WARDER_RUN_FILTER_H

#include <sched.h>
#include <seccomp.h>

#include "policy/profile.h"

/* What a profile looks at closely: clone with none of these flags, and these personalities. */
#define WARDER_CLONE_NAMESPACES                                                                    \
	(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | \
	 CLONE_NEWCGROUP)

/* Plain Linux, the names of older kernels, and the question which one it is. */
#define WARDER_PERSONALITIES 5
extern const unsigned int warder_personalities[WARDER_PERSONALITIES];

struct warder_filter {
	/*
	 * Of every set: input for the caller's terminal (TIOCSTI, TIOCLINUX) and all calls of other
	 * ABIs (i386, x32) are refused with EPERM.
	 */
	scmp_filter_ctx always;
	/* What the set's rules and profile refuse: EPERM, ENOSYS above WARDER_SYSCALL_NEWEST. */
	scmp_filter_ctx calls; /* NULL: nothing */
	/*
	 * ENOSYS for clone3 under a profile, because its flags are in memory that no filter reads:
	 * libraries then use clone. Not reported, as it is asked for at each start of a thread.
	 */
	scmp_filter_ctx quiet; /* NULL: not refused */
};

/* Build those of a set; warder_filter_release() frees them. -ENOMEM, -EINVAL. */
int warder_filter_build(const struct warder_policy *policy, unsigned int set,
			struct warder_filter *ret_filter);

/* Is the call, as it is answered, the quiet filter's? */
bool warder_filter_is_quiet(const struct warder_set *set, int number,
			    const struct warder_call *call);

/* Install them in the calling process, which has no_new_privs set. */
int warder_filter_install(const struct warder_filter *filter);

void warder_filter_release(struct warder_filter *filter);

#endif
