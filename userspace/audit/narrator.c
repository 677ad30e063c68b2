// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * narrator.c - turns the raw events of one subject into records: names, rule, log.
 */
#include "audit/narrator.h"

#include <warder/decide.h>

#include "audit/log.h"
#include "audit/remedy.h"
#include "base/duration.h"

/* Reading a subject takes milliseconds on old kernels: not for each event of a burst. */
#define KEEP_SPAN (WARDER_SECOND / 5)

/* The keyring of the event's moment is not recorded; the one of now is close. */
static void refresh(struct warder_narrator *narrator)
{
	__u64 now = warder_boottime();

	if (now - narrator->read_at < KEEP_SPAN)
		return;
	warder_subject_read(narrator->session, narrator->subject.binding, &narrator->subject);
	narrator->read_at = now;
}

static void tell(struct warder_narrator *narrator, const struct warder_record *record)
{
	/* What only corrects an event is for who still holds that event. */
	if (!warder_event_corrects(record->event)) {
		if (narrator->log && warder_log_append(warder_event_json(record)) < 0)
			narrator->log_failures++;
		if (narrator->sink)
			narrator->sink(record, narrator->sink_context);
	}
	if (narrator->summary)
		warder_summary_add(narrator->summary, record);
}

void warder_narrator_tell(const struct warder_event *event, const char *text, void *context)
{
	struct warder_narrator *narrator = context;
	struct warder_subject *subject = &narrator->subject;
	char rule[WARDER_RULE_TEXT_MAX], keys[WARDER_RULE_TEXT_MAX];
	struct warder_record record = {.event = event, .text = text, .subject = subject->name};
	struct warder_explanation explanation = {};
	struct warder_remedy remedy;
	bool explained;

	refresh(narrator);
	explained = warder_event_explain(event, text, narrator->policy,
					 warder_held(subject, event->time), &explanation) == 0;
	warder_remedy_find(event, text, subject->set, explained ? &explanation : NULL, &remedy);
	record.policy = subject->policy;
	record.set = subject->set;
	record.rule = warder_event_rule(event, explained ? &explanation : NULL, rule, sizeof(rule));
	record.remedy = &remedy;
	record.keys = warder_key_names(narrator->policy, event->keys, keys, sizeof(keys));
	tell(narrator, &record);
}
