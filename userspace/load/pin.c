// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pin.c - names in the bpf file system, by which maps and links outlive their makers.
 */
#include "load/pin.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <time.h>

#include <linux/magic.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "load/session.h"

/* Both places hold the same; what is in either lives. */
static const char *const places[] = {WARDER_PIN_DIR, WARDER_SECOND_PIN_DIR};

static const char *const directories[] = {
	"",	      "/maps",	   "/links",	  "/links/global", "/links/twin",
	"/links/net", "/links/tp", "/links/iter", "/links/told",
};

#define PLACE_COUNT	2
#define DIRECTORY_COUNT (sizeof(directories) / sizeof(directories[0]))
#define PATH_SIZE	512

static const char *pin_path(int place, const char *directory, const char *name, char *path)
{
	snprintf(path, PATH_SIZE, "%s/%s/%s", places[place], directory, name);
	return path;
}

/* The second place is a bpf file system of its own: nobody who empties or unmounts the first. */
static int mount_second(struct warder_error *reterr)
{
	struct statfs found;

	if (statfs(WARDER_SECOND_MOUNT, &found) == 0 && found.f_type == BPF_FS_MAGIC)
		return 0;
	if (warder_file_mkdir(WARDER_RUN_DIR, 0700) < 0 ||
	    warder_file_mkdir(WARDER_SECOND_MOUNT, 0700) < 0 ||
	    mount("bpf", WARDER_SECOND_MOUNT, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  "mode=0700") < 0)
		return warder_error_set(reterr, -errno,
					"cannot mount a bpf file system for the second pins at "
					"\"" WARDER_SECOND_MOUNT "\":");
	return 0;
}

int warder_pin_prepare(struct warder_error *reterr)
{
	char path[PATH_SIZE];
	size_t i;
	int place, error = mount_second(reterr);

	for (place = 0; place < PLACE_COUNT && !error; place++) {
		for (i = 0; i < DIRECTORY_COUNT && !error; i++) {
			snprintf(path, sizeof(path), "%s%s", places[place], directories[i]);
			error = warder_file_mkdir(path, 0700);
			if (error < 0)
				warder_error_set(reterr, error, "cannot make \"%s\":", path);
		}
	}
	return error;
}

static int pin_twice(int fd, const char *directory, const char *name, struct warder_error *reterr)
{
	char path[PATH_SIZE];
	int place, error = 0;

	for (place = 0; place < PLACE_COUNT && !error; place++) {
		error = bpf_obj_pin(fd, pin_path(place, directory, name, path));
		if (error < 0)
			warder_error_set(reterr, error, "cannot pin \"%s\":", path);
	}
	return error;
}

/* From the first place, or else from the second. */
static int open_either(const char *directory, const char *name, int *ret_fd)
{
	char path[PATH_SIZE];
	int place, fd = -ENOENT;

	for (place = 0; place < PLACE_COUNT; place++) {
		fd = bpf_obj_get(pin_path(place, directory, name, path));
		if (fd >= 0) {
			*ret_fd = fd;
			return 0;
		}
		if (fd != -ENOENT)
			return fd;
	}
	return fd;
}

static const char *links_of(const char *kind, char *directory, size_t size)
{
	snprintf(directory, size, "links/%s", kind);
	return directory;
}

int warder_pin_map(int fd, const char *name, struct warder_error *reterr)
{
	return pin_twice(fd, "maps", name, reterr);
}

int warder_pin_link(int fd, const char *kind, const char *name, struct warder_error *reterr)
{
	char directory[64];

	return pin_twice(fd, links_of(kind, directory, sizeof(directory)), name, reterr);
}

int warder_pin_open_map(const char *name, int *ret_fd)
{
	return open_either("maps", name, ret_fd);
}

int warder_pin_open_link(const char *kind, const char *name, int *ret_fd)
{
	char directory[64];

	return open_either(links_of(kind, directory, sizeof(directory)), name, ret_fd);
}

static unsigned int count_pins(const char *directory, const char *name)
{
	char path[PATH_SIZE];
	unsigned int count = 0;
	int place;

	for (place = 0; place < PLACE_COUNT; place++)
		count += access(pin_path(place, directory, name, path), F_OK) == 0;
	return count;
}

unsigned int warder_pin_count_link(const char *kind, const char *name)
{
	char directory[64];

	return count_pins(links_of(kind, directory, sizeof(directory)), name);
}

unsigned int warder_pin_count_map(const char *name)
{
	return count_pins("maps", name);
}

bool warder_pin_exists(void)
{
	return warder_pin_count_map("state") > 0;
}

/* Pin in the one place what only the other has. */
static int mend_one(const char *directory, const char *name)
{
	_cleanup_close_ int fd = -1;
	char path[PATH_SIZE];
	int place, error = 0;

	if (count_pins(directory, name) != 1 || open_either(directory, name, &fd) < 0)
		return 0;
	for (place = 0; place < PLACE_COUNT && !error; place++) {
		if (access(pin_path(place, directory, name, path), F_OK) < 0)
			error = bpf_obj_pin(fd, path);
	}
	return error;
}

static int mend_directory(int place, const char *directory)
{
	char path[PATH_SIZE];
	struct dirent *entry;
	DIR *stream;
	int error = 0;

	snprintf(path, sizeof(path), "%s/%s", places[place], directory);
	stream = opendir(path);
	while (stream && !error && (entry = readdir(stream))) {
		if (entry->d_name[0] != '.' && entry->d_type != DT_DIR)
			error = mend_one(directory, entry->d_name);
	}
	if (stream)
		closedir(stream);
	return error;
}

int warder_pin_mend(struct warder_error *reterr)
{
	int place, error = warder_pin_prepare(reterr);
	size_t i;

	for (place = 0; place < PLACE_COUNT && !error; place++) {
		/* The first two hold directories only; a leading slash is one too many. */
		for (i = 1; i < DIRECTORY_COUNT && !error; i++)
			error = mend_directory(place, directories[i] + 1);
		if (error < 0)
			warder_error_set(reterr, error, "cannot pin anew what was removed:");
	}
	return error;
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
	char path[PATH_SIZE];
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
		char path[PATH_SIZE + sizeof(entry->d_name)];
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
				snprintf(more[*count].path, sizeof(more->path), "%.511s", path);
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
	char path[PATH_SIZE];
	size_t count = 0, i;
	int place, error = 0;

	/* Links go, in both places, before the maps they read. */
	for (place = 0; place < PLACE_COUNT; place++) {
		for (i = DIRECTORY_COUNT; i-- > 0;) {
			snprintf(path, sizeof(path), "%s%s", places[place], directories[i]);
			if (strstr(directories[i], "/links/"))
				empty_directory(path, &links, &count);
		}
	}
	for (i = 0; i < count && wait && !error; i++)
		error = wait_gone(links[i].path, links[i].id, reterr);
	for (place = 0; place < PLACE_COUNT; place++) {
		snprintf(path, sizeof(path), "%s/maps", places[place]);
		empty_directory(path, NULL, NULL);
		for (i = DIRECTORY_COUNT; i-- > 0;) {
			snprintf(path, sizeof(path), "%s%s", places[place], directories[i]);
			rmdir(path);
		}
	}
	umount2(WARDER_SECOND_MOUNT, MNT_DETACH);
	rmdir(WARDER_SECOND_MOUNT);
	return error;
}
