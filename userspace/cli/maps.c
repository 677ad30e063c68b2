// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * maps.c - `warder maps`: what the kernel holds, in words, beside the command that prints
 * the same.
 */
#include <stdio.h>

#include "cli/content.h"
#include "cli/image.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "cli/view.h"

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void print_heading(const json_t *map)
{
	const json_t *room = json_object_get(map, "room");

	printf("%s (id %lld, ", text_of(map, "map"),
	       json_integer_value(json_object_get(map, "id")));
	if (json_is_integer(room))
		printf("at most %lld entries", json_integer_value(room));
	else
		printf("as many entries as needed");
	printf("): %s\n", text_of(map, "holds"));
}

static void print_map(const json_t *map)
{
	const json_t *entry;
	size_t i;

	print_heading(map);
	printf("  $ %s\n", text_of(map, "command"));
	json_array_foreach((json_t *)json_object_get(map, "entries"), i, entry)
	{
		printf("    %s\n", text_of(entry, "text"));
		if (text_of(entry, "command"))
			printf("      $ %s\n", text_of(entry, "command"));
	}
}

static int show(const struct warder_session *session, bool json, struct warder_error *reterr)
{
	int error = 0;
	json_t *list = warder_content_json(session, &error), *map;
	size_t i;

	if (!list)
		return warder_error_set(reterr, error, "cannot read the maps:");
	if (json)
		return warder_say_json(list);
	json_array_foreach(list, i, map) print_map(map);
	json_decref(list);
	return WARDER_EXIT_OK;
}

/* What one policy's subjects are judged by, instead of everything. */
static const char *wanted_policy;

static int show_wanted(const struct warder_session *session, bool json, struct warder_error *reterr)
{
	if (!wanted_policy)
		return show(session, json, reterr);
	if (json)
		return warder_say_usage("maps", "maps: --image prints text, not JSON");
	return warder_cli_image(session, wanted_policy, reterr);
}

int verb_maps(int argc, char **argv)
{
	static const struct warder_option image = {
		0,
		"image",
		"POLICY",
		"print the image that its subjects are judged by, as `check --print` does",
		.place = &wanted_policy,
	};
	static const struct warder_view view = {
		.verb = "maps",
		.option = &image,
		.more = "Each line behind a $ prints with other means what stands around it. "
			"Subjects, images and\n"
			"rings are maps of maps: bpftool prints slot and id of the inner map as "
			"bytes, the lowest\n"
			"first. A ring can be read but once, and by `warder events` alone.\n",
		.nothing = "no maps: warder is not loaded",
		.show = show_wanted,
	};

	return warder_view_run(&view, argc, argv);
}
