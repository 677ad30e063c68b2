// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * lend.c - what `grant` and `revoke` share: who, which tool, and the record of it.
 */
#include "cli/lend.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"

static int unknown_tool(const struct warder_policy *policy, const char *tool, int error,
			struct warder_error *reterr)
{
	struct warder_nearest nearest;
	char known[1024] = "";
	size_t used = 0, i;

	if (error == -EISNAM)
		return warder_error_set(reterr, error,
					"\"%s\" is a set, not a tool: only tools can be granted",
					tool);
	warder_nearest_begin(&nearest, tool, strlen(tool));
	for (i = 0; i < policy->key_count && used < sizeof(known); i++) {
		if (!policy->keys[i].tool)
			continue;
		warder_nearest_offer(&nearest, policy->keys[i].name);
		used += snprintf(known + used, sizeof(known) - used, "%s%s", used ? ", " : "",
				 policy->keys[i].name);
	}
	warder_error_set(reterr, error, "policy \"%s\" has no tool \"%s\"", policy->name, tool);
	if (nearest.best)
		return warder_error_add(reterr, error, "did you mean \"%s\"? It has: %s",
					nearest.best, known);
	return warder_error_add(reterr, error, used ? "it has: %s" : "it has none at all%s", known);
}

int warder_loan_open(const char *subject, const char *tool, struct warder_loan *ret_loan,
		     struct warder_error *reterr)
{
	struct warder_session_options options = {.adopt_only = true, .hold_lock = true};
	_cleanup_loan_ struct warder_loan loan = {};
	int error = warder_session_open(&options, &loan.session, reterr);

	if (!error)
		error = warder_subject_find(loan.session, subject, &loan.subject, reterr);
	if (!error)
		error = warder_policy_recall(loan.subject.generation, &loan.policy, reterr);
	if (error < 0)
		return error;
	error = warder_policy_find_tool(loan.policy, tool, &loan.key);
	if (error < 0)
		return unknown_tool(loan.policy, tool, error, reterr);
	*ret_loan = loan;
	loan = (struct warder_loan){};
	return 0;
}

void warder_loan_close(struct warder_loan *loan)
{
	warder_policy_free(&loan->policy);
	warder_session_close(&loan->session);
}

const char *warder_loan_reason_fault(const char *reason)
{
	if (!reason)
		return "no reason; say why with --reason TEXT (it is recorded)";
	if (reason[strspn(reason, " \t\n")] == '\0')
		return "the reason is empty; say why";
	return NULL;
}
