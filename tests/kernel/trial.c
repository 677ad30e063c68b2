// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * trial.c - one random policy over one random world, and accesses that are tried under it.
 */
#include "trial.h"

#include <stdarg.h>

#include "attempt.h"
#include "audit/event.h"
#include "random.h"
#include "random_policy.h"

/* Failures that are printed in full. */
#define SHOWN_MAX 3
/* After so many accesses a tool is given or taken. */
#define KEYRING_EVERY 7

/* --- differences --- */

static void print_events(const struct trial *t)
{
	const struct kt_subject *s = &t->subject;
	size_t i;

	for (i = 0; i < s->event_count; i++) {
		const struct warder_event *event = &s->events[i].event;
		static char object[WARDER_OBJECT_TEXT_MAX];
		struct warder_explanation explanation;
		char rule[WARDER_RULE_TEXT_MAX];
		bool explained;

		warder_event_object(event, s->events[i].text, object, sizeof(object));
		explained = warder_event_explain(event, s->events[i].text, s->policy,
						 t->holder.base | t->holder.granted,
						 &explanation) == 0;
		warder_event_rule(event, explained ? &explanation : NULL, rule, sizeof(rule));
		printf("\tseen event: hook %u, call %d, reason %u, error %d, rights 0x%x, missing "
		       "0x%x, keys 0x%llx: %s: %s\n",
		       event->hook, event->syscall, event->reason, event->error, event->rights,
		       event->missing, event->keys, object, rule);
	}
}

void trial_differs(struct trial *t, const char *format, ...)
{
	char why[512];
	va_list arguments;

	if (++t->differences > SHOWN_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	printf("\tdifference: WARDER_SEED=%llu WARDER_POLICIES=1: %s\n\taccess: ",
	       (unsigned long long)t->seed, why);
	if (t->access.type)
		access_print(&t->access, stdout);
	printf("\tkeys: base 0x%llx, granted 0x%llx\n", t->holder.base, t->holder.granted);
	expect_print(&t->expected, stdout);
	print_events(t);
	if (t->differences == 1)
		printf("%s", t->text);
}

/* --- keyrings --- */

/* Give or take a tool, as an operator does while the subject runs. */
static void change_keyring(struct trial *t, struct tally *tally)
{
	const struct warder_policy *policy = t->subject.policy;
	unsigned int key;
	__u64 bit;

	do
		key = random_below((unsigned int)policy->key_count);
	while (!policy->keys[key].tool);
	bit = 1ull << key;
	if ((t->holder.base | t->holder.granted) & bit) {
		kt_revoke(&t->subject, policy->keys[key].name);
		t->holder.base &= ~bit;
		t->holder.granted &= ~bit;
	} else {
		kt_grant(&t->subject, policy->keys[key].name, 0);
		t->holder.granted |= bit;
	}
	tally->grants++;
}

/* --- one policy --- */

static void check_end(struct trial *t)
{
	struct warder_stats stats;

	if (kt_tree_digest(t->world.dir) != t->world.digest || attempt_arrivals(t))
		trial_differs(t, "something left a trace where nobody looked for one");
	/* Losses would hide events that nobody expects. */
	if (warder_subject_stats(kt_session(), t->subject.binding, &stats) < 0 || stats.dropped ||
	    stats.suppressed || stats.unstable || stats.unknown)
		trial_differs(t, "events were lost, or walks failed");
}

static bool open_trial(struct trial *t)
{
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	struct kt_subject *s = &t->subject;
	unsigned int set;

	random_seed(t->seed);
	world_choose(&t->world, s->dir);
	t->text = random_policy(&t->world);
	if (!kt_subject_open(s, RANDOM_POLICY_SET, t->text) ||
	    warder_policy_find_set(s->policy, RANDOM_POLICY_SET, &set) < 0 ||
	    warder_compile(s->policy, &diagnostics, &t->image) < 0)
		return false;
	t->holder = (struct holder){.policy = s->policy,
				    .image = t->image,
				    .base = warder_policy_keyring(s->policy, set)};
	/* Before the world is built: they would keep its sockets. */
	if (!worker_start(&t->inside, s, s->dir) || !worker_start(&t->outside, NULL, s->dir))
		return false;
	world_build(&t->world);
	return true;
}

static void close_trial(struct trial *t)
{
	worker_stop(&t->inside);
	worker_stop(&t->outside);
	world_close(&t->world);
	kt_subject_close(&t->subject);
	free(t->image);
	free(t->text);
}

bool trial_run(__u64 seed, unsigned int accesses, struct tally *tally)
{
	static struct trial trial;
	struct trial *t = &trial;
	unsigned int i;

	memset(t, 0, sizeof(*t));
	t->seed = seed;
	if (open_trial(t)) {
		for (i = 0; i < accesses && attempt(t, tally); i++) {
			if (i % KEYRING_EVERY == KEYRING_EVERY - 1)
				change_keyring(t, tally);
		}
		check_end(t);
		tally->policies++;
	} else {
		trial_differs(t, "the trial does not begin");
	}
	close_trial(t);
	return !t->differences;
}
