// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * attempt.c - one access of a trial: done inside and outside, and compared.
 */
#include "attempt.h"

#include <sys/stat.h>

#include "random.h"
#include "sockets.h"
#include "wish.h"

/* One in so many refused accesses has a control, too. */
#define CONTROL_EVERY 4

/* --- what is there afterwards --- */

unsigned int attempt_arrivals(struct trial *t)
{
	return listeners_take() + world_arrived(&t->world);
}

/* What came to the sockets outside; a connection may take a moment to be there. */
static unsigned int await_arrivals(struct trial *t, unsigned int awaited)
{
	unsigned int came = attempt_arrivals(t), rounds;

	for (rounds = 0; came < awaited && rounds < 500; rounds++) {
		usleep(1000);
		came += attempt_arrivals(t);
	}
	return came;
}

struct outcome {
	int result;
	unsigned int arrived;
	__u64 digest;
};

/* Looks where a trace can be; at the end the whole tree has to be as it was built. */
static struct outcome do_access(struct trial *t, struct worker *worker, bool allowed)
{
	struct outcome outcome = {.digest = t->world.digest};

	outcome.result = worker_do(worker, &t->access);
	if (t->access.effect == EFFECT_ARRIVAL)
		outcome.arrived = await_arrivals(t, allowed);
	if (t->access.effect == EFFECT_TREE)
		outcome.digest = kt_tree_digest(t->world.dir);
	return outcome;
}

static void put_back(struct trial *t, const struct outcome *outcome)
{
	if (outcome->digest != t->world.digest)
		world_build(&t->world);
}

/* --- what has to be there --- */

static void check_events(struct trial *t, struct tally *tally)
{
	const struct kt_subject *s = &t->subject;
	size_t i;

	if (s->event_count != t->expected.event_count) {
		trial_differs(t, "%zu events instead of %zu", s->event_count,
			      t->expected.event_count);
		return;
	}
	for (i = 0; i < s->event_count; i++) {
		if (!expect_event(&t->holder, &t->access, &t->expected.events[i], &s->events[i]))
			trial_differs(t, "event %zu", i);
	}
	tally->events += s->event_count;
}

/* A file that may be made, but then not opened, was made. */
static bool makes_first(const struct expectation *e)
{
	return e->passed && e->asks.list[0].hook == WARDER_HOOK_PATH_MKNOD;
}

/* Of a refused access nothing is left but what it was allowed before it was refused. */
static void check_refused(struct trial *t, const struct outcome *inside)
{
	__u64 digest = t->world.digest;

	if (inside->result != t->expected.error)
		trial_differs(t, "result %d instead of %d", inside->result, t->expected.error);
	if (inside->arrived)
		trial_differs(t, "refused, but %u arrived", inside->arrived);
	if (makes_first(&t->expected)) {
		world_build(&t->world);
		if (mknod(t->access.object, S_IFREG | 0666, 0) < 0)
			abort();
		digest = kt_tree_digest(t->world.dir);
		world_build(&t->world);
	}
	if (inside->digest != digest)
		trial_differs(t, "refused, but the tree is another");
}

static void check_allowed(struct trial *t, const struct outcome *inside,
			  const struct outcome *outside)
{
	/* The number of a nameless file is the next one. */
	bool numbered = strstr(t->access.object, "/#");

	if (inside->result <= 0 || (!numbered && inside->result != outside->result))
		trial_differs(t, "result %d, and outside %d", inside->result, outside->result);
	if (inside->arrived != outside->arrived)
		trial_differs(t, "%u arrived, and outside %u", inside->arrived, outside->arrived);
	if (inside->digest != outside->digest)
		trial_differs(t, "the tree is not what the same access makes of it outside");
}

/* Outside it succeeds, and does something: otherwise a refusal would prove nothing. */
static struct outcome control(struct trial *t, struct tally *tally)
{
	struct outcome outcome = do_access(t, &t->outside, true);

	tally->controls++;
	if (outcome.result <= 0)
		trial_differs(t, "control: result %d", outcome.result);
	if (t->access.effect == EFFECT_TREE && outcome.digest == t->world.digest)
		trial_differs(t, "control: the tree is as it was");
	if (t->access.effect == EFFECT_ARRIVAL && !outcome.arrived)
		trial_differs(t, "control: nothing arrived");
	put_back(t, &outcome);
	return outcome;
}

static void count(const struct trial *t, struct tally *tally)
{
	const struct expectation *e = &t->expected;
	size_t i;

	tally->accesses++;
	tally->verdicts[e->verdict]++;
	for (i = 0; i < e->passed; i++)
		tally->passed[e->asks.list[i].hook]++;
	if (e->verdict != VERDICT_ALLOWED)
		tally->refused[e->asks.list[e->passed].hook]++;
}

/* What only corrects the report of an earlier open is no event of this access. */
static void drop_corrections(struct kt_subject *s)
{
	size_t kept = 0, i;

	for (i = 0; i < s->event_count; i++) {
		const struct warder_event *event = &s->events[i].event;

		if (event->error || event->keys)
			s->events[kept++] = s->events[i];
	}
	s->event_count = kept;
}

static struct outcome try_inside(struct trial *t)
{
	const struct kt_match any = {.hook = -1, .reason = -1};
	struct outcome inside;

	kt_events_clear(&t->subject);
	inside = do_access(t, &t->inside, !t->expected.error);
	kt_event_find(&t->subject, &any); /* reads the ring */
	drop_corrections(&t->subject);
	if (expect_settle(&t->access, inside.result,
			  t->subject.event_count ? &t->subject.events[0] : NULL))
		expect(&t->holder, &t->world, &t->access, &t->expected);
	return inside;
}

bool attempt(struct trial *t, struct tally *tally)
{
	struct outcome inside, outside;

	wish_draw(&t->holder, &t->world, &t->access, &t->expected);
	inside = try_inside(t);
	/* It may be about one of those that were drawn and not tried. */
	if (t->holder.fault[0])
		trial_differs(t, "before any kernel is asked: %s", t->holder.fault);
	t->holder.fault[0] = '\0';
	check_events(t, tally);
	put_back(t, &inside);
	if (t->expected.error)
		check_refused(t, &inside);
	if (!t->expected.error || !random_below(CONTROL_EVERY)) {
		outside = control(t, tally);
		if (!t->expected.error)
			check_allowed(t, &inside, &outside);
	}
	count(t, tally);
	return inside.result != KT_HUNG;
}
