// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pin.c - names in the bpf file system, by which maps and links outlive their makers.
 */
#include "load/pin.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "load/session.h"

static const char *const directories[] = {
	WARDER_PIN_DIR,
	WARDER_PIN_DIR "/maps",
	WARDER_PIN_DIR "/links",
	WARDER_PIN_DIR "/links/global",
	WARDER_PIN_DIR "/links/twin",
	WARDER_PIN_DIR "/links/net",
	WARDER_PIN_DIR "/links/tp",
	WARDER_PIN_DIR "/links/iter",
	WARDER_PIN_DIR "/links/told",
};

#define DIRECTORY_COUNT (sizeof(directories) / sizeof(directories[0]))

int warder_pin_prepare(struct warder_error *reterr)
{
	size_t i;
	int error;

	for (i = 0; i < DIRECTORY_COUNT; i++) {
		error = warder_file_mkdir(directories[i], 0700);
		if (error < 0)
			return warder_error_set(reterr, error,
						"cannot make \"%s\":", directories[i]);
	}
	return 0;
}

int warder_pin_map(int fd, const char *name, struct warder_error *reterr)
{
	char path[256];
	int error;

	snprintf(path, sizeof(path), WARDER_PIN_DIR "/maps/%s", name);
	error = bpf_obj_pin(fd, path);
	return error < 0 ? warder_error_set(reterr, error, "cannot pin \"%s\":", path) : 0;
}

int warder_pin_link(int fd, const char *kind, const char *name, struct warder_error *reterr)
{
	char path[256];
	int error;

	snprintf(path, sizeof(path), WARDER_PIN_DIR "/links/%s/%s", kind, name);
	error = bpf_obj_pin(fd, path);
	return error < 0 ? warder_error_set(reterr, error, "cannot pin \"%s\":", path) : 0;
}

int warder_pin_open_map(const char *name, int *ret_fd)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), WARDER_PIN_DIR "/maps/%s", name);
	fd = bpf_obj_get(path);
	if (fd < 0)
		return fd;
	*ret_fd = fd;
	return 0;
}

int warder_pin_open_link(const char *kind, const char *name, int *ret_fd)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), WARDER_PIN_DIR "/links/%s/%s", kind, name);
	fd = bpf_obj_get(path);
	if (fd < 0)
		return fd;
	*ret_fd = fd;
	return 0;
}

bool warder_pin_has_link(const char *kind, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), WARDER_PIN_DIR "/links/%s/%s", kind, name);
	return access(path, F_OK) == 0;
}

bool warder_pin_exists(void)
{
	return access(WARDER_PIN_DIR "/maps/state", F_OK) == 0;
}

static bool link_alive(__u32 id)
{
	int fd = bpf_link_get_fd_by_id(id);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* The kernel frees a link after a grace period; until then it still judges. */
static int wait_gone(const char *path, __u32 id, struct warder_error *reterr)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	int tries;

	for (tries = 0; tries < 500; tries++) {
		if (!link_alive(id))
			return 0;
		nanosleep(&pause, NULL);
	}
	return warder_error_set(reterr, -EBUSY,
				"\"%s\" was removed, but another process keeps its link (id %u) "
				"alive: see `bpftool link show id %u`",
				path, id, id);
}

struct link_pin {
	__u32 id;
	char path[256];
};

/* Unlink everything in a directory; remembers ids of links. */
static int empty_directory(const char *directory, struct link_pin **links, size_t *count)
{
	DIR *stream = opendir(directory);
	struct dirent *entry;

	if (!stream)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(stream))) {
		struct bpf_link_info info = {};
		__u32 size = sizeof(info);
		char path[256 + sizeof(entry->d_name)];
		_cleanup_close_ int fd = -1;

		if (entry->d_name[0] == '.' || entry->d_type == DT_DIR)
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		fd = links ? bpf_obj_get(path) : -1;
		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0) {
			struct link_pin *more = realloc(*links, (*count + 1) * sizeof(*more));

			if (more) {
				*links = more;
				more[*count].id = info.id;
				snprintf(more[*count].path, sizeof(more->path), "%.255s", path);
				(*count)++;
			}
		}
		unlink(path);
	}
	closedir(stream);
	return 0;
}

int warder_pin_remove(bool wait, struct warder_error *reterr)
{
	_cleanup_free_ struct link_pin *links = NULL;
	size_t count = 0, i;
	int error = 0;

	/* Directories from the last to the first: links go before the maps they read. */
	for (i = DIRECTORY_COUNT; i-- > 0;) {
		if (strstr(directories[i], "/links/"))
			empty_directory(directories[i], &links, &count);
	}
	for (i = 0; i < count && wait && !error; i++)
		error = wait_gone(links[i].path, links[i].id, reterr);
	empty_directory(WARDER_PIN_DIR "/maps", NULL, NULL);
	for (i = DIRECTORY_COUNT; i-- > 0;)
		rmdir(directories[i]);
	return error;
}
