// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_net.c - accesses to TCP and UDP on loopback: IPv4, IPv6, IPv4 by sockets of IPv6,
 * and the unspecified addresses.
 */
#include "access.h"

#include <arpa/inet.h>
#include <sys/syscall.h>

#include "random.h"
#include "random_policy.h"
#include "sockets.h"

/* --- what they ask for --- */

static void ask_connect(const struct access *access, struct asks *asks)
{
	asks_call(asks, SYS_socket, WARDER_HOOK_SOCKET_CREATE);
	asks_net(asks, SYS_connect, WARDER_HOOK_SOCKET_CONNECT);
	if (access->socket_type == SOCK_DGRAM)
		asks_call(asks, SYS_sendto, WARDER_HOOK_SOCKET_SENDMSG);
}

static void ask_send(const struct access *access, struct asks *asks)
{
	asks_call(asks, SYS_socket, WARDER_HOOK_SOCKET_CREATE);
	asks_net(asks, access->type->call, WARDER_HOOK_SOCKET_SENDMSG);
}

/* --- what they touch --- */

static void choose_host(struct access *access)
{
	const char *host = RANDOM_OF(random_addresses4);
	unsigned int how = random_below(10);

	access->family = how < 4 ? AF_INET : AF_INET6;
	if (how == 0)
		host = "0.0.0.0";
	if (how == 9)
		host = "::";
	else if (how >= 7)
		host = RANDOM_OF(random_addresses6);
	/* A socket of IPv6 speaks IPv4 to mapped addresses. */
	if (how == 4 || how == 5)
		snprintf(access->host, sizeof(access->host), "::ffff:%s", host);
	else if (how == 6)
		snprintf(access->host, sizeof(access->host), "::ffff:0.0.0.0");
	else
		snprintf(access->host, sizeof(access->host), "%s", host);
	access->port = RANDOM_OF(random_ports);
	access->length = net_address(access->host, access->port, &access->address.storage);
	access->effect = EFFECT_ARRIVAL;
}

static bool choose_tcp(struct access *access, const struct world *world)
{
	access->socket_type = SOCK_STREAM;
	choose_host(access);
	return true;
}

static bool choose_udp(struct access *access, const struct world *world)
{
	access->socket_type = SOCK_DGRAM;
	choose_host(access);
	/* It also takes addresses of IPv4. */
	if (access->family == AF_INET && random_percent(25))
		access->family = AF_INET6;
	return true;
}

/* --- how they are done --- */

static int perform_connect(const struct access *access)
{
	_cleanup_close_ int fd = socket(access->family, access->socket_type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (connect(fd, &access->address.any, access->length) < 0)
		return -errno;
	return access->socket_type == SOCK_STREAM ? 1 : ERROR_OF(send(fd, "n", 1, MSG_NOSIGNAL));
}

static int perform_send(const struct access *access)
{
	_cleanup_close_ int fd = socket(access->family, access->socket_type | SOCK_CLOEXEC, 0);
	struct iovec data = {"n", 1};
	struct mmsghdr message = {.msg_hdr = {.msg_name = (void *)&access->address,
					      .msg_namelen = access->length,
					      .msg_iov = &data,
					      .msg_iovlen = 1}};

	if (fd < 0)
		return -errno;
	if (access->type->call == SYS_sendto)
		return ERROR_OF(
			sendto(fd, "n", 1, MSG_NOSIGNAL, &access->address.any, access->length));
	if (access->type->call == SYS_sendmsg)
		return ERROR_OF(sendmsg(fd, &message.msg_hdr, MSG_NOSIGNAL));
	return ERROR_OF(sendmmsg(fd, &message, 1, MSG_NOSIGNAL));
}

const struct access_type access_nets[] = {
	{"tcp connect", SYS_connect, 12, choose_tcp, ask_connect, perform_connect},
	{"udp connect and send", SYS_connect, 5, choose_udp, ask_connect, perform_connect},
	{"udp sendto", SYS_sendto, 5, choose_udp, ask_send, perform_send},
	{"udp sendmsg", SYS_sendmsg, 3, choose_udp, ask_send, perform_send},
	{"udp sendmmsg", SYS_sendmmsg, 3, choose_udp, ask_send, perform_send},
	{},
};
