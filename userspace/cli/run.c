// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * run.c - `warder run`: a command as a subject, its exit status kept.
 */
#include "run/run.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/variables.h"
#include "cli/verb.h"
#include "compile/compile.h"
#include "compile/expect.h"
#include "load/naming.h"
#include "run/choose.h"

/* Lines of the summary; the log has the rest. */
#define SUMMARY_LINES 50

struct arguments {
	const char *policy, *set, *name, *parent, *user, *summary;
	bool code, verbose;
	struct warder_variables *variables;
	char **command;
};

static const char more[] =
	"Standard input, output and error are the command's own; so is the exit status (128 plus\n"
	"the signal that killed it; 126 or 127 when it could not be started). At the end each\n"
	"distinct refusal is listed on standard error.\n"
	"\n"
	"The terminal is the command's until it ends. Use grant and the other verbs in a second\n"
	"one, or put the run in the background:\n"
	"  warder run --policy FILE --name job -- COMMAND </dev/null >job.log 2>&1 &\n"
	"\n"
	"The first run loads the kernel's programs and the last one that ends takes them off: "
	"some\n"
	"seconds each. A subject that stays saves both, until `warder kill keep`:\n"
	"  warder run --policy FILE --name keep -- sleep infinity &\n";

static int check(const struct arguments *arguments)
{
	if (!arguments->policy)
		return warder_say_usage("run", "run: no policy; name one with --policy FILE");
	if (!arguments->command[0])
		return warder_say_usage("run", "run: no command; put it behind \"--\"");
	if (arguments->set && arguments->code)
		return warder_say_usage("run", "run: --set and --code both choose the set");
	if (arguments->name && !warder_naming_check(arguments->name))
		return warder_say_usage("run", "run: \"%s\" is no name: " WARDER_NAMING_RULE,
					arguments->name);
	return -1;
}

/* A negative result goes on; else it is the exit code. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	const struct warder_option options[] = {
		{'p', "policy", "FILE", "the policy (required)", .place = &arguments->policy},
		{'s', "set", "SET", "the permission set to start in (default: agent)",
		 .place = &arguments->set},
		{0, "code",
		 .text = "start generated code: in the set that the policy's model puts it in",
		 .flag = &arguments->code},
		{0, "var", "NAME=VALUE", "the value of a variable of the policy; may be repeated",
		 .take = warder_variables_take, .context = arguments->variables},
		{'n', "name", "NAME",
		 "name of the subject: small letters, digits and -, first a letter\n"
		 "(default: POLICY-SET-NUMBER)",
		 .place = &arguments->name},
		{0, "parent", "SUBJECT",
		 "nest it in this subject, which has to allow all that it does\n"
		 "(but for a set with `separate: true`)",
		 .place = &arguments->parent},
		{'u', "user", "USER", "run the command as this user", .place = &arguments->user},
		{'v', "verbose",
		 .text = "list each refusal at the end: nothing put together, nothing left out",
		 .flag = &arguments->verbose},
		{0, "summary-json", "FILE", "write what was refused to FILE as well",
		 .place = &arguments->summary},
		{},
	};
	const struct warder_usage usage = {
		.verb = "run",
		.options = options,
		.more = more,
		.most = -1,
		.command = true,
	};
	int result = warder_options_read(&usage, argc, argv, &arguments->command);

	return result < 0 ? check(arguments) : result;
}

static int load_policy(const struct arguments *arguments, struct warder_policy **ret_policy,
		       struct warder_image **ret_image)
{
	struct warder_policy_options read = {};
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	int error;

	warder_variables_give(arguments->variables, &read);
	error = warder_policy_load(arguments->policy, &read, &diagnostics, &policy);
	if (!error)
		error = warder_compile(policy, &diagnostics, &image);
	/* A policy that is not what its author believes is not enforced in his name. */
	if (!error)
		error = warder_expect_run(policy, image, &read, &diagnostics);
	if (error < 0) {
		warder_diagnostics_print(&diagnostics, stderr);
		return error;
	}
	*ret_policy = TAKE_PTR(policy);
	*ret_image = TAKE_PTR(image);
	return 0;
}

static void write_summary(const char *path, const struct warder_run_result *result)
{
	json_t *json = warder_summary_json(result->summary, &result->stats);
	_cleanup_free_ char *text = NULL;
	int error;

	if (json)
		json_object_set_new(json, "exit_code", json_integer(result->code));
	text = json ? json_dumps(json, JSON_INDENT(2) | JSON_ENSURE_ASCII) : NULL;
	json_decref(json);
	error = text ? warder_file_replace(path, text, strlen(text), 0644) : -ENOMEM;
	if (error < 0)
		warder_say("cannot write \"%s\": %s", path, strerror(-error));
}

/* The rule behind a refusal is in the list that follows. */
static void report_start(const char *command, const struct warder_run_result *result)
{
	if (!result->exec_error)
		return;
	if (result->refused)
		warder_say("cannot start \"%s\": the policy refuses it (%s)", command,
			   strerror(result->exec_error));
	else if (result->obstacle[0])
		warder_say("cannot start \"%s\": %s: %s", command, strerror(result->exec_error),
			   result->obstacle);
	else
		warder_say("cannot start \"%s\": %s", command, strerror(result->exec_error));
}

static void report(const struct arguments *arguments, const struct warder_run_result *result)
{
	const struct warder_summary_style style = {
		.each = arguments->verbose,
		.limit = SUMMARY_LINES,
	};

	report_start(arguments->command[0], result);
	if (!result->summary)
		return;
	warder_summary_print(result->summary, &result->stats, &style, stderr);
	if (result->log_failures)
		warder_say("%u records could not be written to the audit log",
			   result->log_failures);
	if (arguments->summary)
		write_summary(arguments->summary, result);
}

static int run(const struct arguments *arguments, struct warder_run_request *request)
{
	_cleanup_summary_ struct warder_summary *summary = NULL;
	struct warder_run_result result = {};
	struct warder_error message = {};
	int error = warder_run(request, &result, &message);

	summary = result.summary;
	report(arguments, &result);
	return error < 0 ? warder_say_error(error, &message) : result.code;
}

int verb_run(int argc, char **argv)
{
	_cleanup_variables_ struct warder_variables variables = {};
	struct arguments arguments = {.variables = &variables};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	_cleanup_user_ struct warder_user user = {};
	struct warder_run_request request = {};
	struct warder_error message = {};
	int error = parse(argc, argv, &arguments);

	if (error >= 0)
		return error;
	if (geteuid() != 0) {
		warder_say("run: only root can do this in this version: warder loads programs "
			   "into the kernel and makes cgroups (`sudo warder run ...`)");
		return WARDER_EXIT_FAILED;
	}
	if (load_policy(&arguments, &policy, &image) < 0)
		return WARDER_EXIT_FAILED;
	error = warder_run_choose_set(policy, arguments.set, arguments.code, &request.set,
				      &message);
	if (!error && arguments.user)
		error = warder_user_find(arguments.user, &user, &message);
	if (error < 0)
		return warder_say_error(error, &message);
	request.policy = policy;
	request.image = image;
	request.name = arguments.name;
	request.parent = arguments.parent;
	request.user = arguments.user ? &user : NULL;
	request.arguments = arguments.command;
	return run(&arguments, &request);
}
