// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_name.c - accesses by which names come and go: remove, make, link, rename, exchange.
 */
#include "access.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include "random.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE	 2
#endif

/* --- what they ask for --- */

static void ask_unlink(const struct access *access, struct asks *asks)
{
	asks_path(asks, access->type->call, WARDER_HOOK_PATH_UNLINK, WARDER_DELETE, access->object);
}

static void ask_rmdir(const struct access *access, struct asks *asks)
{
	asks_path(asks, access->type->call, WARDER_HOOK_PATH_RMDIR, WARDER_DELETE, access->object);
}

static void ask_mkdir(const struct access *access, struct asks *asks)
{
	asks_path(asks, access->type->call, WARDER_HOOK_PATH_MKDIR, WARDER_CREATE, access->object);
}

static void ask_mknod(const struct access *access, struct asks *asks)
{
	asks_path(asks, access->type->call, WARDER_HOOK_PATH_MKNOD, WARDER_CREATE, access->object);
}

static void ask_bind(const struct access *access, struct asks *asks)
{
	asks_call(asks, SYS_socket, WARDER_HOOK_SOCKET_CREATE);
	asks_call(asks, SYS_bind, WARDER_HOOK_SOCKET_BIND);
	asks_path(asks, SYS_bind, WARDER_HOOK_PATH_MKNOD, WARDER_CREATE, access->object);
}

static void ask_symlink(const struct access *access, struct asks *asks)
{
	asks_path(asks, access->type->call, WARDER_HOOK_PATH_SYMLINK, WARDER_CREATE,
		  access->object);
}

/*
 * Rights on either name, and for a directory that nothing below is nailed down; then: never
 * widens, and for an exchange neither way.
 */
static void ask_two(const struct access *access, struct asks *asks, int hook, __u32 from, __u32 to)
{
	asks_path(asks, access->type->call, hook, from, access->object);
	if (access->directory)
		asks_nailed(asks, access->object);
	asks_path_too(asks, to, access->other);
	if (access->directory && access->flags & RENAME_EXCHANGE)
		asks_nailed(asks, access->other);
	asks_move(asks, access->object, access->other);
	if (access->flags & RENAME_EXCHANGE)
		asks_move(asks, access->other, access->object);
}

static void ask_link(const struct access *access, struct asks *asks)
{
	ask_two(access, asks, WARDER_HOOK_PATH_LINK, WARDER_LINK, WARDER_CREATE);
}

static void ask_rename(const struct access *access, struct asks *asks)
{
	__u32 both = WARDER_RENAME | WARDER_CREATE;

	if (access->flags & RENAME_EXCHANGE)
		ask_two(access, asks, WARDER_HOOK_PATH_RENAME, both, both);
	else
		ask_two(access, asks, WARDER_HOOK_PATH_RENAME, WARDER_RENAME,
			WARDER_CREATE | (access->replaces ? WARDER_DELETE : 0));
}

/* --- what they touch --- */

static bool choose_leaf(struct access *access, const struct world *world)
{
	access->effect = EFFECT_TREE;
	return access_pick(access, world, PLACE_LEAF, false);
}

static const struct place *pick_empty(const struct world *world)
{
	const struct place *place;

	do
		place = world_pick(world, PLACE_DIRECTORY);
	while (!place->empty); /* the last two are */
	return place;
}

static bool choose_empty(struct access *access, const struct world *world)
{
	access->effect = EFFECT_TREE;
	access_object(access, world, pick_empty(world), false);
	return true;
}

static bool choose_new(struct access *access, const struct world *world)
{
	access_new_object(access, world);
	return true;
}

static bool choose_socket(struct access *access, const struct world *world)
{
	access_new_object(access, world);
	access_set_unix(access, access->path);
	return true;
}

static void set_other(struct access *access, const struct world *world, const struct place *place)
{
	snprintf(access->other, sizeof(access->other), "%s/%s", world->dir, place->path);
	access_spell(world, place->path, access->to);
	access->replaces = true;
	access->directory |= place->kind == PLACE_DIRECTORY;
}

static bool choose_link(struct access *access, const struct world *world)
{
	access_new_other(access, world);
	return choose_leaf(access, world);
}

/* Is one of two paths the other, or below it? */
static bool nested(const char *a, const char *b)
{
	size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

	return !strncmp(a, b, length) && (!a[length] || a[length] == '/') &&
	       (!b[length] || b[length] == '/');
}

/* Often to a name beside it: the same rules may well hold for both. */
static void new_beside(struct access *access, const struct world *world, const struct place *from)
{
	unsigned int tries;

	for (tries = random_percent(50) ? 20 : 1; tries; tries--) {
		size_t parent = strrchr(access->object, '/') - access->object;

		access_new_other(access, world);
		if (!strncmp(access->other, access->object, parent + 1) &&
		    !strchr(access->other + parent + 1, '/'))
			break;
	}
	/* Not below itself. */
	while (nested(access->object, access->other))
		access_new_other(access, world);
}

static bool choose_rename(struct access *access, const struct world *world)
{
	const struct place *from = world_pick(world, PLACE_NAMED), *to;

	access->effect = EFFECT_TREE;
	access_object(access, world, from, false);
	if (random_percent(70)) {
		new_beside(access, world, from);
		if (access->type->call == SYS_renameat2 && random_percent(50))
			access->flags = RENAME_NOREPLACE;
		return true;
	}
	to = from->kind == PLACE_DIRECTORY ? pick_empty(world) : world_pick(world, PLACE_LEAF);
	if (nested(from->path, to->path))
		return false;
	set_other(access, world, to);
	return true;
}

/* Could one stand for the other, and nobody would see? */
static bool alike(const struct place *a, const struct place *b)
{
	unsigned int sockets = PLACE_STREAM | PLACE_DATAGRAM;

	return (a->empty && b->empty) || (a->kind & sockets && b->kind & sockets);
}

static bool choose_exchange(struct access *access, const struct world *world)
{
	const struct place *from = world_pick(world, PLACE_NAMED);
	const struct place *to = world_pick(world, PLACE_NAMED);

	if (nested(from->path, to->path))
		return false;
	access->effect = alike(from, to) ? EFFECT_ANSWER : EFFECT_TREE;
	access->flags = RENAME_EXCHANGE;
	access_object(access, world, from, false);
	set_other(access, world, to);
	return true;
}

/* --- how they are done --- */

static int perform_one(const struct access *access)
{
	const char *path = access->path;

	switch (access->type->call) {
	case SYS_unlink:
		return ERROR_OF(syscall(SYS_unlink, path));
	case SYS_rmdir:
		return ERROR_OF(syscall(SYS_rmdir, path));
	case SYS_unlinkat:
		return ERROR_OF(syscall(SYS_unlinkat, AT_FDCWD, path,
					access->directory ? AT_REMOVEDIR : 0));
	case SYS_mkdir:
		return ERROR_OF(syscall(SYS_mkdir, path, 0777));
	case SYS_mkdirat:
		return ERROR_OF(syscall(SYS_mkdirat, AT_FDCWD, path, 0777));
	case SYS_mknod:
		return ERROR_OF(syscall(SYS_mknod, path, S_IFIFO | 0666, 0));
	case SYS_mknodat:
		return ERROR_OF(syscall(SYS_mknodat, AT_FDCWD, path, S_IFIFO | 0666, 0));
	case SYS_symlink:
		return ERROR_OF(syscall(SYS_symlink, "target", path));
	case SYS_symlinkat:
		return ERROR_OF(syscall(SYS_symlinkat, "target", AT_FDCWD, path));
	}
	return -ENOSYS;
}

static int perform_bind(const struct access *access)
{
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	return ERROR_OF(bind(fd, &access->address.any, access->length));
}

static int perform_two(const struct access *access)
{
	const char *from = access->path, *to = access->to;

	switch (access->type->call) {
	case SYS_link:
		return ERROR_OF(syscall(SYS_link, from, to));
	case SYS_linkat:
		return ERROR_OF(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
	case SYS_rename:
		return ERROR_OF(syscall(SYS_rename, from, to));
	case SYS_renameat:
		return ERROR_OF(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
	case SYS_renameat2:
		return ERROR_OF(
			syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, access->flags));
	}
	return -ENOSYS;
}

const struct access_type access_names[] = {
	{"unlink", SYS_unlink, 3, choose_leaf, ask_unlink, perform_one},
	{"unlinkat", SYS_unlinkat, 1, choose_leaf, ask_unlink, perform_one},
	{"rmdir", SYS_rmdir, 2, choose_empty, ask_rmdir, perform_one},
	{"unlinkat a directory", SYS_unlinkat, 1, choose_empty, ask_rmdir, perform_one},
	{"mkdir", SYS_mkdir, 2, choose_new, ask_mkdir, perform_one},
	{"mkdirat", SYS_mkdirat, 1, choose_new, ask_mkdir, perform_one},
	{"mknod a fifo", SYS_mknod, 1, choose_new, ask_mknod, perform_one},
	{"mknodat a fifo", SYS_mknodat, 1, choose_new, ask_mknod, perform_one},
	{"bind a unix socket", SYS_bind, 1, choose_socket, ask_bind, perform_bind},
	{"symlink", SYS_symlink, 2, choose_new, ask_symlink, perform_one},
	{"symlinkat", SYS_symlinkat, 2, choose_new, ask_symlink, perform_one},
	{"link", SYS_link, 4, choose_link, ask_link, perform_two},
	{"linkat", SYS_linkat, 2, choose_link, ask_link, perform_two},
	{"rename", SYS_rename, 5, choose_rename, ask_rename, perform_two},
	{"renameat", SYS_renameat, 2, choose_rename, ask_rename, perform_two},
	{"renameat2", SYS_renameat2, 3, choose_rename, ask_rename, perform_two},
	{"exchange", SYS_renameat2, 4, choose_exchange, ask_rename, perform_two},
	{},
};
