/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * session.h - a warder process's handle on the kernel side.
 *
 * The kernel side is one set of maps and links, pinned below WARDER_PIN_DIR, that
 * outlives every process. Opening a session adopts it, or loads, attaches, proves
 * (the canary) and pins it first. The order of use:
 *
 *	warder_session_open -> warder_image_install -> warder_subject_bind
 *	-> warder_subject_grant / _revoke -> warder_subject_unbind -> warder_session_close
 *
 * Everything that changes state is done under one lock, WARDER_RUN_DIR/lock, which
 * each function takes for itself; warder_session_lock() holds it over several calls.
 * The last unbind detaches and removes everything.
 *
 * A session is used by one thread. Functions return 0 or a negative errno and leave
 * their outputs untouched on failure; `reterr` (may be NULL) then holds the message.
 */
#ifndef WARDER_LOAD_SESSION_H
#define WARDER_LOAD_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <warder/subject.h>

#include "base/error.h"

#define WARDER_PIN_DIR "/sys/fs/bpf/warder"
#define WARDER_RUN_DIR "/run/warder"

/* The pinned maps: X(name in bpf/maps.bpf.h and below WARDER_PIN_DIR/maps, "what it holds") */
#define WARDER_MAPS(X)                                                                    \
	X(tasks, "label and working room of each task that was ever judged")              \
	X(gate, "which buckets of cgroup ids may hold a bound cgroup; the quick way out") \
	X(cgroups, "cgroup id -> the subject it belongs to")                              \
	X(subjects, "slot -> one subject: its keyring, grants and their deadlines")       \
	X(images, "slot -> one compiled policy, frozen")                                  \
	X(rings, "slot -> the subject's own event ring")                                  \
	X(stats, "slot -> counters of the subject")                                       \
	X(totals, "counters of the whole machine")                                        \
	X(state, "what warder processes share: ABI, next numbers, own cgroup")

enum warder_map {
#define X(name, text) WARDER_MAP_##name,
	WARDER_MAPS(X)
#undef X
	WARDER_MAP_COUNT,
};

struct warder_session;

struct warder_session_options {
	__u32 max_cgroups; /* entries of the cgroups map when this session loads; 0 = default */
	bool adopt_only;   /* never load: -ENOENT when nothing is loaded */
	bool keep_loaded;  /* the last unbind does not unload (tests; call warder_session_unload) */
	bool hold_lock;	   /* return with the lock held, as after warder_session_lock() */
};

/*
 * Adopt what is pinned, or load it. `options` may be NULL (all zero).
 * -EPERM not root; -EOPNOTSUPP this kernel cannot enforce (the message says what is
 * missing and the remedy); -EPROTO pinned by another version; -ENOTRECOVERABLE something
 * pinned is gone while subjects exist.
 */
int warder_session_open(const struct warder_session_options *options,
			struct warder_session **ret_session, struct warder_error *reterr);

/*
 * Forget the handle; accepts NULL and *session == NULL. Subjects stay bound and
 * enforced; the ones this session bound count as having no runner from now on.
 */
void warder_session_close(struct warder_session **session);

/*
 * Take the lock; nests. -ESTALE when warder was unloaded since the session was opened:
 * close it and open a new one.
 */
int warder_session_lock(struct warder_session *session, struct warder_error *reterr);
void warder_session_unlock(struct warder_session *session);

/*
 * Detach every program, remove every pin and warder's own cgroup. -EBUSY while a
 * subject is bound or a living task carries a label. Returns when the kernel no longer lists the
 * links.
 */
int warder_session_unload(struct warder_session *session, struct warder_error *reterr);

/*
 * The same when no subject is bound, else nothing; does not wait for links that another process
 * holds. Taking the programs off lasts up to six seconds. Nothing when the session keeps warder
 * loaded.
 */
int warder_session_unload_idle(struct warder_session *session);

/*
 * Drop subjects whose runner is dead, in whose cgroup no task lives, and whose label no
 * task elsewhere carries. Never touches a subject with living tasks. Adds the number dropped to
 * *ret_count (may be NULL).
 */
int warder_session_reap(struct warder_session *session, unsigned int *ret_count,
			struct warder_error *reterr);

/* Descriptor of a map; owned by the session. */
int warder_session_map(const struct warder_session *session, enum warder_map map);

/* What bpftool calls a map, and how full it can get. */
struct warder_map_info {
	__u32 id, max_entries;
};

int warder_session_map_info(const struct warder_session *session, enum warder_map map,
			    struct warder_map_info *ret_info);

/* Kernel id of the inner map in a slot of subjects, images or rings. -ENOENT. */
int warder_session_inner_id(const struct warder_session *session, enum warder_map outer, __u32 slot,
			    __u32 *ret_id);

/* Path of warder's own cgroup, e.g. "/sys/fs/cgroup/warder"; owned by the session. */
const char *warder_session_cgroup(const struct warder_session *session);

/* What warder processes share. */
int warder_session_state(const struct warder_session *session, struct warder_state *ret_state);

/* One counter of the machine. */
int warder_session_total(const struct warder_session *session, enum warder_total total,
			 __u64 *ret_count);

/*
 * Is anything missing of what was pinned? 0, or -ENOTRECOVERABLE naming the first link
 * whose pin is gone.
 */
int warder_session_verify(const struct warder_session *session, struct warder_error *reterr);

/*
 * The hooks of the second net's twins that others left no slot of lsm_cgroup for, "socket_bind,
 * bpf"; "" when there are none. The first net holds them alone. Returns `buffer`.
 */
const char *warder_session_left_out(const struct warder_session *session, char *buffer,
				    size_t size);

/* Name of a map, and what it holds. */
const char *warder_map_name(enum warder_map map);
const char *warder_map_text(enum warder_map map);

/* For the cleanup attribute. */
#define _cleanup_session_ __attribute__((cleanup(warder_session_close)))

#endif
