// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * runner.c - which process serves a subject.
 */
#include "load/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "load/session.h"

static void runner_path(__u32 slot, char *path, size_t size)
{
	snprintf(path, size, WARDER_RUN_DIR "/runners/%u", slot);
}

/* Is the locked file still the one of that name? The last runner may have removed it. */
static bool still_named(int fd, const char *path)
{
	struct stat held, named;

	return fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
	       held.st_dev == named.st_dev;
}

int warder_runner_take(__u32 slot, __u64 binding, int *ret_fd)
{
	_cleanup_close_ int fd = -1;
	char path[64], text[64];
	int error;

	runner_path(slot, path, sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	if (!still_named(fd, path))
		return -EBUSY;
	snprintf(text, sizeof(text), "%llu %d\n", binding, getpid());
	if (ftruncate(fd, 0) < 0)
		return -errno;
	error = warder_file_write_fd(fd, text, strlen(text));
	if (error < 0)
		return error;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

void warder_runner_release(__u32 slot, int fd)
{
	char path[64];

	runner_path(slot, path, sizeof(path));
	unlink(path);
	/* Unlocked by name: a child that was forked meanwhile may share the description. */
	flock(fd, LOCK_UN);
	close(fd);
}

bool warder_runner_alive(__u32 slot, __u64 binding)
{
	_cleanup_close_ int fd = -1;
	_cleanup_free_ char *text = NULL;
	unsigned long long served;
	char path[64];

	runner_path(slot, path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (flock(fd, LOCK_SH | LOCK_NB) == 0)
		return false;
	if (warder_file_read_fd(fd, &text, NULL) < 0)
		return true; /* held by somebody we cannot name: do not reap */
	return sscanf(text, "%llu", &served) != 1 || served == binding;
}
