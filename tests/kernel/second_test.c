// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * second_test.c - the second net, program by program, while the first one is gone: the lsm_cgroup
 * twins, then the programs on sockets and addresses without them, then packets alone.
 *
 * The subject is nested: both it and its parent have to allow.
 */
#include "nets.h"
#include "peers.h"
#include "sockets.h"
#include "surface.h"
#include "victim.h"

#include <linux/bpf.h>
#include <poll.h>
#include <sys/syscall.h>

#include "load/pin.h"

#define PORT_OF_CHILD 7006 /* the child's rules allow it, the parent's do not */

static const char parent_policy[] = "sets:\n"
				    "  code:\n"
				    "    network:\n"
				    "      connect: ['tcp:*:7001-7005', 'udp:*:7001-7005']\n"
				    "      bind: ['tcp:*:7101-7105', 'udp:*:7101-7105']\n"
				    "      accept: ['tcp:127.0.0.1']\n"
				    "    unix: { connect: ['@*'] }\n";

static const char child_policy[] =
	"tools:\n"
	"  all: { shared: true, network: { connect: ['tcp:*:7001-7005', 'udp:*:7001-7005'],\n"
	"         bind: ['tcp:*:*', 'udp:*:*'] }, unix: { connect: ['@*'] } }\n"
	"sets:\n"
	"  code:\n"
	"    network:\n"
	"      connect: ['tcp:*:7001', 'udp:*:7001', 'tcp:*:7006', 'udp:*:7006']\n"
	"      bind: ['tcp:127.0.0.1:7101', 'tcp:[::1]:7101', 'udp:127.0.0.1:7101',\n"
	"             'tcp:127.0.0.1:7106']\n"
	"      accept: ['tcp:127.0.0.0/8']\n"
	"    unix: { connect: ['@open'] }\n";

static const char surface_policy[] = "tools: { kernel: { kernel: [bpf] } }\n"
				     "sets:\n"
				     "  code: { files: ungoverned, exec: ungoverned }\n";

/* No tool can give these. */
static const char mounts_policy[] =
	"sets:\n"
	"  code: { files: ungoverned, exec: ungoverned, kernel: [mounts] }\n";

struct family {
	struct kt_subject parent, child;
};

static bool family_open(struct family *f)
{
	return kt_subject_open(&f->parent, "code", parent_policy) &&
	       kt_subject_open_for(&f->child, "code", child_policy, &f->parent);
}

/* One act: refused, with an event of the second net; the control; granted. */
struct row {
	const char *name;
	kt_act *act;
	const void *argument;
	int inside, hook, reason;
	const char *key;   /* NULL: no grant helps */
	bool parent;	   /* the parent's rules refuse */
	const char *allow; /* further text: what is allowed to begin with; NULL */
	const void *allowed;
};

static void run_row(struct kt_subject *s, const struct family *f, const struct row *row)
{
	const struct kt_event_record *record;
	char name[160];

	kt_events_clear(s);
	snprintf(name, sizeof(name), "%s: refused", row->name);
	kt_result(name, kt_inside(s, row->act, row->argument), row->inside);
	record = kt_event_find(s, &(struct kt_match){.hook = row->hook, .reason = row->reason});
	snprintf(name, sizeof(name), "%s: the second net's", row->name);
	kt_check(name, record && record->event.flags & WARDER_EVENT_SECOND_NET &&
			       record->event.error == row->inside);
	snprintf(name, sizeof(name), "%s: whose rules", row->name);
	if (record && f)
		kt_check(name, record->event.judge ==
				       (row->parent ? f->parent.binding : f->child.binding));
	snprintf(name, sizeof(name), "%s: control", row->name);
	kt_result(name, kt_outside(s, row->act, row->argument), 0);
	snprintf(name, sizeof(name), "%s: %s", row->name, row->allow ?: "");
	if (row->allow)
		kt_result(name, kt_inside(s, row->act, row->allowed), 0);
	if (!row->key || !kt_grant(s, row->key, 0))
		return;
	snprintf(name, sizeof(name), "%s: granted", row->name);
	kt_result(name, kt_inside(s, row->act, row->argument), 0);
	kt_revoke(s, row->key);
	snprintf(name, sizeof(name), "%s: revoked", row->name);
	kt_result(name, kt_inside(s, row->act, row->argument), row->inside);
}

#define ROWS(s, f, rows)                                                     \
	do {                                                                 \
		size_t at_;                                                  \
		for (at_ = 0; at_ < sizeof(rows) / sizeof((rows)[0]); at_++) \
			run_row(s, f, &(rows)[at_]);                         \
	} while (0)

static int act_bind_to(const void *argument)
{
	const struct net_to *to = argument;
	int fd = socket(to->family, to->type | SOCK_CLOEXEC, 0);
	struct sockaddr_storage address;
	socklen_t length = net_address(to->address, to->port, &address);

	if (fd < 0)
		return -EBADF;
	return bind(fd, (void *)&address, length) < 0 ? -errno : 0;
}

static int act_bpf(const void *unused)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};

	return syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)) < 0 ? -errno : 0;
}

static int act_raw(const void *family)
{
	return socket((int)(long)family, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_UDP) < 0 ? -errno : 0;
}

static int act_udp(const void *family)
{
	return socket((int)(long)family, SOCK_DGRAM | SOCK_CLOEXEC, 0) < 0 ? -errno : 0;
}

#define BIND4(port) TO(AF_INET, SOCK_STREAM, "127.0.0.1", port)
#define BIND6(port) TO(AF_INET6, SOCK_STREAM, "::1", port)
#define BINDU(port) TO(AF_INET, SOCK_DGRAM, "127.0.0.1", port)

static const struct row twin_rows[] = {
	{"bind", act_bind_to, BIND4(7102), -EACCES, WARDER_HOOK_SOCKET_BIND, WARDER_REASON_NO_RULE,
	 "all", false, "another port", BIND4(7101)},
	{"bind, v6", act_bind_to, BIND6(7102), -EACCES, WARDER_HOOK_SOCKET_BIND,
	 WARDER_REASON_NO_RULE, "all", false, "another port", BIND6(7101)},
	{"bind, of the child's alone", act_bind_to, BIND4(7106), -EACCES, WARDER_HOOK_SOCKET_BIND,
	 WARDER_REASON_NO_RULE, NULL, true, NULL, NULL},
	{"unix", act_talk, PEER(SOCK_STREAM, "@closed"), -EACCES, WARDER_HOOK_UNIX_STREAM_CONNECT,
	 WARDER_REASON_NO_RULE, "all", false, "another name", PEER(SOCK_STREAM, "@open")},
};

static const struct row surface_rows[] = {
	{"mount", act_mount, NULL, -EPERM, WARDER_HOOK_SB_MOUNT, WARDER_REASON_SURFACE, NULL, false,
	 NULL, NULL},
	{"bpf", act_bpf, NULL, -EPERM, WARDER_HOOK_BPF, WARDER_REASON_SURFACE, "kernel", false,
	 NULL, NULL},
};

static const struct row victim_rows[] = {
	{"trace", act_attach, NULL, -EPERM, WARDER_HOOK_PTRACE_ACCESS_CHECK,
	 WARDER_REASON_NOT_MEMBER, NULL, false, NULL, NULL},
	{"signal", act_kill, NULL, -EPERM, WARDER_HOOK_TASK_KILL, WARDER_REASON_NOT_MEMBER, NULL,
	 false, NULL, NULL},
};

static const struct row net_rows[] = {
	{"raw socket", act_raw, (void *)AF_INET, -EPERM, WARDER_HOOK_NET_SOCK_CREATE,
	 WARDER_REASON_FAMILY, NULL, false, NULL, NULL},
	{"raw socket, v6", act_raw, (void *)AF_INET6, -EPERM, WARDER_HOOK_NET_SOCK_CREATE,
	 WARDER_REASON_FAMILY, NULL, false, NULL, NULL},
	{"bind", act_bind_to, BIND4(7102), -EPERM, WARDER_HOOK_NET_BIND4, WARDER_REASON_NO_RULE,
	 "all", false, "another port", BIND4(7101)},
	{"bind, udp", act_bind_to, BINDU(7102), -EPERM, WARDER_HOOK_NET_BIND4,
	 WARDER_REASON_NO_RULE, "all", false, "another port", BINDU(7101)},
	{"bind, v6", act_bind_to, BIND6(7102), -EPERM, WARDER_HOOK_NET_BIND6, WARDER_REASON_NO_RULE,
	 "all", false, "another port", BIND6(7101)},
	{"bind, of the child's alone", act_bind_to, BIND4(7106), -EPERM, WARDER_HOOK_NET_BIND4,
	 WARDER_REASON_NO_RULE, NULL, true, NULL, NULL},
};

#define SEND4(port) TO(AF_INET, SOCK_DGRAM, "127.0.0.1", port)
#define SEND6(port) TO(AF_INET6, SOCK_DGRAM, "::1", port)

static const struct row packet_rows[] = {
	{"udp", act_sendto, SEND4(7002), -EPERM, WARDER_HOOK_NET_EGRESS, WARDER_REASON_NO_RULE,
	 "all", false, "another port", SEND4(7001)},
	{"udp, v6", act_sendto, SEND6(7002), -EPERM, WARDER_HOOK_NET_EGRESS, WARDER_REASON_NO_RULE,
	 "all", false, "another port", SEND6(7001)},
	{"udp, connected", act_connect, SEND4(7002), -EPERM, WARDER_HOOK_NET_EGRESS,
	 WARDER_REASON_NO_RULE, "all", false, "another port", SEND4(7001)},
	{"udp, connected elsewhere", act_sendto,
	 TO(AF_INET, SOCK_DGRAM, "127.0.0.1", 7002, NET_CONNECTED_OPEN), -EPERM,
	 WARDER_HOOK_NET_EGRESS, WARDER_REASON_NO_RULE, "all", false, NULL, NULL},
	{"udp, of the child's alone", act_sendto, SEND4(PORT_OF_CHILD), -EPERM,
	 WARDER_HOOK_NET_EGRESS, WARDER_REASON_NO_RULE, NULL, true, NULL, NULL},
};

/* Nobody answers it: what is refused of TCP times out. */
static int act_connect_soon(const void *argument)
{
	const struct net_to *to = argument;
	int fd = socket(to->family, to->type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
	struct pollfd end = {.fd = fd, .events = POLLOUT};
	struct sockaddr_storage address;
	socklen_t length = net_address(to->address, to->port, &address), size = sizeof(error);

	if (fd < 0 || (connect(fd, (void *)&address, length) < 0 && errno != EINPROGRESS))
		return -EBADF;
	if (poll(&end, 1, 1500) != 1)
		return -ETIMEDOUT;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? -EBADF : -error;
}

/* Datagrams over one connected socket, before and after the grant ends. */
static int act_send_until(const void *argument)
{
	volatile int *turn = kt_shared();
	const struct net_to *to = argument;
	struct sockaddr_storage address;
	socklen_t length = net_address(to->address, to->port, &address);
	int fd = socket(to->family, SOCK_DGRAM | SOCK_CLOEXEC, 0), tries;

	if (connect(fd, (void *)&address, length) < 0 || send(fd, "d", 1, 0) < 0)
		return -EBADF;
	*turn = 1;
	for (tries = 0; tries < 2000 && *turn != 2; tries++)
		usleep(5000);
	return send(fd, "d", 1, 0) < 0 ? -errno : 0;
}

static void check_ended_grant(struct kt_subject *s)
{
	volatile int *turn = kt_shared();
	struct kt_child child;
	int tries;

	*turn = 0;
	kt_grant(s, "all", 0);
	listeners_take();
	if (!kt_start(&child, s, act_send_until, SEND4(7002)))
		return;
	for (tries = 0; tries < 2000 && !*turn; tries++)
		usleep(5000);
	kt_result("while it is granted", (int)listeners_take(), 1);
	kt_revoke(s, "all");
	*turn = 2;
	kt_result("the grant has ended", kt_wait(&child), -EPERM);
	kt_result("and nothing arrives", (int)listeners_take(), 0);
}

/* A socket that the subject made, used by somebody outside. */
static int act_hold_socket(const void *unused)
{
	volatile int *cell = kt_shared();
	int tries;

	cell[1] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	cell[0] = 1;
	for (tries = 0; tries < 2000 && cell[0] != 2; tries++)
		usleep(5000);
	return 0;
}

static int send_by(int fd, __u16 port)
{
	struct sockaddr_storage address;
	socklen_t length = net_address("127.0.0.1", port, &address);

	return sendto(fd, "d", 1, 0, (void *)&address, length) < 0 ? -errno : 0;
}

static void check_lent_socket(struct kt_subject *s)
{
	volatile int *cell = kt_shared();
	struct kt_child child;
	int tries, fd;

	cell[0] = 0;
	if (!kt_start(&child, s, act_hold_socket, NULL))
		return;
	for (tries = 0; tries < 2000 && !cell[0]; tries++)
		usleep(5000);
	fd = syscall(SYS_pidfd_getfd, child.pidfd, cell[1], 0);
	kt_check("its socket is taken", fd >= 0);
	kt_result("used outside", send_by(fd, 7002), -EPERM);
	kt_result("used outside, another port", send_by(fd, 7001), 0);
	close(fd);
	cell[0] = 2;
	kt_result("its maker ends", kt_wait(&child), 0);
}

/* Whom a server answers. */
static int act_serve_once(const void *unused)
{
	volatile int *cell = kt_shared();
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), tries;
	struct sockaddr_storage address;
	socklen_t length = net_address("0.0.0.0", 7101, &address);

	if (bind(fd, (void *)&address, length) < 0 || listen(fd, 8) < 0)
		return -errno;
	cell[0] = 1;
	for (tries = 0; tries < 2000 && cell[0] != 2; tries++)
		usleep(5000);
	return 0;
}

static int call_from(const char *source)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd end = {.fd = fd, .events = POLLOUT};
	struct sockaddr_storage address;
	socklen_t length = net_address(source, 0, &address);
	int result = -EBADF;

	if (!bind(fd, (void *)&address, length)) {
		length = net_address("127.0.0.1", 7101, &address);
		connect(fd, (void *)&address, length);
		result = poll(&end, 1, 1500) == 1 && !(end.revents & POLLERR) ? 0 : -ETIMEDOUT;
	}
	close(fd);
	return result;
}

static void check_server(struct kt_subject *s)
{
	volatile int *cell = kt_shared();
	struct kt_child child;
	int tries;

	cell[0] = 0;
	if (!kt_start(&child, s, act_serve_once, NULL))
		return;
	for (tries = 0; tries < 2000 && !cell[0]; tries++)
		usleep(5000);
	kt_result("who may come is answered", call_from("127.0.0.1"), 0);
	kt_result("who may not hears nothing", call_from("127.0.0.2"), -ETIMEDOUT);
	cell[0] = 2;
	kt_result("the server ends", kt_wait(&child), 0);
}

static void check_victims(struct family *f, struct kt_subject *s)
{
	struct kt_child victim;

	if (!victim_start(&victim, NULL))
		return;
	ROWS(s, NULL, victim_rows);
	kt_check("the victim is unharmed", victim_stop(&victim));
	/* The child is the parent's own, and never the other way round. */
	if (!victim_start(&victim, &f->child))
		return;
	kt_result("signal to one's own", kt_inside(&f->parent, act_kill, NULL), 0);
	kt_result("trace of one's own", kt_inside(&f->parent, act_attach, NULL), 0);
	victim_signals();
	kt_check("the child's is unharmed", victim_stop(&victim));
}

static void check_twins(struct family *f)
{
	const struct peer open = {SOCK_STREAM, "@open"}, closed = {SOCK_STREAM, "@closed"};
	int servers[2] = {peer_serve(&open), peer_serve(&closed)};
	struct kt_subject s = {};

	ROWS(&f->child, f, twin_rows);
	close(servers[0]);
	close(servers[1]);
	if (kt_subject_open(&s, "code", surface_policy)) {
		kt_mkdir("%s/a", s.dir);
		ROWS(&s, NULL, surface_rows);
		check_victims(f, &s);
	}
	kt_subject_close(&s);
	if (kt_subject_open(&s, "code", mounts_policy)) {
		kt_mkdir("%s/a", s.dir);
		kt_result("mount, named", kt_inside(&s, act_mount, NULL), 0);
		kt_result("bpf, not named", kt_inside(&s, act_bpf, NULL), -EPERM);
	}
	kt_subject_close(&s);
}

/* Of the programs on addresses all but that on packets. */
static void take_addresses(void)
{
	static const char *const names[] = {"sock_create", "connect4", "connect6", "sendmsg4",
					    "sendmsg6",	   "bind4",    "bind6"};
	char path[256], program[64];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), WARDER_PIN_DIR "/links/net/%s", names[i]);
		kt_check("a pin is taken away", !unlink(path));
		snprintf(path, sizeof(path), WARDER_SECOND_PIN_DIR "/links/net/%s", names[i]);
		kt_check("and the second", !unlink(path));
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(program, sizeof(program), "net_%.11s", names[i]);
		nets_wait(program);
	}
}

static void check_packets(struct family *f)
{
	listeners_open();
	ROWS(&f->child, f, packet_rows);
	listeners_take();
	kt_result("tcp", kt_inside(&f->child, act_connect_soon, BIND4(7002)), -ETIMEDOUT);
	kt_event(&f->child, "tcp: reported",
		 &(struct kt_match){.hook = WARDER_HOOK_NET_EGRESS,
				    .reason = WARDER_REASON_NO_RULE,
				    .port = 7002});
	kt_result("tcp: nothing arrives", (int)listeners_take(), 0);
	kt_result("tcp, allowed", kt_inside(&f->child, act_connect_soon, BIND4(7001)), 0);
	kt_result("tcp, v6", kt_inside(&f->child, act_connect_soon, BIND6(7002)), -ETIMEDOUT);
	kt_result("tcp, v6, allowed", kt_inside(&f->child, act_connect_soon, BIND6(7001)), 0);
	kt_result("tcp, control", kt_outside(&f->child, act_connect_soon, BIND4(7002)), 0);
	kt_grant(&f->child, "all", 0);
	kt_result("tcp, granted", kt_inside(&f->child, act_connect_soon, BIND4(7002)), 0);
	kt_revoke(&f->child, "all");
	check_ended_grant(&f->child);
	check_lent_socket(&f->child);
	listeners_close();
	check_server(&f->child);
}

TEST(program_by_program)
{
	struct family f = {};

	if (family_open(&f)) {
		nets_take("global", "hook_");
		check_twins(&f);
		nets_take("twin", "twin_");
		ROWS(&f.child, &f, net_rows);
		kt_result("udp socket", kt_inside(&f.child, act_udp, (void *)AF_INET), 0);
		take_addresses();
		check_packets(&f);
	}
	kt_subject_close(&f.child);
	kt_subject_close(&f.parent);
	kt_reload(NULL);
}
