// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * peers_test.c - unix sockets that subjects serve, and peers without a name.
 */
#include "peers.h"

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    unix: { connect: ['{DIR}/open/*', '@open'] }\n"
			     "    files: { write: ['{DIR}/own/**'] }\n";

/* A server and a client in one process, both of the subject's making. */
static int act_self_talk(const void *argument)
{
	const struct peer *peer = argument;
	int server = peer_serve(peer), result;

	if (server < 0)
		return -EBADF;
	result = peer->type == SOCK_DGRAM ? act_connect_datagram(peer) : act_talk(peer);
	if (!result && !peer_arrived(server, peer->type))
		return -ENOMSG;
	close(server);
	if (peer->name[0] != '@')
		unlink(peer->name);
	return result;
}

static int act_pair(const void *argument)
{
	const struct peer *peer = argument;
	int pair[2];
	char byte;

	if (socketpair(AF_UNIX, peer->type, 0, pair) < 0)
		return -errno;
	return send(pair[0], "u", 1, 0) < 0 || recv(pair[1], &byte, 1, 0) != 1 ? -errno : 0;
}

TEST(peers_inside)
{
	static const int types[] = {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
	_cleanup_subject_ struct kt_subject s = {};
	size_t i;

	if (!peer_subject_open(&s, policy))
		return;
	for (i = 0; i < 3; i++) {
		kt_result("path", kt_inside(&s, act_self_talk, PEER(types[i], "own/s")), 0);
		kt_result("abstract name", kt_inside(&s, act_self_talk, PEER(types[i], "@self")),
			  0);
		kt_result("pair", kt_inside(&s, act_pair, PEER(types[i], "")), 0);
	}
	kt_result("binding needs the right to create",
		  kt_inside(&s, act_self_talk, PEER(SOCK_STREAM, "closed/s")), -EBADF);
	kt_check("leaves the directory", !chdir("/"));
}

static int act_serve_staged(const void *argument)
{
	struct stage *stage = kt_shared();
	int server = peer_serve(argument);

	if (server < 0)
		return server;
	stage->ready = 1;
	return stage_wait(&stage->go);
}

/* A server of one subject, a client of another. */
TEST(peers_of_another_subject)
{
	_cleanup_subject_ struct kt_subject s = {}, other = {};
	struct stage *stage = stage_reset();
	struct kt_child child;

	if (!peer_subject_open(&s, policy) || !kt_subject_open_beside(&other, "code", policy, &s))
		return;
	if (!kt_start(&child, &s, act_serve_staged, PEER(SOCK_STREAM, "@theirs")))
		return;
	stage_wait(&stage->ready);
	kt_result("refused", kt_inside(&other, act_talk, PEER(SOCK_STREAM, "@theirs")), -EACCES);
	kt_result("own member", kt_inside(&s, act_talk, PEER(SOCK_STREAM, "@theirs")), 0);
	stage->go = 1;
	kt_wait(&child);
	kt_check("leaves the directory", !chdir("/"));
}

static int given;

static int act_send_given(const void *unused)
{
	return send(given, "u", 1, 0) < 0 ? -errno : 0;
}

/* An unnamed peer that somebody outside made: datagrams are judged each time. */
TEST(unnamed_peer_outside)
{
	_cleanup_subject_ struct kt_subject s = {};
	int pair[2];

	if (!peer_subject_open(&s, policy) || socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
		return;
	given = pair[0];
	kt_result("refused", kt_inside(&s, act_send_given, NULL), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_UNIX_MAY_SEND,
				    .reason = WARDER_REASON_NOT_MEMBER});
	kt_check("nothing arrives", !peer_arrived(pair[1], SOCK_DGRAM));
	kt_result("control", kt_outside(&s, act_send_given, NULL), 0);
	close(pair[0]);
	close(pair[1]);
	kt_check("leaves the directory", !chdir("/"));
}
