// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * inherit_test.c - internet sockets that were made outside: inherited, or handed in.
 *
 * A socket that is open when a subject starts is a gift of who started it, like a file. It
 * goes where the giver connected it; to another place only the user's own rules lead. (`run`
 * leaves nothing open but standard input and output.) What comes in later is refused.
 */
#include "sockets.h"

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, network: { connect: [" NET_EVERYTHING "] } }\n"
	"sets: { code: { network: { connect: ['tcp:127.0.0.1:7001', 'udp:127.0.0.1:7001'] } } }\n";

static int given = -1;

static int use(int fd, const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage address;
	socklen_t length = net_address(to->address, to->port, &address);

	if (to->type == SOCK_DGRAM)
		return sendto(fd, "d", 1, 0, (void *)&address, length) < 0 ? -errno : 0;
	return connect(fd, (void *)&address, length) < 0 ? -errno : 0;
}

static int act_given(const void *argument)
{
	return use(given, argument);
}

static int act_write_given(const void *unused)
{
	return write(given, "d", 1) == 1 ? 0 : -errno;
}

/* Inherited: made here, used by the child. */
static int inherit(struct kt_subject *s, bool inside, const struct net_to *to)
{
	int result;

	given = net_socket(to);
	result = inside ? kt_inside(s, act_given, to) : kt_outside(s, act_given, to);
	close(given);
	return result;
}

TEST(inherited)
{
	static const struct {
		const char *name;
		struct net_to to;
		int inside;
	} tries[] = {
		{"tcp", {AF_INET, SOCK_STREAM, "127.0.0.1", 7001, 0, 0, NULL, 0}, 0},
		{"tcp, closed", {AF_INET, SOCK_STREAM, "127.0.0.1", 7002, 0, 0, NULL, 0}, -EACCES},
		{"tcp v4-mapped, closed",
		 {AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7002, 0, 0, NULL, 0},
		 -EACCES},
		{"udp", {AF_INET, SOCK_DGRAM, "127.0.0.1", 7001, 0, 0, NULL, 0}, 0},
		{"udp, closed", {AF_INET, SOCK_DGRAM, "127.0.0.1", 7002, 0, 0, NULL, 0}, -EACCES},
		{"udp v6, closed", {AF_INET6, SOCK_DGRAM, "::1", 7002, 0, 0, NULL, 0}, -EACCES},
	};
	_cleanup_subject_ struct kt_subject s = {};
	char name[128];
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	listeners_open();
	for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		listeners_take();
		snprintf(name, sizeof(name), "%s: inside", tries[i].name);
		kt_result(name, inherit(&s, true, &tries[i].to), tries[i].inside);
		snprintf(name, sizeof(name), "%s: what arrives", tries[i].name);
		kt_check(name, (listeners_take() > 0) == (tries[i].inside == 0));
		snprintf(name, sizeof(name), "%s: control", tries[i].name);
		kt_result(name, inherit(&s, false, &tries[i].to), 0);
		kt_grant(&s, "all", 0);
		snprintf(name, sizeof(name), "%s: granted", tries[i].name);
		kt_result(name, inherit(&s, true, &tries[i].to), 0);
		kt_revoke(&s, "all");
	}
	listeners_close();
}

/* Kinds of sockets that a subject cannot make do not work for it either. */
TEST(inherited_kinds)
{
	static const struct {
		const char *name;
		int family, type, protocol;
	} tries[] = {
		{"raw UDP", AF_INET, SOCK_RAW, IPPROTO_UDP},
		{"raw TCP v6", AF_INET6, SOCK_RAW, IPPROTO_TCP},
		{"ICMP", AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
	};
	const struct net_to *to = TO(AF_INET, SOCK_DGRAM, "127.0.0.1", 7001);
	const struct net_to *to6 = TO(AF_INET6, SOCK_DGRAM, "::1", 7001);
	_cleanup_subject_ struct kt_subject s = {};
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_grant(&s, "all", 0);
	for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		given = socket(tries[i].family, tries[i].type | SOCK_CLOEXEC, tries[i].protocol);
		if (given < 0) {
			kt_figure(tries[i].name, "not to be had here: %m");
			continue;
		}
		kt_result(tries[i].name,
			  kt_inside(&s, act_given, tries[i].family == AF_INET ? to : to6), -EACCES);
		close(given);
	}
}

TEST(received)
{
	const struct net_to *plain = TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7001);
	const struct net_to *connected =
		TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7001, NET_CONNECTED_OPEN);
	const struct net_to *udp = TO(AF_INET6, SOCK_DGRAM, "::1", 7001);
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	listeners_open();
	kt_grant(&s, "all", 0);
	kt_result("tcp", net_pass(&s, true, net_socket(plain)), -ENOMSG);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_RECEIVE,
				    .reason = WARDER_REASON_NOT_MEMBER,
				    .error = -EACCES});
	kt_result("tcp, control", net_pass(&s, false, net_socket(plain)), 0);
	kt_result("connected tcp", net_pass(&s, true, net_socket(connected)), -ENOMSG);
	kt_result("connected tcp, control", net_pass(&s, false, net_socket(connected)), 0);
	kt_result("udp", net_pass(&s, true, net_socket(udp)), -ENOMSG);
	listeners_close();
}

/* The stated limit: what the giver connected stays connected. */
TEST(inherited_and_connected)
{
	const struct net_to *to = TO(AF_INET, SOCK_STREAM, "127.0.0.1", 7001, NET_CONNECTED_OPEN);
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", "sets: { code: { exec: ['/bin/true'] } }\n"))
		return;
	listeners_open();
	given = net_socket(to);
	kt_result("writes to where its giver connected it", kt_inside(&s, act_write_given, NULL),
		  0);
	close(given);
	listeners_close();
}
