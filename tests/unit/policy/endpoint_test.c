// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* endpoint_test.c - "tcp:10.0.0.0/8:443": what it contains, and what is no endpoint. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "policy/endpoint.h"

#define MAPPED 0xffff00000000ull

static struct warder_endpoint parse(const char *text)
{
	struct warder_endpoint endpoint = {0};
	struct warder_endpoint_error error;

	assert_int_equal(warder_endpoint_parse(text, strlen(text), &endpoint, &error), 0);
	return endpoint;
}

static void check_range(const char *text, size_t index, struct warder_address first,
			struct warder_address last)
{
	struct warder_endpoint e = parse(text);

	assert_true(index < e.range_count);
	assert_int_equal(warder_address_compare(e.ranges[index].first, first), 0);
	assert_int_equal(warder_address_compare(e.ranges[index].last, last), 0);
}

static void reads_addresses(void **state)
{
	const __u64 all = ~0ull;

	check_range("tcp:10.0.0.0/8:443", 0, (struct warder_address){0, MAPPED | 0x0a000000},
		    (struct warder_address){0, MAPPED | 0x0affffff});
	check_range("udp:192.0.2.1:53", 0, (struct warder_address){0, MAPPED | 0xc0000201},
		    (struct warder_address){0, MAPPED | 0xc0000201});
	check_range("tcp:0.0.0.0/0:1", 0, (struct warder_address){0, MAPPED},
		    (struct warder_address){0, MAPPED | 0xffffffff});
	check_range("tcp:[2001:db8::]/32:1", 0, (struct warder_address){0x20010db800000000ull, 0},
		    (struct warder_address){0x20010db8ffffffffull, all});
	check_range("tcp:[::1]:1", 0, (struct warder_address){0, 1}, (struct warder_address){0, 1});
	check_range("tcp:[fe80::1:0]/112:1", 0, (struct warder_address){0xfe80ull << 48, 0x10000},
		    (struct warder_address){0xfe80ull << 48, 0x1ffff});
	check_range("tcp:[2001:db8:0:1::]/64:1", 0,
		    (struct warder_address){0x20010db800000001ull, 0},
		    (struct warder_address){0x20010db800000001ull, all});
	check_range("tcp:*:1", 0, (struct warder_address){0, 0}, (struct warder_address){all, all});
	assert_int_equal(parse("tcp:*:1").range_count, 1);
	/* IPv6 as a whole leaves IPv4 out. */
	check_range("tcp:[::]/0:1", 0, (struct warder_address){0, 0},
		    (struct warder_address){0, MAPPED - 1});
	check_range("tcp:[::]/0:1", 1, (struct warder_address){0, MAPPED + (1ull << 32)},
		    (struct warder_address){all, all});
	assert_int_equal(parse("tcp:[::]/79:1").range_count, 2);
	assert_int_equal(parse("tcp:[::]/80:1").range_count, 1);
	assert_int_equal(parse("tcp:[::]/95:1").range_count, 1);
	/* The mapped addresses are its end: one range is left, no empty one behind it. */
	assert_int_equal(parse("tcp:[::fffe:0:0]/95:1").range_count, 1);
	check_range("tcp:[::fffe:0:0]/95:1", 0, (struct warder_address){0, 0xfffe00000000ull},
		    (struct warder_address){0, MAPPED - 1});
	assert_int_equal(parse("tcp:[8000::]/1:1").range_count, 1);
}

static void reads_ports(void **state)
{
	struct warder_endpoint e = parse("udp:192.0.2.1:80,443,8000-8100,65535");

	assert_int_equal(e.proto, WARDER_PROTO_UDP);
	assert_int_equal(e.port_count, 4);
	assert_int_equal(e.ports[0].low, 80);
	assert_int_equal(e.ports[2].low, 8000);
	assert_int_equal(e.ports[2].high, 8100);
	assert_int_equal(e.ports[3].high, 65535);
	e = parse("tcp:192.0.2.1:*");
	assert_int_equal(e.ports[0].low, 1);
	assert_int_equal(e.ports[0].high, 65535);
	assert_int_equal(parse("tcp:192.0.2.1:5-5").ports[0].high, 5);
}

static void contains_what_it_names(void **state)
{
	struct warder_endpoint e = parse("tcp:10.0.0.0/8:80,443-445");
	struct warder_address inside = warder_address_v4(0x0a000001);
	struct warder_address outside = warder_address_v4(0x0b000000);

	assert_true(warder_endpoint_contains(&e, WARDER_PROTO_TCP, inside, 80));
	assert_true(warder_endpoint_contains(&e, WARDER_PROTO_TCP, inside, 444));
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_TCP, inside, 446));
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_UDP, inside, 80));
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_TCP, outside, 80));
	e = parse("tcp:[::]/0:80");
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_TCP, inside, 80));
	assert_true(
		warder_endpoint_contains(&e, WARDER_PROTO_TCP, (struct warder_address){0, 1}, 80));
	e = parse("tcp:*:80");
	assert_true(warder_endpoint_contains(&e, WARDER_PROTO_TCP, inside, 80));
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_TCP, inside, 0));
}

static void converts_addresses(void **state)
{
	const unsigned char bytes[16] = {0x20, 1, 0x0d, 0xb8, [8] = 0x80, [15] = 9};
	struct warder_address a = warder_address_v6(bytes);

	assert_true(a.hi == 0x20010db800000000ull && a.lo == 0x8000000000000009ull);
	a = warder_address_v4(0x7f000001);
	assert_true(a.hi == 0 && a.lo == 0xffff7f000001ull);
	assert_true(warder_address_compare((struct warder_address){0, 9},
					   (struct warder_address){1, 0}) < 0);
	assert_true(warder_address_compare((struct warder_address){1, 1},
					   (struct warder_address){1, 0}) > 0);
}

static int parse_for(enum warder_net_act act, const char *text, struct warder_endpoint *endpoint)
{
	struct warder_endpoint_error error;

	return warder_endpoint_parse_for(act, text, strlen(text), endpoint, &error);
}

/* To bind: unspecified addresses and port 0 mean something. To accept from: no ports. */
static void knows_what_it_is_for(void **state)
{
	struct warder_address any4 = warder_address_v4(0), any6 = {0, 0}, host = {0, 1};
	struct warder_endpoint e;

	assert_int_equal(parse_for(WARDER_ACT_CONNECT, "tcp:0.0.0.0:80", &e), -EINVAL);
	assert_int_equal(parse_for(WARDER_ACT_BIND, "tcp:0.0.0.0:80", &e), 0);
	assert_true(warder_endpoint_contains(&e, WARDER_PROTO_TCP, any4, 80));
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_TCP, any6, 80));
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_TCP, host, 80));
	assert_int_equal(parse_for(WARDER_ACT_BIND, "udp:[::]:0", &e), 0);
	assert_true(warder_endpoint_contains(&e, WARDER_PROTO_UDP, any6, 0));
	assert_false(warder_endpoint_contains(&e, WARDER_PROTO_UDP, any4, 0));
	assert_int_equal(parse_for(WARDER_ACT_CONNECT, "udp:[::1]:0", &e), -EINVAL);
	assert_int_equal(parse_for(WARDER_ACT_BIND, "tcp:127.0.0.1:*", &e), 0);
	assert_int_equal(e.ports[0].low, 0);
	assert_int_equal(parse_for(WARDER_ACT_BIND, "tcp:127.0.0.1", &e), -EINVAL);
	assert_int_equal(parse_for(WARDER_ACT_ACCEPT, "tcp:127.0.0.0/8", &e), 0);
	assert_true(warder_endpoint_contains(&e, WARDER_PROTO_TCP, warder_address_v4(0x7f000009),
					     40000));
	assert_int_equal(parse_for(WARDER_ACT_ACCEPT, "tcp:*", &e), 0);
	assert_int_equal(parse_for(WARDER_ACT_ACCEPT, "tcp:127.0.0.0/8:80", &e), -EINVAL);
	assert_int_equal(parse_for(WARDER_ACT_ACCEPT, "udp:*", &e), -EINVAL);
	assert_int_equal(parse_for(WARDER_ACT_CONNECT, "tcp:*", &e), -EINVAL);
}

/* Every beginning of an endpoint, and every byte of it replaced: an answer, and no more. */
static void says_where_it_stops(void **state)
{
	static const char whole[] = "tcp:[2001:db8::1]/128:80,443-445";
	static const char others[] = "*[]:/,-0a.@\x80";
	struct warder_endpoint endpoint;
	struct warder_endpoint_error error;
	char text[sizeof(whole)];
	size_t i, k;

	for (i = 0; i < sizeof(whole); i++) {
		memcpy(text, whole, sizeof(whole));
		text[i] = 0;
		if (warder_endpoint_parse(text, i, &endpoint, &error) < 0) {
			assert_true(error.offset <= i);
			assert_true(error.message[0]);
		}
		for (k = 0; i < sizeof(whole) - 1 && k < sizeof(others); k++) {
			text[i] = others[k];
			if (warder_endpoint_parse(text, sizeof(whole) - 1, &endpoint, &error) < 0)
				assert_true(error.offset <= sizeof(whole) - 1);
		}
	}
	assert_int_equal(warder_endpoint_parse("tcp:1.2.3.4:80\0", 15, &endpoint, &error), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_addresses),	  cmocka_unit_test(reads_ports),
		cmocka_unit_test(contains_what_it_names), cmocka_unit_test(converts_addresses),
		cmocka_unit_test(says_where_it_stops),	  cmocka_unit_test(knows_what_it_is_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
