// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * say.c - how the command line speaks: errors, usage, JSON.
 */
#include "cli/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/verb.h"

static const struct {
	const char *name, *arguments, *text;
} verbs[] = {
#define X(name, arguments, text) {#name, arguments, text},
	WARDER_VERBS(X)
#undef X
};

static void say_list(const char *format, va_list arguments)
{
	char text[WARDER_MESSAGE_MAX];

	fprintf(stderr, "warder: %s\n",
		warder_message_format(text, sizeof(text), format, arguments));
}

void warder_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_list(format, arguments);
	va_end(arguments);
}

int warder_say_error(int error, const struct warder_error *message)
{
	/* Escaped when it was made; its newlines are ours. */
	fprintf(stderr, "warder: %s\n", message->text[0] ? message->text : strerror(-error));
	return WARDER_EXIT_FAILED;
}

int warder_say_usage(const char *verb, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_list(format, arguments);
	va_end(arguments);
	fprintf(stderr, "`warder %s --help` shows how it is used\n", verb);
	return WARDER_EXIT_USAGE;
}

int warder_say_option(const char *verb, int answer, char **argv)
{
	/* optopt is 0 for an unknown long option; optind then stands behind it. */
	const char *word = argv[optind - 1];

	if (answer == ':')
		return warder_say_usage(verb, "%s: option \"%s\" needs a value", verb, word);
	return warder_say_usage(verb, "%s: unknown option \"%s\"", verb, word);
}

int warder_say_help(const char *verb, const char *options)
{
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!strcmp(verbs[i].name, verb))
			printf("usage: warder %s%s%s\n\n%s\n\n", verb,
			       verbs[i].arguments[0] ? " " : "", verbs[i].arguments, verbs[i].text);
	}
	fputs(options, stdout);
	return WARDER_EXIT_OK;
}

int warder_say_json(json_t *json)
{
	if (!json) {
		warder_say("out of memory");
		return WARDER_EXIT_FAILED;
	}
	json_dumpf(json, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	putchar('\n');
	json_decref(json);
	return WARDER_EXIT_OK;
}

int warder_say_empty(int json, const char *text)
{
	if (json)
		return warder_say_json(json_array());
	puts(text);
	return WARDER_EXIT_OK;
}
