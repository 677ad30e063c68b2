// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * grant.c - `warder grant`: lend a tool to a subject until the kernel takes it back.
 *
 * The record is written before the keyring changes: a grant that cannot be accounted for
 * is not given.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "audit/log.h"
#include "base/cleanup.h"
#include "base/duration.h"
#include "base/message.h"
#include "cli/lend.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"

struct arguments {
	const char *subject, *tool, *span, *reason;
	bool forever;
	__u64 nanoseconds;
};

static int check(struct arguments *arguments)
{
	const char *fault = warder_loan_reason_fault(arguments->reason);
	int error;

	if (!arguments->span == !arguments->forever)
		return warder_say_usage("grant",
					"grant: say for how long with either --for TIME or "
					"--until-revoked");
	if (fault)
		return warder_say_usage("grant", "grant: %s", fault);
	if (arguments->forever)
		return -1;
	error = warder_duration_parse(arguments->span, &arguments->nanoseconds);
	if (error == -ERANGE)
		return warder_say_usage("grant",
					"grant: \"%s\" is longer than a year; say --until-revoked",
					arguments->span);
	if (error < 0)
		return warder_say_usage("grant",
					"grant: \"%s\" is no time; write 20s, 5m, 2h or 1d",
					arguments->span);
	return -1;
}

static int parse(int argc, char **argv, struct arguments *arguments)
{
	const struct warder_option options[] = {
		{0, "for", "TIME",
		 "how long: 20s, 5m, 2h, 1d; the kernel ends it, whoever is alive",
		 .place = &arguments->span},
		{0, "until-revoked", .text = "no end", .flag = &arguments->forever},
		{'r', "reason", "TEXT", "why; recorded with your uid (required)",
		 .place = &arguments->reason},
		{},
	};
	const struct warder_usage usage = {
		.verb = "grant",
		.options = options,
		.more = "SUBJECT is a name or binding id of `warder ps`, or the unique beginning "
			"of a name.\n"
			"Granting a tool that is granted already sets the new end.\n",
		.fewest = 2,
		.most = 2,
		.wanted = "name one subject and one tool",
	};
	char **words;
	int result = warder_options_read(&usage, argc, argv, &words);

	if (result >= 0)
		return result;
	arguments->subject = words[0];
	arguments->tool = words[1];
	return check(arguments);
}

static int grant(const struct arguments *arguments, struct warder_error *reterr)
{
	_cleanup_loan_ struct warder_loan loan = {};
	struct warder_deed deed = {.type = "grant"};
	char span[64];
	int error = warder_loan_open(arguments->subject, arguments->tool, &loan, reterr);

	if (error < 0)
		return error;
	deed.subject = &loan.subject;
	deed.key = arguments->tool;
	deed.reason = arguments->reason;
	deed.until = arguments->forever ? WARDER_FOREVER
					: warder_boottime() + arguments->nanoseconds;
	if (loan.subject.base >> loan.key & 1)
		return warder_error_set(reterr, -EALREADY,
					"subject \"%s\" holds \"%s\" by its set \"%s\" already",
					loan.subject.name, arguments->tool, loan.subject.set);
	error = warder_log_deed(&deed);
	if (error < 0)
		return warder_error_set(reterr, error,
					"nothing granted: cannot write \"%s\":", WARDER_LOG_PATH);
	error = warder_subject_grant(loan.session, loan.subject.binding, loan.key, deed.until,
				     reterr);
	if (error < 0)
		return warder_error_wrap(reterr, error, "subject \"%s\"", loan.subject.name);
	if (arguments->forever)
		warder_message_print(stdout, "%s holds %s until it is revoked\n", loan.subject.name,
				     arguments->tool);
	else
		warder_message_print(
			stdout, "%s holds %s for %s\n", loan.subject.name, arguments->tool,
			warder_duration_format(arguments->nanoseconds, span, sizeof(span)));
	return 0;
}

int verb_grant(int argc, char **argv)
{
	struct arguments arguments = {};
	struct warder_error message = {};
	int error = parse(argc, argv, &arguments);

	if (error >= 0)
		return error;
	error = grant(&arguments, &message);
	return error < 0 ? warder_say_error(error, &message) : WARDER_EXIT_OK;
}
