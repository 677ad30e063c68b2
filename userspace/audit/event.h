/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * event.h - an event of the kernel side as a line of text and as JSON.
 *
 * Formatting only: what was decided is in the event, and why is in its explanation.
 * Names and paths come from hostile code: they are escaped in text, and kept byte for
 * byte in JSON ("..._hex" beside a field whose bytes are no UTF-8).
 */
#ifndef WARDER_AUDIT_EVENT_H
#define WARDER_AUDIT_EVENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include <warder/access.h>
#include <warder/event.h>

/* Longest object as text: every byte of a path escaped. */
#define WARDER_OBJECT_TEXT_MAX (4 * WARDER_TEXT_MAX + 64)

struct warder_remedy;

/* An event with what userspace knows about it. Strings may be NULL: not known. */
struct warder_record {
	const struct warder_event *event;
	const char *text;    /* event->text_length bytes */
	const char *subject; /* name of the subject */
	const char *policy;
	const char *set;
	const char *judge; /* the subject above, whose rights decided; NULL: its own did */
	const char *judge_set;
	const char *rule; /* "policy.yaml:12: read: /etc/passwd", or "no rule" */
	const struct warder_remedy *remedy;
	const char *keys; /* names of event->keys: "send-email" */
};

/*
 * Take an event out of a ring sample. False when the sample is not one: too short, or
 * its text is longer than what came.
 */
bool warder_event_parse(const void *sample, size_t size, const struct warder_event **ret_event,
			const char **ret_text);

/* "read", "connect", "use capability": the rights refused, or what the hook judges. */
const char *warder_event_act(const struct warder_event *event, const char *text, char *buffer,
			     size_t size);

/* "/etc/shadow", "tcp:1.1.1.1:443", "sys_admin", "process 17 (TERM)"; escaped. Returns `buffer`. */
const char *warder_event_object(const struct warder_event *event, const char *text, char *buffer,
				size_t size);

/* Was it refused? Otherwise it is a recorded use of a granted key, or corrects an event. */
bool warder_event_refused(const struct warder_event *event);

/* Does it say no more than that the creation before it was none (WARDER_EVENT_EXISTED)? */
bool warder_event_corrects(const struct warder_event *event);

/* Is it an exec: of a program, or of a file that is opened to be run? */
bool warder_event_is_exec(const struct warder_event *event);

/* Is open(2), or one of its kin, the running system call? */
bool warder_event_is_open(const struct warder_event *event);

/* Is it an open with O_TMPFILE? The name is then a number that the kernel made up. */
bool warder_event_is_unnamed(const struct warder_event *event, const char *text);

/* Bytes of the text that are the object: all, but the directory alone of an unnamed file. */
size_t warder_event_text_shown(const struct warder_event *event, const char *text);

/* A new object; NULL when memory is short. */
json_t *warder_event_json(const struct warder_record *record);

/* A JSON string of bytes that may be anything; lossless together with `key`_hex. */
int warder_json_set_bytes(json_t *object, const char *key, const char *bytes, size_t size);

/* What the event was about, as rules say it, where its object is an address. */
enum warder_net_op warder_event_operation(const struct warder_event *event);

#endif
