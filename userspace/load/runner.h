/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * runner.h - which process serves a subject.
 *
 * The runner reads the subject's ring. It holds a lock on WARDER_RUN_DIR/runners/<slot>,
 * which the kernel drops however the process dies.
 */
#ifndef WARDER_LOAD_RUNNER_H
#define WARDER_LOAD_RUNNER_H

#include <stdbool.h>

#include <linux/types.h>

/* Become the runner of what is in `slot`. -EBUSY somebody else is. */
int warder_runner_take(__u32 slot, __u64 binding, int *ret_fd);

/* Let go, and remove the file. */
void warder_runner_release(__u32 slot, int fd);

/* Does the runner of this binding live? */
bool warder_runner_alive(__u32 slot, __u64 binding);

#endif
