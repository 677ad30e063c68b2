// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * net_test.c - socket_connect: where to, written in every way that the kernel understands.
 */
#include "sockets.h"

#include <arpa/inet.h>

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, network: { connect: [" NET_EVERYTHING "] } }\n"
	"  mail: { network: { connect: ['tcp:127.0.0.1:2525'] } }\n"
	"sets:\n"
	"  code:\n"
	"    network:\n"
	"      connect: ['tcp:127.0.0.0/8:2000-7001', 'tcp:[::1]:7001', 'udp:127.0.0.1:7001',\n"
	"                'udp:[::1]:7001', 'tcp:192.0.2.1:7001', 'tcp:[fd00::]/64:7001']\n";

#define REFUSED(name, ...)                                                                \
	{                                                                                 \
		NET_REFUSED(name, act_connect, TO(__VA_ARGS__), SOCKET_CONNECT, NO_RULE), \
			.key = "all"                                                      \
	}
#define ALLOWED(name, ...)                                      \
	{                                                       \
		NET_ALLOWED(name, act_connect, TO(__VA_ARGS__)) \
	}

static const struct net_row tcp_rows[] = {
	ALLOWED("v4", AF_INET, SOCK_STREAM, "127.0.0.1", 7001),
	ALLOWED("v4, last of the prefix", AF_INET, SOCK_STREAM, "127.255.255.254", 7001),
	ALLOWED("v4, host rule", AF_INET, SOCK_STREAM, "192.0.2.1", 7001),
	ALLOWED("v6", AF_INET6, SOCK_STREAM, "::1", 7001),
	ALLOWED("v6, last of the prefix", AF_INET6, SOCK_STREAM, "fd00::ffff", 7001),
	ALLOWED("v4-mapped", AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7001),
	ALLOWED("unspecified v4 is loopback", AF_INET, SOCK_STREAM, "0.0.0.0", 7001),
	ALLOWED("unspecified v6 is loopback", AF_INET6, SOCK_STREAM, "::", 7001),
	ALLOWED("unspecified v4-mapped", AF_INET6, SOCK_STREAM, "::ffff:0.0.0.0", 7001),
	ALLOWED("not blocking", AF_INET, SOCK_STREAM, "127.0.0.1", 7001, NET_NONBLOCK),
	REFUSED("v4, port behind the range", AF_INET, SOCK_STREAM, "127.0.0.1", 7002),
	REFUSED("v4, address behind the host rule", AF_INET, SOCK_STREAM, "192.0.2.2", 7001),
	REFUSED("v4, address before the host rule", AF_INET, SOCK_STREAM, "192.0.2.0", 7001),
	REFUSED("v6, port", AF_INET6, SOCK_STREAM, "::1", 7002),
	REFUSED("v6, address behind the prefix", AF_INET6, SOCK_STREAM, "fd00:0:0:1::1", 7001),
	REFUSED("v4-mapped, port", AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7002),
	REFUSED("v4-mapped, address", AF_INET6, SOCK_STREAM, "::ffff:192.0.2.2", 7001),
	REFUSED("unspecified v4, port", AF_INET, SOCK_STREAM, "0.0.0.0", 7002),
	REFUSED("unspecified v6, port", AF_INET6, SOCK_STREAM, "::", 7002),
	REFUSED("unspecified v4-mapped, port", AF_INET6, SOCK_STREAM, "::ffff:0.0.0.0", 7002),
	REFUSED("not blocking", AF_INET, SOCK_STREAM, "127.0.0.1", 7002, NET_NONBLOCK),
};

static const struct net_row udp_rows[] = {
	ALLOWED("v4", AF_INET, SOCK_DGRAM, "127.0.0.1", 7001),
	ALLOWED("v6", AF_INET6, SOCK_DGRAM, "::1", 7001),
	ALLOWED("v4 address on a v6 socket", AF_INET6, SOCK_DGRAM, "127.0.0.1", 7001),
	ALLOWED("v4-mapped", AF_INET6, SOCK_DGRAM, "::ffff:127.0.0.1", 7001),
	REFUSED("v4, port", AF_INET, SOCK_DGRAM, "127.0.0.1", 7002),
	REFUSED("v4, address of another protocol's rule", AF_INET, SOCK_DGRAM, "127.0.0.2", 7001),
	REFUSED("v6, port", AF_INET6, SOCK_DGRAM, "::1", 7002),
	REFUSED("v4 address on a v6 socket, port", AF_INET6, SOCK_DGRAM, "127.0.0.1", 7002),
	REFUSED("v4-mapped, port", AF_INET6, SOCK_DGRAM, "::ffff:127.0.0.1", 7002),
	REFUSED("connected before", AF_INET, SOCK_DGRAM, "127.0.0.1", 7002, NET_CONNECTED_OPEN),
};

/* Addresses that the kernel itself would not take: never more than a refusal. */
static const struct net_row odd_rows[] = {
	{NET_REFUSED("short v4 address", act_connect,
		     TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7001, .length = 4), SOCKET_CONNECT,
		     UNKNOWN),
	 .outside = -EINVAL},
	{NET_REFUSED("address of one byte", act_connect,
		     TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7001, .length = 1), SOCKET_CONNECT,
		     UNKNOWN),
	 .outside = -EINVAL},
	{NET_REFUSED("short v6 address", act_connect,
		     TO(AF_INET6, SOCK_STREAM, "::1", 7001, .length = 20), SOCKET_CONNECT, UNKNOWN),
	 .outside = -EINVAL},
	{NET_REFUSED("v6 address on a v4 socket", act_connect,
		     TO(AF_INET, SOCK_STREAM, "::1", 7001), SOCKET_CONNECT, FAMILY),
	 .outside = -EAFNOSUPPORT},
	{NET_ALLOWED("long v4 address", act_connect,
		     TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7001, .length = 100))},
	{NET_ALLOWED("AF_UNSPEC dissolves a connection", act_connect,
		     TO(AF_INET, SOCK_DGRAM, "127.0.0.1", 7002, NET_UNSPEC | NET_CONNECTED_OPEN)),
	 .silent = true},
	{NET_ALLOWED("AF_UNSPEC on a v6 socket", act_connect,
		     TO(AF_INET6, SOCK_DGRAM, "::1", 7002, NET_UNSPEC | NET_CONNECTED_OPEN)),
	 .silent = true},
	{NET_ALLOWED("AF_UNSPEC on a TCP socket", act_connect,
		     TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7002, NET_UNSPEC | NET_CONNECTED_OPEN)),
	 .silent = true},
};

/* The key of a tool opens what the tool names and nothing else. */
static const struct net_row reserved_rows[] = {
	{NET_REFUSED("reserved", act_connect, TO(AF_INET, SOCK_STREAM, "127.0.0.1", 2525),
		     SOCKET_CONNECT, NO_RULE),
	 .key = "mail"},
	{NET_REFUSED("reserved, v4-mapped", act_connect,
		     TO(AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 2525), SOCKET_CONNECT, NO_RULE),
	 .key = "mail"},
	{NET_REFUSED("reserved, unspecified", act_connect,
		     TO(AF_INET, SOCK_STREAM, "0.0.0.0", 2525), SOCKET_CONNECT, NO_RULE),
	 .key = "mail"},
	ALLOWED("its neighbour", AF_INET, SOCK_STREAM, "127.0.0.2", 2525),
};

static void prepare(void)
{
	net_shell("for a in 192.0.2.0 192.0.2.1 192.0.2.2; do ip addr replace $a/32 dev lo; done;"
		  "for a in fd00::ffff fd00:0:0:1::1; do ip addr replace $a/128 dev lo nodad;"
		  " done");
	listeners_open();
}

TEST(tcp)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	prepare();
	NET_ROWS(&s, tcp_rows);
	listeners_close();
}

TEST(udp)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	prepare();
	NET_ROWS(&s, udp_rows);
	listeners_close();
}

TEST(odd_addresses)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	prepare();
	NET_ROWS(&s, odd_rows);
	listeners_close();
}

TEST(reservation)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	prepare();
	NET_ROWS(&s, reserved_rows);
	listeners_close();
}

/* Without the section there is no network at all. */
TEST(no_network_section)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", "sets: { code: { exec: ['/bin/true'] } }\n"))
		return;
	prepare();
	kt_result("tcp", kt_inside(&s, act_connect, TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7001)),
		  -EACCES);
	kt_result("udp", kt_inside(&s, act_sendto, TO(AF_INET6, SOCK_DGRAM, "::1", 7001)), -EACCES);
	kt_check("nothing arrives", !listeners_take());
	listeners_close();
}

/*
 * An unspecified destination goes to the source address that the socket has: what was judged
 * as loopback must not arrive at another address of the machine.
 */
enum {
	REACHED_V4 = 1,
	REACHED_V6,
	REACHED_OTHER
};

/* Whom the connection goes to. */
static int act_whereto(const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage address, peer;
	socklen_t length = net_address(to->address, to->port, &address), size = sizeof(peer);
	struct sockaddr_in *v4 = (void *)&peer;
	struct in6_addr mapped;
	int fd = net_socket(to);

	if (fd < 0)
		return fd;
	if (connect(fd, (void *)&address, length) < 0)
		return -errno;
	if (getpeername(fd, (void *)&peer, &size) < 0)
		return -errno;
	if (peer.ss_family == AF_INET)
		return v4->sin_addr.s_addr == htonl(INADDR_LOOPBACK) ? REACHED_V4 : REACHED_OTHER;
	if (IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)&peer)->sin6_addr))
		return REACHED_V6;
	inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped);
	return memcmp(&mapped, &((struct sockaddr_in6 *)&peer)->sin6_addr, sizeof(mapped))
		       ? REACHED_OTHER
		       : REACHED_V4;
}

TEST(unspecified_with_a_source)
{
	/* Nothing but 127.0.0.1 is allowed on this port, so only that may be reached. */
	static const struct net_to tries[] = {
		{AF_INET, SOCK_STREAM, "0.0.0.0", 7001, NET_BOUND, 0, "192.0.2.2", 0},
		{AF_INET, SOCK_STREAM, "0.0.0.0", 7001, NET_BOUND, 0, "127.0.0.1", 0},
		{AF_INET, SOCK_DGRAM, "0.0.0.0", 7001, NET_BOUND, 0, "192.0.2.2", 0},
		{AF_INET6, SOCK_STREAM, "::", 7001, NET_BOUND, 0, "::ffff:192.0.2.2", 0},
		{AF_INET6, SOCK_STREAM, "::", 7001, NET_BOUND, 0, "fd00::ffff", 0},
		{AF_INET6, SOCK_DGRAM, "::", 7001, NET_BOUND, 0, "::ffff:127.0.0.2", 0},
		{AF_INET6, SOCK_STREAM, "::ffff:0.0.0.0", 7001, NET_BOUND, 0, "::ffff:192.0.2.2",
		 0},
	};
	static const char narrow[] =
		"sets: { code: { network: { connect: ['tcp:127.0.0.1:7001', 'udp:127.0.0.1:7001']"
		" } } }\n";
	_cleanup_subject_ struct kt_subject s = {};
	char name[128];
	size_t i;

	if (!kt_subject_open(&s, "code", narrow))
		return;
	prepare();
	for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		int inside = kt_inside(&s, act_whereto, &tries[i]);
		int outside = kt_outside(&s, act_whereto, &tries[i]);

		snprintf(name, sizeof(name), "%s from %s (type %d)", tries[i].address,
			 tries[i].source, tries[i].type);
		kt_check_why(name, inside < 0 || inside == REACHED_V4, "inside %d, outside %d",
			     inside, outside);
		kt_check_why(name, outside > 0, "control gives %d", outside);
	}
	listeners_close();
}
