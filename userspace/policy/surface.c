// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * surface.c - parts of the kernel's surface by name: "perf", "user-namespaces".
 */
#include "policy/surface.h"

#include <errno.h>
#include <string.h>

#include "base/nearest.h"

static const struct {
	const char *name, *text;
} rows[WARDER_SURFACE_COUNT] = {
#define X(name, word, doc) [WARDER_SURFACE_##name] = {word, doc},
	WARDER_SURFACES(X)
#undef X
};

const char *warder_surface_name(unsigned int surface)
{
	return surface < WARDER_SURFACE_COUNT ? rows[surface].name : NULL;
}

const char *warder_surface_text(unsigned int surface)
{
	return surface < WARDER_SURFACE_COUNT ? rows[surface].text : NULL;
}

int warder_surface_number(const char *name)
{
	int i;

	for (i = 0; i < WARDER_SURFACE_COUNT; i++) {
		if (!strcmp(rows[i].name, name))
			return i;
	}
	return -ENOENT;
}

const char *warder_surface_nearest(const char *name)
{
	struct warder_nearest nearest;
	size_t i;

	warder_nearest_begin(&nearest, name, strlen(name));
	for (i = 0; i < WARDER_SURFACE_COUNT; i++)
		warder_nearest_offer(&nearest, rows[i].name);
	return nearest.best;
}

bool warder_surface_moves_paths(unsigned int surface)
{
	switch (surface) {
	case WARDER_SURFACE_USER_NAMESPACES:
	case WARDER_SURFACE_MOUNTS:
	case WARDER_SURFACE_PIVOT_ROOT:
	case WARDER_SURFACE_CHROOT:
	case WARDER_SURFACE_SETNS:
		return true;
	default:
		return false;
	}
}
