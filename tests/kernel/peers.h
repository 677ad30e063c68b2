/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * peers.h - unix sockets as peers: serve under a name, talk to one.
 */
#ifndef WARDER_TESTS_KERNEL_PEERS_H
#define WARDER_TESTS_KERNEL_PEERS_H

#include "stage.h"

#include <sys/socket.h>

/* A unix socket's name: '@' begins an abstract one; "" is none. */
struct peer {
	int type;
	const char *name;
};
#define PEER(...) (&(const struct peer){__VA_ARGS__})

/* A socket that is bound and, where it is no datagram one, listens; -errno. */
int peer_serve(const struct peer *peer);

/* Connections or datagrams that came to it. */
unsigned int peer_arrived(int fd, int type);

/* Connect (or send) and say a byte; the same by a datagram socket that is connected. */
kt_act act_talk, act_connect_datagram;

/* A subject whose policy needs {DIR}/open, /closed and /own; the test works in {DIR}. */
bool peer_subject_open(struct kt_subject *s, const char *policy);

#endif
