// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * listen_test.c - socket_bind, socket_listen: which addresses and ports a subject may have.
 */
#include "sockets.h"

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, network: { bind: ['tcp:*:*', 'udp:*:*'] } }\n"
	"sets:\n"
	"  code:\n"
	"    network:\n"
	"      bind: ['tcp:127.0.0.1:7003-7005', 'tcp:[::]:7004', 'udp:0.0.0.0:7003',\n"
	"             'tcp:127.0.0.2:0', 'udp:[::1]:7003', 'tcp:0.0.0.0/0:7010', "
	"'tcp:[::]/0:7010',\n"
	"             'tcp:10.0.0.0/8:7003', 'tcp:*:7011']\n"
	"      deny: { bind: ['tcp:192.0.2.1:7010', 'tcp:[fd00::1]:7011', 'tcp:127.0.0.3:0'] }\n";

struct bound {
	int family, type;
	const char *address;
	__u16 port;
	bool unspec; /* the family in the address is AF_UNSPEC */
	bool only6;  /* IPV6_V6ONLY */
	char end;
};
#define BOUND(...) (&(const struct bound){__VA_ARGS__, .end = 0})

static int bind_socket(const struct bound *bound)
{
	int fd = socket(bound->family, bound->type | SOCK_CLOEXEC, 0), one = 1;
	struct sockaddr_storage address;
	socklen_t length = net_address(bound->address, bound->port, &address);

	if (fd < 0)
		return -EBADF;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bound->only6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (bound->unspec)
		address.ss_family = AF_UNSPEC;
	return bind(fd, (void *)&address, length) < 0 ? -errno : fd;
}

static int act_bind(const void *argument)
{
	int fd = bind_socket(argument);

	return fd < 0 ? fd : 0;
}

/* Bind, whose refusal is another error here, and listen. */
static int act_listen(const void *argument)
{
	int fd = bind_socket(argument);

	if (fd < 0)
		return -EBADF;
	return listen(fd, 1) < 0 ? -errno : 0;
}

static int act_listen_unbound(const void *argument)
{
	const struct bound *bound = argument;
	int fd = socket(bound->family, bound->type | SOCK_CLOEXEC, 0);

	return fd < 0 ? -EBADF : listen(fd, 1) < 0 ? -errno : 0;
}

#define REFUSED(name, act, HOOK, REASON, ...) \
	KT_REFUSED(name, act, BOUND(__VA_ARGS__), -EACCES, HOOK, REASON, 0, NULL), .quiet = true
#define NO_RULE(name, ...)                                                               \
	{                                                                                \
		REFUSED(name, act_bind, SOCKET_BIND, NO_RULE, __VA_ARGS__), .key = "all" \
	}
#define DENIED(name, ...)                                                    \
	{                                                                    \
		REFUSED(name, act_bind, SOCKET_BIND, DENY_RULE, __VA_ARGS__) \
	}
#define ALLOWED(name, act, ...)                           \
	{                                                 \
		KT_ALLOWED(name, act, BOUND(__VA_ARGS__)) \
	}

static const struct kt_case bind_cases[] = {
	ALLOWED("tcp", act_bind, AF_INET, SOCK_STREAM, "127.0.0.1", 7003),
	ALLOWED("last of the range", act_bind, AF_INET, SOCK_STREAM, "127.0.0.1", 7005),
	ALLOWED("v4-mapped", act_bind, AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7003),
	ALLOWED("every v6 address", act_bind, AF_INET6, SOCK_STREAM, "::", 7004),
	ALLOWED("every v4 address", act_bind, AF_INET, SOCK_DGRAM, "0.0.0.0", 7003),
	ALLOWED("AF_UNSPEC for every v4 address", act_bind, AF_INET, SOCK_DGRAM, "0.0.0.0", 7003,
		true),
	ALLOWED("udp v6", act_bind, AF_INET6, SOCK_DGRAM, "::1", 7003),
	ALLOWED("an address of the network", act_bind, AF_INET, SOCK_STREAM, "192.0.2.2", 7010),
	ALLOWED("tcp port 0", act_bind, AF_INET, SOCK_STREAM, "127.0.0.1", 0),
	ALLOWED("tcp v6 port 0", act_bind, AF_INET6, SOCK_STREAM, "::", 0),
	ALLOWED("udp port 0", act_bind, AF_INET, SOCK_DGRAM, "127.0.0.1", 0),
	ALLOWED("udp v6 port 0", act_bind, AF_INET6, SOCK_DGRAM, "::", 0),
	NO_RULE("port behind the range", AF_INET, SOCK_STREAM, "127.0.0.1", 7006),
	NO_RULE("another address", AF_INET, SOCK_STREAM, "127.0.0.2", 7003),
	NO_RULE("every address by one's right", AF_INET, SOCK_STREAM, "0.0.0.0", 7003),
	NO_RULE("every v6 address by one's right", AF_INET6, SOCK_STREAM, "::", 7003),
	NO_RULE("v4-mapped, port", AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7006),
	NO_RULE("every v4 address, mapped", AF_INET6, SOCK_STREAM, "::ffff:0.0.0.0", 7003),
	NO_RULE("v4 by the right to every v6 address", AF_INET, SOCK_STREAM, "0.0.0.0", 7004),
	NO_RULE("one by the right to every v6 address", AF_INET6, SOCK_STREAM, "::1", 7004),
	NO_RULE("one by the right to every v4 address", AF_INET, SOCK_DGRAM, "127.0.0.1", 7003),
	NO_RULE("udp by a rule of tcp", AF_INET, SOCK_DGRAM, "127.0.0.1", 7005),
	NO_RULE("tcp by a rule of udp", AF_INET6, SOCK_STREAM, "::1", 7003),
	NO_RULE("udp AF_UNSPEC", AF_INET, SOCK_DGRAM, "0.0.0.0", 7005, true),
	DENIED("denied address", AF_INET, SOCK_STREAM, "192.0.2.1", 7010),
	DENIED("denied, mapped", AF_INET6, SOCK_STREAM, "::ffff:192.0.2.1", 7010),
	DENIED("all v4 addresses, one of them denied", AF_INET, SOCK_STREAM, "0.0.0.0", 7010),
	DENIED("all v6 addresses, a v4 one denied", AF_INET6, SOCK_STREAM, "::", 7010),
	DENIED("the same without v4", AF_INET6, SOCK_STREAM, "::", 7010, false, true),
	DENIED("all v6 addresses, one of them denied", AF_INET6, SOCK_STREAM, "::", 7011),
	ALLOWED("all v4 addresses, a v6 one denied", act_bind, AF_INET, SOCK_STREAM, "0.0.0.0",
		7011),
};

static const struct kt_case listen_cases[] = {
	ALLOWED("where it may bind", act_listen, AF_INET, SOCK_STREAM, "127.0.0.1", 7003),
	ALLOWED("mapped", act_listen, AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7003),
	ALLOWED("every v6 address", act_listen, AF_INET6, SOCK_STREAM, "::", 7004),
	ALLOWED("a port the kernel picked, by port 0", act_listen, AF_INET, SOCK_STREAM,
		"127.0.0.2", 0),
	{REFUSED("a port the kernel picked", act_listen, SOCKET_LISTEN, NO_RULE, AF_INET,
		 SOCK_STREAM, "127.0.0.1", 0),
	 .key = "all"},
	{REFUSED("a port the kernel picked, v6", act_listen, SOCKET_LISTEN, NO_RULE, AF_INET6,
		 SOCK_STREAM, "::1", 0),
	 .key = "all"},
	{REFUSED("a port the kernel picked, denied", act_listen, SOCKET_LISTEN, DENY_RULE, AF_INET,
		 SOCK_STREAM, "127.0.0.3", 0)},
	{REFUSED("the same by every address", act_listen, SOCKET_LISTEN, DENY_RULE, AF_INET6,
		 SOCK_STREAM, "::", 0)},
	{REFUSED("no port yet", act_listen_unbound, SOCKET_LISTEN, UNBOUND, AF_INET, SOCK_STREAM)},
	{REFUSED("no port yet, v6", act_listen_unbound, SOCKET_LISTEN, UNBOUND, AF_INET6,
		 SOCK_STREAM)},
};

static void prepare(void)
{
	net_shell("for a in 192.0.2.1 192.0.2.2; do ip addr replace $a/32 dev lo; done;"
		  "ip addr replace fd00::1/128 dev lo nodad");
}

TEST(bind_by_rule)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	prepare();
	KT_CASES(&s, NULL, bind_cases);
}

TEST(listen_by_rule)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	prepare();
	KT_CASES(&s, NULL, listen_cases);
}

/* A grant that ended before the socket listens: what was bound is not enough. */
static int act_bind_wait_listen(const void *unused)
{
	volatile int *shared = kt_shared();
	int fd = bind_socket(BOUND(AF_INET, SOCK_STREAM, "127.0.0.1", 7006)), tries;

	if (fd < 0)
		return fd;
	shared[0] = 1;
	for (tries = 0; tries < 3000 && !shared[1]; tries++)
		usleep(10000);
	return listen(fd, 1) < 0 ? -errno : 0;
}

TEST(revoked_between_bind_and_listen)
{
	_cleanup_subject_ struct kt_subject s = {};
	volatile int *shared = kt_shared();
	struct kt_child child;
	int revoke, tries;

	if (!kt_subject_open(&s, "code", policy))
		return;
	for (revoke = 0; revoke < 2; revoke++) {
		shared[0] = shared[1] = 0;
		kt_grant(&s, "all", 0);
		if (!kt_start(&child, &s, act_bind_wait_listen, NULL))
			return;
		for (tries = 0; tries < 3000 && !shared[0]; tries++)
			usleep(10000);
		kt_check("it is bound", shared[0]);
		if (revoke)
			kt_revoke(&s, "all");
		shared[1] = 1;
		kt_result(revoke ? "revoked" : "held", kt_wait(&child), revoke ? -EACCES : 0);
	}
}
