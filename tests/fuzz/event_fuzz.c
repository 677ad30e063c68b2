// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * event_fuzz.c - any bytes as a sample of an event ring.
 *
 * In words, as JSON, as a line of the log and with its rule: nothing is read behind the
 * sample, and what comes out can be printed.
 */
#include <warder/event.h>

#include "audit/event.h"
#include "audit/explain.h"
#include "audit/line.h"
#include "audit/remedy.h"
#include "audit/summary.h"
#include "base/cleanup.h"
#include "claim.h"
#include "policy/policy.h"

static const char policy_text[] =
	"version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
	"tools: {mail: {exec: [/bin/mail], network: {connect: ['tcp:127.0.0.1:25']}}}\n"
	"sets: {agent: {exec: [/bin/**], files: {read: [/**], deny: {read: ['**/.env']}},\n"
	"  unix: {connect: ['@a*']}, network: {connect: ['tcp:*:*']}, syscalls: {deny: "
	"[ptrace]}}}\n";

static const struct warder_policy *the_policy(void)
{
	static struct warder_policy *policy;

	if (!policy) {
		const struct warder_policy_options options = {.keep_links = true};
		struct warder_diagnostics found = {0};

		CLAIM(warder_policy_parse("p.yaml", policy_text, strlen(policy_text), &options,
					  &found, &policy) == 0);
		warder_diagnostics_release(&found);
	}
	return policy;
}

static void check_line(const struct warder_record *record)
{
	_cleanup_free_ char *text = NULL, *dump = NULL;
	json_t *json = warder_event_json(record);
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CLAIM(json && out);
	dump = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII);
	CLAIM(dump && !strchr(dump, '\n'));
	warder_line_print(json, out);
	fclose(out);
	json_decref(json);
	CLAIM(size && memchr(text, '\n', size) == text + size - 1);
	claim_printable(text, size);
}

static void check_summary(const struct warder_record *record)
{
	_cleanup_summary_ struct warder_summary *summary = NULL;
	_cleanup_free_ char *text = NULL;
	const struct warder_stats stats = {.denied = 1, .dropped = 1, .suppressed = 1};
	const struct warder_summary_style folded = {.limit = 1}, each = {.each = true};
	const char *act, *object;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CLAIM(out && warder_summary_new(&summary) == 0);
	warder_summary_add(summary, record);
	warder_summary_add(summary, record);
	CLAIM(warder_summary_count(summary) == warder_event_refused(record->event));
	warder_summary_last(summary, record->event->pid, &act, &object);
	warder_summary_print(summary, &stats, &folded, out);
	warder_summary_print(summary, &stats, &each, out);
	json_decref(warder_summary_json(summary, &stats));
	fclose(out);
	claim_printable(text, size);
}

static void check_sample(const void *data, size_t size)
{
	char act[256], object[WARDER_OBJECT_TEXT_MAX], rule[WARDER_RULE_TEXT_MAX];
	char keys[WARDER_RULE_TEXT_MAX], said[WARDER_REMEDY_TEXT_MAX];
	struct warder_explanation explanation, *explained = NULL;
	struct warder_remedy remedy;
	struct warder_record record = {.subject = "bot", .policy = "p", .set = "agent"};

	if (!warder_event_parse(data, size, &record.event, &record.text))
		return;
	CLAIM(record.event->text_length <= size - sizeof(*record.event));
	warder_event_act(record.event, record.text, act, sizeof(act));
	warder_event_object(record.event, record.text, object, sizeof(object));
	claim_printable(object, strlen(object));
	if (warder_event_explain(record.event, record.text, the_policy(), record.event->sequence,
				 &explanation) == 0)
		explained = &explanation;
	record.rule = warder_event_rule(record.event, explained, rule, sizeof(rule));
	claim_printable(rule, strlen(rule));
	warder_remedy_find(record.event, record.text, record.set, explained, &remedy);
	warder_remedy_text(&remedy, said, sizeof(said));
	claim_printable(said, strlen(said));
	record.remedy = &remedy;
	record.keys = warder_key_names(record.event->pid & 1 ? the_policy() : NULL,
				       record.event->keys, keys, sizeof(keys));
	check_line(&record);
	check_summary(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t room = size < sizeof(struct warder_event) ? sizeof(struct warder_event) : size;
	struct warder_event *event = calloc(1, room);

	CLAIM(event);
	if (size)
		memcpy(event, data, size);
	check_sample(event, size);
	/* Whole, whatever came: the fields that matter are the ones behind the length. */
	event->text_length = (__u32)(room - sizeof(*event));
	check_sample(event, room);
	free(event);
	return 0;
}
