// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ring.c - read the event ring of one subject.
 */
#include "audit/ring.h"

#include <errno.h>

#include <bpf/libbpf.h>

#include "audit/event.h"
#include "base/cleanup.h"

struct warder_ring {
	struct ring_buffer *buffer;
	int map_fd;
	warder_ring_function function;
	void *context;
};

static int take_sample(void *context, void *sample, size_t size)
{
	const struct warder_ring *ring = context;
	const struct warder_event *event;
	const char *text;

	/* Only our programs write here; a sample of another shape is not guessed at. */
	if (warder_event_parse(sample, size, &event, &text))
		ring->function(event, text, ring->context);
	return 0;
}

int warder_ring_open(const struct warder_session *session, __u64 binding,
		     warder_ring_function function, void *context, struct warder_ring **ret_ring)
{
	_cleanup_ring_ struct warder_ring *ring = calloc(1, sizeof(*ring));
	int error;

	if (!ring)
		return -ENOMEM;
	ring->map_fd = -1;
	ring->function = function;
	ring->context = context;
	error = warder_subject_ring(session, binding, &ring->map_fd);
	if (error < 0)
		return error;
	ring->buffer = ring_buffer__new(ring->map_fd, take_sample, ring, NULL);
	if (!ring->buffer)
		return -errno;
	*ret_ring = TAKE_PTR(ring);
	return 0;
}

void warder_ring_close(struct warder_ring **ring)
{
	if (!ring || !*ring)
		return;
	ring_buffer__free((*ring)->buffer);
	if ((*ring)->map_fd >= 0)
		close((*ring)->map_fd);
	free(*ring);
	*ring = NULL;
}

int warder_ring_fd(const struct warder_ring *ring)
{
	return ring_buffer__epoll_fd(ring->buffer);
}

int warder_ring_drain(struct warder_ring *ring)
{
	return ring_buffer__consume(ring->buffer);
}
