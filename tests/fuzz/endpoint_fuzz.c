// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* endpoint_fuzz.c - any bytes as an endpoint: what is taken contains its own ends, and no more. */
#include <errno.h>

#include "base/cleanup.h"
#include "claim.h"
#include "policy/endpoint.h"

static void check_endpoint(const struct warder_endpoint *e, const char *text)
{
	enum warder_proto other = e->proto == WARDER_PROTO_TCP ? WARDER_PROTO_UDP
							       : WARDER_PROTO_TCP;
	struct warder_address v4 = warder_address_v4(0x01020304), first = e->ranges[0].first;
	size_t i;

	CLAIM(e->proto == WARDER_PROTO_TCP || e->proto == WARDER_PROTO_UDP);
	CLAIM(e->range_count == 1 || e->range_count == 2);
	CLAIM(e->port_count >= 1 && e->port_count <= WARDER_ENDPOINT_PORTS_MAX);
	for (i = 0; i < e->range_count; i++) {
		CLAIM(warder_address_compare(e->ranges[i].first, e->ranges[i].last) <= 0);
		CLAIM(warder_endpoint_contains(e, e->proto, e->ranges[i].first, e->ports[0].low));
		CLAIM(warder_endpoint_contains(e, e->proto, e->ranges[i].last, e->ports[0].high));
	}
	for (i = 0; i < e->port_count; i++)
		CLAIM(e->ports[i].low <= e->ports[i].high);
	CLAIM(!warder_endpoint_contains(e, other, first, e->ports[0].low));
	/* Port 0 is one that the kernel picks: nobody connects to it. */
	if (e->act != WARDER_ACT_BIND)
		CLAIM(!warder_endpoint_contains(e, e->proto, first, 0));
	if (e->act == WARDER_ACT_ACCEPT)
		CLAIM(e->proto == WARDER_PROTO_TCP && e->ports[0].high == 65535);
	/* IPv4 and IPv6 have rules of their own. */
	if (text[4] == '[')
		CLAIM(!warder_endpoint_contains(e, e->proto, v4, e->ports[0].low));
	else if (text[4] != '*')
		CLAIM(!first.hi && first.lo >> 32 == 0xffff);
}

static void check_act(enum warder_net_act act, const char *text, size_t size)
{
	struct warder_endpoint_error error = {0};
	struct warder_endpoint endpoint, twin;
	int r = warder_endpoint_parse_for(act, text, size, &endpoint, &error);

	if (r < 0) {
		CLAIM(r == -EINVAL && error.message[0] && error.offset <= size);
		return;
	}
	CLAIM(endpoint.act == act);
	check_endpoint(&endpoint, text);
	/* What can be connected to can be bound, and means the same. */
	if (act == WARDER_ACT_CONNECT) {
		CLAIM(warder_endpoint_parse_for(WARDER_ACT_BIND, text, size, &twin, &error) == 0);
		CLAIM(!memcmp(endpoint.ranges, twin.ranges, sizeof(twin.ranges)));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = claim_text(data, size);

	check_act(WARDER_ACT_CONNECT, text, size);
	check_act(WARDER_ACT_BIND, text, size);
	check_act(WARDER_ACT_ACCEPT, text, size);
	return 0;
}
