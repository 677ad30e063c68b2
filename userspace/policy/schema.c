// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * schema.c - the shipped schema, with the lists that other files of the parser own.
 */
#include "policy/schema.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <warder/limits.h>

#include "policy/capability.h"
#include "policy/family.h"
#include "policy/document.h"
#include "policy/preset.h"
#include "policy/surface.h"
#include "policy/syscall.h"

static json_t *presets(void)
{
	const struct warder_preset *preset;
	json_t *list = json_array();

	for (preset = warder_presets; preset->name; preset++) {
		/* Every set has that one by itself, and none may name it. */
		if (strcmp(preset->name, WARDER_GUARD))
			json_array_append_new(list, json_string(preset->name));
	}
	return list;
}

static json_t *families(void)
{
	char name[WARDER_FAMILY_NAME_MAX];
	json_t *list = json_array();
	size_t i;

	for (i = 0; warder_family_name(i, name) == 0; i++)
		json_array_append_new(list, json_string(name));
	return list;
}

static json_t *syscalls(void)
{
	json_t *list = json_array();
	int number;

	for (number = 0; number < (int)WARDER_SYSCALLS_MAX; number++) {
		char *name = warder_syscall_name(number);

		if (name)
			json_array_append_new(list, json_string(name));
		free(name);
	}
	return list;
}

static json_t *capabilities(void)
{
	json_t *list = json_array();
	const char *name;
	unsigned int i;

	for (i = 0; (name = warder_capability_name(i)); i++)
		json_array_append_new(list, json_string(name));
	return list;
}

static json_t *surfaces(void)
{
	json_t *list = json_array();
	unsigned int i;

	for (i = 0; i < WARDER_SURFACE_COUNT; i++)
		json_array_append_new(list, json_string(warder_surface_name(i)));
	return list;
}

char *warder_schema_text(void)
{
	json_t *root = json_loadb(warder_schemas->text, warder_schemas->size, 0, NULL);
	json_t *definitions = json_object_get(root, "$defs");
	char *text;

	if (json_object_set_new(json_object_get(definitions, "preset"), "enum", presets()) ||
	    json_object_set_new(json_object_get(definitions, "family"), "enum", families()) ||
	    json_object_set_new(json_object_get(definitions, "syscall"), "enum", syscalls()) ||
	    json_object_set_new(json_object_get(definitions, "capability"), "enum",
				capabilities()) ||
	    json_object_set_new(json_object_get(definitions, "surface"), "enum", surfaces())) {
		json_decref(root);
		return NULL;
	}
	text = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	return text;
}
