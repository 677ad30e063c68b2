// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * explain.c - the rule behind an event: which line of which policy, or "no rule".
 */
#include "audit/explain.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include <warder/hook.h>

#include "audit/name.h"
#include "base/cleanup.h"
#include "base/utf8.h"

static __u8 rule_protocol(unsigned int protocol)
{
	if (protocol == IPPROTO_TCP)
		return WARDER_PROTO_TCP;
	return protocol == IPPROTO_UDP ? WARDER_PROTO_UDP : 0;
}

/*
 * The rights for which a granted key was needed, by what the other keys give. None when it was
 * needed for another name than the event's: a rename tells one of its two.
 */
static __u32 borrowed_rights(const struct warder_event *event, const char *text,
			     const struct warder_policy *policy, __u64 held)
{
	struct warder_explanation one;
	__u32 rights = 0;
	int bit;

	for (bit = 0; bit < WARDER_RIGHT_COUNT; bit++) {
		if (event->rights >> bit & 1 &&
		    !warder_explain_path(policy, held & ~event->keys, 1u << bit, text,
					 event->text_length, &one) &&
		    !one.allowed)
			rights |= 1u << bit;
	}
	return rights;
}

/* Kernel surface that has a word; the rest is refused whatever a policy says. */
static bool is_nameable(const struct warder_event *event)
{
	return event->object == WARDER_OBJECT_CAP || event->object == WARDER_OBJECT_SURFACE;
}

/* Is the policy the reason? */
static bool is_by_rule(const struct warder_event *event)
{
	return event->reason == WARDER_REASON_GRANTED_KEY ||
	       event->reason == WARDER_REASON_NO_RULE || event->reason == WARDER_REASON_DENY_RULE ||
	       event->reason == WARDER_REASON_DENY_BELOW ||
	       event->reason == WARDER_REASON_SYSCALL ||
	       (event->reason == WARDER_REASON_SURFACE && is_nameable(event));
}

int warder_event_explain(const struct warder_event *event, const char *text,
			 const struct warder_policy *policy, __u64 held,
			 struct warder_explanation *ret_explanation)
{
	struct warder_explanation explanation = {};
	__u32 rights = event->missing ? event->missing : event->rights;
	struct warder_address address = {event->address_hi, event->address_lo};
	int error = -EINVAL;

	if (!policy || !is_by_rule(event))
		return -ENOENT;
	if (!warder_event_refused(event))
		held |= event->keys;
	switch (event->object) {
	case WARDER_OBJECT_PATH:
	case WARDER_OBJECT_UNIX:
		if (!warder_event_refused(event) && event->keys)
			rights = borrowed_rights(event, text, policy, held);
		if (event->flags & WARDER_EVENT_TEXT_CUT)
			break;
		if (event->reason == WARDER_REASON_DENY_BELOW)
			error = warder_explain_below(policy, held, text, event->text_length,
						     &explanation);
		else if (rights)
			error = warder_explain_path(policy, held, rights, text, event->text_length,
						    &explanation);
		break;
	case WARDER_OBJECT_ADDRESS:
		error = warder_explain_net(policy, held, warder_event_operation(event),
					   rule_protocol(event->proto), address, event->port,
					   &explanation);
		break;
	case WARDER_OBJECT_SYSCALL:
		error = warder_explain_syscall(policy, held, event->number, &explanation);
		break;
	case WARDER_OBJECT_CAP:
		error = warder_explain_capability(policy, held, event->number, &explanation);
		break;
	case WARDER_OBJECT_SURFACE:
		error = warder_explain_surface(policy, held, event->number, &explanation);
		break;
	default:
		break;
	}
	if (error < 0)
		return error;
	/* A grant that ended, or began, since the event: the rule of now is not its rule. */
	if (explanation.allowed != !warder_event_refused(event))
		return -ESTALE;
	*ret_explanation = explanation;
	return 0;
}

const char *warder_event_rule(const struct warder_event *event,
			      const struct warder_explanation *explanation, char *buffer,
			      size_t size)
{
	char raw[WARDER_RULE_TEXT_MAX]; /* names the policy's file */

	if (explanation) {
		warder_explanation_text(explanation, raw, sizeof(raw));
		return warder_utf8_escape(buffer, size, raw, strlen(raw));
	}
	if (event->reason == WARDER_REASON_NO_RULE)
		snprintf(buffer, size, "no rule");
	else
		snprintf(buffer, size, "%s", warder_text_reason(event->reason));
	return buffer;
}

const char *warder_key_names(const struct warder_policy *policy, __u64 keys, char *buffer,
			     size_t size)
{
	size_t used = 0;
	unsigned int key;

	buffer[0] = '\0';
	for (key = 0; key < WARDER_KEYS_MAX && used < size; key++) {
		if (!(keys >> key & 1))
			continue;
		if (policy && key < policy->key_count)
			used += snprintf(buffer + used, size - used, "%s%s", used ? ", " : "",
					 policy->keys[key].name);
		else
			used += snprintf(buffer + used, size - used, "%skey %u", used ? ", " : "",
					 key);
	}
	return buffer;
}
