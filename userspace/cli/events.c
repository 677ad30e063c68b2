// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * events.c - `warder events`: the audit log, and what rings without a reader still hold.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "audit/line.h"
#include "audit/log.h"
#include "audit/orphan.h"
#include "audit/timeline.h"
#include "base/cleanup.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "load/naming.h"

struct arguments {
	bool follow, json;
	const char *subject;
};

/* The log outlives subjects: it is asked by name, not the kernel. */
static bool wanted(const json_t *record, const char *subject)
{
	const char *name = json_string_value(json_object_get(record, "subject"));
	json_int_t binding = json_integer_value(json_object_get(record, "binding"));

	return !subject || warder_naming_means(subject, name ? name : "", (__u64)binding, false);
}

static void show(const char *line, size_t size, const json_t *record, void *context)
{
	const struct arguments *arguments = context;

	if (!wanted(record, arguments->subject))
		return;
	if (arguments->json)
		fwrite(line, 1, size, stdout);
	else
		warder_line_print(record, stdout);
}

/* What waits in rings goes to the log first. */
static int drain(struct warder_error *reterr)
{
	struct warder_session_options adopt = {.adopt_only = true};
	_cleanup_session_ struct warder_session *session = NULL;
	int error = warder_session_open(&adopt, &session, reterr);

	if (error == -ENOENT)
		return 0;
	return error < 0 ? error : warder_orphans_drain(session);
}

static int show_new(FILE *log, struct arguments *arguments, struct warder_error *reterr)
{
	int error = warder_timeline_read(log, show, arguments);

	fflush(stdout);
	return error < 0 ? warder_error_set(reterr, error, "cannot read \"%s\":", WARDER_LOG_PATH)
			 : 0;
}

static int show_all(struct arguments *arguments, struct warder_error *reterr)
{
	const struct timespec pause = {.tv_nsec = 300000000};
	_cleanup_fclose_ FILE *log = NULL;
	int error = drain(reterr);

	if (error < 0)
		return error;
	do {
		if (!log)
			log = fopen(WARDER_LOG_PATH, "re");
		if (!log && errno != ENOENT)
			return warder_error_set(reterr, -errno,
						"cannot read \"%s\":", WARDER_LOG_PATH);
		if (log)
			error = show_new(log, arguments, reterr);
		if (error < 0 || !arguments->follow || ferror(stdout))
			break;
		nanosleep(&pause, NULL);
		error = drain(reterr);
	} while (error >= 0);
	return error < 0 ? error : 0;
}

int verb_events(int argc, char **argv)
{
	struct arguments arguments = {};
	const struct warder_option options[] = {
		{'f', "follow", .text = "go on as events come", .flag = &arguments.follow},
		{'s', "subject", "SUBJECT",
		 "only of this subject: its name, the beginning of it, or its binding",
		 .place = &arguments.subject},
		{'j', "json", .text = "the records as they are, one a line",
		 .flag = &arguments.json},
		{},
	};
	const struct warder_usage usage = {
		.verb = "events",
		.options = options,
		.more = "Refusals and uses of granted keys, and what operators did (bind, grant, "
			"revoke, kill).\n",
	};
	struct warder_error message = {};
	char **rest;
	int error = warder_options_read(&usage, argc, argv, &rest);

	if (error >= 0)
		return error;
	error = show_all(&arguments, &message);
	return error < 0 ? warder_say_error(error, &message) : WARDER_EXIT_OK;
}
