// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * main.c - the command line: finds the verb and calls it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "cli/say.h"
#include "cli/verb.h"

static const struct {
	const char *name, *arguments, *text;
	int (*function)(int argc, char **argv);
} verbs[] = {
#define X(name, arguments, text) {#name, arguments, text, verb_##name},
	WARDER_VERBS(X)
#undef X
};

#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

static void print_usage(FILE *out)
{
	size_t i;

	fprintf(out, "usage: warder VERB [OPTION...] [ARGUMENT...]\n\n"
		     "Decides in the kernel, per cgroup, what a program may touch.\n\n");
	for (i = 0; i < VERB_COUNT; i++)
		fprintf(out, "  %-9s %s\n", verbs[i].name, verbs[i].text);
	fprintf(out, "\n`warder VERB --help` shows the options of a verb; warder(8) tells more.\n");
}

static int unknown_verb(const char *word)
{
	struct warder_nearest nearest;
	size_t i;

	warder_nearest_begin(&nearest, word, strlen(word));
	for (i = 0; i < VERB_COUNT; i++)
		warder_nearest_offer(&nearest, verbs[i].name);
	if (nearest.best)
		warder_say("there is no verb \"%s\"; did you mean \"%s\"?", word, nearest.best);
	else
		warder_say("there is no verb \"%s\"; `warder --help` lists them", word);
	return WARDER_EXIT_USAGE;
}

/*
 * Descriptors 0 to 2 are never ours: a map opened where standard input was closed would
 * be inherited by a command. Placeholders are closed again by exec.
 */
static void occupy_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	size_t i;

	occupy_standard_descriptors();
	if (argc < 2) {
		print_usage(stderr);
		return WARDER_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_usage(stdout);
		return WARDER_EXIT_OK;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("warder %s\n", WARDER_VERSION);
		return WARDER_EXIT_OK;
	}
	for (i = 0; i < VERB_COUNT; i++) {
		if (!strcmp(verbs[i].name, argv[1]))
			return verbs[i].function(argc - 1, argv + 1);
	}
	return unknown_verb(argv[1]);
}
