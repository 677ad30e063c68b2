// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * family_test.c - socket_create, socket_bind, socket_listen: which sockets there are at all.
 */
#include "sockets.h"

#include <sys/mman.h>
#include <sys/un.h>

#include "audit/event.h"

static const char policy[] = "tools:\n"
			     "  all: { shared: true, network: { connect: [" NET_EVERYTHING "] } }\n"
			     "sets: { code: { network: { connect: ['tcp:127.0.0.1:7001'] } } }\n";

#define FAMILIES 47
#define TYPES	 11

static const int protocols[] = {0, 1, 2, 6, 17, 33, 50, 58, 94, 132, 136, 255, 256, 262, 263};
#define PROTOCOLS (sizeof(protocols) / sizeof(protocols[0]))

/* What came of each combination, in kt_shared(): 0, or the errno. */
typedef unsigned char results[FAMILIES][TYPES][PROTOCOLS];
_Static_assert(sizeof(results) < 65536, "shared memory");

static int act_all(const void *unused)
{
	results *all = kt_shared();
	int family, type;
	size_t i;

	for (family = 0; family < FAMILIES; family++) {
		for (type = 0; type < TYPES; type++) {
			for (i = 0; i < PROTOCOLS; i++) {
				int fd = socket(family, type | SOCK_CLOEXEC, protocols[i]);

				(*all)[family][type][i] = fd < 0 ? errno : 0;
				close(fd);
			}
		}
	}
	return 0;
}

/* Is it one of the sockets that subjects may have? The kernel itself decides about the rest. */
static bool is_known(int family, int type, int protocol)
{
	if (family == AF_UNIX)
		return type == SOCK_STREAM || type == SOCK_DGRAM || type == SOCK_SEQPACKET;
	if (family != AF_INET && family != AF_INET6)
		return false;
	return (type == SOCK_STREAM && (!protocol || protocol == IPPROTO_TCP)) ||
	       (type == SOCK_DGRAM && (!protocol || protocol == IPPROTO_UDP));
}

TEST(families_types_protocols)
{
	_cleanup_subject_ struct kt_subject s = {};
	static results inside, outside;
	unsigned int opened = 0, wrong = 0, refused = 0, needless = 0;
	int family, type;
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_grant(&s, "all", 0); /* no key opens another family */
	/* What is a module is not loaded meanwhile: that takes minutes. */
	net_shell("cat /proc/sys/kernel/modprobe >/tmp/modprobe; echo >/proc/sys/kernel/modprobe");
	kt_result("inside", kt_inside(&s, act_all, NULL), 0);
	memcpy(inside, kt_shared(), sizeof(inside));
	kt_result("outside", kt_outside(&s, act_all, NULL), 0);
	memcpy(outside, kt_shared(), sizeof(outside));
	net_shell("cat /tmp/modprobe >/proc/sys/kernel/modprobe");
	for (family = 0; family < FAMILIES; family++) {
		for (type = 0; type < TYPES; type++) {
			for (i = 0; i < PROTOCOLS; i++) {
				int error = inside[family][type][i];
				bool known = is_known(family, type, protocols[i]);

				if (!error)
					opened++;
				else if (!outside[family][type][i])
					refused++;
				if (!error && !known) {
					wrong++;
					printf("\topened: family %d, type %d, protocol %d\n",
					       family, type, protocols[i]);
				}
				if (known && error != outside[family][type][i])
					needless++;
			}
		}
	}
	kt_check_why("no other socket is opened", !wrong, "%u are", wrong);
	kt_check_why("the known ones are", !needless && opened, "%u refused", needless);
	kt_check_why("control opens others", refused > 20, "%u only", refused);
	kt_figure("sockets", "%u opened inside; %u more outside", opened, refused);
}

struct named_socket {
	int family, type, protocol;
};
#define SOCKET(...) (&(const struct named_socket){__VA_ARGS__})

static int act_socket(const void *argument)
{
	const struct named_socket *named = argument;
	int fd = socket(named->family, named->type | SOCK_CLOEXEC, named->protocol);

	return fd < 0 ? -errno : 0;
}

static int act_socketpair(const void *argument)
{
	const struct named_socket *named = argument;
	int pair[2];

	return socketpair(named->family, named->type, named->protocol, pair) < 0 ? -errno : 0;
}

#define FAMILY_REFUSED(name, ...)                                                                 \
	{                                                                                         \
		KT_REFUSED(name, act_socket, SOCKET(__VA_ARGS__), -EACCES, SOCKET_CREATE, FAMILY, \
			   0, NULL),                                                              \
			.quiet = true                                                             \
	}

static const struct kt_case cases[] = {
	FAMILY_REFUSED("raw", AF_INET, SOCK_RAW, IPPROTO_UDP),
	FAMILY_REFUSED("raw v6", AF_INET6, SOCK_RAW, IPPROTO_TCP),
	FAMILY_REFUSED("MPTCP", AF_INET, SOCK_STREAM, 262),
	FAMILY_REFUSED("MPTCP v6", AF_INET6, SOCK_STREAM, 262),
	FAMILY_REFUSED("UDP-Lite", AF_INET, SOCK_DGRAM, 136),
	FAMILY_REFUSED("netlink", AF_NETLINK, SOCK_RAW, 0),
	FAMILY_REFUSED("packet", AF_PACKET, SOCK_RAW, 0),
	FAMILY_REFUSED("packet by its old name", AF_INET, SOCK_PACKET, 0),
	{KT_ALLOWED("pair of streams", act_socketpair, SOCKET(AF_UNIX, SOCK_STREAM, 0))},
	{KT_ALLOWED("pair of datagrams", act_socketpair, SOCKET(AF_UNIX, SOCK_DGRAM, 0))},
};

/* Which of them the control has depends on the kernel: UDP-Lite went with 7.1. */
TEST(named_sockets)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_case rows[sizeof(cases) / sizeof(cases[0])];
	size_t i, count = 0;

	if (!kt_subject_open(&s, "code", policy))
		return;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (kt_outside(&s, cases[i].act, cases[i].argument) == -EPROTONOSUPPORT)
			kt_figure(cases[i].name, "this kernel has no such socket");
		rows[count] = cases[i];
		rows[count++].outside = kt_outside(&s, cases[i].act, cases[i].argument);
	}
	kt_cases_run(&s, NULL, rows, count);
}

struct bound {
	int family, type;
	const char *address;
	__u16 port;
};
#define BOUND(...) (&(const struct bound){__VA_ARGS__})

static int act_bind(const void *argument)
{
	const struct bound *bound = argument;
	int fd = socket(bound->family, bound->type | SOCK_CLOEXEC, 0), one = 1;
	struct sockaddr_storage address;
	socklen_t length = net_address(bound->address, bound->port, &address);

	if (fd < 0)
		return -EBADF;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	return bind(fd, (void *)&address, length) < 0 ? -errno : 0;
}

static int act_listen(const void *argument)
{
	const struct bound *bound = argument;
	int fd = socket(bound->family, bound->type | SOCK_CLOEXEC, 0);

	return fd < 0 ? -EBADF : listen(fd, 1) < 0 ? -errno : 0;
}

#define BIND_REFUSED(name, act, HOOK, REASON, ...)                                         \
	{                                                                                  \
		KT_REFUSED(name, act, BOUND(__VA_ARGS__), -EACCES, HOOK, REASON, 0, NULL), \
			.quiet = true                                                      \
	}

static const struct kt_case port_cases[] = {
	BIND_REFUSED("bind tcp", act_bind, SOCKET_BIND, NO_RULE, AF_INET, SOCK_STREAM, "127.0.0.1",
		     7003),
	BIND_REFUSED("bind tcp v6", act_bind, SOCKET_BIND, NO_RULE, AF_INET6, SOCK_STREAM,
		     "::", 7003),
	BIND_REFUSED("bind udp", act_bind, SOCKET_BIND, NO_RULE, AF_INET, SOCK_DGRAM, "0.0.0.0",
		     7003),
	BIND_REFUSED("bind v4-mapped", act_bind, SOCKET_BIND, NO_RULE, AF_INET6, SOCK_STREAM,
		     "::ffff:127.0.0.1", 7003),
	BIND_REFUSED("listen on a port the kernel chooses", act_listen, SOCKET_LISTEN, UNBOUND,
		     AF_INET, SOCK_STREAM, "", 0),
	BIND_REFUSED("listen v6", act_listen, SOCKET_LISTEN, UNBOUND, AF_INET6, SOCK_STREAM, "", 0),
	{KT_ALLOWED("bind port 0", act_bind, BOUND(AF_INET, SOCK_DGRAM, "127.0.0.1", 0))},
	{KT_ALLOWED("bind port 0, v6", act_bind, BOUND(AF_INET6, SOCK_STREAM, "::1", 0))},
};

TEST(ports_of_ones_own)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	KT_CASES(&s, NULL, port_cases);
}

/* The event has the address, and the protocol by the socket's type. */
TEST(bind_in_words)
{
	static const struct {
		struct bound bound;
		const char *words;
	} rows[] = {
		{{AF_INET, SOCK_STREAM, "127.0.0.1", 7003}, "tcp:127.0.0.1:7003"},
		{{AF_INET, SOCK_DGRAM, "0.0.0.0", 7003}, "udp:0.0.0.0:7003"},
		{{AF_INET6, SOCK_STREAM, "::", 7003}, "tcp:[::]:7003"},
		{{AF_INET6, SOCK_DGRAM, "::1", 7003}, "udp:[::1]:7003"},
		{{AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7003}, "tcp:127.0.0.1:7003"},
	};
	const struct kt_match match = {.hook = WARDER_HOOK_SOCKET_BIND, .reason = -1};
	_cleanup_subject_ struct kt_subject s = {};
	const struct kt_event_record *record;
	char words[WARDER_OBJECT_TEXT_MAX];
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		kt_events_clear(&s);
		kt_result(rows[i].words, kt_inside(&s, act_bind, &rows[i].bound), -EACCES);
		record = kt_event_find(&s, &match);
		if (!kt_check("is reported", record))
			continue;
		warder_event_object(&record->event, record->text, words, sizeof(words));
		kt_check_why("in these words", !strcmp(words, rows[i].words), "%s", words);
	}
}
