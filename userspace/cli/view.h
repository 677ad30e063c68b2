/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * view.h - a verb that shows what is loaded, as text or with --json, and changes nothing.
 */
#ifndef WARDER_CLI_VIEW_H
#define WARDER_CLI_VIEW_H

#include "cli/option.h"
#include "load/session.h"

struct warder_view {
	const char *verb;
	const struct warder_option *option; /* one beside --json; NULL: none */
	const char *more;		    /* help below the options */
	const char *nothing; /* what to say when warder is not loaded; that is no failure */
	/* Print it. The exit code, or a negative errno with its message. */
	int (*show)(const struct warder_session *session, bool json, struct warder_error *reterr);
};

/* Returns the exit code. */
int warder_view_run(const struct warder_view *view, int argc, char **argv);

#endif
