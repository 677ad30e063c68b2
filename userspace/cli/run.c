// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * run.c - `warder run`: a command as a subject, its exit status kept.
 */
#include "run/run.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/identifier.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "compile/compile.h"
#include "run/choose.h"

/* Lines of the summary; the log has the rest. */
#define SUMMARY_LINES 50

struct arguments {
	const char *policy, *set, *name, *user, *summary;
	bool code, verbose;
	char **command;
};

static const char help[] =
	"  -p, --policy FILE        the policy (required)\n"
	"  -s, --set SET            the permission set to start in (default: agent)\n"
	"      --code               start generated code: in the set that the policy's model puts "
	"it in\n"
	"  -n, --name NAME          name of the subject: small letters, digits and -\n"
	"                           (default: POLICY-SET-NUMBER)\n"
	"  -u, --user USER          run the command as this user\n"
	"  -v, --verbose            list each refusal at the end: nothing put together, nothing "
	"left "
	"out\n"
	"      --summary-json FILE  write what was refused to FILE as well\n"
	"  -h, --help\n"
	"\n"
	"Standard input, output and error are the command's own; so is the exit status (128 plus\n"
	"the signal that killed it; 126 or 127 when it could not be started). At the end each\n"
	"distinct refusal is listed on standard error.\n";

enum {
	OPTION_CODE = 256,
	OPTION_SUMMARY
};

static const struct option options[] = {
	{"policy", required_argument, NULL, 'p'},
	{"set", required_argument, NULL, 's'},
	{"code", no_argument, NULL, OPTION_CODE},
	{"name", required_argument, NULL, 'n'},
	{"user", required_argument, NULL, 'u'},
	{"verbose", no_argument, NULL, 'v'},
	{"summary-json", required_argument, NULL, OPTION_SUMMARY},
	{"help", no_argument, NULL, 'h'},
	{},
};

/* A negative result goes on; else it is the exit code. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	int answer;

	while ((answer = getopt_long(argc, argv, "+:p:s:n:u:vh", options, NULL)) != -1) {
		switch (answer) {
		case 'p':
			arguments->policy = optarg;
			break;
		case 's':
			arguments->set = optarg;
			break;
		case 'n':
			arguments->name = optarg;
			break;
		case 'u':
			arguments->user = optarg;
			break;
		case OPTION_CODE:
			arguments->code = true;
			break;
		case 'v':
			arguments->verbose = true;
			break;
		case OPTION_SUMMARY:
			arguments->summary = optarg;
			break;
		case 'h':
			return warder_say_help("run", help);
		default:
			return warder_say_option("run", answer, argv);
		}
	}
	arguments->command = argv + optind;
	if (!arguments->policy)
		return warder_say_usage("run", "run: no policy; name one with --policy FILE");
	if (!arguments->command[0])
		return warder_say_usage("run", "run: no command; put it behind \"--\"");
	if (arguments->set && arguments->code)
		return warder_say_usage("run", "run: --set and --code both choose the set");
	if (arguments->name && !warder_identifier_check(arguments->name, strlen(arguments->name)))
		return warder_say_usage("run", "run: \"%s\" is no name: " WARDER_IDENTIFIER_RULE,
					arguments->name);
	return -1;
}

static int load_policy(const char *path, struct warder_policy **ret_policy,
		       struct warder_image **ret_image)
{
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	int error = warder_policy_load(path, NULL, &diagnostics, &policy);

	if (!error)
		error = warder_compile(policy, &diagnostics, ret_image);
	if (error < 0) {
		warder_diagnostics_print(&diagnostics, stderr);
		return error;
	}
	*ret_policy = TAKE_PTR(policy);
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

static void report(const struct arguments *arguments, const struct warder_run_result *result)
{
	const struct warder_summary_style style = {
		.each = arguments->verbose,
		.limit = SUMMARY_LINES,
	};

	if (result->exec_error && result->hint[0])
		warder_say("cannot start \"%s\": %s\n%s", arguments->command[0],
			   strerror(result->exec_error), result->hint);
	else if (result->exec_error)
		warder_say("cannot start \"%s\": %s", arguments->command[0],
			   strerror(result->exec_error));
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
	struct arguments arguments = {};
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
	if (load_policy(arguments.policy, &policy, &image) < 0)
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
	request.user = arguments.user ? &user : NULL;
	request.arguments = arguments.command;
	return run(&arguments, &request);
}
