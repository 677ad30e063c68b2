// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * expect.c - what an access has to come to, right by right and hook by hook.
 */
#include "expect.h"

#include <sys/syscall.h>

#include "audit/name.h"
#include "base/utf8.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[VERDICT_COUNT] = {"allowed", "denied", "no rule", "reserved",
							 "widens"};

	return names[verdict];
}

/* --- one after the other --- */

static struct expected_event *add_event(struct expectation *e, const struct ask *ask, int reason,
					int error)
{
	struct expected_event *event = &e->events[e->event_count++];

	event->ask = ask;
	event->reason = reason;
	event->error = error;
	return event;
}

/* As the event log shows it; `why` NULL: there is only the reason. */
static void set_rule(struct expected_event *event, const struct warder_explanation *why)
{
	char raw[WARDER_RULE_TEXT_MAX];

	if (why)
		warder_explanation_text(why, raw, sizeof(raw));
	else
		snprintf(raw, sizeof(raw), "%s", warder_text_reason(event->reason));
	warder_utf8_escape(event->rule, sizeof(event->rule), raw, strlen(raw));
}

static bool refuse(struct expectation *e, const struct ask *ask, int reason, int error,
		   const struct finding *f)
{
	static const enum verdict verdicts[] = {
		[WARDER_CAUSE_ALLOWED] = VERDICT_ALLOWED,
		[WARDER_CAUSE_DENIED] = VERDICT_DENIED,
		[WARDER_CAUSE_RESERVED] = VERDICT_RESERVED,
		[WARDER_CAUSE_NO_RULE] = VERDICT_NO_RULE,
	};
	struct expected_event *event = add_event(e, ask, reason, error);

	e->verdict = verdicts[f->why.cause];
	e->error = error;
	/* Neither an address nor a call has rights. */
	if ((ask->kind == ASK_PATH || ask->kind == ASK_NAILED) && reason != WARDER_REASON_SYSCALL)
		event->missing = f->missing;
	event->keys = f->denied;
	set_rule(event, &f->why);
	return false;
}

static bool refuse_move(struct expectation *e, const struct ask *ask, const struct finding *pass)
{
	struct expected_event *event = add_event(e, ask, WARDER_REASON_WIDEN, -EXDEV);

	e->verdict = VERDICT_WIDENS;
	e->error = -EXDEV;
	event->keys = pass->keys;
	set_rule(event, NULL);
	return false;
}

/* False: refused. `pass` gathers what the whole pass through the hook found. */
static bool ask_one(struct holder *h, const struct world *world, const struct access *access,
		    struct expectation *e, const struct ask *ask, struct finding *pass)
{
	struct finding f = finding_call(h, ask->call);

	if (f.missing)
		return refuse(e, ask, WARDER_REASON_SYSCALL, -EPERM, &f);
	if (ask->kind == ASK_CALL)
		return true;
	if (ask->kind == ASK_NAILED) {
		f = finding_nailed(h, ask->text);
		return !f.missing || refuse(e, ask, WARDER_REASON_DENY_BELOW, -EXDEV, &f);
	}
	if (ask->kind == ASK_MOVE)
		return finding_move(h, world, ask->from, ask->text, access->directory) ||
		       refuse_move(e, ask, pass);
	f = ask->kind == ASK_NET ? finding_net(h, access) : finding_path(h, ask->rights, ask->text);
	if (f.missing)
		return refuse(e, ask,
			      f.why.cause == WARDER_CAUSE_DENIED ? WARDER_REASON_DENY_RULE
								 : WARDER_REASON_NO_RULE,
			      -EACCES, &f);
	f.keys |= pass->keys;
	*pass = f;
	return true;
}

/* Each use of a granted key is reported once a pass. */
static void end_pass(struct holder *h, struct expectation *e, const struct ask *last,
		     const struct finding *pass)
{
	struct expected_event *event;
	struct warder_explanation why = pass->why;
	bool known = true;

	if (!pass->keys)
		return;
	event = add_event(e, last, WARDER_REASON_GRANTED_KEY, 0);
	event->keys = pass->keys;
	/* It may have been needed for the other name, of which the event does not tell. */
	if (last->kind == ASK_PATH)
		known = finding_use(h, last->rights, last->text, pass->keys, &why);
	set_rule(event, known ? &why : NULL);
}

void expect(struct holder *h, const struct world *world, const struct access *access,
	    struct expectation *e)
{
	struct finding pass = {};
	const struct ask *last = NULL;
	size_t i;

	memset(e, 0, sizeof(*e));
	access->type->ask(access, &e->asks);
	for (i = 0; i < e->asks.count; i++) {
		const struct ask *ask = &e->asks.list[i];

		if (!ask->joined) {
			end_pass(h, e, last, &pass);
			pass = (struct finding){};
		}
		if (!ask_one(h, world, access, e, ask, &pass))
			return;
		/* A move is no object of its own: the event tells of the name before. */
		if (ask->kind != ASK_MOVE && ask->kind != ASK_NAILED)
			last = ask;
		e->passed++;
	}
	end_pass(h, e, last, &pass);
}

/* --- against what came --- */

bool expect_settle(struct access *access, int result, const struct kt_event_record *event)
{
	size_t length = strlen(access->object), digits;

	if (length < 2 || strcmp(access->object + length - 2, "/#"))
		return false;
	if (result > 0) {
		snprintf(access->object + length, sizeof(access->object) - length, "%d", result);
		return true;
	}
	if (!event || strncmp(event->text, access->object, length))
		return false;
	digits = strspn(event->text + length, "0123456789");
	if (!digits || event->text[length + digits])
		return false;
	snprintf(access->object + length, sizeof(access->object) - length, "%s",
		 event->text + length);
	return true;
}

static bool object_is(const struct access *access, const struct expected_event *expected,
		      const struct kt_event_record *record)
{
	const struct warder_event *event = &record->event;
	const struct ask *ask = expected->ask;
	struct warder_address address;

	if (expected->reason == WARDER_REASON_SYSCALL)
		return event->object == WARDER_OBJECT_SYSCALL && (int)event->number == ask->call;
	switch (ask->kind) {
	case ASK_PATH:
		return event->object ==
			       (ask->text[0] == '@' ? WARDER_OBJECT_UNIX : WARDER_OBJECT_PATH) &&
		       event->rights == ask->rights && !strcmp(record->text, ask->text);
	case ASK_NAILED:
		return event->object == WARDER_OBJECT_PATH && !strcmp(record->text, ask->text);
	case ASK_MOVE:
		return event->object == WARDER_OBJECT_PATH && !strcmp(record->text, access->other);
	case ASK_NET:
		address = finding_address(access);
		return event->object == WARDER_OBJECT_ADDRESS && event->address_hi == address.hi &&
		       event->address_lo == address.lo && event->port == access->port &&
		       event->family == access->family && event->socket_type == access->socket_type;
	default:
		return false;
	}
}

/* While it maps a program the kernel pretends that any call was execve. */
static int call_of(const struct ask *ask)
{
	return ask->hook == WARDER_HOOK_MMAP_FILE && ask->call == SYS_execveat ? SYS_execve
									       : ask->call;
}

bool expect_event(struct holder *h, const struct access *access,
		  const struct expected_event *expected, const struct kt_event_record *record)
{
	const struct warder_event *event = &record->event;
	struct warder_explanation explanation;
	char rule[WARDER_RULE_TEXT_MAX];
	bool explained;

	explained = warder_event_explain(event, record->text, h->policy, h->base | h->granted,
					 &explanation) == 0;
	warder_event_rule(event, explained ? &explanation : NULL, rule, sizeof(rule));
	return event->hook == expected->ask->hook && event->syscall == call_of(expected->ask) &&
	       event->reason == expected->reason && event->error == expected->error &&
	       event->missing == expected->missing && event->keys == expected->keys &&
	       !strcmp(rule, expected->rule) && object_is(access, expected, record);
}

void expect_print(const struct expectation *e, FILE *out)
{
	size_t i;

	fprintf(out, "\texpected: %s%s%s\n", verdict_name(e->verdict), e->error ? ", " : "",
		e->error ? strerrorname_np(-e->error) : "");
	for (i = 0; i < e->event_count; i++) {
		const struct expected_event *event = &e->events[i];

		fprintf(out,
			"\texpected event: %s, call %d, %s, error %d, rights 0x%x, missing 0x%x, "
			"keys 0x%llx: %s: %s\n",
			warder_name_hook(event->ask->hook), event->ask->call,
			warder_name_reason(event->reason), event->error, event->ask->rights,
			event->missing, event->keys, event->ask->text ?: "", event->rule);
	}
}
