// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * source.c - the text of a policy, and its lines.
 */
#include "policy/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/utf8.h"

int warder_source_copy(const char *name, const char *text, size_t size,
		       struct warder_source *ret_source)
{
	_cleanup_free_ char *name_copy = strdup(name), *text_copy = malloc(size + 1);

	if (!name_copy || !text_copy)
		return -ENOMEM;
	memcpy(text_copy, text, size);
	text_copy[size] = 0;
	ret_source->name = TAKE_PTR(name_copy);
	ret_source->text = TAKE_PTR(text_copy);
	ret_source->size = size;
	return 0;
}

static int read_all(int fd, char *buffer, size_t size, size_t *ret_used)
{
	size_t used = 0;
	ssize_t got;

	while (used < size) {
		got = read(fd, buffer + used, size - used);
		if (got < 0 && errno == EINTR)
			continue;
		/* Somebody writes, and has said nothing yet: from now on, wait. */
		if (got < 0 && errno == EAGAIN && fcntl(fd, F_SETFL, 0) == 0)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		used += (size_t)got;
	}
	*ret_used = used;
	return 0;
}

int warder_source_read(const char *path, struct warder_source *ret_source)
{
	_cleanup_free_ char *buffer = malloc(WARDER_SOURCE_MAX + 1);
	_cleanup_close_ int fd = -1;
	struct stat st;
	size_t used = 0;
	int r;

	if (!buffer)
		return -ENOMEM;
	/* Without waiting: a FIFO that nobody writes to is an error and no hang. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	/* A terminal or /dev/zero is a mistake; a pipe is `check <(generate)`. */
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		return -EINVAL;
	r = read_all(fd, buffer, WARDER_SOURCE_MAX + 1, &used);
	if (r < 0)
		return r;
	if (S_ISFIFO(st.st_mode) && !used)
		return -EPIPE;
	return warder_source_copy(path, buffer, used, ret_source);
}

void warder_source_release(struct warder_source *source)
{
	free(source->name);
	free(source->text);
	*source = (struct warder_source){0};
}

const char *warder_source_line(const struct warder_source *source, unsigned int line,
			       size_t *ret_size)
{
	const char *at = source->text, *end = source->text + source->size, *stop;

	while (line > 1 && at < end) {
		stop = memchr(at, '\n', (size_t)(end - at));
		at = stop ? stop + 1 : end;
		line--;
	}
	stop = memchr(at, '\n', (size_t)(end - at));
	if (!stop)
		stop = end;
	if (stop > at && stop[-1] == '\r')
		stop--;
	*ret_size = (size_t)(stop - at);
	return at;
}

void warder_source_locate(const struct warder_source *source, size_t offset, unsigned int *ret_line,
			  unsigned int *ret_column)
{
	unsigned int line = 1;
	size_t start = 0, i;

	if (offset > source->size)
		offset = source->size;
	for (i = 0; i < offset; i++) {
		if (source->text[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	*ret_line = line;
	*ret_column = 1 + (unsigned int)warder_utf8_count(source->text + start, offset - start);
}
