// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * syscalls.c - `warder syscalls [SET]`: every call of this kernel, and which layer holds it.
 *
 * With a policy the verdict of a set; without one what could be said of a call, and who would
 * hold it.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "cli/operand.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/table.h"
#include "cli/variables.h"
#include "cli/verb.h"
#include "compile/verdict.h"
#include "load/calls.h"
#include "policy/opening.h"
#include "policy/syscall.h"
#include "run/filter.h"

struct arguments {
	struct warder_policy_options options;
	struct warder_variables variables;
	const char *policy, *tools, *set;
	bool json, all;
};

struct listing {
	const struct arguments *arguments;
	struct warder_operand operand;
	struct warder_side side; /* with a policy */
	unsigned int set;
	struct warder_calls calls;
	struct warder_table table;
	json_t *list;
	/* Counted. */
	unsigned int shown, left_out, allowed, by_filter, by_hooks;
};

static const char more[] =
	"LAYER: \"hooks\" hold a verdict live, for any process however started; the \"filter\" is "
	"what\n"
	"`warder run` installs when it starts a program, and stays as it is then.\n";

static int read_arguments(int argc, char **argv, struct arguments *a)
{
	const struct warder_option options[] = {
		{'p', "policy", "FILE", "what a set of this policy is answered",
		 .place = &a->policy},
		{0, "with", "TOOL,...", "that holds these tools as well, as after a grant",
		 .place = &a->tools},
		{0, "var", "NAME=VALUE", "the value of a variable of the policy; may be repeated",
		 .take = warder_variables_take, .context = &a->variables},
		{0, "all", .text = "also those that this kernel does not have", .flag = &a->all},
		{'j', "json", .text = "print one JSON object", .flag = &a->json},
		{},
	};
	const struct warder_usage usage = {
		.verb = "syscalls",
		.options = options,
		.more = more,
		.most = 1,
		.wanted = "syscalls: name one set, or none",
	};
	char **words;
	int result = warder_options_read(&usage, argc, argv, &words);

	if (result >= 0)
		return result;
	a->set = *words;
	if (!a->policy && (a->set || a->tools))
		return warder_say_usage("syscalls",
					"syscalls: a set of which policy? name it with -p FILE");
	return -1;
}

/* --- without a policy --- */

static const char *profile_of(int number)
{
	if (warder_profile_allows(WARDER_PROFILE_STRICT, number))
		return "strict";
	return warder_profile_allows(WARDER_PROFILE_DEFAULT, number) ? "default" : "none";
}

static void list_plain(struct listing *l, int number, const char *name, json_t *object)
{
	const struct warder_opening *opening = warder_opening_find(name);
	const char *layer = warder_syscall_is_judged(name) ? "hooks" : "filter";
	const char *section = opening && opening->surface < 0 ? "capabilities" : "kernel";
	char word[96] = "-";

	if (opening)
		snprintf(word, sizeof(word), "%s: [%s]", section, warder_opening_name(opening));
	warder_table_add(&l->table, "%d", number);
	warder_table_add(&l->table, "%s", name);
	warder_table_add(&l->table, "%s", layer);
	warder_table_add(&l->table, "%s", profile_of(number));
	warder_table_add(&l->table, "%s", word);
	json_object_set_new(object, "layer", json_string(layer));
	json_object_set_new(object, "profile", json_string(profile_of(number)));
	if (opening)
		json_object_set_new(object, section, json_string(warder_opening_name(opening)));
}

/* --- of a set --- */

/* Beside the rule: what of the call is refused all the same, or how. */
static const char *beside(const struct listing *l, int number, const struct warder_verdict *v,
			  const struct warder_call *call, char *out, size_t size)
{
	const struct warder_set *set = &l->operand.policy->sets[l->set];
	char wants[128];

	out[0] = 0;
	warder_verdict_wants_text(v, wants, sizeof(wants));
	if (wants[0])
		snprintf(out, size, "; %s", wants);
	else if (v->allowed && call->closely)
		snprintf(out, size, "; the filter looks at its arguments");
	else if (warder_filter_is_quiet(set, number, call))
		snprintf(out, size, "; answers ENOSYS");
	return out;
}

static void list_of_set(struct listing *l, int number, const char *name,
			const struct warder_verdict *v, json_t *object)
{
	char rule[2048], note[160];
	const char *why = v->fixed ? warder_verdict_fixed_text(v, rule, sizeof(rule))
				   : warder_explanation_text(&v->why, rule, sizeof(rule));
	const struct warder_set *set = &l->operand.policy->sets[l->set];
	struct warder_call call;

	warder_profile_find(l->operand.policy, set, number, &call);
	l->allowed += v->allowed;
	l->by_filter += v->layer == WARDER_LAYER_FILTER;
	l->by_hooks += v->layer >= WARDER_LAYER_HOOKS;
	warder_table_add(&l->table, "%d", number);
	warder_table_add(&l->table, "%s", name);
	warder_table_add(&l->table, "%s", v->allowed ? "allowed" : "refused");
	warder_table_add(&l->table, "%s", warder_layer_name(v->layer) ?: "-");
	warder_table_add(&l->table, "%s%s", why, beside(l, number, v, &call, note, sizeof(note)));
	json_object_update_missing_new(object, warder_verdict_json(v, &l->side));
	json_object_del(object, "keys");
	if (!v->allowed)
		json_object_set_new(object, "errno",
				    json_string(warder_filter_is_quiet(set, number, &call)
							? "ENOSYS"
							: "EPERM"));
	if (v->allowed && call.closely)
		json_object_set_new(object, "arguments", json_true());
}

static int list_call(struct listing *l, int number, const char *name)
{
	struct warder_access access = {.kind = WARDER_ACCESS_SYSCALL, .number = number};
	json_t *object =
		json_pack("{s:s, s:i, s:o}", "name", name, "number", number, "present",
			  l->calls.known ? json_boolean(l->calls.has[number]) : json_null());
	struct warder_verdict verdict;
	int r = 0;

	l->shown++;
	if (!l->operand.policy) {
		list_plain(l, number, name, object);
	} else {
		r = warder_verdict_find(&l->side, &access, &verdict);
		if (r == 0)
			list_of_set(l, number, name, &verdict, object);
	}
	json_array_append_new(l->list, object);
	return r;
}

static void add_heading(struct listing *l)
{
	static const char *const plain[] = {"NUMBER", "CALL", "LAYER", "PROFILE", "WORD"};
	static const char *const of_set[] = {"NUMBER", "CALL", "VERDICT", "LAYER", "WHY"};
	size_t i;

	for (i = 0; i < l->table.columns; i++)
		warder_table_add(&l->table, "%s", l->operand.policy ? of_set[i] : plain[i]);
}

/* --- all of them --- */

/* Where names and numbers come from. */
static const char *source_text(const struct listing *l, char *out, size_t size)
{
	const struct scmp_version *version = seccomp_version();
	struct utsname names;

	uname(&names);
	snprintf(out, size,
		 "names and numbers of x86-64: libseccomp %u.%u.%u and warder's own, up to "
		 "file_setattr (%u); %s Linux %s",
		 version->major, version->minor, version->micro, WARDER_SYSCALL_NEWEST,
		 l->calls.known ? "which of them exist: " WARDER_KALLSYMS " of"
				: "which of them exist is not told by",
		 names.release);
	return out;
}

static void print_text(const struct listing *l)
{
	char source[256];

	warder_table_print(&l->table, stdout);
	if (l->operand.policy)
		printf("\n%u calls: %u allowed, %u refused: %u by hooks, %u by the filter alone\n",
		       l->shown, l->allowed, l->by_filter + l->by_hooks, l->by_hooks, l->by_filter);
	else
		printf("\n%u calls\n", l->shown);
	if (l->left_out)
		printf("%u that this kernel does not have are left out (--all)\n", l->left_out);
	printf("%s\n", source_text(l, source, sizeof(source)));
}

static int print_json(struct listing *l)
{
	char source[256];
	json_t *root = json_pack("{s:s, s:O}", "source", source_text(l, source, sizeof(source)),
				 "calls", l->list);

	if (l->operand.policy) {
		json_object_set_new(root, "policy", json_string(l->operand.policy->name));
		json_object_set_new(root, "set", json_string(l->operand.policy->sets[l->set].name));
	}
	return warder_say_json(root);
}

static int list(struct listing *l)
{
	int number, r = 0;

	add_heading(l);
	for (number = 0; number < (int)WARDER_SYSCALLS_MAX && r == 0; number++) {
		_cleanup_free_ char *name = warder_syscall_name(number);

		if (name && l->calls.known && !l->calls.has[number] && !l->arguments->all)
			l->left_out++;
		else if (name)
			r = list_call(l, number, name);
	}
	if (r < 0) {
		warder_say("syscalls: %s", strerror(-r));
		return WARDER_EXIT_FAILED;
	}
	if (l->arguments->json)
		return print_json(l);
	print_text(l);
	return WARDER_EXIT_OK;
}

static int open_side(struct arguments *a, struct listing *l)
{
	int result = warder_operand_open_set("syscalls", a->policy, a->set, a->tools, &a->options,
					     &l->operand, &l->set);

	return result == WARDER_EXIT_OK ? warder_operand_side("syscalls", &l->operand, &l->side)
					: result;
}

static int show(struct arguments *a)
{
	struct listing l = {.arguments = a, .table = {.columns = 5}, .list = json_array()};
	FILE *symbols = fopen(WARDER_KALLSYMS, "re");
	int result = WARDER_EXIT_OK;

	if (symbols) {
		warder_calls_read(symbols, &l.calls);
		fclose(symbols);
	}
	warder_variables_give(&a->variables, &a->options);
	if (a->policy)
		result = open_side(a, &l);
	if (result == WARDER_EXIT_OK)
		result = list(&l);
	warder_table_release(&l.table);
	warder_operand_close(&l.operand);
	json_decref(l.list);
	return result;
}

int verb_syscalls(int argc, char **argv)
{
	struct arguments arguments = {.options = {.accept_unenforced = true}};
	int result = read_arguments(argc, argv, &arguments);

	if (result < 0)
		result = show(&arguments);
	warder_variables_release(&arguments.variables);
	return result;
}
