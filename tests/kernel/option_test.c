// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * option_test.c - socket_setsockopt: options that reroute, or attach programs. Each is refused
 * and the socket is as it was; the control and who holds the kernel's word change it alike.
 */
#include "harness.h"

#include <linux/filter.h>
#include <linux/if_packet.h>
#include <linux/in6.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <warder/event.h>

/* The capabilities are there, so that nothing but the word is missing. */
static const char policy[] =
	"tools: { options: { kernel: [socket-options] } }\n"
	"sets: { code: { network: none, capabilities: [net_admin, net_raw] } }\n";

struct option {
	const char *name;
	int family, type, level, number;
	const void *value;
	socklen_t size;
	bool blind; /* cannot be read back, or the control fails for another reason */
};

static const int one = 1, mark = 7, none = -1, inet = AF_INET, espinudp = 2;
static const __u32 interface_be = 0x01000000, ports = 40100u << 16 | 40000;
static const unsigned char route[] = {137, 7, 4, 127, 0, 0, 9, 0};
static const unsigned char route6[24] = {0, 2, 2, 1, [23] = 1};
static const unsigned char interface6[20] = {[16] = 1};
static const unsigned char table[128];
static const struct sock_filter pass[] = {{BPF_RET | BPF_K, 0, 0, 0xffff}};
static const struct sock_fprog program = {1, (struct sock_filter *)pass};

#define UDP4  AF_INET, SOCK_DGRAM
#define UDP6  AF_INET6, SOCK_DGRAM
#define TCP4  AF_INET, SOCK_STREAM
#define TCP6  AF_INET6, SOCK_STREAM
#define OF(x) &(x), sizeof(x)

static const struct option options[] = {
	{"SO_DONTROUTE", UDP4, SOL_SOCKET, SO_DONTROUTE, OF(one), false},
	{"SO_BINDTODEVICE", UDP4, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3, false},
	{"SO_BINDTOIFINDEX", UDP4, SOL_SOCKET, 62, OF(one), false},
	{"SO_MARK", TCP4, SOL_SOCKET, SO_MARK, OF(mark), false},
	{"SO_ATTACH_FILTER", UDP4, SOL_SOCKET, SO_ATTACH_FILTER, OF(program), false},
	{"SO_ATTACH_FILTER, unix", AF_UNIX, SOCK_DGRAM, SOL_SOCKET, SO_ATTACH_FILTER, OF(program),
	 false},
	{"SO_ATTACH_BPF", UDP4, SOL_SOCKET, SO_ATTACH_BPF, OF(none), true},
	{"SO_ATTACH_REUSEPORT_CBPF", UDP4, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, OF(program), true},
	{"SO_ATTACH_REUSEPORT_EBPF", UDP4, SOL_SOCKET, SO_ATTACH_REUSEPORT_EBPF, OF(none), true},
	{"IP_OPTIONS", UDP4, IPPROTO_IP, IP_OPTIONS, OF(route), false},
	{"IP_OPTIONS, IPv6 socket", TCP6, IPPROTO_IP, IP_OPTIONS, OF(route), true},
	{"IP_TRANSPARENT", TCP4, IPPROTO_IP, IP_TRANSPARENT, OF(one), false},
	{"IP_UNICAST_IF", UDP4, IPPROTO_IP, IP_UNICAST_IF, OF(interface_be), false},
	{"IP_LOCAL_PORT_RANGE", TCP4, IPPROTO_IP, 51, OF(ports), false},
	{"a table of netfilter", TCP4, IPPROTO_IP, 64, OF(table), true},
	{"a table of netfilter, IPv6", TCP6, IPPROTO_IPV6, 64, OF(table), true},
	{"IPV6_ADDRFORM", TCP6, IPPROTO_IPV6, IPV6_ADDRFORM, OF(inet), true},
	{"IPV6_RTHDR", UDP6, IPPROTO_IPV6, IPV6_RTHDR, OF(route6), false},
	{"IPV6_PKTINFO", UDP6, IPPROTO_IPV6, IPV6_PKTINFO, OF(interface6), true},
	{"IPV6_TRANSPARENT", UDP6, IPPROTO_IPV6, 75, OF(one), false},
	{"IPV6_UNICAST_IF", UDP6, IPPROTO_IPV6, 76, OF(interface_be), false},
	{"TCP_REPAIR", TCP4, IPPROTO_TCP, TCP_REPAIR, OF(one), false},
	{"TCP_ULP", TCP4, IPPROTO_TCP, TCP_ULP, "tls", 4, true},
	{"UDP_ENCAP", UDP4, IPPROTO_UDP, 100, OF(espinudp), false},
};

/* What programs use all the time. */
static const struct option ordinary[] = {
	{"SO_REUSEADDR", TCP4, SOL_SOCKET, SO_REUSEADDR, OF(one), false},
	{"SO_KEEPALIVE", TCP4, SOL_SOCKET, SO_KEEPALIVE, OF(one), false},
	{"TCP_NODELAY", TCP6, IPPROTO_TCP, TCP_NODELAY, OF(one), false},
	{"IP_TOS", UDP4, IPPROTO_IP, IP_TOS, OF(one), false},
	{"IP_RECVERR", UDP4, IPPROTO_IP, IP_RECVERR, OF(one), false},
	{"IPV6_TCLASS", UDP6, IPPROTO_IPV6, IPV6_TCLASS, OF(one), false},
	{"IPV6_V6ONLY", TCP6, IPPROTO_IPV6, IPV6_V6ONLY, OF(one), false},
};

/* The socket is made before the children are forked: what they set stays set. */
static int shared = -1;

static void renew(const struct option *option)
{
	if (shared >= 0)
		close(shared);
	shared = socket(option->family, option->type | SOCK_CLOEXEC, 0);
}

static int act_set(const void *argument)
{
	const struct option *o = argument;

	return setsockopt(shared, o->level, o->number, o->value, o->size) < 0 ? -errno : 0;
}

/* What the kernel says of an option. */
struct state {
	int error;
	socklen_t size;
	unsigned char value[64];
};

static struct state state_of(const struct option *o)
{
	struct state s = {.size = sizeof(s.value)};

	s.error = getsockopt(shared, o->level, o->number, s.value, &s.size) < 0 ? errno : 0;
	return s;
}

static bool is_equal(const struct state *a, const struct state *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Does it change what it should: when it says so, and nothing else? */
static void check_set(const struct option *o, const char *who, int result, int expected)
{
	struct state before, after;
	char text[128];

	snprintf(text, sizeof(text), "%s: %s", o->name, who);
	kt_result(text, result, expected);
	after = state_of(o);
	renew(o);
	before = state_of(o);
	if (o->blind)
		return;
	snprintf(text, sizeof(text), "%s: %s %s", o->name, who, expected ? "no change" : "changed");
	kt_check(text, is_equal(&before, &after) == !!expected);
}

static void check_option(struct kt_subject *s, const struct option *o)
{
	char text[128];
	int control;

	renew(o);
	kt_events_clear(s);
	check_set(o, "inside", kt_inside(s, act_set, o), -EPERM);
	snprintf(text, sizeof(text), "%s: reported", o->name);
	kt_event(s, text,
		 &(struct kt_match){.hook = WARDER_HOOK_SOCKET_SETSOCKOPT,
				    .reason = WARDER_REASON_SURFACE,
				    .error = -EPERM});
	control = kt_outside(s, act_set, o);
	/* This kernel may not know it. */
	check_set(o, "control", control, control == -ENOPROTOOPT || o->blind ? control : 0);
	snprintf(text, sizeof(text), "%s: control gets further", o->name);
	kt_check_why(text, control != -EPERM, "%d", control);
	kt_grant(s, "options", 0);
	check_set(o, "granted", kt_inside(s, act_set, o), control);
	kt_revoke(s, "options");
}

TEST(options)
{
	_cleanup_subject_ struct kt_subject s = {};
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		check_option(&s, &options[i]);
	for (i = 0; i < sizeof(ordinary) / sizeof(ordinary[0]); i++) {
		renew(&ordinary[i]);
		check_set(&ordinary[i], "inside", kt_inside(&s, act_set, &ordinary[i]), 0);
	}
	close(shared);
	shared = -1;
}
