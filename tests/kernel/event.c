// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * event.c - what the subject's ring reported, for assertions.
 */
#include "harness.h"

#include "audit/event.h"

static void keep_event(const struct warder_event *event, const char *text, void *context)
{
	struct kt_subject *s = context;
	struct kt_event_record *more =
		realloc(s->events, (s->event_count + 1) * sizeof(*s->events));

	if (!more)
		abort();
	s->events = more;
	more += s->event_count++;
	more->event = *event;
	memcpy(more->text, text, event->text_length);
	more->text[event->text_length] = '\0';
}

static bool drain(struct kt_subject *s)
{
	if (!s->ring && warder_ring_open(kt_session(), s->binding, keep_event, s, &s->ring) < 0)
		return false;
	return warder_ring_drain(s->ring) >= 0;
}

static bool text_matches(const struct kt_subject *s, const char *wanted, const char *text)
{
	size_t length = strlen(s->dir);

	if (!wanted)
		return true;
	if (strncmp(wanted, "{DIR}", 5))
		return !strcmp(wanted, text);
	return !strncmp(text, s->dir, length) && !strcmp(text + length, wanted + 5);
}

static bool event_matches(const struct kt_subject *s, const struct kt_event_record *record,
			  const struct kt_match *match)
{
	const struct warder_event *event = &record->event;

	return (match->hook < 0 || event->hook == match->hook) &&
	       (match->reason < 0 || event->reason == match->reason) &&
	       (event->missing & match->missing) == match->missing &&
	       (!match->number || event->number == match->number) &&
	       (!match->family || event->family == match->family) &&
	       (!match->port || event->port == match->port) &&
	       (!match->error || event->error == match->error) &&
	       text_matches(s, match->text, record->text);
}

const struct kt_event_record *kt_event_find(struct kt_subject *s, const struct kt_match *match)
{
	size_t i;

	if (!drain(s))
		return NULL;
	for (i = 0; i < s->event_count; i++) {
		if (event_matches(s, &s->events[i], match))
			return &s->events[i];
	}
	return NULL;
}

void kt_events_clear(struct kt_subject *s)
{
	drain(s);
	s->event_count = 0;
}

static void print_event(const struct kt_event_record *record)
{
	static char object[WARDER_OBJECT_TEXT_MAX];
	char act[128];

	printf("\tseen: hook %d, reason %d, error %d: %s %s\n", record->event.hook,
	       record->event.reason, record->event.error,
	       warder_event_act(&record->event, record->text, act, sizeof(act)),
	       warder_event_object(&record->event, record->text, object, sizeof(object)));
}

bool kt_event_at(const char *file, int line, struct kt_subject *s, const char *name,
		 const struct kt_match *match)
{
	bool ok = kt_event_find(s, match);
	size_t i;

	kt_check_at(file, line, name, ok,
		    "no event of hook %d, reason %d, missing 0x%x, object %s among %zu",
		    match->hook, match->reason, match->missing, match->text ?: "(any)",
		    s->event_count);
	for (i = 0; !ok && i < s->event_count && i < 8; i++)
		print_event(&s->events[i]);
	return ok;
}
