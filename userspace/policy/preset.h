/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * preset.h - the policies that ship inside the binary, by name.
 */
#ifndef WARDER_PRESET_H
#define WARDER_PRESET_H

#include <stddef.h>

struct warder_preset {
	const char *name; /* what `include:` names; NULL ends the table */
	const char *text; /* YAML; NUL-terminated, static */
	size_t size;	  /* bytes, without the NUL */
};

/* Generated from userspace/presets by tools/dev/embed. */
extern const struct warder_preset warder_presets[];

/* Whole policies to begin with, for `warder init`; generated from userspace/starters. */
extern const struct warder_preset warder_starters[];

/* "policy": the JSON Schema without the lists that schema.c fills in. */
extern const struct warder_preset warder_schemas[];

/* The preset of that name, or NULL. Static, never freed. */
const struct warder_preset *warder_preset_find(const char *name);

#endif
