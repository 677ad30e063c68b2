// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * remedy.c - what would allow what was refused, in the words of a policy.
 */
#include "audit/remedy.h"

#include <linux/capability.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include <warder/access.h>
#include <warder/decide.h>
#include <warder/hook.h>

#include "audit/event.h"
#include "audit/name.h"
#include "policy/quote.h"
#include "policy/right.h"
#include "policy/surface.h"

/* The word that gives these rights and the fewest others; NULL when none does. */
static const char *word_for(__u32 rights)
{
	const struct warder_right_word *word, *best = NULL;

	for (word = warder_right_words; word->name; word++) {
		if ((word->allow & rights) == rights &&
		    (!best || __builtin_popcount(word->allow) < __builtin_popcount(best->allow)))
			best = word;
	}
	return best ? best->name : NULL;
}

void warder_remedy_set_path(struct warder_remedy *remedy, const char *bytes, size_t length,
			    const char *wild)
{
	char pattern[WARDER_REMEDY_ITEM_MAX];
	size_t used = 0, at = 0, end, piece = wild ? strlen(wild) : 0;
	bool ok = true;

	for (; ok && at < length; at = end + 1) {
		end = at + strnlen(bytes + at, length - at);
		ok = warder_quote_literal(pattern, sizeof(pattern), &used, bytes + at, end - at);
		if (!ok || end == length)
			continue;
		ok = wild && piece <= sizeof(pattern) - used;
		if (ok) {
			memcpy(pattern + used, wild, piece);
			used += piece;
		}
	}
	if (!ok || !warder_quote_scalar(remedy->item, sizeof(remedy->item), pattern, used))
		*remedy = (struct warder_remedy){.kind = WARDER_REMEDY_NONE};
}

/* An abstract name: its NULs are bytes like any other. */
static void set_abstract(struct warder_remedy *remedy, const char *bytes, size_t length)
{
	char pattern[WARDER_REMEDY_ITEM_MAX];
	size_t used = 0;

	if (!warder_quote_literal(pattern, sizeof(pattern), &used, bytes, length) ||
	    !warder_quote_scalar(remedy->item, sizeof(remedy->item), pattern, used))
		*remedy = (struct warder_remedy){.kind = WARDER_REMEDY_NONE};
}

/* What is created by open(2) is written to as well, and that would be refused next. */
static __u32 rights_to_give(const struct warder_event *event)
{
	__u32 rights = event->missing;

	if (event->hook == WARDER_HOOK_PATH_MKNOD && warder_event_is_open(event))
		rights |= WARDER_WRITE;
	return rights;
}

static void rule_for_path(const struct warder_event *event, const char *text,
			  struct warder_remedy *remedy)
{
	__u32 rights = rights_to_give(event);
	size_t length = event->text_length;
	char unnamed[WARDER_REMEDY_ITEM_MAX];

	/* The top of the path is missing, and with it what the rule would be about. */
	if (event->flags & WARDER_EVENT_TEXT_CUT)
		return;
	remedy->kind = WARDER_REMEDY_RULE;
	if (rights & WARDER_CONNECT) {
		remedy->section = "unix";
		remedy->word = "connect";
	} else if (rights & WARDER_EXEC || warder_event_is_exec(event)) {
		remedy->section = "exec";
	} else {
		remedy->section = "files";
		remedy->word = word_for(rights);
		if (!remedy->word) {
			remedy->kind = WARDER_REMEDY_NONE;
			return;
		}
	}
	if (text[0] == '@') {
		set_abstract(remedy, text, length);
		return;
	}
	/* "/tmp/#123": the next one has another number. */
	if (warder_event_is_unnamed(event, text)) {
		length = warder_event_text_shown(event, text);
		if (length + 4 > sizeof(unnamed)) {
			remedy->kind = WARDER_REMEDY_NONE;
			return;
		}
		memcpy(unnamed, text, length);
		length -= length == 1;
		memcpy(unnamed + length, "/#", 3);
		warder_remedy_set_path(remedy, unnamed, length + 3, "[0-9]*");
		return;
	}
	warder_remedy_set_path(remedy, text, length, NULL);
}

/* "tcp:192.0.2.7:43210": whoever it was, the port says nothing. */
static void cut_port(char *endpoint)
{
	char *colon = strrchr(endpoint, ':');

	if (colon)
		*colon = 0;
}

static void rule_for_address(const struct warder_event *event, struct warder_remedy *remedy)
{
	static const char *const words[] = {
		[WARDER_NET_CONNECT] = "connect",
		[WARDER_NET_BIND] = "bind",
		[WARDER_NET_ACCEPT] = "accept",
	};
	enum warder_net_op op = warder_event_operation(event);
	struct warder_event to = *event;
	char endpoint[128];

	/* No rule names port 0 of a peer. */
	if ((!event->port && op != WARDER_NET_BIND) ||
	    (event->proto != IPPROTO_TCP && event->proto != IPPROTO_UDP)) {
		remedy->kind = WARDER_REMEDY_IMPOSSIBLE;
		return;
	}
	/* As it was judged: an unspecified address is loopback. */
	if (op == WARDER_NET_CONNECT)
		warder_address_normalise(&to.address_hi, &to.address_lo);
	warder_event_object(&to, "", endpoint, sizeof(endpoint));
	if (op == WARDER_NET_ACCEPT)
		cut_port(endpoint);
	remedy->kind = WARDER_REMEDY_RULE;
	remedy->section = "network";
	remedy->word = words[op];
	if (!warder_quote_scalar(remedy->item, sizeof(remedy->item), endpoint, strlen(endpoint)))
		remedy->kind = WARDER_REMEDY_NONE;
}

/* What lets its holder choose what paths mean is nothing that a line makes good. */
static void word_for_surface(const struct warder_event *event, struct warder_remedy *remedy)
{
	bool capability = event->object == WARDER_OBJECT_CAP;
	const char *name = capability ? warder_name_capability(event->number)
				      : warder_name_surface(event->number);
	bool moves = capability ? event->number == CAP_SYS_ADMIN || event->number == CAP_SYS_CHROOT
				: warder_surface_moves_paths(event->number);

	remedy->kind = WARDER_REMEDY_IMPOSSIBLE;
	if (moves || !name)
		return;
	remedy->kind = WARDER_REMEDY_RULE;
	remedy->section = capability ? "capabilities" : "kernel";
	snprintf(remedy->item, sizeof(remedy->item), "%s", name);
}

static bool is_unruled(const struct warder_explanation *explanation)
{
	return explanation && explanation->cause == WARDER_CAUSE_NO_RULE;
}

static void find_rule(const struct warder_event *event, const char *text,
		      const struct warder_explanation *explanation, struct warder_remedy *remedy)
{
	switch (event->object) {
	case WARDER_OBJECT_PATH:
	case WARDER_OBJECT_UNIX:
		/* Without the policy's word it may be reserved, or another rule's by now. */
		if (is_unruled(explanation) && event->text_length)
			rule_for_path(event, text, remedy);
		break;
	case WARDER_OBJECT_ADDRESS:
		if (is_unruled(explanation))
			rule_for_address(event, remedy);
		break;
	case WARDER_OBJECT_CAP:
	case WARDER_OBJECT_SURFACE:
		if (is_unruled(explanation))
			word_for_surface(event, remedy);
		break;
	default:
		remedy->kind = WARDER_REMEDY_IMPOSSIBLE;
	}
}

/* Reasons that are the same whatever the policy says; that of a family says so by itself. */
static bool is_beyond_rules(const struct warder_event *event)
{
	switch (event->reason) {
	case WARDER_REASON_SURFACE:
		return event->object != WARDER_OBJECT_CAP && event->object != WARDER_OBJECT_SURFACE;
	case WARDER_REASON_NOT_MEMBER:
	case WARDER_REASON_FOREIGN_ABI:
	case WARDER_REASON_UNFINISHED:
	case WARDER_REASON_TOO_DEEP:
	case WARDER_REASON_SPELLING:
		return true;
	default:
		return false;
	}
}

void warder_remedy_find(const struct warder_event *event, const char *text, const char *set,
			const struct warder_explanation *explanation,
			struct warder_remedy *ret_remedy)
{
	*ret_remedy = (struct warder_remedy){.kind = WARDER_REMEDY_NONE};
	if (!warder_event_refused(event))
		return;
	if (is_beyond_rules(event)) {
		ret_remedy->kind = WARDER_REMEDY_IMPOSSIBLE;
		return;
	}
	if (event->reason != WARDER_REASON_NO_RULE && event->reason != WARDER_REASON_SURFACE)
		return;
	if (explanation && explanation->cause == WARDER_CAUSE_RESERVED) {
		ret_remedy->kind = WARDER_REMEDY_GRANT;
		snprintf(ret_remedy->tool, sizeof(ret_remedy->tool), "%s", explanation->key_name);
		return;
	}
	find_rule(event, text, explanation, ret_remedy);
	snprintf(ret_remedy->set, sizeof(ret_remedy->set), "%s", set ? set : "");
}

bool warder_remedy_alike(const struct warder_remedy *a, const struct warder_remedy *b)
{
	/* Sections and words are static strings, but not of one place only. */
	return a->kind == b->kind && !strcmp(a->section ?: "", b->section ?: "") &&
	       !strcmp(a->word ?: "", b->word ?: "") && !strcmp(a->set, b->set) &&
	       !strcmp(a->tool, b->tool);
}

const char *warder_remedy_rule(const struct warder_remedy *remedy, char *buffer, size_t size)
{
	if (remedy->kind != WARDER_REMEDY_RULE)
		snprintf(buffer, size, "%s", "");
	else if (remedy->word)
		snprintf(buffer, size, "%s: {%s: [%s]}", remedy->section, remedy->word,
			 remedy->item);
	else
		snprintf(buffer, size, "%s: [%s]", remedy->section, remedy->item);
	return buffer;
}

const char *warder_remedy_text(const struct warder_remedy *remedy, char *buffer, size_t size)
{
	char rule[WARDER_REMEDY_TEXT_MAX];

	switch (remedy->kind) {
	case WARDER_REMEDY_RULE:
		snprintf(buffer, size, "%s in set \"%s\" would allow it",
			 warder_remedy_rule(remedy, rule, sizeof(rule)), remedy->set);
		break;
	case WARDER_REMEDY_GRANT:
		snprintf(buffer, size,
			 "`warder grant NAME %s --for 5m --reason ...` would allow it",
			 remedy->tool);
		break;
	case WARDER_REMEDY_IMPOSSIBLE:
		snprintf(buffer, size, "no rule of this version can grant it");
		break;
	default:
		snprintf(buffer, size, "%s", "");
	}
	return buffer;
}
