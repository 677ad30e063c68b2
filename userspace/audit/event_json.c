// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * event_json.c - an event as JSON: every field, the object in words, bytes lossless.
 */
#include <string.h>

#include <warder/access.h>

#include "audit/event.h"
#include "audit/name.h"
#include "base/cleanup.h"
#include "base/duration.h"
#include "base/utf8.h"

static int set_hex(json_t *object, const char *key, const char *bytes, size_t size)
{
	_cleanup_free_ char *name = NULL, *hex = malloc(2 * size + 1);
	size_t i;

	if (!hex || asprintf(&name, "%s_hex", key) < 0)
		return -1;
	hex[0] = '\0';
	for (i = 0; i < size; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
	return json_object_set_new(object, name, json_string(hex));
}

int warder_json_set_bytes(json_t *object, const char *key, const char *bytes, size_t size)
{
	_cleanup_free_ char *escaped = NULL;

	if (warder_utf8_check(bytes, size) == size)
		return json_object_set_new(object, key, json_stringn(bytes, size));
	escaped = malloc(4 * size + 1);
	if (!escaped || set_hex(object, key, bytes, size) < 0)
		return -1;
	warder_utf8_escape(escaped, 4 * size + 1, bytes, size);
	return json_object_set_new(object, key, json_string(escaped));
}

static void set_string(json_t *object, const char *key, const char *value)
{
	if (value && *value)
		json_object_set_new(object, key, json_string(value));
}

static json_t *rights_json(__u32 rights)
{
	static const char *const names[] = {
#define X(name, text, doc) text,
		WARDER_RIGHTS(X)
#undef X
	};
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < WARDER_RIGHT_COUNT; i++) {
		if (rights >> i & 1)
			json_array_append_new(list, json_string(names[i]));
	}
	return list;
}

static void set_who(json_t *object, const struct warder_record *record)
{
	const struct warder_event *event = record->event;

	set_string(object, "subject", record->subject);
	json_object_set_new(object, "binding", json_integer(event->binding));
	set_string(object, "policy", record->policy);
	set_string(object, "set", record->set);
	json_object_set_new(object, "generation", json_integer(event->generation));
	json_object_set_new(object, "cgroup", json_integer(event->cgroup));
	json_object_set_new(object, "pid", json_integer(event->pid));
	json_object_set_new(object, "tid", json_integer(event->tid));
	json_object_set_new(object, "uid", json_integer(event->uid));
	json_object_set_new(object, "gid", json_integer(event->gid));
	json_object_set_new(object, "start_time", json_integer(event->start_time));
	warder_json_set_bytes(object, "comm", event->comm,
			      strnlen(event->comm, sizeof(event->comm)));
	warder_json_set_bytes(object, "exe", event->exe, strnlen(event->exe, sizeof(event->exe)));
}

static void set_object(json_t *object, const struct warder_record *record)
{
	const struct warder_event *event = record->event;
	char words[WARDER_OBJECT_TEXT_MAX];

	switch (event->object) {
	case WARDER_OBJECT_NONE:
		return;
	case WARDER_OBJECT_PATH:
	case WARDER_OBJECT_UNIX:
	case WARDER_OBJECT_NAMED:
		warder_json_set_bytes(object, "object", record->text,
				      warder_event_text_shown(event, record->text));
		if (event->flags & WARDER_EVENT_TEXT_CUT)
			json_object_set_new(object, "object_cut", json_true());
		return;
	default:
		set_string(object, "object",
			   warder_event_object(event, record->text, words, sizeof(words)));
	}
}

json_t *warder_event_json(const struct warder_record *record)
{
	const struct warder_event *event = record->event;
	bool foreign = event->reason == WARDER_REASON_FOREIGN_ABI;
	char words[256];
	json_t *object = json_object();

	if (!object)
		return NULL;
	json_object_set_new(object, "type", json_string("event"));
	json_object_set_new(object, "time", json_real(warder_boottime_to_wall(event->time)));
	json_object_set_new(object, "boottime", json_integer(event->time));
	json_object_set_new(object, "sequence", json_integer(event->sequence));
	json_object_set_new(object, "verdict",
			    json_string(warder_event_refused(event) ? "denied" : "allowed"));
	set_who(object, record);
	json_object_set_new(object, "hook", json_string(warder_name_hook(event->hook)));
	json_object_set_new(object, "second_net",
			    json_boolean(event->flags & WARDER_EVENT_SECOND_NET));
	set_string(object, "syscall",
		   event->syscall < 0
			   ? NULL
			   : warder_name_syscall(event->syscall, foreign, words, sizeof(words)));
	set_string(object, "act", warder_event_act(event, record->text, words, sizeof(words)));
	if (event->flags & WARDER_EVENT_IF_NEW)
		json_object_set_new(object, "if_new", json_true());
	if (event->rights)
		json_object_set_new(object, "rights", rights_json(event->rights));
	if (event->missing)
		json_object_set_new(object, "missing", rights_json(event->missing));
	set_object(object, record);
	json_object_set_new(object, "error", json_integer(event->error));
	json_object_set_new(object, "reason", json_string(warder_name_reason(event->reason)));
	set_string(object, "keys", record->keys);
	set_string(object, "rule", record->rule);
	set_string(object, "judge", record->judge);
	set_string(object, "judge_set", record->judge_set);
	if (event->flags & WARDER_EVENT_KILLED)
		json_object_set_new(object, "killed", json_true());
	return object;
}
