/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * entry.h - cgroup entries: which cgroup belongs to which binding.
 */
#ifndef WARDER_LOAD_ENTRY_H
#define WARDER_LOAD_ENTRY_H

#include <stddef.h>

#include "load/session.h"

/* The binding of a cgroup; 0 when it has no entry. */
__u64 warder_entry_get(const struct warder_session *session, __u64 cgroup);

/*
 * Bind a cgroup directory and all that exist below it: the gate first, parents before
 * children. A cgroup that belongs to another living subject is -EBUSY, but for the one that
 * the directory lies in.
 */
int warder_entry_set_tree(struct warder_session *session, const char *path, __u64 binding,
			  struct warder_error *reterr);

/* The binding of the cgroup that this one lies in; 0 when there is none. */
__u64 warder_entry_over(const struct warder_session *session, const char *path);

/* Remove every entry of a binding; `over` gets what is there still (0: nobody). */
int warder_entry_remove(struct warder_session *session, __u64 binding, __u64 over);

/* Number of entries. */
size_t warder_entry_count(const struct warder_session *session);

/* Buckets of the gate that are marked. */
int warder_entry_gate_count(const struct warder_session *session, size_t *ret_count);

/* Call `visit` for each entry. */
int warder_entry_each(const struct warder_session *session,
		      int (*visit)(__u64 cgroup, const struct warder_cgroup *entry, void *context),
		      void *context);

#endif
