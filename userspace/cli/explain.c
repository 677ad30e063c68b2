// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * explain.c - `warder explain`: is an access allowed, by which rule, and what would allow it?
 *
 * The verdict is that of the enforcer's own matcher over the compiled policy, or, with --live,
 * over what is loaded; the rules are only asked which of them it was. Where the policy says
 * something that this version does not enforce, the answer names that, and is "refused".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "audit/event.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "cli/explain_live.h"
#include "cli/operand.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/variables.h"
#include "cli/verb.h"
#include "compile/verdict.h"

struct arguments {
	struct warder_policy_options options;
	struct warder_variables variables;
	const char *live, *policy, *set, *tools;
	bool json;
	char *access; /* the words, joined */
};

static const char more[] =
	"ACCESS is one act on one object:\n"
	"  read /etc/hosts       also list, write, create, delete, rename, link, chattr, exec,\n"
	"                        map-exec, connect; several at once: read+write /srv/x\n"
	"  connect @NAME         an abstract unix socket\n"
	"  connect tcp:192.0.2.1:443    also send, bind, accept; udp; [IPv6]\n"
	"  syscall ptrace        capability sys_admin\n"
	"\n"
	"POLICY may be FILE:SET or FILE:SET+TOOL,... as well.\n"
	"\n"
	"Exit status: 0 allowed, 3 refused, 1 failed, 2 usage.\n";

/* --- the command line --- */

/* Words that the shell split are one access. */
static char *join(char **words)
{
	char *joined = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&joined, &size);
	size_t i;

	if (!out)
		return NULL;
	for (i = 0; words[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", words[i]);
	if (fclose(out)) {
		free(joined);
		return NULL;
	}
	return joined;
}

static int take_words(struct arguments *a, char **words)
{
	if (a->live && (a->set || a->tools))
		return warder_say_usage("explain", "explain: a running subject has its set and its "
						   "tools: no --set or --with beside --live");
	if (!a->live && *words)
		a->policy = *words++;
	if (!a->live && !a->policy)
		return warder_say_usage("explain",
					"explain: name a policy and an access, or --live SUBJECT");
	if (!*words)
		return warder_say_usage("explain",
					"explain: no access; write for example: exec /usr/bin/id");
	a->access = join(words);
	if (a->access)
		return -1;
	warder_say("explain: out of memory");
	return WARDER_EXIT_FAILED;
}

static int parse(int argc, char **argv, struct arguments *a)
{
	const struct warder_option options[] = {
		{'s', "set", "SET",
		 "a subject of this set (default: the one that `warder run` starts)",
		 .place = &a->set},
		{0, "with", "TOOL,...", "that holds these tools as well, as after a grant",
		 .place = &a->tools},
		{0, "live", "SUBJECT",
		 "a running subject, by what is loaded in the kernel; no POLICY then",
		 .place = &a->live},
		{0, "var", "NAME=VALUE", "the value of a variable of the policy; may be repeated",
		 .take = warder_variables_take, .context = &a->variables},
		{0, "root", "DIR", "symbolic links are those below DIR (default /)",
		 .take = warder_operand_take_root, .context = &a->options},
		{0, "no-links", .text = "leave symbolic links alone",
		 .flag = &a->options.keep_links},
		{'j', "json", .text = "print one JSON object", .flag = &a->json},
		{},
	};
	const struct warder_usage usage = {
		.verb = "explain", .options = options, .more = more, .most = -1};
	char **words;
	int result = warder_options_read(&usage, argc, argv, &words);

	return result < 0 ? take_words(a, words) : result;
}

/* --- the access --- */

static int say_access_error(const char *text, const struct warder_access_error *error)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_source source = {
		.name = (char *)"access", .text = (char *)text, .size = strlen(text)};
	struct warder_span span = {.width = 1};

	warder_source_locate(&source, error->offset, &span.line, &span.column);
	warder_diagnostics_add(&found, WARDER_ERROR, &source, span, error->hint, "%s",
			       error->message);
	warder_diagnostics_print(&found, stderr);
	return WARDER_EXIT_USAGE;
}

static int follow_links(const struct arguments *a, struct warder_access *access)
{
	const char *root = a->options.root ? a->options.root : "/";
	_cleanup_free_ struct warder_link_error *error = malloc(sizeof(*error));
	_cleanup_close_ int fd = -1;
	int r;

	if (a->options.keep_links)
		return WARDER_EXIT_OK;
	fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || !error) {
		warder_say("explain: \"%s\": %s", root, strerror(fd < 0 ? errno : ENOMEM));
		return WARDER_EXIT_FAILED;
	}
	r = warder_access_follow(access, fd, a->options.trusted_uid, error);
	if (r == -EPERM)
		warder_say("explain: the path leads through the symbolic link \"%s\", but %s; name "
			   "the place that it leads to, or say --no-links",
			   error->link, error->reason);
	else if (r < 0)
		warder_say("explain: %s", strerror(-r));
	return r < 0 ? WARDER_EXIT_FAILED : WARDER_EXIT_OK;
}

static int read_access(const struct arguments *a, struct warder_access *access)
{
	struct warder_access_error error = {0};
	int r = warder_access_parse(a->access, strlen(a->access), access, &error);

	if (r == -EINVAL)
		return say_access_error(a->access, &error);
	if (r < 0) {
		warder_say("explain: %s", strerror(-r));
		return WARDER_EXIT_FAILED;
	}
	return follow_links(a, access);
}

/* --- a policy --- */

static int open_policy(const struct arguments *a, struct warder_operand *operand,
		       struct warder_side *side)
{
	int result = warder_operand_open("explain", a->policy, &a->options, operand);

	if (result != WARDER_EXIT_OK)
		return result;
	if ((a->set && operand->set) || (a->tools && operand->tools))
		return warder_say_usage("explain",
					"explain: \"%s\" names a set: no --set or --with beside it",
					a->policy);
	if (a->set)
		operand->set = strdup(a->set);
	if (a->tools)
		operand->tools = strdup(a->tools);
	if ((a->set && !operand->set) || (a->tools && !operand->tools)) {
		warder_say("explain: out of memory");
		return WARDER_EXIT_FAILED;
	}
	return warder_operand_side("explain", operand, side);
}

static const char *set_name(const struct warder_operand *operand)
{
	if (operand->set)
		return operand->set;
	return operand->policy->sets[warder_policy_run_set(operand->policy)].name;
}

static void print_text(const struct warder_operand *operand, const struct warder_side *side,
		       const struct warder_access *access, const struct warder_verdict *verdict)
{
	warder_message_print(stdout, "%s: %s\n", verdict->allowed ? "allowed" : "refused",
			     access->text);
	if (access->elsewhere)
		warder_message_print(stdout, "  path   %s\n", access->path);
	warder_message_print(stdout, "  set    %s%s%s\n", set_name(operand),
			     operand->tools ? ", with " : "", operand->tools ? operand->tools : "");
	warder_verdict_print(verdict, side, "  ", stdout);
	if (operand->policy->unenforced)
		warder_message_print(stdout,
				     "  note   this version loads no such policy: it does not "
				     "enforce all of it (`warder check` says what)\n");
}

static int print_json(const struct warder_operand *operand, const struct warder_side *side,
		      const struct warder_access *access, const struct warder_verdict *verdict)
{
	json_t *root = warder_verdict_json(verdict, side);

	warder_json_set_bytes(root, "access", access->text, strlen(access->text));
	if (access->kind == WARDER_ACCESS_PATH)
		warder_json_set_bytes(root, "judged_as", access->path, access->length);
	json_object_set_new(root, "policy", json_string(operand->policy->name));
	json_object_set_new(root, "set", json_string(set_name(operand)));
	json_object_set_new(root, "loadable", json_boolean(!operand->policy->unenforced));
	return warder_say_json(root);
}

static int explain_policy(const struct arguments *a, const struct warder_access *access)
{
	_cleanup_operand_ struct warder_operand operand = {0};
	struct warder_side side;
	struct warder_verdict verdict;
	char text[1024];
	int result = open_policy(a, &operand, &side), r;

	if (result != WARDER_EXIT_OK)
		return result;
	r = warder_verdict_find(&side, access, &verdict);
	if (r < 0) {
		warder_say("explain: %s", strerror(-r));
		return WARDER_EXIT_FAILED;
	}
	if (!verdict.agrees) {
		warder_say("explain: internal error: the enforcer's matcher says %s, and the rules "
			   "say %s (%s); please report it with the policy",
			   verdict.allowed ? "allowed" : "refused",
			   verdict.why.allowed ? "allowed" : "refused",
			   warder_explanation_text(&verdict.why, text, sizeof(text)));
		return WARDER_EXIT_FAILED;
	}
	if (a->json)
		result = print_json(&operand, &side, access, &verdict);
	else
		print_text(&operand, &side, access, &verdict);
	return result == WARDER_EXIT_OK && !verdict.allowed ? WARDER_EXIT_REFUSED : result;
}

static int explain(struct arguments *arguments)
{
	_cleanup_access_ struct warder_access access = {0};
	int result = read_access(arguments, &access);

	if (result != WARDER_EXIT_OK)
		return result;
	warder_variables_give(&arguments->variables, &arguments->options);
	return arguments->live ? warder_explain_live(arguments->live, &access, arguments->json)
			       : explain_policy(arguments, &access);
}

int verb_explain(int argc, char **argv)
{
	/* What is asked is what the policy says: also in words that nothing enforces yet. */
	struct arguments arguments = {.options = {.accept_unenforced = true}};
	int result = parse(argc, argv, &arguments);

	if (result < 0)
		result = explain(&arguments);
	free(arguments.access);
	warder_variables_release(&arguments.variables);
	return result;
}
