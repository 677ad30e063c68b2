// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * summary.c - what a run was refused: each distinct act once, with its count.
 *
 * Three things that programs do by themselves are told apart, so that the printed summary does
 * not show them as acts of their own: a search along PATH executes one file by two names; a
 * shell reads what it could not execute, to see whether it is a script; an open that may create
 * asks for that before anybody knows whether the file exists.
 */
#include "audit/summary.h"

#include <errno.h>
#include <string.h>

#include <warder/access.h>
#include <warder/hook.h>

#include "audit/name.h"
#include "audit/refusal.h"
#include "base/cleanup.h"
#include "base/vector.h"

/* Distinct refusals kept; hostile code could otherwise fill memory with names. */
#define REFUSALS_MAX 4096

int warder_summary_new(struct warder_summary **ret_summary)
{
	struct warder_summary *summary = calloc(1, sizeof(*summary));

	if (!summary)
		return -ENOMEM;
	*ret_summary = summary;
	return 0;
}

static void refusal_release(struct warder_refusal *refusal)
{
	free(refusal->act);
	free(refusal->object);
	free(refusal->rule);
	free(refusal->keys);
	free(refusal->path);
}

void warder_summary_free(struct warder_summary **summary)
{
	size_t i;

	if (!summary || !*summary)
		return;
	for (i = 0; i < (*summary)->count; i++)
		refusal_release(&(*summary)->refusals[i]);
	free((*summary)->refusals);
	free(*summary);
	*summary = NULL;
}

/* A record in the words of the summary. */
struct words {
	char act[256], object[WARDER_OBJECT_TEXT_MAX];
	const char *rule;
	bool refused;
};

static struct warder_refusal *find(struct warder_summary *summary, const struct words *words)
{
	size_t i;

	for (i = 0; i < summary->count; i++) {
		struct warder_refusal *refusal = &summary->refusals[i];

		if (refusal->refused == words->refused && !strcmp(refusal->act, words->act) &&
		    !strcmp(refusal->object, words->object) && !strcmp(refusal->rule, words->rule))
			return refusal;
	}
	return NULL;
}

/* Names without "/" at their begin, and those whose begin is missing, are no paths to fold. */
static int set_path(struct warder_refusal *refusal, const struct warder_record *record)
{
	const struct warder_event *event = record->event;
	bool path = event->object == WARDER_OBJECT_PATH || event->object == WARDER_OBJECT_UNIX;
	size_t length = path ? warder_event_text_shown(event, record->text) : 0;

	if (!length || record->text[0] != '/' || event->flags & WARDER_EVENT_TEXT_CUT ||
	    memchr(record->text, 0, length) || warder_event_is_unnamed(event, record->text))
		return 0;
	refusal->path = malloc(length);
	if (!refusal->path)
		return -ENOMEM;
	memcpy(refusal->path, record->text, length);
	refusal->path_length = length;
	return 0;
}

static struct warder_refusal *add(struct warder_summary *summary, const struct words *words,
				  const struct warder_record *record)
{
	struct warder_refusal refusal = {
		.refused = words->refused,
		.first = record->event->time,
		.exec = words->refused && warder_event_is_exec(record->event),
	};

	if (summary->count >= REFUSALS_MAX ||
	    !VECTOR_ROOM(summary->refusals, summary->count, summary->capacity))
		return NULL;
	refusal.act = strdup(words->act);
	refusal.object = strdup(words->object);
	refusal.rule = strdup(words->rule);
	refusal.keys = strdup(record->keys ? record->keys : "");
	if (record->remedy)
		refusal.remedy = *record->remedy;
	if (!refusal.act || !refusal.object || !refusal.rule || !refusal.keys ||
	    set_path(&refusal, record) < 0) {
		refusal_release(&refusal);
		return NULL;
	}
	summary->refusals[summary->count] = refusal;
	return &summary->refusals[summary->count++];
}

/* Of this thread; what another one left there is forgotten. */
static struct warder_recent *recent_of(struct warder_summary *summary, __u32 tid)
{
	struct warder_recent *recent = &summary->recent[tid % WARDER_RECENT_SIZE];

	if (recent->tid != tid)
		*recent = (struct warder_recent){.tid = tid};
	return recent;
}

/* Is it about the same name? Bytes where they are kept: two names may look alike when escaped. */
static bool same_object(const struct warder_refusal *refusal, const struct warder_record *record)
{
	const struct warder_event *event = record->event;
	char object[WARDER_OBJECT_TEXT_MAX];

	if (refusal->path && (refusal->path_length != event->text_length ||
			      memcmp(refusal->path, record->text, event->text_length)))
		return false;
	warder_event_object(event, record->text, object, sizeof(object));
	return !strcmp(refusal->object, object);
}

/*
 * The creation before this was none, says the event. It was not recorded when there was no room
 * for it, and then the one that is known is an earlier one: that was refused.
 */
static void take_back(struct warder_summary *summary, const struct warder_record *record)
{
	const struct warder_event *event = record->event;
	struct warder_recent *recent = recent_of(summary, event->tid);

	if (!(event->flags & WARDER_EVENT_EXISTED) || !recent->creation ||
	    !same_object(&summary->refusals[recent->creation - 1], record))
		return;
	summary->refusals[recent->creation - 1].existed++;
	summary->refused--;
	recent->creation = 0;
}

/* A read of a file, and of nothing else: as a shell looks into a program. */
static bool is_look(const struct warder_event *event)
{
	return event->hook == WARDER_HOOK_FILE_OPEN && event->rights == WARDER_READ;
}

static void relate(struct warder_summary *summary, const struct warder_event *event,
		   struct warder_refusal *refusal)
{
	struct warder_recent *recent = recent_of(summary, event->tid);
	struct warder_refusal *last = recent->refusal ? &summary->refusals[recent->refusal - 1]
						      : NULL;

	if (last && last->exec && last == refusal)
		refusal->again++;
	if (last && last->exec && last != refusal && is_look(event) &&
	    !strcmp(last->object, refusal->object)) {
		refusal->looks++;
		last->looked++;
	}
	recent->refusal = refusal - summary->refusals + 1;
	if (event->flags & WARDER_EVENT_IF_NEW)
		recent->creation = recent->refusal;
}

void warder_summary_add(struct warder_summary *summary, const struct warder_record *record)
{
	const struct warder_event *event = record->event;
	struct warder_refusal *refusal;
	struct words words;

	take_back(summary, record);
	if (warder_event_corrects(event))
		return;
	words.refused = warder_event_refused(event);
	words.rule = record->rule ? record->rule : warder_text_reason(event->reason);
	warder_event_act(event, record->text, words.act, sizeof(words.act));
	warder_event_object(event, record->text, words.object, sizeof(words.object));
	summary->refused += words.refused;
	refusal = find(summary, &words);
	if (!refusal)
		refusal = add(summary, &words, record);
	if (!refusal) {
		*recent_of(summary, event->tid) = (struct warder_recent){.tid = event->tid};
		summary->not_kept++;
		return;
	}
	refusal->count++;
	/* Several processors write into one ring: not always in the order of time. */
	if (event->time < refusal->first)
		refusal->first = event->time;
	if (event->time >= refusal->last_time) {
		refusal->last_pid = event->pid;
		refusal->last_time = event->time;
	}
	if (words.refused)
		relate(summary, event, refusal);
}

size_t warder_summary_count(const struct warder_summary *summary)
{
	size_t count = 0, i;

	for (i = 0; i < summary->count; i++) {
		const struct warder_refusal *refusal = &summary->refusals[i];

		count += refusal->refused && warder_refusal_count(refusal) > 0;
	}
	return count;
}

const char *warder_summary_last(const struct warder_summary *summary, __u32 pid,
				const char **ret_act, const char **ret_object)
{
	const struct warder_refusal *last = NULL;
	size_t i;

	for (i = 0; i < summary->count; i++) {
		const struct warder_refusal *refusal = &summary->refusals[i];

		if (refusal->refused && refusal->last_pid == pid &&
		    (!last || refusal->last_time > last->last_time))
			last = refusal;
	}
	if (!last)
		return NULL;
	*ret_act = last->act;
	*ret_object = last->object;
	return last->rule;
}

static json_t *refusal_json(const struct warder_refusal *refusal)
{
	char remedy[WARDER_REMEDY_TEXT_MAX];
	json_t *object = json_pack("{s:I, s:s, s:s, s:s, s:s}", "count",
				   (json_int_t)warder_refusal_count(refusal), "act", refusal->act,
				   "object", refusal->object, "rule", refusal->rule, "keys",
				   refusal->keys);

	warder_remedy_text(&refusal->remedy, remedy, sizeof(remedy));
	if (remedy[0])
		json_object_set_new(object, "remedy", json_string(remedy));
	return object;
}

json_t *warder_summary_json(const struct warder_summary *summary, const struct warder_stats *stats)
{
	json_t *denied = json_array(), *granted = json_array();
	size_t i;

	for (i = 0; i < summary->count; i++) {
		const struct warder_refusal *refusal = &summary->refusals[i];

		if (warder_refusal_count(refusal))
			json_array_append_new(refusal->refused ? denied : granted,
					      refusal_json(refusal));
	}
	return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I}", "denied", denied, "granted_key_uses",
			 granted, "refusals", (json_int_t)stats->denied, "dropped",
			 (json_int_t)stats->dropped, "suppressed", (json_int_t)stats->suppressed,
			 "not_kept", (json_int_t)summary->not_kept);
}
