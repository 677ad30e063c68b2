// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * narrator.c - turns the raw events of one subject into records: names, rule, log.
 */
#include "audit/narrator.h"

#include <warder/decide.h>

#include "audit/log.h"
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

void warder_narrator_tell(const struct warder_event *event, const char *text, void *context)
{
	struct warder_narrator *narrator = context;
	struct warder_subject *subject = &narrator->subject;
	char rule[WARDER_RULE_TEXT_MAX], keys[WARDER_RULE_TEXT_MAX];
	struct warder_record record = {.event = event, .text = text, .subject = subject->name};

	refresh(narrator);
	record.policy = subject->policy;
	record.set = subject->set;
	record.rule = warder_event_rule(event, text, narrator->policy,
					warder_held(subject, event->time), rule, sizeof(rule));
	record.keys = warder_key_names(narrator->policy, event->keys, keys, sizeof(keys));
	if (narrator->log && warder_log_append(warder_event_json(&record)) < 0)
		narrator->log_failures++;
	if (narrator->summary)
		warder_summary_add(narrator->summary, &record);
	if (narrator->sink)
		narrator->sink(&record, narrator->sink_context);
}
