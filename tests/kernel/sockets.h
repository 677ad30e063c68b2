/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * sockets.h - listeners outside, acts that go there, and tables of both.
 *
 * A row is tried inside, where a refusal must leave every listener without a connection or
 * datagram, then outside, where exactly one has to arrive.
 */
#ifndef WARDER_TESTS_KERNEL_SOCKETS_H
#define WARDER_TESTS_KERNEL_SOCKETS_H

#include "harness.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* Ports that the tests use; the guest's loopback interface is all there is. */
enum {
	PORT_OPEN = 7001,     /* what base rules allow */
	PORT_CLOSED = 7002,   /* what no base rule names */
	PORT_RESERVED = 2525, /* what a tool names */
};

/* How an act differs from the plain one. */
enum net_flag {
	NET_NONBLOCK = 1, /* the socket does not block */
	NET_UNSPEC = 2,	  /* the family in the address is AF_UNSPEC */
	NET_CONNECTED_OPEN =
		4,     /* connect to an allowed place first (127.0.0.1 or ::1, PORT_OPEN) */
	NET_BOUND = 8, /* bind to `source` first, port 0 */
};

/* Where to. The family of the address follows from its text; `family` is the socket's. */
struct net_to {
	int family, type;
	const char *address;
	__u16 port;
	unsigned int flags; /* enum net_flag */
	int length;	    /* of the address; 0: the right one */
	const char *source; /* NET_BOUND */
	char end;
};
#define TO(...) (&(const struct net_to){__VA_ARGS__, .end = 0})

/* Fill an address; its length. */
socklen_t net_address(const char *text, __u16 port, struct sockaddr_storage *ret);

/* A socket as the row wants it, bound or connected; -errno. */
int net_socket(const struct net_to *to);

/* TCP: connect. UDP: connect and send. */
kt_act act_connect;
/* Send one byte by sendto, by sendmsg, by sendmmsg (four messages). */
kt_act act_sendto, act_sendmsg, act_sendmmsg;
/* TCP fast open: MSG_FASTOPEN; TCP_FASTOPEN_CONNECT, connect, write. */
kt_act act_fastopen, act_fastopen_connect;

/* All that listens: TCP and UDP, on both families, on the three ports; on every address. */
void listeners_open(void);
void listeners_close(void);
/* Connections and datagrams that arrived since the last call. */
unsigned int listeners_take(void);

struct net_row {
	const char *name;
	kt_act *act;
	const void *argument;
	int inside, outside; /* expected results */
	int hook, reason;    /* of the refusal's event; hook -1: do not look */
	const char *key;     /* with this key granted, as outside */
	bool silent;	     /* nothing arrives even from outside */
};
#define NET_REFUSED(name_, act_, argument_, HOOK, REASON)                     \
	.name = name_, .act = act_, .argument = argument_, .inside = -EACCES, \
	.hook = WARDER_HOOK_##HOOK, .reason = WARDER_REASON_##REASON
#define NET_ALLOWED(name_, act_, argument_) \
	.name = name_, .act = act_, .argument = argument_, .hook = -1

/* Run a table; the listeners are open meanwhile. */
void net_rows_run(struct kt_subject *s, const struct net_row *rows, size_t count);
#define NET_ROWS(s, rows) net_rows_run(s, rows, sizeof(rows) / sizeof((rows)[0]))

/* Run a shell command of the guest outside; a failure is counted. */
bool net_shell(const char *command);

/*
 * Send a descriptor (closed here) to a child inside or outside: 0 when it came, -ENOMSG when
 * the message came without it.
 */
int net_pass(struct kt_subject *s, bool inside, int fd);

/* The parts of policies that name network addresses. */
#define NET_EVERYTHING "'tcp:0.0.0.0/0:*', 'tcp:[::]/0:*', 'udp:0.0.0.0/0:*', 'udp:[::]/0:*'"

#endif
