/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * supervise.h - wait for a command: forward signals, read its events.
 */
#ifndef WARDER_RUN_SUPERVISE_H
#define WARDER_RUN_SUPERVISE_H

#include "audit/ring.h"
#include "run/launch.h"

/* Block the signals that are forwarded; call it before the child is started. */
int warder_supervise_prepare(int *ret_signal_fd);

/*
 * Wait until the child has exited, and reap it. *ret_code is its exit status, or 128 and
 * the signal that killed it.
 */
int warder_supervise(const struct warder_child *child, int signal_fd, struct warder_ring *ring,
		     int *ret_code, struct warder_error *reterr);

#endif
