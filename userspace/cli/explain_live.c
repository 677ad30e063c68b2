// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * explain_live.c - `warder explain --live SUBJECT ACCESS`: the verdict of what is loaded.
 */
#include "cli/explain_live.h"

#include <errno.h>
#include <string.h>

#include "audit/event.h"
#include "audit/explain.h"
#include "audit/live.h"
#include "base/cleanup.h"
#include "base/duration.h"
#include "base/message.h"
#include "cli/say.h"
#include "cli/verb.h"

/* Keys that are held now, the granted ones with what is left of them. */
static void print_keys(const struct warder_live *live)
{
	const struct warder_subject *subject = &live->subject;
	const char *separator = "    keys   ";
	char name[WARDER_NAME_MAX + 16], left[64];
	unsigned int key;

	for (key = 0; key < WARDER_KEYS_MAX; key++) {
		if (!(live->side.held >> key & 1))
			continue;
		warder_key_names(live->policy, 1ull << key, name, sizeof(name));
		warder_message_print(stdout, "%s%s", separator, name);
		separator = ", ";
		if (subject->base >> key & 1)
			continue;
		if (subject->deadline[key] == WARDER_FOREVER)
			fputs(" (granted until revoked)", stdout);
		else
			warder_message_print(
				stdout, " (granted, %s left)",
				warder_duration_format(subject->deadline[key] - live->now, left,
						       sizeof(left)));
	}
	puts(live->side.held ? "" : "    keys   none");
}

static void print_live(const struct warder_live *live)
{
	const struct warder_subject *s = &live->subject;

	warder_message_print(stdout, "  %s (policy %s, set %s, generation %llu): %s\n", s->name,
			     s->policy, s->set, s->generation,
			     live->verdict.allowed ? "allowed" : "refused");
	if (!live->judged) {
		puts("    released by an operator: nothing is judged");
		return;
	}
	if (live->image)
		print_keys(live);
	warder_verdict_print(&live->verdict, &live->side, "    ", stdout);
	if (live->image && !live->policy)
		puts("    rule   not known: the text of this policy was not kept");
}

static json_t *live_json(const struct warder_live *live)
{
	const struct warder_subject *s = &live->subject;
	json_t *object = warder_verdict_json(&live->verdict, &live->side);

	json_object_set_new(object, "subject", json_string(s->name));
	json_object_set_new(object, "binding", json_integer((json_int_t)s->binding));
	json_object_set_new(object, "policy", json_string(s->policy));
	json_object_set_new(object, "set", json_string(s->set));
	if (s->parent)
		json_object_set_new(object, "parent", json_integer((json_int_t)s->parent));
	json_object_set_new(object, "generation", json_integer((json_int_t)s->generation));
	json_object_set_new(object, "judged", json_boolean(live->judged));
	return object;
}

static int print_json(const struct warder_access *access, const struct warder_chain *chain)
{
	json_t *root = json_object(), *list = json_array();
	size_t i;

	for (i = 0; i < chain->count; i++)
		json_array_append_new(list, live_json(&chain->list[i]));
	warder_json_set_bytes(root, "access", access->text, strlen(access->text));
	if (access->kind == WARDER_ACCESS_PATH)
		warder_json_set_bytes(root, "judged_as", access->path, access->length);
	json_object_set_new(root, "verdict",
			    json_string(warder_chain_allows(chain) ? "allowed" : "refused"));
	json_object_set_new(root, "chain", list);
	return warder_say_json(root);
}

/* The kernel's answer is enforced, whatever the text says. */
static int say_contradiction(const struct warder_chain *chain)
{
	char text[1024];
	size_t i;

	for (i = 0; i < chain->count; i++) {
		const struct warder_live *live = &chain->list[i];

		if (live->verdict.agrees)
			continue;
		warder_say(
			"explain: CONTRADICTION: what is loaded for \"%s\" says %s, and the policy "
			"text that was kept says %s (%s)",
			live->subject.name, live->verdict.allowed ? "allowed" : "refused",
			live->verdict.why.allowed ? "allowed" : "refused",
			warder_explanation_text(&live->verdict.why, text, sizeof(text)));
		warder_say("explain: what is loaded is enforced. Symbolic links that the policy "
			   "names may lead elsewhere than when it was loaded (`warder check`); if "
			   "not, "
			   "please report it");
	}
	return WARDER_EXIT_FAILED;
}

int warder_explain_live(const char *subject, const struct warder_access *access, bool json)
{
	struct warder_session_options adopt = {.adopt_only = true};
	_cleanup_session_ struct warder_session *session = NULL;
	_cleanup_chain_ struct warder_chain chain = {0};
	struct warder_error message = {};
	int error = warder_session_open(&adopt, &session, &message), result = WARDER_EXIT_OK;
	size_t i;

	if (!error)
		error = warder_chain_judge(session, subject, access, &chain, &message);
	if (error < 0)
		return warder_say_error(error, &message);
	if (json) {
		result = print_json(access, &chain);
	} else {
		warder_message_print(stdout, "%s: %s\n",
				     warder_chain_allows(&chain) ? "allowed" : "refused",
				     access->text);
		if (access->elsewhere)
			warder_message_print(stdout, "  path   %s\n", access->path);
		for (i = 0; i < chain.count; i++)
			print_live(&chain.list[i]);
	}
	if (!warder_chain_agrees(&chain))
		return say_contradiction(&chain);
	if (result != WARDER_EXIT_OK)
		return result;
	return warder_chain_allows(&chain) ? WARDER_EXIT_OK : WARDER_EXIT_REFUSED;
}
