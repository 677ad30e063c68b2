// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * listeners.c - what waits outside for connections and datagrams, and tables of acts.
 */
#include "sockets.h"

#include <netinet/tcp.h>

#define LISTENERS_MAX 12

static int listeners[LISTENERS_MAX];
static size_t listener_count;

static void listen_on(int family, int type, __u16 port)
{
	int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1, queue = 16;
	struct sockaddr_storage address;
	socklen_t length = net_address(family == AF_INET ? "0.0.0.0" : "::", port, &address);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (type == SOCK_STREAM)
		setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN, &queue, sizeof(queue));
	if (fd < 0 || bind(fd, (void *)&address, length) < 0 ||
	    (type == SOCK_STREAM && listen(fd, 64) < 0))
		kt_check_why("listener", false, "family %d, type %d, port %u: %m", family, type,
			     port);
	listeners[listener_count++] = fd;
}

void listeners_open(void)
{
	static const __u16 ports[] = {PORT_OPEN, PORT_CLOSED, PORT_RESERVED};
	size_t i;

	for (i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		listen_on(AF_INET, SOCK_STREAM, ports[i]);
		listen_on(AF_INET6, SOCK_STREAM, ports[i]);
		listen_on(AF_INET, SOCK_DGRAM, ports[i]);
		listen_on(AF_INET6, SOCK_DGRAM, ports[i]);
	}
}

void listeners_close(void)
{
	while (listener_count)
		close(listeners[--listener_count]);
}

/* What came to one of them; what came to the open port is no answer to the question. */
static unsigned int take_one(int fd)
{
	unsigned int count = 0;
	char byte;
	int peer;

	for (;;) {
		peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
		if (peer >= 0)
			close(peer);
		else if (errno != EOPNOTSUPP || recv(fd, &byte, 1, 0) < 0)
			return count;
		count++;
	}
}

unsigned int listeners_take(void)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < listener_count; i++)
		count += take_one(listeners[i]);
	return count;
}

static void check_run(struct kt_subject *s, const struct net_row *row, const char *what,
		      bool inside, int expected)
{
	int result, rounds;
	char name[160];
	unsigned int came;

	listeners_take();
	result = inside ? kt_inside(s, row->act, row->argument)
			: kt_outside(s, row->act, row->argument);
	came = listeners_take();
	/* A busy machine delivers later (ksoftirqd). */
	for (rounds = 0; rounds < 200 && result >= 0 && !row->silent && !came; rounds++) {
		usleep(10000);
		came = listeners_take();
	}
	snprintf(name, sizeof(name), "%s: %s", row->name, what);
	kt_result(name, result, expected);
	snprintf(name, sizeof(name), "%s: %s: what arrives", row->name, what);
	if (expected < 0) {
		/* Of sendmmsg the three allowed messages, of a connected socket its connection. */
		const struct net_to *to = row->argument;
		unsigned int allowed = row->act == act_sendmmsg ? 3 : 0;

		if (to->flags & NET_CONNECTED_OPEN && to->type == SOCK_STREAM)
			allowed++;
		kt_check_why(name, came == allowed, "%u arrived, %u expected", came, allowed);
	} else if (!row->silent) {
		kt_check_why(name, came > 0, "nothing arrived");
	}
}

void net_rows_run(struct kt_subject *s, const struct net_row *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct net_row *row = &rows[i];
		char name[160];

		kt_events_clear(s);
		check_run(s, row, "inside", true, row->inside);
		snprintf(name, sizeof(name), "%s: reported", row->name);
		if (row->inside < 0 && row->hook >= 0)
			kt_event(s, name,
				 &(struct kt_match){.hook = row->hook,
						    .reason = row->reason,
						    .error = row->inside});
		check_run(s, row, "control outside", false, row->outside);
		if (!row->key || !kt_grant(s, row->key, 0))
			continue;
		check_run(s, row, "granted", true, row->outside);
		kt_revoke(s, row->key);
		check_run(s, row, "revoked", true, row->inside);
	}
}
