// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * peers.c - unix sockets as peers: serve under a name, talk to one.
 */
#include "peers.h"

#include <stddef.h>
#include <sys/un.h>

static socklen_t unix_address(const char *name, struct sockaddr_un *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->sun_family = AF_UNIX;
	snprintf(ret->sun_path, sizeof(ret->sun_path), "%s", name);
	if (name[0] != '@')
		return sizeof(*ret);
	ret->sun_path[0] = '\0';
	return offsetof(struct sockaddr_un, sun_path) + strlen(name);
}

int peer_serve(const struct peer *peer)
{
	int fd = socket(AF_UNIX, peer->type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address;
	socklen_t length = unix_address(peer->name, &address);

	if (bind(fd, (void *)&address, length) < 0 ||
	    (peer->type != SOCK_DGRAM && listen(fd, 8) < 0)) {
		close(fd);
		return -errno;
	}
	return fd;
}

int act_talk(const void *argument)
{
	const struct peer *peer = argument;
	int fd = socket(AF_UNIX, peer->type | SOCK_CLOEXEC, 0);
	struct sockaddr_un address;
	socklen_t length = unix_address(peer->name, &address);

	if (fd < 0)
		return -EBADF;
	if (peer->type == SOCK_DGRAM)
		return sendto(fd, "u", 1, MSG_NOSIGNAL, (void *)&address, length) < 0 ? -errno : 0;
	return connect(fd, (void *)&address, length) < 0 || send(fd, "u", 1, MSG_NOSIGNAL) < 0
		       ? -errno
		       : 0;
}

int act_connect_datagram(const void *argument)
{
	const struct peer *peer = argument;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address;
	socklen_t length = unix_address(peer->name, &address);

	if (connect(fd, (void *)&address, length) < 0)
		return -errno;
	return send(fd, "u", 1, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

unsigned int peer_arrived(int fd, int type)
{
	unsigned int count = 0;
	char byte;
	int one;

	for (;;) {
		if (type == SOCK_DGRAM) {
			if (recv(fd, &byte, 1, MSG_DONTWAIT) < 0)
				return count;
		} else {
			one = accept(fd, NULL, NULL);
			if (one < 0)
				return count;
			close(one);
		}
		count++;
	}
}

bool peer_subject_open(struct kt_subject *s, const char *policy)
{
	if (!kt_subject_open(s, "code", policy))
		return false;
	kt_mkdir("%s/open", s->dir);
	kt_mkdir("%s/closed", s->dir);
	kt_mkdir("%s/own", s->dir);
	return kt_check("works in the directory", !chdir(s->dir));
}
