/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * surface.h - parts of the kernel's surface by name: "perf", "user-namespaces".
 */
#ifndef WARDER_POLICY_SURFACE_H
#define WARDER_POLICY_SURFACE_H

#include <stdbool.h>
#include <stddef.h>

#include <warder/surface.h>

/* "perf"; NULL for a number without a name. Static. */
const char *warder_surface_name(unsigned int surface);

/* What it covers: "performance events". Static; NULL. */
const char *warder_surface_text(unsigned int surface);

/* The number; -ENOENT: no part is called so. */
int warder_surface_number(const char *name);

/* The known name nearest to a misspelt one; NULL. Static. */
const char *warder_surface_nearest(const char *name);

/*
 * Does whoever may use it choose what a path means? Then it goes with no path rule, and no tool
 * gives it.
 */
bool warder_surface_moves_paths(unsigned int surface);

#endif
