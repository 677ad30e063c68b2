// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * view.c - a verb that shows what is loaded, as text or with --json, and changes nothing.
 */
#include "cli/view.h"

#include <errno.h>

#include "cli/say.h"
#include "cli/verb.h"

int warder_view_run(const struct warder_view *view, int argc, char **argv)
{
	bool json = false;
	const struct warder_option options[] = {
		{'j', "json", .text = "print a JSON array", .flag = &json},
		view->option ? *view->option : (struct warder_option){},
		{},
	};
	const struct warder_usage usage = {
		.verb = view->verb,
		.options = options,
		.more = view->more,
	};
	struct warder_session_options adopt = {.adopt_only = true};
	_cleanup_session_ struct warder_session *session = NULL;
	struct warder_error message = {};
	char **arguments;
	int error = warder_options_read(&usage, argc, argv, &arguments);

	if (error >= 0)
		return error;
	error = warder_session_open(&adopt, &session, &message);
	/* Whoever asks for something in particular is told that it is not there. */
	if (error == -ENOENT && !(view->option && *view->option->place))
		return warder_say_empty(json, view->nothing);
	if (!error)
		error = view->show(session, json, &message);
	return error < 0 ? warder_say_error(error, &message) : error;
}
