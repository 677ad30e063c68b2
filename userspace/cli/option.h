/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * option.h - the options and arguments of a verb as a table, which reads them and is its help.
 */
#ifndef WARDER_CLI_OPTION_H
#define WARDER_CLI_OPTION_H

#include <stdbool.h>

struct warder_option {
	int letter;	    /* 'j'; 0: it has the long name only */
	const char *name;   /* "json"; NULL ends the table */
	const char *value;  /* what help calls its value: "TIME"; NULL: it takes none */
	const char *text;   /* what it does; may have several lines */
	bool *flag;	    /* set when it is given; of one without a value */
	const char **place; /* where its value goes; of one with a value */
	/*
	 * In place of `place`, of an option that may be repeated: takes each value over.
	 * WARDER_EXIT_OK to go on, else the exit code of what it has said.
	 */
	int (*take)(void *context, const char *verb, const char *value);
	void *context;
};

struct warder_usage {
	const char *verb;
	const struct warder_option *options; /* --help is added */
	const char *more;		     /* help below the options; NULL: nothing */
	int fewest, most;		     /* arguments; most -1: any number */
	const char *wanted; /* what to say when there are not so many; NULL for verbs without */
	bool command;	    /* the first argument begins a command, which has options of its own */
};

/*
 * Read the command line. Negative: go on, *ret_arguments are the arguments, NULL-terminated.
 * Else it is the exit code: help was printed, or what is wrong was said.
 */
int warder_options_read(const struct warder_usage *usage, int argc, char **argv,
			char ***ret_arguments);

#endif
