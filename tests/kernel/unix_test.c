// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * unix_test.c - unix_stream_connect, unix_may_send: by the path or abstract name of the peer.
 *
 * The peers listen outside; peers_test.c has those of subjects.
 */
#include "peers.h"

static const char policy[] = "tools:\n"
			     "  all: { shared: true, unix: { connect: ['{DIR}/**', '@*'] } }\n"
			     "  mail: { unix: { connect: ['{DIR}/open/mail', '@mail'] } }\n"
			     "sets:\n"
			     "  code:\n"
			     "    unix: { connect: ['{DIR}/open/*', '@open', '@ma*'] }\n"
			     "    files: { write: ['{DIR}/own/**'] }\n";

struct unix_row {
	const char *name;
	kt_act *act;
	struct peer peer;
	int inside;
	const char *key, *text;
};

static void check_arrival(const struct unix_row *row, const char *what, int server, int result,
			  int expected)
{
	char name[160];

	snprintf(name, sizeof(name), "%s: %s", row->name, what);
	kt_result(name, result, expected);
	snprintf(name, sizeof(name), "%s: %s: what arrives", row->name, what);
	kt_check(name, (peer_arrived(server, row->peer.type) > 0) == (expected >= 0));
}

static void run_row(struct kt_subject *s, const struct unix_row *row)
{
	int server = peer_serve(&row->peer);
	char name[160];

	if (!kt_check_why(row->name, server >= 0, "cannot serve: %s", strerrorname_np(-server)))
		return;
	kt_events_clear(s);
	check_arrival(row, "inside", server, kt_inside(s, row->act, &row->peer), row->inside);
	snprintf(name, sizeof(name), "%s: reported", row->name);
	if (row->inside < 0)
		kt_event(s, name,
			 &(struct kt_match){.hook = row->peer.type == SOCK_DGRAM
							    ? WARDER_HOOK_UNIX_MAY_SEND
							    : WARDER_HOOK_UNIX_STREAM_CONNECT,
					    .reason = WARDER_REASON_NO_RULE,
					    .missing = WARDER_CONNECT,
					    .text = row->text});
	check_arrival(row, "control", server, kt_outside(s, row->act, &row->peer), 0);
	if (row->key && kt_grant(s, row->key, 0)) {
		check_arrival(row, "granted", server, kt_inside(s, row->act, &row->peer), 0);
		kt_revoke(s, row->key);
		check_arrival(row, "revoked", server, kt_inside(s, row->act, &row->peer),
			      row->inside);
	}
	close(server);
	unlink(row->peer.name);
}

#define ALLOWED(name, act, ...)                         \
	{                                               \
		name, act, {__VA_ARGS__}, 0, NULL, NULL \
	}
#define REFUSED(name, act, type, peer, key, text)           \
	{                                                   \
		name, act, {type, peer}, -EACCES, key, text \
	}

static const struct unix_row rows[] = {
	ALLOWED("stream", act_talk, SOCK_STREAM, "open/a"),
	ALLOWED("seqpacket", act_talk, SOCK_SEQPACKET, "open/a"),
	ALLOWED("datagram", act_talk, SOCK_DGRAM, "open/a"),
	ALLOWED("connected datagram", act_connect_datagram, SOCK_DGRAM, "open/a"),
	ALLOWED("abstract stream", act_talk, SOCK_STREAM, "@open"),
	ALLOWED("abstract datagram", act_talk, SOCK_DGRAM, "@open"),
	REFUSED("stream", act_talk, SOCK_STREAM, "closed/a", "all", "{DIR}/closed/a"),
	REFUSED("seqpacket", act_talk, SOCK_SEQPACKET, "closed/a", "all", "{DIR}/closed/a"),
	REFUSED("datagram", act_talk, SOCK_DGRAM, "closed/a", "all", "{DIR}/closed/a"),
	REFUSED("connected datagram", act_connect_datagram, SOCK_DGRAM, "closed/a", "all",
		"{DIR}/closed/a"),
	REFUSED("abstract stream", act_talk, SOCK_STREAM, "@closed", "all", "@closed"),
	REFUSED("abstract seqpacket", act_talk, SOCK_SEQPACKET, "@closed", "all", "@closed"),
	REFUSED("abstract datagram", act_talk, SOCK_DGRAM, "@closed", "all", "@closed"),
	REFUSED("abstract name that goes on", act_talk, SOCK_STREAM, "@open1", NULL, "@open1"),
	REFUSED("abstract name that ends before", act_talk, SOCK_STREAM, "@ope", NULL, "@ope"),
	REFUSED("reserved path", act_talk, SOCK_STREAM, "open/mail", "mail", "{DIR}/open/mail"),
	REFUSED("reserved path, datagram", act_talk, SOCK_DGRAM, "open/mail", "mail",
		"{DIR}/open/mail"),
	REFUSED("reserved abstract name", act_talk, SOCK_STREAM, "@mail", "mail", "@mail"),
};

TEST(peers_outside)
{
	_cleanup_subject_ struct kt_subject s = {};
	size_t i;

	if (!peer_subject_open(&s, policy))
		return;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		run_row(&s, &rows[i]);
	kt_check("leaves the directory", !chdir("/"));
}

/* Names that are not the socket's own any more. */
TEST(other_names_of_a_socket)
{
	_cleanup_subject_ struct kt_subject s = {};
	const struct peer *peer = PEER(SOCK_STREAM, "closed/a");
	int server;

	if (!peer_subject_open(&s, policy))
		return;
	server = peer_serve(peer);
	kt_check("hard link is made", !link("closed/a", "open/link"));
	kt_result("by a hard link", kt_inside(&s, act_talk, PEER(SOCK_STREAM, "open/link")),
		  -EACCES);
	kt_check("symbolic link is made", !symlink("../closed/a", "open/symbolic"));
	kt_result("by a symbolic link", kt_inside(&s, act_talk, PEER(SOCK_STREAM, "open/symbolic")),
		  -EACCES);
	kt_check("renamed", !rename("closed/a", "open/renamed"));
	kt_result("renamed to an allowed name",
		  kt_inside(&s, act_talk, PEER(SOCK_STREAM, "open/renamed")), 0);
	kt_check("renamed back", !rename("open/renamed", "closed/b"));
	kt_result("renamed to a closed name",
		  kt_inside(&s, act_talk, PEER(SOCK_STREAM, "closed/b")), -EACCES);
	close(server);
	unlink("open/link");
	/* Bound below an allowed name, which is gone: reached by another one. */
	server = peer_serve(PEER(SOCK_STREAM, "open/gone"));
	kt_check("other link is made", !link("open/gone", "open/kept"));
	kt_check("the bound name goes", !unlink("open/gone"));
	kt_result("bound name is gone", kt_inside(&s, act_talk, PEER(SOCK_STREAM, "open/kept")),
		  -EACCES);
	kt_result("control", kt_outside(&s, act_talk, PEER(SOCK_STREAM, "open/kept")), 0);
	close(server);
	kt_check("leaves the directory", !chdir("/"));
}
