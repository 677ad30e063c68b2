/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * subject.h - bind, unbind, grant, revoke, and look.
 *
 * A subject's keyring is one map element that is replaced whole: a reader in the kernel
 * sees the keyring before or after a change and never a mixture.
 */
#ifndef WARDER_LOAD_SUBJECT_H
#define WARDER_LOAD_SUBJECT_H

#include <sys/types.h>

#include "load/image.h"
#include "load/session.h"

struct warder_subject_request {
	/* warder_naming_check(), unique while it lives; NULL: "<policy>-<set>-<serial>". */
	const char *name;
	const char *policy; /* for people; never judged */
	const char *set;
	const char *cgroup;		      /* path of an existing cgroup directory */
	const struct warder_image_ref *image; /* NULL: deny-all */
	__u64 base;			      /* keys it holds as long as it lives */
	__u64 parent;  /* the subject it is started for; 0: none, or the one its cgroup lies in */
	bool separate; /* not held to what those above it may */
	bool kill;     /* a process is killed for a refusal */
};

/*
 * Make a cgroup (its present and future descendants included) a subject. When this
 * returns, the next judged act of any task in it is judged. The calling process counts
 * as its runner until warder_session_close() or warder_subject_unbind().
 * -EINVAL the name is none; -ENOENT no such cgroup; -EEXIST the name is taken; -EBUSY the cgroup,
 * or one below it, belongs to a subject already; -ESRCH there is no such parent; -ELOOP it would be
 * nested deeper than WARDER_NESTING_MAX; -ENOSPC a table is full; -ESTALE the image is gone.
 */
int warder_subject_bind(struct warder_session *session,
			const struct warder_subject_request *request, __u64 *ret_binding,
			struct warder_error *reterr);

/*
 * End a subject. A cgroup below warder's own is removed with it; -EBUSY while a task lives
 * in it (warder_cgroup_kill) or, moved elsewhere, carries the label (warder_member_kill), or
 * belongs to a subject that is nested in it.
 * Unless the session keeps warder loaded, ending the
 * last subject detaches everything.
 */
int warder_subject_unbind(struct warder_session *session, __u64 binding,
			  struct warder_error *reterr);

/*
 * Add key number `key` until `deadline` (CLOCK_BOOTTIME ns, or WARDER_FOREVER); a
 * grant that is running gets the new deadline. The kernel ends it, whoever is alive.
 * -EALREADY the subject's set holds the key; -ESRCH no such subject.
 */
int warder_subject_grant(struct warder_session *session, __u64 binding, unsigned int key,
			 __u64 deadline, struct warder_error *reterr);

/*
 * Take a key away, granted or held by the set. -ENOENT the subject does not hold it.
 */
int warder_subject_revoke(struct warder_session *session, __u64 binding, unsigned int key,
			  struct warder_error *reterr);

/* Read one subject. -ESRCH when the binding is gone. */
int warder_subject_read(const struct warder_session *session, __u64 binding,
			struct warder_subject *ret_subject);

/* All subjects but the deny-all one of slot 0, oldest first. *ret_list is malloc'ed. */
int warder_subject_list(const struct warder_session *session, struct warder_subject **ret_list,
			size_t *ret_count);

/* Counters. -ESRCH when the slot belongs to another binding. */
int warder_subject_stats(const struct warder_session *session, __u64 binding,
			 struct warder_stats *ret_stats);

/*
 * The subject that `text` names: its name, its binding as a decimal number, or a prefix of
 * the name that only one subject has. -ESRCH none; -ENOTUNIQ several (all are named).
 */
int warder_subject_find(const struct warder_session *session, const char *text,
			struct warder_subject *ret_subject, struct warder_error *reterr);

/* The same without prefixes, for what cannot be taken back. -ESRCH names the nearest. */
int warder_subject_find_whole(const struct warder_session *session, const char *text,
			      struct warder_subject *ret_subject, struct warder_error *reterr);

/* Is `subject` held to what `binding` may: nested in it, at any depth? */
bool warder_subject_is_below(const struct warder_subject *subject, __u64 binding);

/* Descriptor of the subject's event ring (BPF_MAP_TYPE_RINGBUF); the caller closes it. */
int warder_subject_ring(const struct warder_session *session, __u64 binding, int *ret_fd);

/*
 * Become the runner of a subject whose runner died: the one process that reads its ring.
 * -EBUSY when the runner lives. The lock lasts until the session is closed.
 */
int warder_subject_adopt(struct warder_session *session, __u64 binding);

/* Stop being the runner; the subject stays bound. */
void warder_subject_abandon(struct warder_session *session, __u64 binding);

/* Does the process that serves the subject live? */
bool warder_subject_has_runner(const struct warder_subject *subject);

/* Paths of the subject's cgroup, by its id; *ret_path is malloc'ed. -ENOENT it is gone. */
int warder_subject_cgroup(const struct warder_session *session,
			  const struct warder_subject *subject, char **ret_path);

#endif
