/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * surface.h - acts on the kernel itself: mounts, namespaces, capabilities, rings.
 *
 * Each undoes what it did, so that the control leaves the guest as it was. {DIR} holds the
 * directories "a/old" and "b".
 */
#ifndef WARDER_TESTS_KERNEL_SURFACE_H
#define WARDER_TESTS_KERNEL_SURFACE_H

#include "harness.h"

/* The argument is a long: flags of unshare and clone. */
kt_act act_unshare, act_clone;
/* Join a user namespace that somebody outside made. */
kt_act act_join_user_namespace;

kt_act act_mount, act_remount, act_bind, act_move, act_umount, act_lazy_umount;
kt_act act_fsopen, act_new_mount, act_open_tree, act_move_mount, act_mount_setattr;
kt_act act_pivot_root, act_chroot;

kt_act act_hostname, act_set_time, act_setuid, act_setgid, act_setgroups, act_capset;
kt_act act_device, act_give_away, act_syslog, act_module, act_nice, act_own_limit;
kt_act act_read_by_handle, act_reboot_key, act_swap, act_account, act_keep_capability;

/* Rings and page-fault descriptors; 0 when one was made. */
kt_act act_io_uring, act_userfaultfd;

#endif
