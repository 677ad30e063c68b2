// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_file.c - accesses to one file: open in every mode, create, list, change, watch.
 */
#include "access.h"

#include <dirent.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "random.h"

/* --- what they ask for --- */

/* file_open: read, list (directories), write. */
static __u32 open_rights(const struct access *access)
{
	int mode = access->flags & O_ACCMODE;
	__u32 rights = 0;

	if (mode != O_WRONLY)
		rights |= access->directory ? WARDER_LIST : WARDER_READ;
	if (mode != O_RDONLY || access->flags & O_TRUNC)
		rights |= WARDER_WRITE;
	return rights;
}

static void ask_open(const struct access *access, struct asks *asks)
{
	asks_path(asks, SYS_openat, WARDER_HOOK_FILE_OPEN, open_rights(access), access->object);
	/* Linux 6.2 made a hook of its own of what a descriptor truncates. */
	if (access->flags & O_TRUNC)
		asks_path(asks, SYS_openat,
			  kt_kernel_is("6.1") ? WARDER_HOOK_PATH_TRUNCATE
					      : WARDER_HOOK_FILE_TRUNCATE,
			  WARDER_WRITE, access->object);
}

static void ask_create(const struct access *access, struct asks *asks)
{
	asks_path(asks, SYS_openat, WARDER_HOOK_PATH_MKNOD, WARDER_CREATE, access->object);
	asks_path(asks, SYS_openat, WARDER_HOOK_FILE_OPEN, open_rights(access), access->object);
}

static void ask_tmpfile(const struct access *access, struct asks *asks)
{
	asks_path(asks, SYS_openat, WARDER_HOOK_FILE_OPEN, open_rights(access) | WARDER_CREATE,
		  access->object);
}

static void ask_truncate(const struct access *access, struct asks *asks)
{
	asks_path(asks, SYS_truncate, WARDER_HOOK_PATH_TRUNCATE, WARDER_WRITE, access->object);
}

static void ask_chmod(const struct access *access, struct asks *asks)
{
	asks_path(asks, access->type->call, WARDER_HOOK_PATH_CHMOD, WARDER_CHATTR, access->object);
}

static void ask_chown(const struct access *access, struct asks *asks)
{
	asks_path(asks, access->type->call, WARDER_HOOK_PATH_CHOWN, WARDER_CHATTR, access->object);
}

static void ask_watch(const struct access *access, struct asks *asks)
{
	asks_path(asks, SYS_inotify_add_watch, WARDER_HOOK_PATH_NOTIFY,
		  access->directory ? WARDER_LIST : WARDER_READ, access->object);
}

/* --- what they touch --- */

static bool choose_open(struct access *access, const struct world *world)
{
	static const int modes[] = {O_RDONLY,
				    O_RDONLY,
				    O_WRONLY,
				    O_RDWR,
				    O_WRONLY | O_APPEND,
				    O_WRONLY | O_TRUNC,
				    O_RDONLY | O_TRUNC,
				    O_RDWR | O_TRUNC,
				    O_ACCMODE};

	access->flags = RANDOM_OF(modes);
	if ((access->flags & O_ACCMODE) != O_RDONLY && access->flags != O_ACCMODE)
		access->effect = EFFECT_TREE;
	if (access->flags & O_TRUNC)
		access->effect = EFFECT_TREE;
	return access_pick(access, world, PLACE_REGULAR, true);
}

/* Without a writer or reader at the other end only this mode returns at once. */
static bool choose_fifo(struct access *access, const struct world *world)
{
	access->flags = O_RDWR | O_NONBLOCK;
	return access_pick(access, world, PLACE_FIFO, true);
}

static bool choose_list(struct access *access, const struct world *world)
{
	access->flags = random_percent(50) ? O_RDONLY : O_RDONLY | O_DIRECTORY;
	return access_pick(access, world, PLACE_DIRECTORY, true);
}

static bool choose_create(struct access *access, const struct world *world)
{
	static const int modes[] = {O_WRONLY, O_WRONLY | O_EXCL, O_RDWR, O_RDONLY,
				    O_WRONLY | O_TRUNC};

	access_new_object(access, world);
	access->flags = O_CREAT | RANDOM_OF(modes);
	return true;
}

/* The name is the kernel's: expect_settle() puts its number behind the directory. */
static bool choose_tmpfile(struct access *access, const struct world *world)
{
	if (!access_pick(access, world, PLACE_DIRECTORY, true))
		return false;
	access->directory = false;
	access->flags = O_TMPFILE | (random_percent(50) ? O_RDWR : O_WRONLY);
	strcat(access->object, "/#"); /* room is there: see ACCESS_PATH_MAX */
	return true;
}

static bool choose_regular(struct access *access, const struct world *world)
{
	access->effect = EFFECT_TREE;
	return access_pick(access, world, PLACE_REGULAR, true);
}

static bool choose_named(struct access *access, const struct world *world)
{
	access->effect = EFFECT_TREE;
	return access_pick(access, world, PLACE_NAMED & ~PLACE_LINK, true);
}

/* A link by itself, too: what does not follow it changes the link. */
static bool choose_unfollowed(struct access *access, const struct world *world)
{
	access->effect = EFFECT_TREE;
	return access_pick(access, world, PLACE_NAMED, false);
}

static bool choose_watched(struct access *access, const struct world *world)
{
	return access_pick(access, world, PLACE_NAMED & ~PLACE_LINK, true);
}

/* --- how they are done --- */

/* What was read, as a positive number. */
static int sum_of(const char *bytes, ssize_t length)
{
	unsigned int sum = 5381;
	ssize_t i;

	for (i = 0; i < length; i++)
		sum = sum * 33 + (unsigned char)bytes[i];
	return 1 + (int)(sum & 0xffffff);
}

/* Of the names, in whatever order they come. */
static int list_entries(int fd)
{
	DIR *directory = fdopendir(fd);
	struct dirent *entry;
	unsigned int sum = 0;
	int error;

	if (!directory)
		return -errno;
	errno = 0;
	while ((entry = readdir(directory)))
		sum += (unsigned int)sum_of(entry->d_name, (ssize_t)strlen(entry->d_name));
	error = -errno;
	closedir(directory);
	return error ?: 1 + (int)(sum & 0xffffff);
}

static int use_file(int fd, int mode)
{
	char bytes[WORLD_PATH_MAX];
	ssize_t length = 0;

	if (mode == O_RDONLY || mode == O_RDWR)
		length = read(fd, bytes, sizeof(bytes));
	if (length < 0)
		return -errno;
	if ((mode == O_WRONLY || mode == O_RDWR) && write(fd, "W", 1) != 1)
		return -errno;
	return sum_of(bytes, length);
}

static int perform_open(const struct access *access)
{
	_cleanup_close_ int fd = open(access->path, access->flags | O_CLOEXEC, 0666);

	if (fd < 0)
		return -errno;
	return access->directory ? list_entries(TAKE_FD(fd))
				 : use_file(fd, access->flags & O_ACCMODE);
}

static int perform_fifo(const struct access *access)
{
	_cleanup_close_ int fd = open(access->path, access->flags | O_CLOEXEC);

	return ERROR_OF(fd);
}

/* The number of the new file, which is its name. */
static int perform_tmpfile(const struct access *access)
{
	_cleanup_close_ int fd = open(access->path, access->flags | O_CLOEXEC, 0666);
	struct stat found;

	if (fd < 0 || write(fd, "W", 1) != 1 || fstat(fd, &found) < 0)
		return -errno;
	return (int)found.st_ino;
}

static int perform_truncate(const struct access *access)
{
	return ERROR_OF(syscall(SYS_truncate, access->path, 0));
}

static int perform_chmod(const struct access *access)
{
	if (access->type->call == SYS_fchmodat)
		return ERROR_OF(syscall(SYS_fchmodat, AT_FDCWD, access->path, 0751));
	return ERROR_OF(syscall(SYS_chmod, access->path, 0751));
}

static int perform_chown(const struct access *access)
{
	if (access->type->call == SYS_fchownat)
		return ERROR_OF(syscall(SYS_fchownat, AT_FDCWD, access->path, -1, ACCESS_GROUP, 0));
	return ERROR_OF(syscall(access->type->call, access->path, -1, ACCESS_GROUP));
}

static int perform_watch(const struct access *access)
{
	_cleanup_close_ int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	return fd < 0 ? -errno : ERROR_OF(inotify_add_watch(fd, access->path, IN_ALL_EVENTS));
}

const struct access_type access_files[] = {
	{"open", 0, 12, choose_open, ask_open, perform_open},
	{"open a fifo", 0, 1, choose_fifo, ask_open, perform_fifo},
	{"list", 0, 4, choose_list, ask_open, perform_open},
	{"create", 0, 6, choose_create, ask_create, perform_open},
	{"tmpfile", 0, 3, choose_tmpfile, ask_tmpfile, perform_tmpfile},
	{"truncate", SYS_truncate, 3, choose_regular, ask_truncate, perform_truncate},
	{"chmod", SYS_chmod, 2, choose_named, ask_chmod, perform_chmod},
	{"fchmodat", SYS_fchmodat, 1, choose_named, ask_chmod, perform_chmod},
	{"chown", SYS_chown, 1, choose_named, ask_chown, perform_chown},
	{"lchown", SYS_lchown, 1, choose_unfollowed, ask_chown, perform_chown},
	{"fchownat", SYS_fchownat, 1, choose_named, ask_chown, perform_chown},
	{"inotify_add_watch", SYS_inotify_add_watch, 3, choose_watched, ask_watch, perform_watch},
	{},
};
