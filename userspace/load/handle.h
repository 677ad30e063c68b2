/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * handle.h - what is inside a session; for load/ only.
 */
#ifndef WARDER_LOAD_HANDLE_H
#define WARDER_LOAD_HANDLE_H

#include <stddef.h>

#include "load/image.h"
#include "load/session.h"

/* A subject that this process serves: its ring is read by whoever holds the lock. */
struct warder_served {
	__u64 binding;
	int lock_fd; /* WARDER_RUN_DIR/runners/<slot>, flock'ed */
};

struct warder_session {
	struct warder_session_options options;
	int map_fd[WARDER_MAP_COUNT];
	int member_fd;	/* link of the iterator over the members; -1: not pinned */
	__u32 state_id; /* kernel id of the state map: tells a reload from what we adopted */
	int lock_fd;
	unsigned int lock_depth;
	char *mount; /* of cgroup v2 */
	char *root;  /* warder's own cgroup */
	struct warder_served *served;
	size_t served_count;
	/* Images this session installed: keeps them from the next collection. */
	struct {
		__u64 generation;
		char policy[WARDER_NAME_MAX];
	} installed[WARDER_IMAGES_MAX];
};

/* Write the shared state; under the lock. */
int warder_session_state_write(struct warder_session *session, const struct warder_state *state);

/* An inner map to be made. */
struct warder_inner {
	const char
		*type; /* of its values: the name of a C struct or union, and the map's own name */
	__u32 size;    /* bytes of a value */
	__u32 count;   /* values */
	__u32 flags;   /* BPF_F_INNER_MAP: may be of another count than the outer map's pattern */
};

/* Make one, with the type names that bpftool shows. The caller closes *ret_fd. */
int warder_session_inner_map(const struct warder_session *session, const struct warder_inner *inner,
			     int *ret_fd);

/* Descriptor of the inner map in `slot` of an outer one; the caller closes it. -ENOENT. */
int warder_session_inner_open(const struct warder_session *session, enum warder_map outer,
			      __u32 slot, int *ret_fd);

/* Set a fresh subject in place in slot 0 and bind warder's own cgroup to it. */
int warder_subject_bind_root(struct warder_session *session, struct warder_error *reterr);

/*
 * Which binding has each of the WARDER_SUBJECTS_MAX slots; 0: free. A slot whose bind was
 * interrupted is listed and holds no subject.
 */
int warder_subject_slots(const struct warder_session *session, __u64 *ret_bindings);

#endif
