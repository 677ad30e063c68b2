// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * world.c - a small random tree of real files and sockets.
 */
#include "world.h"

#include <dirent.h>
#include <sys/stat.h>

#include "acts.h"
#include "peers.h"
#include "random.h"

/* Some need escapes in a pattern, one is more bytes than it shows. */
static const char *const names[] = {"a", "b",	"ab", "abc", "a.b", ".env", "b-c",
				    "x", "x,y", "xa", "s*r", "sh",  "[b]",  "\xc3\xa4"};

static const char *const abstract_names[] = {"@a", "@ab", "@a/b", "@x-1"};

static bool taken(const struct world *world, const char *path)
{
	size_t i;

	for (i = 0; i < world->count; i++) {
		if (!strcmp(world->places[i].path, path))
			return true;
	}
	return false;
}

const struct place *world_pick(const struct world *world, unsigned int kinds)
{
	size_t fitting[WORLD_PLACES_MAX], count = 0, i;

	for (i = 0; i < world->count; i++) {
		if (world->places[i].kind & kinds)
			fitting[count++] = i;
	}
	return count ? &world->places[fitting[random_below(count)]] : NULL;
}

const struct place *world_link_to(const struct world *world, const struct place *place)
{
	size_t i;

	for (i = 0; i < world->count; i++) {
		if (world->places[i].kind == PLACE_LINK && world->places[i].of == place)
			return &world->places[i];
	}
	return NULL;
}

static unsigned int depth_of(const char *path)
{
	unsigned int depth = 1;

	while ((path = strchr(path, '/'))) {
		path++;
		depth++;
	}
	return depth;
}

/* A directory of the world, NULL for its root. */
static struct place *pick_parent(const struct world *world, unsigned int depth)
{
	const struct place *parent = world_pick(world, PLACE_DIRECTORY);

	return parent && depth_of(parent->path) < depth && random_percent(80)
		       ? (struct place *)parent
		       : NULL;
}

static struct place *free_path(const struct world *world, unsigned int depth,
			       char out[WORLD_PATH_MAX])
{
	struct place *parent;

	do {
		parent = pick_parent(world, depth);
		snprintf(out, WORLD_PATH_MAX, "%s%s%s", parent ? parent->path : "",
			 parent ? "/" : "", RANDOM_OF(names));
	} while (taken(world, out));
	return parent;
}

void world_free_name(const struct world *world, char out[WORLD_PATH_MAX])
{
	free_path(world, 5, out);
}

static void choose(struct world *world, unsigned int kind, unsigned int count,
		   const struct place *of)
{
	while (count--) {
		struct place place = {.kind = kind, .of = of, .empty = kind == PLACE_DIRECTORY};
		struct place *parent =
			free_path(world, kind == PLACE_DIRECTORY ? 3 : 4, place.path);

		if (parent)
			parent->empty = false;
		world->places[world->count++] = place;
	}
}

void world_choose(struct world *world, const char *dir)
{
	size_t i;

	memset(world, 0, sizeof(*world));
	world->dir = dir;
	for (i = 0; i < WORLD_PLACES_MAX; i++)
		world->sockets[i] = -1;
	choose(world, PLACE_DIRECTORY, 5, NULL);
	choose(world, PLACE_FILE, 5, NULL);
	choose(world, PLACE_PROGRAM, 3, NULL);
	choose(world, PLACE_SCRIPT, 1, world_pick(world, PLACE_PROGRAM));
	choose(world, PLACE_FIFO, 1, NULL);
	choose(world, PLACE_STREAM, 2, NULL);
	choose(world, PLACE_DATAGRAM, 1, NULL);
	choose(world, PLACE_LINK, 1, world_pick(world, PLACE_REGULAR));
	choose(world, PLACE_LINK, 1, world_pick(world, PLACE_DIRECTORY));
	/* Made last, so that some are empty. */
	choose(world, PLACE_DIRECTORY, 2, NULL);
	for (i = 0; i < sizeof(abstract_names) / sizeof(abstract_names[0]); i++) {
		struct place *place = &world->places[world->count++];

		place->kind = i % 2 ? PLACE_ABSTRACT_DATAGRAM : PLACE_ABSTRACT_STREAM;
		strcpy(place->path, abstract_names[i]);
	}
}

static void build_script(const char *path, const char *interpreter)
{
	char line[300];

	snprintf(line, sizeof(line), "#!%s\n", interpreter);
	kt_write("%s", line, path);
	if (chmod(path, 0777) < 0)
		abort();
}

static void build_link(const char *path, const char *target)
{
	if (symlink(target, path) < 0)
		kt_check_why("world is made", false, "link %s: %m", path);
}

/* Before `path` stands the root, but for abstract names. */
static int build_socket(const struct place *place, const char *path)
{
	bool stream = place->kind & PLACE_STREAMS;
	struct peer peer = {stream ? SOCK_STREAM : SOCK_DGRAM,
			    place->path[0] == '@' ? place->path : path};
	int fd = peer_serve(&peer);

	if (fd < 0)
		kt_check_why("world is made", false, "socket %s: %s", peer.name,
			     strerrorname_np(-fd));
	return fd;
}

static void build_place(struct world *world, size_t i)
{
	const struct place *place = &world->places[i];
	char path[256], target[256] = "";

	snprintf(path, sizeof(path), "%s/%s", world->dir, place->path);
	if (place->of)
		snprintf(target, sizeof(target), "%s/%s", world->dir, place->of->path);
	if (place->kind == PLACE_DIRECTORY)
		kt_mkdir("%s", path);
	else if (place->kind == PLACE_FILE)
		kt_write("%s", place->path, path);
	else if (place->kind == PLACE_PROGRAM)
		make_program(path, (unsigned char)(100 + i));
	else if (place->kind == PLACE_SCRIPT)
		build_script(path, target);
	else if (place->kind == PLACE_FIFO)
		mkfifo(path, 0666);
	else if (place->kind == PLACE_LINK)
		build_link(path, target);
	else
		world->sockets[i] = build_socket(place, path);
}

/* All below the root, but not the root: workers stand in it. */
static void clear(const char *dir)
{
	DIR *directory = opendir(dir);
	struct dirent *entry;
	char path[512];

	while (directory && (entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		kt_remove(path);
	}
	if (directory)
		closedir(directory);
}

void world_close(struct world *world)
{
	size_t i;

	for (i = 0; i < WORLD_PLACES_MAX; i++) {
		if (world->sockets[i] >= 0)
			close(TAKE_FD(world->sockets[i]));
	}
}

void world_build(struct world *world)
{
	char loop[256];
	size_t i;

	world_close(world);
	clear(world->dir);
	for (i = 0; i < world->count; i++)
		build_place(world, i);
	snprintf(loop, sizeof(loop), "%s/loop", world->dir);
	build_link(loop, ".");
	world->digest = kt_tree_digest(world->dir);
}

unsigned int world_arrived(struct world *world)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < world->count; i++) {
		if (world->sockets[i] >= 0)
			count += peer_arrived(world->sockets[i],
					      world->places[i].kind & PLACE_STREAMS ? SOCK_STREAM
										    : SOCK_DGRAM);
	}
	return count;
}
