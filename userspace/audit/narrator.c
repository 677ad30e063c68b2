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

/* Whose rules the event is about: the subject's own, or those of one above it. */
static bool find_judge(struct warder_narrator *narrator, const struct warder_event *event,
		       const struct warder_subject **ret_judge,
		       const struct warder_policy **ret_policy)
{
	*ret_judge = &narrator->subject;
	*ret_policy = narrator->policy;
	if (!event->judge || event->judge == narrator->subject.binding)
		return false;
	if (narrator->above.binding != event->judge) {
		warder_narrator_release(narrator);
		narrator->above = (struct warder_subject){.name = "(gone)"};
		warder_subject_read(narrator->session, event->judge, &narrator->above);
		warder_policy_recall(event->generation, &narrator->above_policy, NULL);
		narrator->above.binding = event->judge;
	}
	*ret_judge = &narrator->above;
	*ret_policy = narrator->above_policy;
	return true;
}

void warder_narrator_release(struct warder_narrator *narrator)
{
	warder_policy_free(&narrator->above_policy);
	narrator->above.binding = 0;
}

void warder_narrator_tell(const struct warder_event *event, const char *text, void *context)
{
	struct warder_narrator *narrator = context;
	struct warder_subject *subject = &narrator->subject;
	char rule[WARDER_RULE_TEXT_MAX], keys[WARDER_RULE_TEXT_MAX];
	struct warder_record record = {.event = event, .text = text, .subject = subject->name};
	struct warder_explanation explanation = {};
	const struct warder_policy *policy;
	const struct warder_subject *judge;
	struct warder_remedy remedy;
	bool explained;

	refresh(narrator);
	if (find_judge(narrator, event, &judge, &policy)) {
		record.judge = judge->name;
		record.judge_set = judge->set;
	}
	explained = warder_event_explain(event, text, policy, warder_held(judge, event->time),
					 &explanation) == 0;
	warder_remedy_find(event, text, judge->set, explained ? &explanation : NULL, &remedy);
	record.policy = subject->policy;
	record.set = subject->set;
	record.rule = warder_event_rule(event, explained ? &explanation : NULL, rule, sizeof(rule));
	record.remedy = &remedy;
	record.keys = warder_key_names(policy, event->keys, keys, sizeof(keys));
	tell(narrator, &record);
}
