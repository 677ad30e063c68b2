// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access.c - random accesses: one of the tables' rows, its objects, and their spelling.
 */
#include "access.h"

#include "random.h"

static const struct access_type *const tables[] = {access_files,  access_names, access_execs,
						   access_unixes, access_nets,	access_calls};

static const struct access_type *pick_type(void)
{
	const struct access_type *type;
	unsigned int sum = 0, at;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (type = tables[i]; type->name; type++)
			sum += type->weight;
	}
	at = random_below(sum);
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (type = tables[i]; type->name; type++) {
			if (at < type->weight)
				return type;
			at -= type->weight;
		}
	}
	abort();
}

void access_choose(struct access *access, const struct world *world)
{
	do {
		memset(access, 0, sizeof(*access));
		access->type = pick_type();
	} while (!access->type->choose(access, world));
}

void access_print(const struct access *access, FILE *out)
{
	fprintf(out, "%s", access->type->name);
	if (access->host[0])
		fprintf(out, " %s port %u (socket: family %d, type %d)", access->host, access->port,
			access->family, access->socket_type);
	if (access->object[0])
		fprintf(out, " %s (as \"%s\")", access->object, access->path);
	if (access->other[0])
		fprintf(out, " -> %s (as \"%s\")", access->other, access->to);
	fprintf(out, ", flags 0x%x\n", access->flags);
}

void access_spell(const struct world *world, const char *path, char out[ACCESS_PATH_MAX])
{
	int first = (int)strcspn(path, "/");

	switch (random_below(6)) {
	case 0:
		snprintf(out, ACCESS_PATH_MAX, "%s", path);
		break;
	case 1:
		snprintf(out, ACCESS_PATH_MAX, "loop/./loop//%s", path);
		break;
	case 2:
		snprintf(out, ACCESS_PATH_MAX, "/proc/self/cwd/%s", path);
		break;
	case 3:
		/* There and back: the first name is a directory when others follow. */
		if (path[first]) {
			snprintf(out, ACCESS_PATH_MAX, "%.*s/../%s", first, path, path);
			break;
		}
		/* fall through */
	default:
		snprintf(out, ACCESS_PATH_MAX, "%s/%s", world->dir, path);
	}
}

void access_object(struct access *access, const struct world *world, const struct place *place,
		   bool follow)
{
	const struct place *link = follow ? world_link_to(world, place) : NULL;

	snprintf(access->object, sizeof(access->object), "%s/%s", world->dir, place->path);
	access->directory = place->kind == PLACE_DIRECTORY;
	access_spell(world, link && random_percent(50) ? link->path : place->path, access->path);
}

bool access_pick(struct access *access, const struct world *world, unsigned int kinds, bool follow)
{
	const struct place *place = world_pick(world, kinds);

	if (place)
		access_object(access, world, place, follow);
	return place;
}

void access_new_object(struct access *access, const struct world *world)
{
	char path[WORLD_PATH_MAX];

	world_free_name(world, path);
	snprintf(access->object, sizeof(access->object), "%s/%s", world->dir, path);
	access_spell(world, path, access->path);
	access->effect = EFFECT_TREE;
}

void access_new_other(struct access *access, const struct world *world)
{
	char path[WORLD_PATH_MAX];

	world_free_name(world, path);
	snprintf(access->other, sizeof(access->other), "%s/%s", world->dir, path);
	access_spell(world, path, access->to);
}

void access_set_unix(struct access *access, const char *name)
{
	struct sockaddr_un *address = &access->address.local;
	size_t length = strlen(name);

	if (length >= sizeof(address->sun_path))
		abort();
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path, name, length);
	if (name[0] == '@')
		address->sun_path[0] = '\0';
	/* An abstract name ends where the address does. */
	access->length = offsetof(struct sockaddr_un, sun_path) + length + (name[0] != '@');
}
