// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * file.c - whole small files: read, write, and the directories they live in.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

int warder_file_read_fd(int fd, char **ret_text, size_t *ret_size)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0, room = 0;

	for (;;) {
		ssize_t got;

		if (room - size < 2) {
			char *larger;

			room = room ? 2 * room : 4096;
			larger = realloc(text, room);
			if (!larger)
				return -ENOMEM;
			text = larger;
		}
		got = read(fd, text + size, room - size - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		size += got;
	}
	text[size] = '\0';
	*ret_text = TAKE_PTR(text);
	if (ret_size)
		*ret_size = size;
	return 0;
}

int warder_file_read(const char *path, char **ret_text, size_t *ret_size)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return -errno;
	return warder_file_read_fd(fd, ret_text, ret_size);
}

int warder_file_write_fd(int fd, const void *data, size_t size)
{
	const char *from = data;

	while (size) {
		ssize_t put = write(fd, from, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		from += put;
		size -= put;
	}
	return 0;
}

int warder_file_replace(const char *path, const void *data, size_t size, mode_t mode)
{
	_cleanup_free_ char *beside = NULL;
	_cleanup_close_ int fd = -1;
	int error;

	if (asprintf(&beside, "%s.new", path) < 0)
		return -ENOMEM;
	fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
	if (fd < 0)
		return -errno;
	error = warder_file_write_fd(fd, data, size);
	if (!error && rename(beside, path) < 0)
		error = -errno;
	if (error)
		unlink(beside);
	return error;
}

int warder_file_mkdir(const char *path, mode_t mode)
{
	struct stat found;

	if (mkdir(path, mode) == 0)
		return 0;
	if (errno != EEXIST)
		return -errno;
	if (lstat(path, &found) < 0)
		return -errno;
	return S_ISDIR(found.st_mode) ? 0 : -ENOTDIR;
}
