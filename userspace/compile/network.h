/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * network.h - all endpoints of a policy as sorted address ranges with port segments.
 */
#ifndef WARDER_COMPILE_NETWORK_H
#define WARDER_COMPILE_NETWORK_H

#include <warder/image.h>

#include "policy/policy.h"

struct warder_network {
	__u32 range_count, port_count;
	struct warder_range ranges[WARDER_RANGES_MAX];
	struct warder_port ports[WARDER_PORTS_MAX];
};

/*
 * Fill ranges, ports and their counts. Every address lies in exactly one range, which holds
 * all that rules of any width say about it. The struct is zeroed before. -E2BIG: a diagnostic says
 * which limit. -ENOMEM.
 */
int warder_network_build(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
			 struct warder_network *network);

#endif
