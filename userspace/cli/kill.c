// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * kill.c - `warder kill`: end subjects, with all their processes.
 */
#include "run/kill.h"

#include "audit/log.h"
#include "base/message.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"

int verb_kill(int argc, char **argv)
{
	const char *reason = NULL;
	const struct warder_option options[] = {
		{'r', "reason", "TEXT", "why; recorded with your uid", .place = &reason},
		{},
	};
	const struct warder_usage usage = {
		.verb = "kill",
		.options = options,
		.more = "SUBJECT is a whole name or a binding id of `warder ps`. All its processes "
			"are "
			"killed, those\n"
			"that were moved to another cgroup as well, and the subject is cleaned up, "
			"whether or not\n"
			"the `warder run` that started it still lives. The last subject takes the "
			"kernel's programs\n"
			"along.\n",
		.fewest = 1,
		.most = -1,
		.wanted = "no subject; `warder ps` lists them",
	};
	char **names;
	int result = warder_options_read(&usage, argc, argv, &names);

	if (result >= 0)
		return result;
	result = WARDER_EXIT_OK;
	for (; *names; names++) {
		struct warder_error message = {};
		bool recorded = true;
		int error = warder_kill(*names, reason, &recorded, &message);

		if (!recorded)
			warder_say("\"%s\" is killed, but not recorded: cannot write \"%s\"",
				   *names, WARDER_LOG_PATH);
		if (error < 0)
			result = warder_say_error(error, &message);
		else
			warder_message_print(stdout, "%s is ended\n", *names);
	}
	return result;
}
