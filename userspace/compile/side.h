/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * side.h - a keyring of a compiled policy, and what it may: the answers of decide.h.
 *
 * All that is asked of an image in order to explain or to compare goes through here, and from
 * here through decide.h: the kernel's own matcher.
 */
#ifndef WARDER_COMPILE_SIDE_H
#define WARDER_COMPILE_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include <warder/decide.h>

#include "compile/layout.h"
#include "policy/policy.h"

struct warder_side {
	const struct warder_policy *policy; /* NULL: only the image is known */
	const struct warder_image *image;   /* without a fault (compile/validate.h) */
	__u64 held;			    /* keys */
	__u64 base;			    /* those of them that were not granted */
};

static inline __u32 warder_side_start(const struct warder_side *side)
{
	return side->image->start;
}

static inline __u32 warder_side_step(const struct warder_side *side, __u32 state,
				     unsigned char byte)
{
	return warder_step(side->image, state, byte);
}

/* Bytes of the same class lead to the same states from everywhere. */
static inline unsigned int warder_side_class(const struct warder_side *side, unsigned char byte)
{
	return warder_image_cells(side->image, 0)->classes[byte];
}

/* The state that a path, as the kernel feeds it, ends in. */
static inline __u32 warder_side_state(const struct warder_side *side, const char *path,
				      size_t length)
{
	__u32 state = warder_side_start(side);
	size_t i;

	for (i = 0; i < length; i++)
		state = warder_side_step(side, state, (unsigned char)path[i]);
	return state;
}

static inline __u32 warder_side_row_number(const struct warder_side *side, __u32 state)
{
	return warder_row_number(side->image, state);
}

static inline const struct warder_row *warder_side_row(const struct warder_side *side, __u32 state)
{
	return warder_row(side->image, warder_side_row_number(side, state));
}

/* The rights that it has in a state. */
static inline __u32 warder_side_rights(const struct warder_side *side, __u32 state)
{
	return warder_rights(warder_side_row(side, state), side->held);
}

/* Range number i of the addresses, the first starts at ::; NULL behind the last. */
static inline const struct warder_range *warder_side_range(const struct warder_side *side, __u32 i)
{
	return i < side->image->range_count ? warder_image_range(side->image, i) : NULL;
}

/* Segment number i of the ports of a range; NULL behind the last. */
static inline const struct warder_port *warder_side_port(const struct warder_side *side,
							 const struct warder_range *range, __u32 i)
{
	return range && i < range->count ? warder_image_port(side->image, range->first + i) : NULL;
}

/* May it do this with an address (normalised here)? */
static inline bool warder_side_reaches(const struct warder_side *side, enum warder_net_op op,
				       __u8 proto, struct warder_address address, __u16 port)
{
	__u64 denied, keys;

	if (op == WARDER_NET_CONNECT)
		warder_address_normalise(&address.hi, &address.lo);
	return warder_decide_net(side->image, op, proto, address.hi, address.lo, port, side->held,
				 side->base, &denied, &keys);
}

static inline bool warder_side_calls(const struct warder_side *side, int number)
{
	return warder_decide_syscall(side->image, number, side->held);
}

static inline bool warder_side_capable(const struct warder_side *side, int number)
{
	return warder_decide_capability(side->image, (__u32)number, side->held);
}

static inline bool warder_side_surface(const struct warder_side *side, int surface, __u64 *ret_keys)
{
	__u64 denied;

	return warder_decide_surface(side->image, (__u32)surface, side->held, side->base, &denied,
				     ret_keys);
}

#endif
