/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * sweep.h - which keys may do what with which ports of an address, from the lowest port up.
 */
#ifndef WARDER_COMPILE_SWEEP_H
#define WARDER_COMPILE_SWEEP_H

#include "policy/policy.h"

/* Where ports of a rule begin, or have ended. */
struct warder_edge {
	__u32 port;
	__u32 rule : 31, begins : 1;
};

struct warder_sweep {
	const struct warder_policy *policy;
	struct warder_edge *edges[WARDER_PROTO_UDP + 1]; /* by protocol, sorted by port */
	size_t edge_count[WARDER_PROTO_UDP + 1];
	bool *active; /* by rule: does it name the address? */
};

/* Keys that allow and that deny, by enum warder_net_op; reservation is applied. */
struct warder_sweep_keys {
	__u64 allow[WARDER_NET_OP_COUNT], deny[WARDER_NET_OP_COUNT];
};

/* -ENOMEM. Release it in any case. */
int warder_sweep_init(struct warder_sweep *sweep, const struct warder_policy *policy);
void warder_sweep_release(struct warder_sweep *sweep);

/* Go to an address. */
void warder_sweep_move(struct warder_sweep *sweep, struct warder_address at);

/* Ports low to high, and what the rules say about them. */
typedef int (*warder_sweep_segment)(void *context, enum warder_proto proto, __u32 low, __u32 high,
				    const struct warder_sweep_keys *keys);

/* Call `segment` for all ports of the address that a rule is about, until it fails. */
int warder_sweep_ports(const struct warder_sweep *sweep, enum warder_proto proto,
		       warder_sweep_segment segment, void *context);

#endif
