// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * accept_test.c - inet_conn_request, socket_accept: whom a subject's listeners may be reached by.
 *
 * A server listens inside, clients connect from outside. A refused one must neither be accepted
 * nor leave a byte; the peer hears nothing at all.
 */
#include "sockets.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>

static const char policy[] =
	"tools:\n"
	"  guests: { network: { accept: ['tcp:*'] } }\n"
	"sets:\n"
	"  code:\n"
	"    network:\n"
	"      bind: ['tcp:*:7003']\n"
	"      accept: ['tcp:127.0.0.1', 'tcp:[::1]', 'tcp:192.0.2.0/24', 'tcp:[fd00::]/64']\n"
	"      deny: { accept: ['tcp:192.0.2.2', 'tcp:[fd00::2]'] }\n";

#define PORT 7003

/* Of the server, in kt_shared(). */
struct server {
	volatile int ready, stop, accepted, bytes;
};

struct listening {
	int family;
	const char *address;
	bool fastopen;
};

/* Accept and read whatever comes, until it is to stop. */
static int act_serve(const void *argument)
{
	const struct listening *how = argument;
	struct server *server = kt_shared();
	struct sockaddr_storage address;
	socklen_t length = net_address(how->address, PORT, &address);
	int fd = socket(how->family, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1, queue = 16, peer;
	char buffer[64];
	ssize_t size;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (how->fastopen)
		setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN, &queue, sizeof(queue));
	if (bind(fd, (void *)&address, length) < 0 || listen(fd, 16) < 0)
		return -errno;
	server->ready = 1;
	while (!server->stop) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};

		if (poll(&wait, 1, 20) != 1)
			continue;
		peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
		if (peer < 0)
			return -errno;
		server->accepted++;
		size = recv(peer, buffer, sizeof(buffer), 0);
		server->bytes += size > 0 ? (int)size : 0;
		close(peer);
	}
	return 0;
}

struct client {
	int family;
	const char *from, *to;
	bool fastopen;
};

/* Connect and send; 0, or -ETIMEDOUT when nobody answers within a second and a half. */
static int call(const struct client *client)
{
	struct sockaddr_storage source, target;
	socklen_t source_length = net_address(client->from, 0, &source);
	socklen_t length = net_address(client->to, PORT, &target), size = sizeof(int);
	int fd = socket(client->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd wait = {.fd = fd, .events = POLLOUT};
	int result = -ETIMEDOUT, error = 0;

	if (bind(fd, (void *)&source, source_length) < 0) {
		close(fd);
		return -errno;
	}
	if (client->fastopen)
		sendto(fd, "hello", 5, MSG_FASTOPEN | MSG_NOSIGNAL, (void *)&target, length);
	else
		connect(fd, (void *)&target, length);
	if (poll(&wait, 1, 1500) == 1 && !getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size))
		result = -error;
	if (!result && !client->fastopen && send(fd, "hello", 5, MSG_NOSIGNAL) != 5)
		result = -errno;
	if (!result)
		usleep(50000);
	close(fd);
	return result;
}

static bool serve(struct kt_child *child, struct kt_subject *s, const struct listening *how)
{
	struct server *server = kt_shared();
	int tries;

	memset(server, 0, sizeof(*server));
	if (!kt_start(child, s, act_serve, how))
		return false;
	for (tries = 0; tries < 1000 && !server->ready; tries++)
		usleep(10000);
	return kt_check("the server is ready", server->ready);
}

static void stop(struct kt_child *child)
{
	struct server *server = kt_shared();

	server->stop = 1;
	kt_result("the server ends", kt_wait(child), 0);
}

struct row {
	const char *name;
	struct client client;
	int reason; /* enum warder_reason; 0: it is let in */
};

static void check_call(const char *name, const struct client *client, bool enters)
{
	struct server *server = kt_shared();
	int accepted = server->accepted, bytes = server->bytes, tries;
	char text[160];

	snprintf(text, sizeof(text), "%s: %s", name, enters ? "is let in" : "hears nothing");
	kt_result(text, call(client), enters ? 0 : -ETIMEDOUT);
	for (tries = 0; tries < (enters ? 300 : 20) && server->bytes == bytes; tries++)
		usleep(10000);
	snprintf(text, sizeof(text), "%s: what arrives", name);
	kt_check_why(text,
		     server->accepted == accepted + enters &&
			     server->bytes == bytes + (enters ? 5 : 0),
		     "%d accepted, %d bytes", server->accepted - accepted, server->bytes - bytes);
}

static void run_row(struct kt_subject *s, const struct row *row)
{
	char text[160];

	kt_events_clear(s);
	check_call(row->name, &row->client, !row->reason);
	snprintf(text, sizeof(text), "%s: reported", row->name);
	if (row->reason)
		kt_event(s, text,
			 &(struct kt_match){.hook = WARDER_HOOK_INET_CONN_REQUEST,
					    .reason = row->reason,
					    .error = -EACCES});
	if (row->reason != WARDER_REASON_NO_RULE || !kt_grant(s, "guests", 0))
		return;
	kt_events_clear(s);
	snprintf(text, sizeof(text), "%s, granted", row->name);
	check_call(text, &row->client, true);
	kt_event(s, text,
		 &(struct kt_match){.hook = WARDER_HOOK_INET_CONN_REQUEST,
				    .reason = WARDER_REASON_GRANTED_KEY});
	kt_revoke(s, "guests");
}

#define CLIENT(...)                            \
	{                                      \
		__VA_ARGS__, .fastopen = false \
	}

static const struct row rows4[] = {
	{"loopback", CLIENT(AF_INET, "127.0.0.1", "127.0.0.1"), 0},
	{"of the network", CLIENT(AF_INET, "192.0.2.1", "127.0.0.1"), 0},
	{"a stranger", CLIENT(AF_INET, "127.0.0.2", "127.0.0.1"), WARDER_REASON_NO_RULE},
	{"denied", CLIENT(AF_INET, "192.0.2.2", "127.0.0.1"), WARDER_REASON_DENY_RULE},
	{"mapped stranger", CLIENT(AF_INET6, "::ffff:127.0.0.2", "::ffff:127.0.0.1"),
	 WARDER_REASON_NO_RULE},
};

static const struct row rows6[] = {
	{"v6 loopback", CLIENT(AF_INET6, "::1", "::1"), 0},
	{"v6 of the network", CLIENT(AF_INET6, "fd00::1", "::1"), 0},
	{"v6 stranger", CLIENT(AF_INET6, "fd00:0:0:1::1", "::1"), WARDER_REASON_NO_RULE},
	{"v6 denied", CLIENT(AF_INET6, "fd00::2", "::1"), WARDER_REASON_DENY_RULE},
	{"v4 on a v6 listener", CLIENT(AF_INET, "127.0.0.1", "127.0.0.1"), 0},
	{"v4 stranger on a v6 listener", CLIENT(AF_INET, "127.0.0.2", "127.0.0.1"),
	 WARDER_REASON_NO_RULE},
	{"v4 denied on a v6 listener", CLIENT(AF_INET, "192.0.2.2", "127.0.0.1"),
	 WARDER_REASON_DENY_RULE},
};

static void prepare(void)
{
	net_shell("for a in 192.0.2.1 192.0.2.2; do ip addr replace $a/32 dev lo; done;"
		  "for a in fd00::1 fd00::2 fd00:0:0:1::1; do ip addr replace $a/128 dev lo nodad;"
		  " done");
}

static void run_rows(const struct listening *how, const struct row *rows, size_t count)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child child;
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	prepare();
	if (serve(&child, &s, how)) {
		for (i = 0; i < count; i++)
			run_row(&s, &rows[i]);
		stop(&child);
	}
	/* The control: the same server outside is reached by everybody. */
	if (serve(&child, NULL, how)) {
		for (i = 0; i < count; i++)
			check_call(rows[i].name, &rows[i].client, true);
		stop(&child);
	}
}

TEST(listener_of_v4)
{
	const struct listening how = {AF_INET, "0.0.0.0", false};

	run_rows(&how, rows4, sizeof(rows4) / sizeof(rows4[0]));
}

TEST(listener_of_v6)
{
	const struct listening how = {AF_INET6, "::", false};

	run_rows(&how, rows6, sizeof(rows6) / sizeof(rows6[0]));
}

/* A flood of half-open connections makes the kernel answer without remembering: cookies. */
TEST(syn_cookies)
{
	const struct listening how = {AF_INET6, "::", false};

	net_shell("sysctl -q net.ipv4.tcp_syncookies=2");
	run_rows(&how, rows6, sizeof(rows6) / sizeof(rows6[0]));
	net_shell("sysctl -q net.ipv4.tcp_syncookies=1");
}

/* Data in the first packet is not there before the peer was judged. */
TEST(fast_open_listener)
{
	static const struct client stranger = {AF_INET, "127.0.0.2", "127.0.0.1", true};
	static const struct client friend = {AF_INET, "127.0.0.1", "127.0.0.1", true};
	const struct listening how = {AF_INET, "0.0.0.0", true};
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child child;

	net_shell("echo 0x607 >/proc/sys/net/ipv4/tcp_fastopen"); /* without cookies */
	if (!kt_subject_open(&s, "code", policy))
		return;
	if (serve(&child, &s, &how)) {
		check_call("stranger", &stranger, false);
		check_call("friend", &friend, true);
		stop(&child);
	}
	if (serve(&child, NULL, &how)) {
		check_call("control", &stranger, true);
		stop(&child);
	}
	net_shell("echo 3 >/proc/sys/net/ipv4/tcp_fastopen");
}

/*
 * Who was moved out of the subject's cgroup keeps its label, and its sockets are made in the other
 * one: its listeners are judged by the label still.
 */
static int act_leave_and_serve(const void *argument)
{
	struct server *server = kt_shared();
	int tries;

	server->ready = 2; /* waits to be moved */
	for (tries = 0; tries < 1000 && server->ready == 2; tries++)
		usleep(10000);
	return act_serve(argument);
}

TEST(label_outlives_the_cgroup)
{
	static const struct client stranger = CLIENT(AF_INET, "127.0.0.2", "127.0.0.1");
	static const struct client friend = CLIENT(AF_INET, "127.0.0.1", "127.0.0.1");
	const struct listening how = {AF_INET, "0.0.0.0", false};
	_cleanup_subject_ struct kt_subject s = {};
	struct server *server = kt_shared();
	struct kt_child child;
	char command[128];
	int tries;

	if (!kt_subject_open(&s, "code", policy))
		return;
	memset(server, 0, sizeof(*server));
	if (!kt_start(&child, &s, act_leave_and_serve, &how))
		return;
	for (tries = 0; tries < 1000 && server->ready != 2; tries++)
		usleep(10000);
	snprintf(command, sizeof(command), "echo %d >/sys/fs/cgroup/cgroup.procs", child.pid);
	net_shell(command);
	server->ready = 0;
	for (tries = 0; tries < 1000 && !server->ready; tries++)
		usleep(10000);
	if (kt_check("the server is ready", server->ready == 1)) {
		check_call("stranger", &stranger, false);
		check_call("friend", &friend, true);
	}
	stop(&child);
}
