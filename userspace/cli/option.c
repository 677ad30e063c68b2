// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * option.c - the options and arguments of a verb as a table, which reads them and is its help.
 */
#include "cli/option.h"

#include <stdio.h>
#include <string.h>

#include "cli/say.h"
#include "cli/verb.h"

/* Rows of the longest table, --help included. */
#define OPTIONS_MAX 16

/* What getopt_long answers to row i that has no letter; above every letter. */
#define LONG_ONLY 256

static const struct warder_option help_row = {.letter = 'h', .name = "help", .text = "print this"};

/* Row i of the table, --help behind the last; NULL then. */
static const struct warder_option *row_at(const struct warder_usage *usage, size_t i)
{
	size_t count = 0;

	while (usage->options[count].name)
		count++;
	if (i < count)
		return &usage->options[i];
	return i == count ? &help_row : NULL;
}

/* The same table as getopt_long wants it. */
static void make_getopt_tables(const struct warder_usage *usage, char *letters,
			       struct option *names)
{
	const struct warder_option *row;
	size_t i;

	if (usage->command)
		*letters++ = '+';
	*letters++ = ':';
	for (i = 0; i < OPTIONS_MAX && (row = row_at(usage, i)); i++) {
		names[i] = (struct option){
			.name = row->name,
			.has_arg = row->value ? required_argument : no_argument,
			.val = row->letter ? row->letter : LONG_ONLY + (int)i,
		};
		if (row->letter)
			*letters++ = (char)row->letter;
		if (row->letter && row->value)
			*letters++ = ':';
	}
	*letters = '\0';
}

/* "-s, --set SET" without its indent, which is the same for all. */
static int name_width(const struct warder_option *row)
{
	return (int)strlen(row->name) + (row->value ? 1 + (int)strlen(row->value) : 0);
}

static void print_row(const struct warder_option *row, int width)
{
	const char *text = row->text;
	int indent;

	if (row->letter)
		printf("  -%c, ", row->letter);
	else
		printf("      ");
	printf("--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
	for (indent = width - name_width(row) + 2; *text; indent = width + 10) {
		int length = (int)strcspn(text, "\n");

		printf("%*s%.*s\n", indent, "", length, text);
		text += length + (text[length] == '\n');
	}
}

static int print_help(const struct warder_usage *usage)
{
	const struct warder_option *row;
	int width = 0;
	size_t i;

	warder_say_help(usage->verb, "");
	for (i = 0; (row = row_at(usage, i)); i++) {
		if (name_width(row) > width)
			width = name_width(row);
	}
	for (i = 0; (row = row_at(usage, i)); i++)
		print_row(row, width);
	if (usage->more)
		printf("\n%s", usage->more);
	return WARDER_EXIT_OK;
}

static const struct warder_option *find_row(const struct warder_usage *usage, int answer)
{
	const struct warder_option *row;
	size_t i;

	for (i = 0; (row = row_at(usage, i)); i++) {
		if (answer == (row->letter ? row->letter : LONG_ONLY + (int)i))
			return row;
	}
	return NULL;
}

static int check_count(const struct warder_usage *usage, int count, char **arguments)
{
	if (count >= usage->fewest && (usage->most < 0 || count <= usage->most))
		return -1;
	if (!usage->wanted)
		return warder_say_usage(usage->verb, "%s: unexpected \"%s\"", usage->verb,
					arguments[usage->most]);
	return warder_say_usage(usage->verb, "%s: %s", usage->verb, usage->wanted);
}

static int set_option(const struct warder_usage *usage, const struct warder_option *row,
		      const char *value)
{
	if (row->take)
		return row->take(row->context, usage->verb, value);
	if (row->value)
		*row->place = value;
	else
		*row->flag = true;
	return WARDER_EXIT_OK;
}

int warder_options_read(const struct warder_usage *usage, int argc, char **argv,
			char ***ret_arguments)
{
	struct option names[OPTIONS_MAX + 1] = {};
	char letters[2 * OPTIONS_MAX + 3];
	int answer, result;

	optind = 0;
	make_getopt_tables(usage, letters, names);
	while ((answer = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct warder_option *row = find_row(usage, answer);

		if (row == &help_row)
			return print_help(usage);
		if (!row)
			return warder_say_option(usage->verb, answer, argv);
		result = set_option(usage, row, optarg);
		if (result != WARDER_EXIT_OK)
			return result;
	}
	result = check_count(usage, argc - optind, argv + optind);
	*ret_arguments = argv + optind;
	return result;
}
