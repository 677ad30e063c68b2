/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * say.h - how the command line speaks: errors, usage, JSON.
 */
#ifndef WARDER_CLI_SAY_H
#define WARDER_CLI_SAY_H

#include <getopt.h>
#include <jansson.h>

#include "base/error.h"

/* "warder: message" and a newline, to standard error. */
void warder_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Say an error; returns WARDER_EXIT_FAILED. */
int warder_say_error(int error, const struct warder_error *message);

/* Say a mistake on the command line, and where help is; returns WARDER_EXIT_USAGE. */
int warder_say_usage(const char *verb, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What getopt_long answered '?' or ':' to. */
int warder_say_option(const char *verb, int answer, char **argv);

/* Print the help of a verb to standard output; returns WARDER_EXIT_OK. */
int warder_say_help(const char *verb, const char *options);

/* Print and release; NULL counts as out of memory. Returns the exit code. */
int warder_say_json(json_t *json);

/* Nothing is loaded: an empty list is the answer, and success. */
int warder_say_empty(int json, const char *text);

#endif
