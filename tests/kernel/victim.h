/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * victim.h - a process that others act upon: it sleeps, counts signals, and can be looked into.
 */
#ifndef WARDER_TESTS_KERNEL_VICTIM_H
#define WARDER_TESTS_KERNEL_VICTIM_H

#include "harness.h"

/* In kt_shared(): what acts need to know about their target. */
struct victim {
	volatile int ready, quit;
	volatile int signals; /* SIGUSR1s that came */
	int pid, fd;
	char *memory; /* 8 bytes, "secret" */
};

/* Start one as a member of `s`, or outside (NULL); it becomes the target of acts. */
bool victim_start(struct kt_child *child, struct kt_subject *s);
/* End it. True when it ended by itself, unharmed. */
bool victim_stop(struct kt_child *child);
/* Signals since the last call, once they had the time to come. */
int victim_signals(void);

/* Acts upon the victim. */
kt_act act_attach, act_seize, act_read_memory, act_write_memory, act_take_fd, act_compare;
kt_act act_proc_mem, act_proc_environ, act_proc_maps, act_proc_fd, act_proc_exe;
kt_act act_kill_nothing, act_kill, act_kill_thread, act_queue_signal, act_kill_pidfd;
kt_act act_kill_group, act_own_signal, act_own_signal_ex, act_own_signal_ioctl;
kt_act act_own_signal_ioctl_i386;
kt_act act_limit, act_priority, act_affinity, act_scheduler, act_io_priority, act_move_pages;

#endif
