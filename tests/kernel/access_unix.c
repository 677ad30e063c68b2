// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_unix.c - accesses to unix sockets of others, by path and by abstract name.
 */
#include "access.h"

#include <sys/syscall.h>

/* --- what they ask for --- */

static void ask_connect(const struct access *access, struct asks *asks)
{
	asks_call(asks, SYS_socket, WARDER_HOOK_SOCKET_CREATE);
	asks_call(asks, SYS_connect, WARDER_HOOK_SOCKET_CONNECT);
	asks_path(asks, SYS_connect, WARDER_HOOK_UNIX_STREAM_CONNECT, WARDER_CONNECT,
		  access->object);
}

static void ask_message(const struct access *access, struct asks *asks, int call)
{
	asks_call(asks, call, WARDER_HOOK_SOCKET_SENDMSG);
	asks_path(asks, call, WARDER_HOOK_UNIX_MAY_SEND, WARDER_CONNECT, access->object);
}

static void ask_send(const struct access *access, struct asks *asks)
{
	asks_call(asks, SYS_socket, WARDER_HOOK_SOCKET_CREATE);
	ask_message(access, asks, access->type->call);
}

/* A datagram socket that is connected is asked about again for each message. */
static void ask_connected(const struct access *access, struct asks *asks)
{
	asks_call(asks, SYS_socket, WARDER_HOOK_SOCKET_CREATE);
	asks_call(asks, SYS_connect, WARDER_HOOK_SOCKET_CONNECT);
	asks_path(asks, SYS_connect, WARDER_HOOK_UNIX_MAY_SEND, WARDER_CONNECT, access->object);
	ask_message(access, asks, SYS_sendto);
}

/* --- what they touch --- */

static bool choose_peer(struct access *access, const struct world *world, unsigned int kinds,
			int type)
{
	const struct place *place = world_pick(world, kinds);

	access->socket_type = type;
	access->effect = EFFECT_ARRIVAL;
	if (place->path[0] == '@') {
		strcpy(access->object, place->path);
		strcpy(access->path, place->path);
	} else {
		access_object(access, world, place, false);
	}
	access_set_unix(access, access->path);
	return true;
}

static bool choose_stream(struct access *access, const struct world *world)
{
	return choose_peer(access, world, PLACE_STREAMS, SOCK_STREAM);
}

static bool choose_datagram(struct access *access, const struct world *world)
{
	return choose_peer(access, world, PLACE_SENDS, SOCK_DGRAM);
}

/* --- how they are done --- */

static int perform_talk(const struct access *access)
{
	_cleanup_close_ int fd = socket(AF_UNIX, access->socket_type | SOCK_CLOEXEC, 0);
	struct iovec data = {"u", 1};
	struct msghdr message = {.msg_name = (void *)&access->address,
				 .msg_namelen = access->length,
				 .msg_iov = &data,
				 .msg_iovlen = 1};

	if (fd < 0)
		return -errno;
	if (access->type->call == SYS_sendto)
		return ERROR_OF(
			sendto(fd, "u", 1, MSG_NOSIGNAL, &access->address.any, access->length));
	if (access->type->call == SYS_sendmsg)
		return ERROR_OF(sendmsg(fd, &message, MSG_NOSIGNAL));
	if (connect(fd, &access->address.any, access->length) < 0)
		return -errno;
	return access->socket_type == SOCK_STREAM ? 1 : ERROR_OF(send(fd, "u", 1, MSG_NOSIGNAL));
}

const struct access_type access_unixes[] = {
	{"unix connect", SYS_connect, 10, choose_stream, ask_connect, perform_talk},
	{"unix sendto", SYS_sendto, 4, choose_datagram, ask_send, perform_talk},
	{"unix sendmsg", SYS_sendmsg, 4, choose_datagram, ask_send, perform_talk},
	{"unix connect and send", SYS_connect, 4, choose_datagram, ask_connected, perform_talk},
	{},
};
