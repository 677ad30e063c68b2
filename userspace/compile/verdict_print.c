// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * verdict_print.c - a verdict as lines for people and as JSON.
 */
#include "compile/verdict.h"

#include <string.h>

#include "base/message.h"
#include "base/utf8.h"
#include "policy/capability.h"
#include "policy/right.h"
#include "policy/surface.h"

/* Names of keys, comma-separated. */
static const char *key_names(const struct warder_side *side, __u64 keys, char *out, size_t size)
{
	size_t used = 0, key;

	out[0] = 0;
	for (key = 0; key < WARDER_KEYS_MAX && used < size; key++) {
		if (!(keys >> key & 1))
			continue;
		if (side->policy && key < side->policy->key_count)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
						 side->policy->keys[key].name);
		else
			used += (size_t)snprintf(out + used, size - used, "%skey %zu",
						 used ? ", " : "", key);
	}
	return out;
}

static void print_openers(const struct warder_verdict *v, const struct warder_side *side,
			  const char *indent, FILE *out)
{
	char names[WARDER_KEYS_MAX * (WARDER_NAME_MAX + 2)];

	if (v->openers)
		warder_message_print(out, "%sopened by a grant of %s\n", indent,
				     key_names(side, v->openers, names, sizeof(names)));
	else if (v->opens_together)
		warder_message_print(out, "%sopened by no tool alone, only by several\n", indent);
	else if (v->why.cause == WARDER_CAUSE_DENIED)
		warder_message_print(out, "%sno grant opens it: a deny beats every allow\n",
				     indent);
	else
		warder_message_print(out, "%sno grant opens it: no tool has it\n", indent);
}

char *warder_verdict_fixed_text(const struct warder_verdict *v, char *out, size_t size)
{
	char beside[1200];

	warder_unenforced_text(&v->unenforced, beside, sizeof(beside));
	if (v->unenforced.cause == WARDER_UNENFORCED_NONE)
		snprintf(out, size, "%s", v->fixed);
	else if (v->unenforced.differs)
		snprintf(out, size, "%s; %s", beside, v->fixed);
	else
		snprintf(out, size, "%s; %s", v->fixed, beside);
	return out;
}

/* A deny of the policy is not opened by a word. */
static bool is_wanting(const struct warder_verdict *v)
{
	return v->wants && !(v->explained && v->why.cause == WARDER_CAUSE_DENIED &&
			     strcmp(v->why.section, "syscalls.profile"));
}

char *warder_verdict_wants_text(const struct warder_verdict *v, char *out, size_t size)
{
	const struct warder_opening *w = v->wants;
	size_t used = 0;

	out[0] = 0;
	if (!is_wanting(v))
		return out;
	used = (size_t)snprintf(out, size, "%s",
				v->allowed ? "most of its uses take " : "it takes ");
	if (w->surface >= 0)
		used += (size_t)snprintf(out + used, size - used, "kernel: [%s]",
					 warder_surface_name((unsigned int)w->surface));
	if (w->capability >= 0 && !v->allowed)
		snprintf(out + used, size - used, "%scapabilities: [%s]",
			 w->surface >= 0 ? " and " : "",
			 warder_capability_name((unsigned int)w->capability));
	return out;
}

static json_t *wants_json(const struct warder_opening *wants)
{
	json_t *object = json_object();

	if (wants->surface >= 0)
		json_object_set_new(object, "kernel",
				    json_string(warder_surface_name((unsigned int)wants->surface)));
	if (wants->capability >= 0)
		json_object_set_new(
			object, "capability",
			json_string(warder_capability_name((unsigned int)wants->capability)));
	return object;
}

const char *warder_layer_name(enum warder_layer layer)
{
	static const char *const names[] = {
		[WARDER_LAYER_FILTER] = "filter",
		[WARDER_LAYER_HOOKS] = "hooks",
		[WARDER_LAYER_BOTH] = "filter and hooks",
	};

	return names[layer];
}

static const char *layer_text(enum warder_layer layer)
{
	static const char *const texts[] = {
		[WARDER_LAYER_FILTER] = "filter: of what `warder run` starts; the call does not "
					"always pass a hook",
		[WARDER_LAYER_HOOKS] = "hooks: of any process, however started",
		[WARDER_LAYER_BOTH] = "hooks, of any process, and the filter of what `warder run` "
				      "starts",
	};

	return texts[layer];
}

void warder_verdict_print(const struct warder_verdict *v, const struct warder_side *side,
			  const char *indent, FILE *out)
{
	char text[2048], right[32];

	if (v->fixed) {
		warder_message_print(out, "%srule   %s\n", indent,
				     warder_verdict_fixed_text(v, text, sizeof(text)));
		return;
	}
	if (v->right)
		warder_message_print(out, "%sright  %s\n", indent,
				     warder_rights_text(v->right, right, sizeof(right)));
	if (!v->explained)
		return;
	warder_message_print(out, "%srule   %s\n", indent,
			     warder_explanation_text(&v->why, text, sizeof(text)));
	if (v->why.key_name)
		warder_message_print(out, "%skey    %s%s\n", indent, v->why.key_name,
				     side->held >> v->why.key & 1 ? "" : " (not held)");
	if (v->layer)
		warder_message_print(out, "%slayer  %s\n", indent, layer_text(v->layer));
	if (is_wanting(v))
		warder_message_print(out, "%snote   %s\n", indent,
				     warder_verdict_wants_text(v, text, sizeof(text)));
	if (v->nailed)
		warder_message_print(out, "%snote   refused where it is a directory: %s\n", indent,
				     warder_explanation_text(&v->below, text, sizeof(text)));
	if (!v->allowed)
		print_openers(v, side, indent, out);
}

static const char *cause_name(enum warder_cause cause)
{
	static const char *const names[] = {"allowed", "denied", "reserved", "no-rule"};

	return names[cause];
}

/* Text of a policy is UTF-8; file names need not be. */
static json_t *text_json(const char *text)
{
	char escaped[WARDER_MESSAGE_MAX];
	json_t *json = text ? json_string(text) : json_null();

	if (json)
		return json;
	return json_string(warder_utf8_escape(escaped, sizeof(escaped), text, strlen(text)));
}

json_t *warder_explanation_json(const struct warder_explanation *e)
{
	json_t *object = json_object();
	char text[1024];

	json_object_set_new(object, "cause", json_string(cause_name(e->cause)));
	json_object_set_new(object, "text",
			    text_json(warder_explanation_text(e, text, sizeof(text))));
	if (!e->rule)
		return object;
	json_object_set_new(object, "key", json_string(e->key_name));
	json_object_set_new(object, "section", json_string(e->section));
	json_object_set_new(object, "rule", text_json(e->rule));
	json_object_set_new(object, "file", text_json(e->place.file));
	json_object_set_new(object, "line", json_integer(e->place.line));
	json_object_set_new(object, "column", json_integer(e->place.column));
	return object;
}

static json_t *keys_json(const struct warder_side *side, __u64 keys)
{
	char name[WARDER_NAME_MAX + 16];
	json_t *list = json_array();
	int key;

	for (key = 0; key < (int)WARDER_KEYS_MAX; key++) {
		if (keys >> key & 1)
			json_array_append_new(list, json_string(key_names(side, 1ull << key, name,
									  sizeof(name))));
	}
	return list;
}

json_t *warder_verdict_json(const struct warder_verdict *v, const struct warder_side *side)
{
	json_t *object = json_object();
	char right[32], text[2048];

	json_object_set_new(object, "verdict", json_string(v->allowed ? "allowed" : "refused"));
	json_object_set_new(object, "keys", keys_json(side, side->held));
	if (v->right)
		json_object_set_new(
			object, "right",
			json_string(warder_rights_text(v->right, right, sizeof(right))));
	if (v->fixed)
		json_object_set_new(object, "reason",
				    text_json(warder_verdict_fixed_text(v, text, sizeof(text))));
	if (v->explained)
		json_object_set_new(object, "why", warder_explanation_json(&v->why));
	if (v->layer)
		json_object_set_new(object, "layer", json_string(warder_layer_name(v->layer)));
	if (is_wanting(v))
		json_object_set_new(object, "wants", wants_json(v->wants));
	if (v->nailed)
		json_object_set_new(object, "directory_refused",
				    warder_explanation_json(&v->below));
	if (v->granted)
		json_object_set_new(object, "granted", keys_json(side, v->granted));
	if (v->explained && !v->allowed)
		json_object_set_new(object, "opened_by", keys_json(side, v->openers));
	if (v->explained)
		json_object_set_new(object, "agrees", json_boolean(v->agrees));
	return object;
}
