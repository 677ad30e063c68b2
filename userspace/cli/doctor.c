// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * doctor.c - `warder doctor`: what this kernel can enforce, what is missing, and the fix.
 */
#include <stdio.h>

#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "load/prerequisite.h"
#include "load/session.h"
#include "load/weakness.h"

static const char *const state_names[] = {
	[WARDER_PREREQUISITE_OK] = "ok",
	[WARDER_PREREQUISITE_MISSING] = "missing",
	[WARDER_PREREQUISITE_UNKNOWN] = "cannot tell",
};

static void print_result(const struct warder_prerequisite *row,
			 const struct warder_prerequisite_result *result)
{
	printf("%-11s  %s: %s\n", state_names[result->state], row->text, result->found);
	if (result->state == WARDER_PREREQUISITE_OK)
		return;
	printf("             why: %s\n", row->why);
	printf("             fix: %s\n", result->remedy);
}

static json_t *result_json(const struct warder_prerequisite *row,
			   const struct warder_prerequisite_result *result)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", row->name, "needs", row->text,
			 "state", state_names[result->state], "found", result->found, "why",
			 row->why, "fix", result->remedy);
}

static const char *conclusion(unsigned int missing, unsigned int unknown)
{
	if (missing)
		return "warder cannot enforce here until that is fixed";
	return unknown ? "nothing is known to be missing; root can tell the rest"
		       : "this kernel can enforce; `warder run` proves it at each start";
}

/* What is enforced all the same, and less is said of. */
static json_t *weaknesses(bool json)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < warder_weakness_count; i++) {
		const struct warder_weakness *row = &warder_weaknesses[i];

		if (!row->holds())
			continue;
		json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", row->name, "text",
						      row->text, "fix", row->remedy));
		if (!json)
			printf("weaker       %s\n             fix: %s\n", row->text, row->remedy);
	}
	return list;
}

/* What is attached now, when root asks. */
static void print_loaded(void)
{
	struct warder_session_options adopt = {.adopt_only = true};
	_cleanup_session_ struct warder_session *session = NULL;
	struct warder_error message = {};
	char names[256];

	if (warder_session_open(&adopt, &session, NULL) < 0)
		return;
	if (warder_session_verify(session, &message) < 0)
		printf("\nloaded, but: %s\n", message.text);
	else
		printf("\nloaded and attached; `warder ps` lists the subjects\n");
	if (!warder_session_left_out(session, names, sizeof(names))[0])
		return;
	printf("weaker: no slot of lsm_cgroup was left for the second net's %s; the first net "
	       "alone "
	       "holds these\n",
	       names);
	printf("        the kernel has ten, `bpftool cgroup tree` shows who has them; loaded anew, "
	       "warder takes those that are free\n");
}

static int examine(bool json)
{
	struct warder_prerequisite_host host;
	unsigned int missing = 0, unknown = 0;
	json_t *list = json_array(), *weaker;
	size_t i;

	warder_prerequisite_host_init(&host);
	for (i = 0; i < warder_prerequisite_count; i++) {
		const struct warder_prerequisite *row = &warder_prerequisites[i];
		struct warder_prerequisite_result result = {};

		row->probe(&host, &result);
		missing += result.state == WARDER_PREREQUISITE_MISSING;
		unknown += result.state == WARDER_PREREQUISITE_UNKNOWN;
		json_array_append_new(list, result_json(row, &result));
		if (!json)
			print_result(row, &result);
	}
	weaker = weaknesses(json);
	if (json) {
		warder_say_json(json_pack("{s:o, s:o, s:b, s:s}", "prerequisites", list, "weaker",
					  weaker, "can_enforce", !missing && !unknown, "conclusion",
					  conclusion(missing, unknown)));
	} else {
		json_decref(list);
		json_decref(weaker);
		printf("\n%s\n", conclusion(missing, unknown));
		if (host.privileged)
			print_loaded();
	}
	return missing || unknown ? WARDER_EXIT_FAILED : WARDER_EXIT_OK;
}

int verb_doctor(int argc, char **argv)
{
	bool json = false;
	const struct warder_option options[] = {
		{'j', "json", .text = "print one JSON object", .flag = &json},
		{},
	};
	const struct warder_usage usage = {
		.verb = "doctor",
		.options = options,
		.more = "Exits with 1 when something is missing. Works without root as far as it "
			"can.\n",
	};
	char **arguments;
	int result = warder_options_read(&usage, argc, argv, &arguments);

	return result < 0 ? examine(json) : result;
}
