/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * attach.h - where each program of the object goes; made from the table in warder/hook.h.
 */
#ifndef WARDER_LOAD_ATTACH_H
#define WARDER_LOAD_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

#include "load/object.h"

enum warder_net {
	WARDER_NET_LIST,       /* the list of members: judges nothing */
	WARDER_NET_TRACEPOINT, /* new cgroups inherit: before anything judges */
	WARDER_NET_SECOND,     /* cgroup programs and lsm_cgroup twins at warder's own cgroup */
	WARDER_NET_GLOBAL,     /* LSM programs, the first net */
	WARDER_NET_TOLD,       /* reports only; left out where the kernel has no such function */
};

struct warder_attachment {
	const char *kind; /* directory of the pin: "global", "twin", "net", "tp", "iter", "told" */
	const char *name; /* of the hook, and of the pin */
	const char *program; /* in the object */
	enum warder_net net;
};

extern const struct warder_attachment warder_attachments[];
extern const size_t warder_attachment_count;

/* Has the running kernel the hook of this row? (Others than the newer ones it must have.) */
bool warder_attachment_is_due(const struct warder_attachment *row);

/*
 * The twins that are pinned nowhere, a bit each in the order of WARDER_TWIN_HOOKS: after loading,
 * those for which the kernel had no slot.
 */
__u64 warder_attach_left_out(void);

/* Is this row one of the twins in `left_out`? */
bool warder_attachment_is_left_out(const struct warder_attachment *row, __u64 left_out);

/* "socket_bind, bpf": the names of those. */
const char *warder_attach_names(__u64 left_out, char *buffer, size_t size);

/*
 * Attach and pin every program of one net. A hook that cannot be attached is a failure
 * that names it: half a net is none. But a twin for which others have taken the last slot of
 * lsm_cgroup is left out: the first net holds the same.
 */
int warder_attach(const struct warder_object *object, enum warder_net net, int root_cgroup_fd,
		  struct warder_error *reterr);

#endif
