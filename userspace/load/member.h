/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * member.h - the living tasks that carry a subject's label, in whatever cgroup they are.
 *
 * `binding` 0 means: of any subject, those that are gone included.
 */
#ifndef WARDER_LOAD_MEMBER_H
#define WARDER_LOAD_MEMBER_H

#include <stddef.h>

#include <warder/member.h>

#include "load/session.h"

/*
 * The processes with a labelled task, each once, by rising pid. *ret_list is malloc'ed.
 * -EXDEV: not in the initial pid namespace, where alone all of them are seen.
 */
int warder_member_list(const struct warder_session *session, __u64 binding,
		       struct warder_member **ret_list, size_t *ret_count);

/*
 * Does any live? 1 (*ret_one, which may be NULL, is one of them), 0, or a negative errno
 * when it cannot be told.
 */
int warder_member_alive(const struct warder_session *session, __u64 binding,
			struct warder_member *ret_one);

/* Kill all, and wait until none lives, `milliseconds` at most. -EBUSY: some do not die. */
int warder_member_kill(const struct warder_session *session, __u64 binding,
		       unsigned int milliseconds, struct warder_error *reterr);

#endif
