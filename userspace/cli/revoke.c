// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * revoke.c - `warder revoke`: take a tool away, whether it was granted or came with the set.
 */
#include <errno.h>
#include <stdio.h>

#include "audit/log.h"
#include "base/message.h"
#include "cli/lend.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"

struct arguments {
	const char *subject, *tool, *reason;
};

static int parse(int argc, char **argv, struct arguments *arguments)
{
	const struct warder_option options[] = {
		{'r', "reason", "TEXT", "why; recorded with your uid (required)",
		 .place = &arguments->reason},
		{},
	};
	const struct warder_usage usage = {
		.verb = "revoke",
		.options = options,
		.more = "Takes effect at the subject's next judged act. A tool that came with the "
			"set can be\n"
			"given back with `warder grant`.\n",
		.fewest = 2,
		.most = 2,
		.wanted = "name one subject and one tool",
	};
	const char *fault;
	char **words;
	int result = warder_options_read(&usage, argc, argv, &words);

	if (result >= 0)
		return result;
	fault = warder_loan_reason_fault(arguments->reason);
	if (fault)
		return warder_say_usage("revoke", "revoke: %s", fault);
	arguments->subject = words[0];
	arguments->tool = words[1];
	return -1;
}

static int revoke(const struct arguments *arguments, struct warder_error *reterr)
{
	_cleanup_loan_ struct warder_loan loan = {};
	struct warder_deed deed = {.type = "revoke"};
	int error = warder_loan_open(arguments->subject, arguments->tool, &loan, reterr);

	if (error < 0)
		return error;
	error = warder_subject_revoke(loan.session, loan.subject.binding, loan.key, reterr);
	if (error == -ENOENT)
		return warder_error_set(reterr, error, "subject \"%s\" does not hold \"%s\"",
					loan.subject.name, arguments->tool);
	if (error < 0)
		return warder_error_wrap(reterr, error, "subject \"%s\"", loan.subject.name);
	/* Taken away first: a full disk must not keep a key in hostile hands. */
	deed.subject = &loan.subject;
	deed.key = arguments->tool;
	deed.reason = arguments->reason;
	if (warder_log_deed(&deed) < 0)
		warder_say("revoked, but not recorded: cannot write \"%s\"", WARDER_LOG_PATH);
	warder_message_print(stdout, "%s no longer holds %s\n", loan.subject.name, arguments->tool);
	return 0;
}

int verb_revoke(int argc, char **argv)
{
	struct arguments arguments = {};
	struct warder_error message = {};
	int error = parse(argc, argv, &arguments);

	if (error >= 0)
		return error;
	error = revoke(&arguments, &message);
	return error < 0 ? warder_say_error(error, &message) : WARDER_EXIT_OK;
}
