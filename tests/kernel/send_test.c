// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * send_test.c - socket_sendmsg: what names a destination while it sends; and packets whose
 * way is not their destination.
 */
#include "sockets.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/ipv6.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, network: { connect: [" NET_EVERYTHING "] } }\n"
	"sets:\n"
	"  code:\n"
	"    network:\n"
	"      connect: ['tcp:127.0.0.1:7001', 'tcp:[::1]:7001', 'udp:127.0.0.1:7001',\n"
	"                'udp:[::1]:7001']\n";

#define REFUSED(name, act, ...)                                                                \
	{                                                                                      \
		NET_REFUSED(name, act, TO(__VA_ARGS__), SOCKET_SENDMSG, NO_RULE), .key = "all" \
	}
#define ALLOWED(name, act, ...)                         \
	{                                               \
		NET_ALLOWED(name, act, TO(__VA_ARGS__)) \
	}

static const struct net_row udp_rows[] = {
	ALLOWED("sendto v4", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1", 7001),
	ALLOWED("sendto v6", act_sendto, AF_INET6, SOCK_DGRAM, "::1", 7001),
	ALLOWED("sendto v4-mapped", act_sendto, AF_INET6, SOCK_DGRAM, "::ffff:127.0.0.1", 7001),
	ALLOWED("sendto v4 address on a v6 socket", act_sendto, AF_INET6, SOCK_DGRAM, "127.0.0.1",
		7001),
	ALLOWED("sendto unspecified", act_sendto, AF_INET, SOCK_DGRAM, "0.0.0.0", 7001),
	ALLOWED("sendto unspecified v6", act_sendto, AF_INET6, SOCK_DGRAM, "::", 7001),
	ALLOWED("sendto AF_UNSPEC on v4", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1", 7001,
		NET_UNSPEC),
	ALLOWED("sendmsg v4", act_sendmsg, AF_INET, SOCK_DGRAM, "127.0.0.1", 7001),
	ALLOWED("sendmmsg v4", act_sendmmsg, AF_INET, SOCK_DGRAM, "127.0.0.1", 7001),
	ALLOWED("sendmmsg v6", act_sendmmsg, AF_INET6, SOCK_DGRAM, "::1", 7001),
	REFUSED("sendto v4", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1", 7002),
	REFUSED("sendto v4, address", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.2", 7001),
	REFUSED("sendto v6", act_sendto, AF_INET6, SOCK_DGRAM, "::1", 7002),
	REFUSED("sendto v4-mapped", act_sendto, AF_INET6, SOCK_DGRAM, "::ffff:127.0.0.1", 7002),
	REFUSED("sendto v4 address on a v6 socket", act_sendto, AF_INET6, SOCK_DGRAM, "127.0.0.1",
		7002),
	REFUSED("sendto unspecified", act_sendto, AF_INET, SOCK_DGRAM, "0.0.0.0", 7002),
	REFUSED("sendto unspecified v6", act_sendto, AF_INET6, SOCK_DGRAM, "::", 7002),
	REFUSED("sendto AF_UNSPEC on v4", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1", 7002,
		NET_UNSPEC),
	REFUSED("sendto from a connected socket", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1",
		7002, NET_CONNECTED_OPEN),
	REFUSED("sendmsg v4", act_sendmsg, AF_INET, SOCK_DGRAM, "127.0.0.1", 7002),
	REFUSED("sendmsg v6", act_sendmsg, AF_INET6, SOCK_DGRAM, "::1", 7002),
	REFUSED("last of sendmmsg v4", act_sendmmsg, AF_INET, SOCK_DGRAM, "127.0.0.1", 7002),
	REFUSED("last of sendmmsg v6", act_sendmmsg, AF_INET6, SOCK_DGRAM, "::1", 7002),
};

static const struct net_row odd_rows[] = {
	{NET_REFUSED("AF_UNSPEC on an unconnected v6 socket", act_sendto,
		     TO(AF_INET6, SOCK_DGRAM, "127.0.0.1", 7002, NET_UNSPEC), SOCKET_SENDMSG,
		     NO_RULE),
	 .outside = -EDESTADDRREQ},
	{NET_REFUSED("short address", act_sendto,
		     TO(AF_INET, SOCK_DGRAM, "127.0.0.1", 7001, .length = 6), SOCKET_SENDMSG,
		     UNKNOWN),
	 .outside = -EINVAL},
	{NET_REFUSED("v6 address on a v4 socket", act_sendto, TO(AF_INET, SOCK_DGRAM, "::1", 7001),
		     SOCKET_SENDMSG, FAMILY),
	 .outside = -EAFNOSUPPORT},
};

static const struct net_row fastopen_rows[] = {
	ALLOWED("v4", act_fastopen, AF_INET, SOCK_STREAM, "127.0.0.1", 7001),
	ALLOWED("v6", act_fastopen, AF_INET6, SOCK_STREAM, "::1", 7001),
	ALLOWED("v4-mapped", act_fastopen, AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7001),
	ALLOWED("deferred connect", act_fastopen_connect, AF_INET, SOCK_STREAM, "127.0.0.1", 7001),
	REFUSED("v4", act_fastopen, AF_INET, SOCK_STREAM, "127.0.0.1", 7002),
	REFUSED("v4, not blocking", act_fastopen, AF_INET, SOCK_STREAM, "127.0.0.1", 7002,
		NET_NONBLOCK),
	REFUSED("v6", act_fastopen, AF_INET6, SOCK_STREAM, "::1", 7002),
	REFUSED("v4-mapped", act_fastopen, AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7002),
	REFUSED("unspecified", act_fastopen, AF_INET, SOCK_STREAM, "0.0.0.0", 7002),
	{NET_REFUSED("deferred connect", act_fastopen_connect,
		     TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7002), SOCKET_CONNECT, NO_RULE),
	 .key = "all"},
	{NET_REFUSED("deferred connect v6", act_fastopen_connect,
		     TO(AF_INET6, SOCK_STREAM, "::1", 7002), SOCKET_CONNECT, NO_RULE),
	 .key = "all"},
};

static void run(const struct net_row *rows, size_t count)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	listeners_open();
	net_rows_run(&s, rows, count);
	listeners_close();
}

TEST(udp)
{
	run(udp_rows, sizeof(udp_rows) / sizeof(udp_rows[0]));
}

TEST(odd_addresses)
{
	run(odd_rows, sizeof(odd_rows) / sizeof(odd_rows[0]));
}

TEST(tcp_fast_open)
{
	net_shell("sysctl -qw net.ipv4.tcp_fastopen=3 || echo 3 >/proc/sys/net/ipv4/tcp_fastopen");
	run(fastopen_rows, sizeof(fastopen_rows) / sizeof(fastopen_rows[0]));
	/* With a cookie from the first round the data travels in the SYN. */
	run(fastopen_rows, sizeof(fastopen_rows) / sizeof(fastopen_rows[0]));
}

/* --- routes of one's own: the packet goes elsewhere first --- */

#define VIA4 "192.0.2.2"
#define VIA6 "fd00::2"

/* How the route is given. */
enum route {
	OPTION,
	CONTROL,
	CONTROL_OF_THE_SECOND
};

struct routed {
	int family;
	enum route route;
};

struct routed_option {
	int level, type;
	socklen_t size;
	unsigned char bytes[64];
};

/* Loose source route, or routing header of type 4 (SRH) with one more segment. */
static void make_option(int family, bool control, struct routed_option *option)
{
	struct ip6_rthdr *header = (void *)option->bytes;

	memset(option, 0, sizeof(*option));
	if (family == AF_INET) {
		unsigned char lsrr[8] = {IPOPT_LSRR, 7, 4};

		option->level = IPPROTO_IP;
		option->type = control ? IP_RETOPTS : IP_OPTIONS;
		option->size = sizeof(lsrr);
		inet_pton(AF_INET, VIA4, lsrr + 3);
		memcpy(option->bytes, lsrr, sizeof(lsrr));
		return;
	}
	option->level = IPPROTO_IPV6;
	option->type = IPV6_RTHDR;
	/* Beside a message only type 2 is taken, which has one more stop and no list of them. */
	option->size = control ? 8 + 16 : 8 + 2 * 16;
	header->ip6r_len = control ? 2 : 4;
	header->ip6r_type = control ? 2 : 4;
	header->ip6r_segleft = 1;
	option->bytes[4] = !control; /* last entry */
	inet_pton(AF_INET6, VIA6, option->bytes + option->size - 16);
}

static int act_routed(const void *argument)
{
	const struct routed *routed = argument;
	struct sockaddr_storage address;
	char control[128] = {};
	struct cmsghdr *head = (void *)control;
	struct iovec data = {"routed", 6};
	struct mmsghdr messages[2] = {};
	struct routed_option option;
	int fd = socket(routed->family, SOCK_DGRAM | SOCK_CLOEXEC, 0), i, sent;
	socklen_t length =
		net_address(routed->family == AF_INET ? "127.0.0.1" : "::1", PORT_OPEN, &address);

	make_option(routed->family, routed->route != OPTION, &option);
	if (routed->route == OPTION &&
	    setsockopt(fd, option.level, option.type, option.bytes, option.size) < 0)
		return -errno;
	head->cmsg_level = option.level;
	head->cmsg_type = option.type;
	head->cmsg_len = CMSG_LEN(option.size);
	memcpy(CMSG_DATA(head), option.bytes, option.size);
	for (i = 0; i < 2; i++) {
		struct msghdr *message = &messages[i].msg_hdr;

		*message = (struct msghdr){.msg_name = &address,
					   .msg_namelen = length,
					   .msg_iov = &data,
					   .msg_iovlen = 1};
		if (routed->route == CONTROL || (i && routed->route == CONTROL_OF_THE_SECOND)) {
			message->msg_control = control;
			message->msg_controllen = CMSG_SPACE(option.size);
		}
	}
	sent = sendmmsg(fd, messages, 2, 0);
	return sent < 0 ? -errno : sent == 2 ? 0 : -EIO;
}

/* Packets on the loopback device whose next stop is the detour. */
static unsigned int detours_seen(int sniffer)
{
	unsigned char packet[256], via[16];
	unsigned int count = 0;
	ssize_t size;

	while ((size = recv(sniffer, packet, sizeof(packet), MSG_DONTWAIT)) > 0) {
		inet_pton(AF_INET, VIA4, via);
		if (packet[0] >> 4 == 4 && size >= 20 && !memcmp(packet + 16, via, 4))
			count++;
		inet_pton(AF_INET6, VIA6, via);
		if (packet[0] >> 4 == 6 && size >= 40 && !memcmp(packet + 24, via, 16))
			count++;
	}
	return count;
}

TEST(routes_of_ones_own)
{
	static const struct {
		const char *name;
		struct routed routed;
	} tries[] = {
		{"v4, option", {AF_INET, OPTION}},
		{"v4, beside the message", {AF_INET, CONTROL}},
		{"v4, beside the second message", {AF_INET, CONTROL_OF_THE_SECOND}},
		{"v6, option", {AF_INET6, OPTION}},
		{"v6, beside the message", {AF_INET6, CONTROL}},
		{"v6, beside the second message", {AF_INET6, CONTROL_OF_THE_SECOND}},
	};
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_close_ int sniffer =
		socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, htons(ETH_P_ALL));
	char name[128];
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	net_shell("ip addr replace " VIA4 "/32 dev lo; ip addr replace " VIA6 "/128 dev lo nodad");
	for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		int result;

		detours_seen(sniffer);
		result = kt_inside(&s, act_routed, &tries[i].routed);
		snprintf(name, sizeof(name), "%s: no packet inside", tries[i].name);
		kt_check_why(name, !detours_seen(sniffer), "a packet took the detour, result %d",
			     result);
		kt_figure(tries[i].name, "result inside %d", result);
		snprintf(name, sizeof(name), "%s: refused inside", tries[i].name);
		kt_check_why(name, result < 0, "result %d", result);
		result = kt_outside(&s, act_routed, &tries[i].routed);
		snprintf(name, sizeof(name), "%s: control", tries[i].name);
		kt_check_why(name, detours_seen(sniffer) > 0, "no packet, result %d", result);
	}
}
