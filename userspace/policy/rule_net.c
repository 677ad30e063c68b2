// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * rule_net.c - what a rule about network addresses is about.
 */
#include "policy/policy.h"

_Static_assert((int)WARDER_ACT_CONNECT == WARDER_NET_CONNECT &&
		       (int)WARDER_ACT_BIND == WARDER_NET_BIND &&
		       (int)WARDER_ACT_ACCEPT == WARDER_NET_ACCEPT,
	       "an act is the operation of the same number");

static bool is_v4(struct warder_address address)
{
	return !address.hi && address.lo >> 32 == 0xffff;
}

static bool is_same(struct warder_address a, struct warder_address b)
{
	return !warder_address_compare(a, b);
}

bool warder_net_rule_names(const struct warder_net_rule *rule, struct warder_address address)
{
	const struct warder_endpoint *endpoint = &rule->endpoint;
	size_t i;

	if (warder_endpoint_names(endpoint, address))
		return true;
	if (!rule->deny || endpoint->act != WARDER_ACT_BIND)
		return false;
	if (is_same(address, warder_address_any6))
		return true;
	/* Both ends: a range of IPv4 and IPv6 is split by the parser, or is all there is. */
	for (i = 0; i < endpoint->range_count; i++) {
		if (is_same(address, warder_address_v4(0)) &&
		    (is_v4(endpoint->ranges[i].first) || is_v4(endpoint->ranges[i].last)))
			return true;
	}
	return false;
}

bool warder_net_rule_contains(const struct warder_net_rule *rule, __u8 proto,
			      struct warder_address address, __u16 port)
{
	return rule->endpoint.proto == proto && warder_net_rule_names(rule, address) &&
	       warder_endpoint_has_port(&rule->endpoint, port);
}

const char *warder_net_rule_section(const struct warder_net_rule *rule)
{
	static const char *const names[][2] = {
		[WARDER_ACT_CONNECT] = {"network.connect", "network.deny.connect"},
		[WARDER_ACT_BIND] = {"network.bind", "network.deny.bind"},
		[WARDER_ACT_ACCEPT] = {"network.accept", "network.deny.accept"},
	};

	return names[rule->endpoint.act][rule->deny];
}
