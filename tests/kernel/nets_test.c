// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * nets_test.c - two nets: each holds when the other one is gone. Every test takes away pins that
 * nothing else keeps, and loads anew at its end.
 */
#include "acts.h"
#include "nets.h"
#include "sockets.h"
#include "surface.h"

#include <sched.h>
#include <sys/wait.h>

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, network: { connect: [" NET_EVERYTHING "] },\n"
	"         exec: ['{DIR}/**'] }\n"
	"sets:\n"
	"  code:\n"
	"    network: { connect: ['tcp:127.0.0.1:7001', 'tcp:[::1]:7001', 'udp:127.0.0.1:7001',\n"
	"                         'udp:[::1]:7001'] }\n"
	"    exec: ['{DIR}/open']\n"
	"    files: { read: ['{DIR}/readable'], map-exec: ['{DIR}/shut'] }\n";

static int act_raw_socket(const void *unused)
{
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_UDP);

	return fd < 0 ? -errno : 0;
}

static bool open_subject(struct kt_subject *s)
{
	char path[256];

	if (!kt_subject_open(s, "code", policy))
		return false;
	kt_mkdir("%s/a/old", s->dir);
	kt_mkdir("%s/b", s->dir);
	kt_write("%s/readable", "text", s->dir);
	kt_write("%s/closed", "text", s->dir);
	snprintf(path, sizeof(path), "%s/open", s->dir);
	make_program(path, 0);
	snprintf(path, sizeof(path), "%s/shut", s->dir);
	make_program(path, 0);
	return true;
}

/* What every net lets pass, and what comes of it outside. */
#define PASSES(name, act, ...)                          \
	{                                               \
		NET_ALLOWED(name, act, TO(__VA_ARGS__)) \
	}

static const struct net_row allowed[] = {
	PASSES("tcp", act_connect, AF_INET, SOCK_STREAM, "127.0.0.1", 7001),
	PASSES("tcp v6", act_connect, AF_INET6, SOCK_STREAM, "::1", 7001),
	PASSES("tcp v4-mapped", act_connect, AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7001),
	PASSES("udp", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1", 7001),
	PASSES("udp v6", act_sendto, AF_INET6, SOCK_DGRAM, "::1", 7001),
	PASSES("udp unspecified", act_sendto, AF_INET, SOCK_DGRAM, "0.0.0.0", 7001),
	PASSES("udp connected", act_connect, AF_INET, SOCK_DGRAM, "127.0.0.1", 7001),
};

/* In the first net and by twins -EACCES, by programs on addresses -EPERM. */
#define BY_CONNECT(name, ...)                      \
	{                                          \
		name, act_connect, TO(__VA_ARGS__) \
	}
#define BY_SEND(name, act, ...)            \
	{                                  \
		name, act, TO(__VA_ARGS__) \
	}

struct attempt {
	const char *name;
	kt_act *act;
	const struct net_to *to;
};

static const struct attempt connects[] = {
	BY_CONNECT("tcp", AF_INET, SOCK_STREAM, "127.0.0.1", 7002),
	BY_CONNECT("tcp v6", AF_INET6, SOCK_STREAM, "::1", 7002),
	BY_CONNECT("tcp v4-mapped", AF_INET6, SOCK_STREAM, "::ffff:127.0.0.1", 7002),
	BY_CONNECT("tcp unspecified", AF_INET, SOCK_STREAM, "0.0.0.0", 7002),
	BY_CONNECT("tcp v6 unspecified", AF_INET6, SOCK_STREAM, "::", 7002),
	BY_CONNECT("udp", AF_INET, SOCK_DGRAM, "127.0.0.1", 7002),
	BY_CONNECT("udp v6", AF_INET6, SOCK_DGRAM, "::1", 7002),
	BY_CONNECT("udp v4 address on a v6 socket", AF_INET6, SOCK_DGRAM, "127.0.0.1", 7002),
	BY_CONNECT("udp v4-mapped", AF_INET6, SOCK_DGRAM, "::ffff:127.0.0.1", 7002),
};

static const struct attempt sends[] = {
	BY_SEND("udp", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1", 7002),
	BY_SEND("udp v6", act_sendto, AF_INET6, SOCK_DGRAM, "::1", 7002),
	BY_SEND("udp v4-mapped", act_sendto, AF_INET6, SOCK_DGRAM, "::ffff:127.0.0.1", 7002),
	BY_SEND("udp v4 address on a v6 socket", act_sendto, AF_INET6, SOCK_DGRAM, "127.0.0.1",
		7002),
	BY_SEND("udp unspecified", act_sendto, AF_INET, SOCK_DGRAM, "0.0.0.0", 7002),
	BY_SEND("udp AF_UNSPEC", act_sendto, AF_INET, SOCK_DGRAM, "127.0.0.1", 7002, NET_UNSPEC),
	BY_SEND("udp sendmmsg", act_sendmmsg, AF_INET, SOCK_DGRAM, "127.0.0.1", 7002),
	BY_SEND("tcp fast open", act_fastopen, AF_INET, SOCK_STREAM, "127.0.0.1", 7002),
	BY_SEND("tcp fast open v6", act_fastopen, AF_INET6, SOCK_STREAM, "::1", 7002),
};

static void refuse(struct kt_subject *s, const struct attempt *attempts, size_t count, int error,
		   bool second_net)
{
	char name[128];
	size_t i;

	for (i = 0; i < count; i++) {
		const struct attempt *attempt = &attempts[i];
		const struct kt_event_record *record;
		unsigned int expected = attempt->act == act_sendmmsg ? 3 : 0;
		unsigned int came;

		kt_events_clear(s);
		listeners_take();
		snprintf(name, sizeof(name), "%s: refused", attempt->name);
		kt_result(name, kt_inside(s, attempt->act, attempt->to), error);
		came = listeners_take();
		snprintf(name, sizeof(name), "%s: nothing arrives", attempt->name);
		kt_check_why(name, came == expected, "%u came", came);
		record = kt_event_find(s, &(struct kt_match){.hook = -1,
							     .reason = WARDER_REASON_NO_RULE,
							     .error = error,
							     .port = 7002});
		snprintf(name, sizeof(name), "%s: the event says which net", attempt->name);
		kt_check(name,
			 record && !!(record->event.flags & WARDER_EVENT_SECOND_NET) == second_net);
		snprintf(name, sizeof(name), "%s: control", attempt->name);
		kt_result(name, kt_outside(s, attempt->act, attempt->to), 0);
		kt_grant(s, "all", 0);
		snprintf(name, sizeof(name), "%s: granted", attempt->name);
		kt_result(name, kt_inside(s, attempt->act, attempt->to), 0);
		kt_revoke(s, "all");
	}
}

#define REFUSE(s, attempts, error, second) \
	refuse(s, attempts, sizeof(attempts) / sizeof((attempts)[0]), error, second)

static int act_unix_socket(const void *unused)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? -errno : 0;
}

static void check_flag(struct kt_subject *s, const char *name, int hook, bool second_net)
{
	const struct kt_event_record *record =
		kt_event_find(s, &(struct kt_match){.hook = hook, .reason = -1});

	kt_check(name, record && !!(record->event.flags & WARDER_EVENT_SECOND_NET) == second_net);
}

/* What the twins hold besides connect. */
static void check_twins(struct kt_subject *s, bool second_net)
{
	kt_events_clear(s);
	kt_result("program", kt_inside(s, act_exec, "shut"), -EACCES);
	check_flag(s, "program: which net", WARDER_HOOK_BPRM_CHECK_SECURITY, second_net);
	kt_result("program, allowed", kt_inside(s, act_exec, "open"), 0);
	kt_result("program, control", kt_outside(s, act_exec, "shut"), 0);
	kt_result("raw socket", kt_inside(s, act_raw_socket, NULL), -EACCES);
	check_flag(s, "raw socket: which net", WARDER_HOOK_SOCKET_CREATE, second_net);
	kt_result("raw socket, control", kt_outside(s, act_raw_socket, NULL), 0);
	kt_result("unix socket, allowed", kt_inside(s, act_unix_socket, NULL), 0);
	kt_result("user namespace", kt_inside(s, act_unshare, (void *)(long)CLONE_NEWUSER), -EPERM);
	check_flag(s, "user namespace: which net", WARDER_HOOK_USERNS_CREATE, second_net);
	kt_result("user namespace, control",
		  kt_outside(s, act_unshare, (void *)(long)CLONE_NEWUSER), 0);
}

/* A child inherits by its cgroup, too. */
static int act_grandchild(const void *argument)
{
	pid_t child = fork();
	int status = 0;

	if (!child)
		_exit(act_connect(argument) == -EACCES ? 0 : 1);
	return waitpid(child, &status, 0) == child && !status ? 0 : -EIO;
}

/* The twins go, too. */
static void programs_on_addresses_alone(struct kt_subject *s)
{
	nets_take("twin", "twin_");
	NET_ROWS(s, allowed);
	REFUSE(s, connects, -EPERM, true);
	REFUSE(s, sends, -EPERM, true);
}

TEST(second_net_alone)
{
	struct kt_subject s = {};

	net_shell("echo 3 >/proc/sys/net/ipv4/tcp_fastopen");
	if (open_subject(&s)) {
		nets_take("global", "hook_");
		kt_result("the first net is gone", kt_inside(&s, act_read, "closed"), 0);
		listeners_open();
		NET_ROWS(&s, allowed);
		REFUSE(&s, connects, -EACCES, true);
		REFUSE(&s, sends, -EPERM, true);
		check_twins(&s, true);
		kt_result("grandchild", kt_inside(&s, act_grandchild, connects[0].to), 0);
		programs_on_addresses_alone(&s);
		listeners_close();
	}
	kt_subject_close(&s);
	kt_reload(NULL);
}

TEST(first_net_alone)
{
	struct kt_subject s = {};

	if (open_subject(&s)) {
		nets_take("twin", "twin_");
		nets_take("net", "net_");
		listeners_open();
		NET_ROWS(&s, allowed);
		REFUSE(&s, connects, -EACCES, false);
		REFUSE(&s, sends, -EACCES, false);
		check_twins(&s, false);
		kt_result("files", kt_inside(&s, act_read, "closed"), -EACCES);
		listeners_close();
	}
	kt_subject_close(&s);
	kt_reload(NULL);
}
