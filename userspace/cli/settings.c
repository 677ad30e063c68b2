// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * settings.c - what two policies say otherwise beside their rights, for people and as JSON.
 */
#include "cli/settings.h"

#include <string.h>

#include "audit/event.h"
#include "base/message.h"

bool warder_settings_differ(const struct warder_settings *a, const struct warder_settings *b)
{
	const struct warder_setting *from, *to;
	size_t at = 0;

	return warder_settings_next_change(a, b, &at, &from, &to);
}

static void print_change(const struct warder_setting *from, const struct warder_setting *to,
			 FILE *out)
{
	const struct warder_setting *any = from ? from : to;

	warder_message_print(out, "%s%s%s%s%s: ", any->part, any->noun ? " of " : "",
			     any->noun ? any->noun : "", any->noun ? " " : "",
			     any->noun ? any->name : "");
	if (from && to)
		warder_message_print(out, "%s -> %s\n", from->value, to->value);
	else
		warder_message_print(out, "%s %s %s\n", any->verb, any->value,
				     to ? "now" : "no longer");
}

void warder_settings_print(const struct warder_settings *a, const struct warder_settings *b,
			   FILE *out)
{
	const struct warder_setting *from, *to;
	size_t at = 0;

	while (warder_settings_next_change(a, b, &at, &from, &to))
		print_change(from, to, out);
}

static void set_value(json_t *object, const char *name, const struct warder_setting *setting)
{
	if (setting)
		warder_json_set_bytes(object, name, setting->value, strlen(setting->value));
	else
		json_object_set_new(object, name, json_null());
}

json_t *warder_settings_json(const struct warder_settings *a, const struct warder_settings *b)
{
	const struct warder_setting *from, *to, *any;
	json_t *list = json_array();
	size_t at = 0;

	while (warder_settings_next_change(a, b, &at, &from, &to)) {
		json_t *object = json_object();

		any = from ? from : to;
		if (any->noun)
			json_object_set_new(object, any->noun, json_string(any->name));
		json_object_set_new(object, "part", json_string(any->part));
		if (any->verb)
			json_object_set_new(object, "verb", json_string(any->verb));
		set_value(object, "a", from);
		set_value(object, "b", to);
		json_array_append_new(list, object);
	}
	return list;
}
