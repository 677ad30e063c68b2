// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * cgroup.c - cgroup v2 directories: find, make, identify, empty, remove.
 */
#include "load/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>

#include <linux/magic.h>
#include <linux/sched.h>

#include "base/cleanup.h"
#include "base/file.h"

/* Type of a kernfs file handle that holds the 64-bit id (FILEID_KERNFS). */
#define HANDLE_KERNFS 0xfe

struct cgroup_handle {
	struct file_handle head;
	__u64 id;
};

/* mountinfo writes blank, tab, newline and backslash as three octal digits. */
static void unescape_octal(char *text)
{
	char *to = text;
	unsigned int code;

	for (; *text; text++) {
		if (*text == '\\' && sscanf(text + 1, "%3o", &code) == 1) {
			*to++ = (char)code;
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* The mount point when the line is a cgroup2 mount; *ret_whole: of the whole hierarchy. */
static char *cgroup2_mount_of_line(const char *line, size_t length, bool *ret_whole)
{
	char copy[8192], root[2048], place[2048], kind[64];
	const char *dash;

	if (length >= sizeof(copy))
		return NULL;
	memcpy(copy, line, length);
	copy[length] = '\0';
	dash = strstr(copy, " - ");
	if (!dash || sscanf(copy, "%*u %*u %*s %2047s %2047s", root, place) != 2 ||
	    sscanf(dash + 3, "%63s", kind) != 1 || strcmp(kind, "cgroup2"))
		return NULL;
	unescape_octal(place);
	*ret_whole = !strcmp(root, "/");
	return strdup(place);
}

int warder_cgroup_find_mount(const char *mountinfo, char **ret_path)
{
	_cleanup_free_ char *partial = NULL;

	while (*mountinfo) {
		size_t length = strcspn(mountinfo, "\n");
		bool whole = false;
		char *path = cgroup2_mount_of_line(mountinfo, length, &whole);

		if (path && whole) {
			*ret_path = path;
			return 0;
		}
		if (path && !partial)
			partial = path;
		else
			free(path);
		mountinfo += length + (mountinfo[length] ? 1 : 0);
	}
	if (!partial)
		return -ENOENT;
	*ret_path = TAKE_PTR(partial);
	return 0;
}

int warder_cgroup_create(const char *parent, const char *name, char **ret_path,
			 struct warder_error *reterr)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/%s", parent, name) < 0)
		return -ENOMEM;
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return warder_error_set(reterr, -errno, "cannot make the cgroup \"%s\":", path);
	*ret_path = TAKE_PTR(path);
	return 0;
}

int warder_cgroup_open(const char *path, int *ret_fd, struct warder_error *reterr)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs found;

	if (fd < 0)
		return warder_error_set(reterr, -errno, "cannot open the cgroup \"%s\":", path);
	if (fstatfs(fd, &found) < 0)
		return warder_error_set(reterr, -errno, "cannot inspect \"%s\":", path);
	if (found.f_type != CGROUP2_SUPER_MAGIC)
		return warder_error_set(reterr, -EINVAL, "\"%s\" is no cgroup of version 2", path);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int warder_cgroup_id(int fd, __u64 *ret_id)
{
	struct cgroup_handle handle = {.head.handle_bytes = sizeof(__u64)};
	int mount_id;

	if (name_to_handle_at(fd, "", &handle.head, &mount_id, AT_EMPTY_PATH) < 0)
		return -errno;
	*ret_id = handle.id;
	return 0;
}

int warder_cgroup_path(const char *mount, __u64 id, char **ret_path)
{
	struct cgroup_handle handle = {
		.head = {.handle_bytes = sizeof(__u64), .handle_type = HANDLE_KERNFS},
		.id = id,
	};
	_cleanup_close_ int mount_fd = -1, fd = -1;
	char link[64], path[4096];
	ssize_t length;

	mount_fd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (mount_fd < 0)
		return -errno;
	fd = open_by_handle_at(mount_fd, &handle.head, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return errno == ESTALE ? -ENOENT : -errno;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length < 0)
		return -errno;
	path[length] = '\0';
	if (access(path, F_OK) < 0)
		return -ENOENT; /* removed: "... (deleted)" */
	*ret_path = strdup(path);
	return *ret_path ? 0 : -ENOMEM;
}

int warder_cgroup_read(const char *path, const char *file, char **ret_text)
{
	_cleanup_free_ char *full = NULL;

	if (asprintf(&full, "%s/%s", path, file) < 0)
		return -ENOMEM;
	return warder_file_read(full, ret_text, NULL);
}

int warder_cgroup_write(const char *path, const char *file, const char *text)
{
	_cleanup_free_ char *full = NULL;
	_cleanup_close_ int fd = -1;

	if (asprintf(&full, "%s/%s", path, file) < 0)
		return -ENOMEM;
	fd = open(full, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

int warder_cgroup_populated(const char *path)
{
	_cleanup_free_ char *text = NULL;
	const char *place;
	int error = warder_cgroup_read(path, "cgroup.events", &text);

	if (error < 0)
		return error;
	place = strstr(text, "populated ");
	return place ? place[strlen("populated ")] == '1' : -EINVAL;
}

int warder_cgroup_each(const char *path, int (*visit)(const char *path, void *context),
		       void *context)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int result = 0;

	if (!directory)
		return -errno;
	while (!result && (entry = readdir(directory))) {
		_cleanup_free_ char *child = NULL;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (asprintf(&child, "%s/%s", path, entry->d_name) < 0) {
			result = -ENOMEM;
			break;
		}
		result = visit(child, context);
		if (!result)
			result = warder_cgroup_each(child, visit, context);
		if (result == -ENOENT)
			result = 0; /* went away meanwhile */
	}
	closedir(directory);
	return result;
}

struct pid_list {
	pid_t *pids;
	size_t count;
};

static int collect_pids(const char *path, void *context)
{
	struct pid_list *list = context;
	_cleanup_free_ char *text = NULL;
	char *rest, *line;
	int error = warder_cgroup_read(path, "cgroup.procs", &text);

	if (error < 0)
		return error;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		pid_t *larger = realloc(list->pids, (list->count + 1) * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		list->pids = larger;
		list->pids[list->count++] = atoi(line);
	}
	return 0;
}

int warder_cgroup_pids(const char *path, pid_t **ret_pids, size_t *ret_count)
{
	struct pid_list list = {};
	int error = collect_pids(path, &list);

	if (!error)
		error = warder_cgroup_each(path, collect_pids, &list);
	if (error < 0) {
		free(list.pids);
		return error;
	}
	*ret_pids = list.pids;
	*ret_count = list.count;
	return 0;
}

int warder_cgroup_kill(const char *path, unsigned int milliseconds, struct warder_error *reterr)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	unsigned int waited;
	int populated;

	for (waited = 0;; waited += 5) {
		populated = warder_cgroup_populated(path);
		if (populated == 0 || populated == -ENOENT)
			return 0;
		if (populated < 0)
			return warder_error_set(
				reterr, populated,
				"cannot read the state of the cgroup \"%s\":", path);
		if (waited >= milliseconds)
			return warder_error_set(reterr, -EBUSY,
						"tasks in the cgroup \"%s\" do not die (in an "
						"uninterruptible wait?)",
						path);
		/* Each time: a task that was being forked into it escapes no kill. */
		warder_cgroup_write(path, "cgroup.kill", "1");
		nanosleep(&pause, NULL);
	}
}

int warder_cgroup_remove(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int error = 0;

	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while (!error && (entry = readdir(directory))) {
		_cleanup_free_ char *child = NULL;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (asprintf(&child, "%s/%s", path, entry->d_name) < 0)
			error = -ENOMEM;
		else
			error = warder_cgroup_remove(child);
	}
	closedir(directory);
	if (!error && rmdir(path) < 0 && errno != ENOENT)
		error = -errno;
	return error;
}

int warder_cgroup_enter(const char *path, pid_t pid, struct warder_error *reterr)
{
	_cleanup_free_ pid_t *pids = NULL;
	char text[16];
	size_t count = 0, i;
	int error;

	snprintf(text, sizeof(text), "%d", pid);
	error = warder_cgroup_write(path, "cgroup.procs", text);
	if (!error)
		error = warder_cgroup_pids(path, &pids, &count);
	if (error < 0)
		return warder_error_set(reterr, error, "cannot move process %d to \"%s\":", pid,
					path);
	for (i = 0; i < count; i++) {
		if (pids[i] == pid)
			return 0;
	}
	return warder_error_set(reterr, -ESRCH, "process %d is not in \"%s\" after it was moved",
				pid, path);
}

pid_t warder_cgroup_fork(int cgroup_fd, int *ret_pidfd)
{
	int pidfd = -1;
	struct clone_args arguments = {
		.flags = CLONE_PIDFD | CLONE_INTO_CGROUP,
		.pidfd = (__u64)(uintptr_t)&pidfd,
		.exit_signal = SIGCHLD,
		.cgroup = (__u64)cgroup_fd,
	};
	pid_t pid = syscall(SYS_clone3, &arguments, sizeof(arguments));

	if (pid < 0)
		return -errno;
	if (pid)
		*ret_pidfd = pidfd;
	return pid;
}
