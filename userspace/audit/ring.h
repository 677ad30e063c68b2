/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ring.h - read the event ring of one subject. One reader at a time: its runner.
 */
#ifndef WARDER_AUDIT_RING_H
#define WARDER_AUDIT_RING_H

#include "load/subject.h"

#include <warder/event.h>

struct warder_ring;

/* Called for each event, oldest first. Both pointers die when it returns. */
typedef void (*warder_ring_function)(const struct warder_event *event, const char *text,
				     void *context);

int warder_ring_open(const struct warder_session *session, __u64 binding,
		     warder_ring_function function, void *context, struct warder_ring **ret_ring);
void warder_ring_close(struct warder_ring **ring);

/* A descriptor that polls readable when there are events. */
int warder_ring_fd(const struct warder_ring *ring);

/* Consume what is there; number of events or negative errno. */
int warder_ring_drain(struct warder_ring *ring);

#define _cleanup_ring_ __attribute__((cleanup(warder_ring_close)))

#endif
