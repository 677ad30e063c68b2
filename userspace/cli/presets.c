// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * presets.c - `warder presets [NAME...]`: list the policies to include, or print some.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/say.h"
#include "cli/verb.h"
#include "policy/preset.h"

static void usage(void)
{
	fputs("usage: warder presets [NAME...]\n"
	      "\n"
	      "List the presets that `include:` can name, or print the text of some.\n",
	      stdout);
}

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
	static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
	const struct warder_preset *preset;
	int result = WARDER_EXIT_OK, option;

	optind = 0;
	while ((option = getopt_long(argc, argv, "+:h", options, NULL)) != -1) {
		if (option != 'h')
			return warder_say_option("presets", option, argv);
		usage();
		return WARDER_EXIT_OK;
	}
	if (optind == argc) {
		for (preset = warder_presets; preset->name; preset++)
			print_summary(preset);
	}
	for (; optind < argc; optind++) {
		if (print_preset(argv[optind]) != WARDER_EXIT_OK)
			result = WARDER_EXIT_FAILED;
	}
	return result;
}
