// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * group_test.c - socket_setsockopt: memberships of multicast groups. The kernel tells the
 * network of them in packets of its own, with the group's address and the sources' in it, which
 * are the caller's words: a way out of `network: none`.
 */
#include "harness.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <warder/event.h>

static const char policy[] = "sets: { code: { network: none } }\n";

#define GROUP4 "239.83.69.67"
#define GROUP6 "ff15::5345:4352"

/* Made before the children are forked, so that what they join stays joined. */
static int socket4, socket6;

static struct sockaddr_storage address_of(const char *text)
{
	struct sockaddr_storage storage = {};
	struct sockaddr_in *four = (void *)&storage;
	struct sockaddr_in6 *six = (void *)&storage;

	if (inet_pton(AF_INET, text, &four->sin_addr) == 1)
		storage.ss_family = AF_INET;
	else if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1)
		storage.ss_family = AF_INET6;
	return storage;
}

static int set(int fd, int level, int option, const void *value, socklen_t size)
{
	return setsockopt(fd, level, option, value, size) < 0 ? -errno : 0;
}

static int act_join4(const void *unused)
{
	struct ip_mreqn request = {.imr_ifindex = if_nametoindex("lo")};

	inet_pton(AF_INET, GROUP4, &request.imr_multiaddr);
	return set(socket4, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof(request));
}

static int act_join_source4(const void *unused)
{
	struct ip_mreq_source request = {};

	inet_pton(AF_INET, GROUP4, &request.imr_multiaddr);
	inet_pton(AF_INET, "127.0.0.1", &request.imr_interface);
	inet_pton(AF_INET, "76.69.65.75", &request.imr_sourceaddr);
	return set(socket4, IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, &request, sizeof(request));
}

static int act_group4(const void *unused)
{
	struct group_req request = {.gr_interface = if_nametoindex("lo"),
				    .gr_group = address_of(GROUP4)};

	return set(socket4, IPPROTO_IP, MCAST_JOIN_GROUP, &request, sizeof(request));
}

static int act_group_source4(const void *unused)
{
	struct group_source_req request = {.gsr_interface = if_nametoindex("lo"),
					   .gsr_group = address_of(GROUP4),
					   .gsr_source = address_of("76.69.65.75")};

	return set(socket4, IPPROTO_IP, MCAST_JOIN_SOURCE_GROUP, &request, sizeof(request));
}

static int act_join6(const void *unused)
{
	struct ipv6_mreq request = {.ipv6mr_interface = if_nametoindex("lo")};

	inet_pton(AF_INET6, GROUP6, &request.ipv6mr_multiaddr);
	return set(socket6, IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &request, sizeof(request));
}

static int act_group6(const void *unused)
{
	struct group_req request = {.gr_interface = if_nametoindex("lo"),
				    .gr_group = address_of(GROUP6)};

	return set(socket6, IPPROTO_IPV6, MCAST_JOIN_GROUP, &request, sizeof(request));
}

static int act_group_source6(const void *unused)
{
	struct group_source_req request = {.gsr_interface = if_nametoindex("lo"),
					   .gsr_group = address_of(GROUP6),
					   .gsr_source = address_of("2001:db8::4c45:414b")};

	return set(socket6, IPPROTO_IPV6, MCAST_JOIN_SOURCE_GROUP, &request, sizeof(request));
}

/* An IPv6 socket takes the options of IPv4, too. */
static int act_group4_on6(const void *unused)
{
	struct ip_mreqn request = {.imr_ifindex = if_nametoindex("lo")};

	inet_pton(AF_INET, GROUP4, &request.imr_multiaddr);
	return set(socket6, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof(request));
}

static int act_other_option(const void *unused)
{
	int one = 1, result = set(socket4, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));

	if (!result)
		result = set(socket4, IPPROTO_IP, IP_TTL, &one, sizeof(one));
	return result ? result : set(socket6, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
}

/* Does the kernel hold one of the groups? Its tables name them in hexadecimal. */
static bool is_member(void)
{
	return system("grep -qi 434553ef /proc/net/igmp || "
		      "grep -qi ff150000000000000000000053454352 /proc/net/igmp6") == 0;
}

static const struct {
	const char *name;
	kt_act *act;
} joins[] = {
	{"IP_ADD_MEMBERSHIP", act_join4},
	{"IP_ADD_SOURCE_MEMBERSHIP", act_join_source4},
	{"MCAST_JOIN_GROUP", act_group4},
	{"MCAST_JOIN_SOURCE_GROUP", act_group_source4},
	{"IPV6_ADD_MEMBERSHIP", act_join6},
	{"MCAST_JOIN_GROUP, IPv6", act_group6},
	{"MCAST_JOIN_SOURCE_GROUP, IPv6", act_group_source6},
	{"IP_ADD_MEMBERSHIP on an IPv6 socket", act_group4_on6},
};

static void check_join(struct kt_subject *s, const char *name, kt_act *act)
{
	char text[128];

	socket4 = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socket6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	kt_events_clear(s);
	snprintf(text, sizeof(text), "%s: inside", name);
	kt_result(text, kt_inside(s, act, NULL), -EACCES);
	snprintf(text, sizeof(text), "%s: no member", name);
	kt_check(text, !is_member());
	snprintf(text, sizeof(text), "%s: reported", name);
	kt_event(s, text,
		 &(struct kt_match){.hook = WARDER_HOOK_SOCKET_SETSOCKOPT,
				    .reason = WARDER_REASON_NO_RULE,
				    .error = -EACCES});
	snprintf(text, sizeof(text), "%s: control", name);
	kt_result(text, kt_outside(s, act, NULL), 0);
	snprintf(text, sizeof(text), "%s: control is a member", name);
	kt_check(text, is_member());
	close(socket4);
	close(socket6);
}

TEST(memberships)
{
	_cleanup_subject_ struct kt_subject s = {};
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	for (i = 0; i < sizeof(joins) / sizeof(joins[0]); i++)
		check_join(&s, joins[i].name, joins[i].act);
	socket4 = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socket6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	kt_result("other options", kt_inside(&s, act_other_option, NULL), 0);
	close(socket4);
	close(socket6);
}
