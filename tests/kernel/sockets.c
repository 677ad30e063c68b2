// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * sockets.c - acts on internet sockets: connect and send in every way there is.
 */
#include "sockets.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/wait.h>

socklen_t net_address(const char *text, __u16 port, struct sockaddr_storage *ret)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret;
	struct sockaddr_in *v4 = (struct sockaddr_in *)ret;

	memset(ret, 0, sizeof(*ret));
	if (strchr(text, ':')) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons(port);
		inet_pton(AF_INET6, text, &v6->sin6_addr);
		return sizeof(*v6);
	}
	v4->sin_family = AF_INET;
	v4->sin_port = htons(port);
	inet_pton(AF_INET, text, &v4->sin_addr);
	return sizeof(*v4);
}

static socklen_t address_of(const struct net_to *to, struct sockaddr_storage *ret)
{
	socklen_t length = net_address(to->address, to->port, ret);

	if (to->flags & NET_UNSPEC)
		ret->ss_family = AF_UNSPEC;
	return to->length ? (socklen_t)to->length : length;
}

int net_socket(const struct net_to *to)
{
	int type = to->type | SOCK_CLOEXEC | (to->flags & NET_NONBLOCK ? SOCK_NONBLOCK : 0);
	int fd = socket(to->family, type, 0);
	struct sockaddr_storage address;
	socklen_t length;

	if (fd < 0)
		return -EBADF; /* no such socket: another refusal than the one that is looked for */
	if (to->flags & NET_BOUND) {
		length = net_address(to->source, 0, &address);
		if (bind(fd, (void *)&address, length) < 0)
			return -EADDRNOTAVAIL;
	}
	if (to->flags & NET_CONNECTED_OPEN) {
		length = net_address(to->family == AF_INET ? "127.0.0.1" : "::1", PORT_OPEN,
				     &address);
		if (connect(fd, (void *)&address, length) < 0)
			return -EBADFD;
	}
	return fd;
}

/* The end of a connection that was begun without blocking. */
static int finish_connect(int fd)
{
	struct pollfd end = {.fd = fd, .events = POLLOUT};
	socklen_t size = sizeof(int);
	int error = 0;

	if (poll(&end, 1, 10000) != 1 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		return -ETIMEDOUT;
	return -error;
}

int act_connect(const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage address;
	socklen_t length = address_of(to, &address);
	int fd = net_socket(to), result = 0;

	if (fd < 0)
		return fd;
	if (connect(fd, (void *)&address, length) < 0)
		result = -errno;
	if (result == -EINPROGRESS)
		result = finish_connect(fd);
	if (!result && to->type == SOCK_DGRAM && !(to->flags & NET_UNSPEC) &&
	    send(fd, "d", 1, 0) < 0)
		result = -errno;
	close(fd);
	return result;
}

int act_sendto(const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage address;
	socklen_t length = address_of(to, &address);
	int fd = net_socket(to);

	if (fd < 0)
		return fd;
	return sendto(fd, "d", 1, MSG_NOSIGNAL, (void *)&address, length) < 0 ? -errno : 0;
}

int act_sendmsg(const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage address;
	struct iovec data = {"d", 1};
	struct msghdr message = {.msg_name = &address,
				 .msg_namelen = address_of(to, &address),
				 .msg_iov = &data,
				 .msg_iovlen = 1};
	int fd = net_socket(to);

	if (fd < 0)
		return fd;
	return sendmsg(fd, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* The last of four messages goes to `to`, the others to where everybody may send. */
int act_sendmmsg(const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage allowed, address;
	struct iovec data = {"d", 1};
	struct mmsghdr messages[4] = {};
	int fd = net_socket(to), i, sent;

	if (fd < 0)
		return fd;
	for (i = 0; i < 4; i++) {
		messages[i].msg_hdr.msg_iov = &data;
		messages[i].msg_hdr.msg_iovlen = 1;
		messages[i].msg_hdr.msg_name = i == 3 ? &address : &allowed;
		messages[i].msg_hdr.msg_namelen =
			i == 3 ? address_of(to, &address)
			       : net_address(to->family == AF_INET ? "127.0.0.1" : "::1", PORT_OPEN,
					     &allowed);
	}
	sent = sendmmsg(fd, messages, 4, MSG_NOSIGNAL);
	if (sent < 0)
		return -errno;
	/* The kernel tells the number sent; the error of the last one is asked for by itself. */
	if (sent == 3)
		return sendmmsg(fd, messages + 3, 1, MSG_NOSIGNAL) < 0 ? -errno : -EIO;
	return sent == 4 ? 0 : -EIO;
}

int act_fastopen(const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage address;
	socklen_t length = address_of(to, &address);
	int fd = net_socket(to), result = 0;

	if (fd < 0)
		return fd;
	if (sendto(fd, "d", 1, MSG_NOSIGNAL | MSG_FASTOPEN, (void *)&address, length) < 0)
		result = -errno;
	if (result == -EINPROGRESS)
		result = finish_connect(fd);
	return result;
}

int act_fastopen_connect(const void *argument)
{
	const struct net_to *to = argument;
	struct sockaddr_storage address;
	socklen_t length = address_of(to, &address);
	int fd = net_socket(to), one = 1;

	if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &one, sizeof(one)) < 0)
		return -EBADF;
	if (connect(fd, (void *)&address, length) < 0)
		return -errno;
	return write(fd, "d", 1) == 1 ? 0 : -errno;
}

bool net_shell(const char *command)
{
	int status = system(command);

	return kt_check_why("the guest is prepared", !status, "\"%s\": status %d", command, status);
}

static int channel[2];

static int send_fd(int fd)
{
	char byte = 'f', control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec data = {&byte, 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	return sendmsg(channel[0], &message, 0) < 0 ? -errno : 0;
}

static int act_receive(const void *unused)
{
	char byte, control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec data = {&byte, 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};

	if (recvmsg(channel[1], &message, MSG_CMSG_CLOEXEC) < 0)
		return -errno;
	return CMSG_FIRSTHDR(&message) ? 0 : -ENOMSG;
}

int net_pass(struct kt_subject *s, bool inside, int fd)
{
	int result;

	if (fd < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) < 0)
		return -EBADF;
	result = send_fd(fd);
	close(fd);
	if (!result)
		result = inside ? kt_inside(s, act_receive, NULL)
				: kt_outside(s, act_receive, NULL);
	close(channel[0]);
	close(channel[1]);
	return result;
}
