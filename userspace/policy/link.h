/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * link.h - where a path leads once its symbolic links are followed, seen from a root directory.
 *
 * The kernel only ever sees the target of a link, so a rule on the link has to become a
 * rule on its target. A link that somebody other than root can replace is an error: a
 * subject could have planted it to point the rule elsewhere.
 */
#ifndef WARDER_POLICY_LINK_H
#define WARDER_POLICY_LINK_H

#include <limits.h>
#include <sys/types.h>

struct warder_link_error {
	char link[PATH_MAX];	    /* the link that is not trusted */
	char reason[PATH_MAX + 64]; /* "the directory /tmp can be written by others" */
};

/*
 * Follow the links of `path` (absolute, clean) below the directory `root_fd`. *ret_resolved
 * is malloc'ed, or NULL when nothing changes: no link, a loop, nothing there. The walk ends
 * at /proc, whose links mean something else to each process.
 * -EPERM: a link is not trusted (*reterr). -ENOMEM.
 */
int warder_link_resolve(int root_fd, uid_t trusted_uid, const char *path, char **ret_resolved,
			struct warder_link_error *reterr);

#endif
