/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * attributes.h - acts on what is written beside the contents of a file, and a policy about them.
 */
#ifndef WARDER_TESTS_KERNEL_ATTRIBUTES_H
#define WARDER_TESTS_KERNEL_ATTRIBUTES_H

#include "stage.h"

extern const char attributes_policy[];

/* Files, links and attributes below the subject's directory. */
void attributes_build(struct kt_subject *s);

kt_act act_utimes, act_utimes_now, act_lutimes, act_futimens;
kt_act act_setxattr, act_fsetxattr, act_removexattr;
/* Through /proc/self/fd, of a descriptor opened with O_PATH. */
kt_act act_setxattr_by_proc;
kt_act act_set_acl, act_remove_acl;
kt_act act_ftruncate, act_file_setattr;
/* On files without a name, made by the act. */
kt_act act_memfd_attributes, act_pipe_times, act_socket_times;

/* On a descriptor: 0 or -errno. */
typedef int attribute_act(int fd);
attribute_act attribute_ftruncate, attribute_futimens, attribute_fsetxattr;

struct after_grant {
	const char *path;
	attribute_act *act;
};

#endif
