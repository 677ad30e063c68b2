// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * presets.c - `warder presets [NAME...]`: list the policies to include, or print some.
 */
#include <stdio.h>
#include <string.h>

#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "policy/preset.h"

/* The summary line of a preset's text. */
static void print_summary(const struct warder_preset *preset)
{
	const char *summary = strstr(preset->text, "\nsummary: ");
	int length = 0;

	if (summary) {
		summary += strlen("\nsummary: ");
		length = (int)strcspn(summary, "\n");
	}
	printf("%-22s %.*s\n", preset->name, length, summary ? summary : "");
}

static int print_preset(const char *name)
{
	const struct warder_preset *preset = warder_preset_find(name);

	if (!preset) {
		warder_say("presets: there is no preset \"%s\"; `warder presets` lists them", name);
		return WARDER_EXIT_FAILED;
	}
	fwrite(preset->text, 1, preset->size, stdout);
	return WARDER_EXIT_OK;
}

int verb_presets(int argc, char **argv)
{
	static const struct warder_option options[] = {{}};
	static const struct warder_usage usage = {
		.verb = "presets",
		.options = options,
		.most = -1,
	};
	const struct warder_preset *preset;
	char **names;
	int result = warder_options_read(&usage, argc, argv, &names);

	if (result >= 0)
		return result;
	result = WARDER_EXIT_OK;
	if (!*names) {
		for (preset = warder_presets; preset->name; preset++)
			print_summary(preset);
	}
	for (; *names; names++) {
		if (print_preset(*names) != WARDER_EXIT_OK)
			result = WARDER_EXIT_FAILED;
	}
	return result;
}
