// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice_wider.c - sets for code that may do what the set that starts the code may not.
 *
 * Three ways to start code, and what "wider" means in each:
 *	code set	started beside its agent, which writes the code: whoever talks the agent
 *over has the rights of both
 *	may-run		held to the rights of the starter as well: what is beyond them is void
 *	separate	may-run without that: meant to be wider, and a way up for the starter
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/advising.h"
#include "compile/compare.h"
#include "compile/compile.h"

/* Said of one pair of sets; the rest shows when these are mended, or with `warder within`. */
#define SAID_MAX 6u

/* Beyond this, sets are compared by rights alone: rule by rule takes seconds. */
#define EVERY_RULE_STATES 4096u
#define EVERY_RULE_RULES  1000u

enum start {
	START_CODE_SET,
	START_MAY_RUN,
	START_SEPARATE,
};

struct pair {
	const struct warder_advising *a;
	const struct warder_set *starter, *code;
	enum start start;
	unsigned int said; /* groups */
	unsigned int count;
};

/* What is alike for whoever reads it: reading, changing, starting, sockets, addresses, calls. */
static unsigned int group_of(const struct warder_difference *d)
{
	if (d->kind == WARDER_ACCESS_ADDRESS)
		return 16;
	if (d->kind == WARDER_ACCESS_SYSCALL)
		return 32;
	if (d->kind == WARDER_ACCESS_CAPABILITY || d->kind == WARDER_ACCESS_SURFACE)
		return 64;
	if (d->rights & WARDER_COARSE_READ)
		return 1;
	if (d->rights & (WARDER_COARSE_WRITE_ONLY | WARDER_IOCTL))
		return 2;
	return d->rights & WARDER_COARSE_EXEC ? 4 : 8;
}

static unsigned int class_of(const struct warder_difference *d)
{
	switch (group_of(d)) {
	case 1:
	case 2:
		return WARDER_CLASS_FILES;
	case 4:
		return WARDER_CLASS_EXEC;
	case 8:
		return WARDER_CLASS_UNIX;
	case 16:
		return WARDER_CLASS_NETWORK;
	case 64:
		return d->kind == WARDER_ACCESS_CAPABILITY ? WARDER_CLASS_CAPABILITIES : 0;
	default:
		return WARDER_CLASS_SYSCALLS;
	}
}

static bool is_base_key(const struct pair *p, const struct warder_explanation *e)
{
	return e->key < 0 || !p->a->policy->keys[e->key].tool;
}

/* Is the difference what whoever wrote the policy will want to hear about? */
static bool is_worth(const struct pair *p, const struct warder_difference *d)
{
	const struct warder_explanation *allows = &d->allows, *refuses = &d->refuses;

	if ((p->starter->ungoverned | p->code->ungoverned) & class_of(d))
		return false;
	/* Presets deny for their own good; and a deny of the starter holds for what it starts. */
	if (refuses->cause == WARDER_CAUSE_DENIED &&
	    (p->start == START_MAY_RUN || !warder_advising_own(p->a, &refuses->place)))
		return false;
	if (p->start != START_CODE_SET || refuses->cause == WARDER_CAUSE_RESERVED)
		return true;
	/*
	 * Code has a language of its own: what a preset says that it needs gives no access to
	 * anything that is somebody's, unless just that was denied to the agent (and not all
	 * names of a kind, wherever they are).
	 */
	if (allows->place.file && !warder_advising_own(p->a, &allows->place))
		return refuses->cause == WARDER_CAUSE_DENIED && strncmp(refuses->rule, "**", 2);
	/* Nor do the programs that it starts: they have no more rights than it has. */
	return refuses->cause == WARDER_CAUSE_DENIED || !is_base_key(p, allows) ||
	       class_of(d) != WARDER_CLASS_EXEC;
}

static const char *hint_of(const struct pair *p, const struct warder_difference *d)
{
	if (p->start == START_SEPARATE)
		return NULL;
	if (p->start == START_MAY_RUN)
		return "it is held to the rights of its starter too: give them to both sets, or "
		       "say `separate: true`";
	if (d->refuses.cause == WARDER_CAUSE_DENIED)
		return "deny it here too: whoever talks the agent into writing code has the rights "
		       "of both";
	return "narrow it, or give it to both: whoever talks the agent into writing code has the "
	       "rights of both";
}

static int say(struct pair *p, const struct warder_difference *d)
{
	_cleanup_free_ char *act = warder_difference_access(d);
	const struct warder_place *place = &d->allows.place;
	char why[1024];

	if (!act)
		return -ENOMEM;
	if (!warder_advising_own(p->a, place))
		place = &p->code->place;
	warder_explanation_text(&d->refuses, why, sizeof(why));
	if (p->start == START_MAY_RUN)
		warder_advising_say(p->a, WARDER_WARNING, place, hint_of(p, d),
				    "no effect in set \"%s\" where set \"%s\" starts it: %s "
				    "(refused there: %s)",
				    p->code->name, p->starter->name, act, why);
	else
		warder_advising_say(
			p->a, p->start == START_SEPARATE ? WARDER_NOTE : WARDER_WARNING, place,
			hint_of(p, d),
			"set \"%s\" may do what set \"%s\" may not: %s (refused there: %s)",
			p->code->name, p->starter->name, act, why);
	return 0;
}

/* What the policy itself gives comes first: it makes a better example than a preset. */
static int say_differences(struct pair *p, const struct warder_comparison *found, bool own)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < found->count && p->count < SAID_MAX; i++) {
		const struct warder_difference *d = &found->list[i];
		unsigned int group = group_of(d);

		/* What is denied to one is another matter than what was not given to it. */
		if (d->refuses.cause == WARDER_CAUSE_DENIED)
			group <<= 8;
		if (warder_advising_own(p->a, &d->allows.place) != own || p->said & group ||
		    !is_worth(p, d))
			continue;
		p->said |= group;
		p->count++;
		r = say(p, d);
	}
	return r;
}

static struct warder_side side_of(const struct warder_advising *a, const struct warder_set *set)
{
	__u64 held = set->tools | 1ull << set->key;

	return (struct warder_side){
		.policy = a->policy, .image = a->image, .held = held, .base = held};
}

/* What one does not judge, and the other does. */
static void say_ungoverned(struct pair *p)
{
	static const char *const names[] = {"access to files", "exec",	      "network", "unix",
					    "syscalls",	       "capabilities"};
	unsigned int wider = p->code->ungoverned & ~p->starter->ungoverned, i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (wider >> i & 1 && p->start != START_MAY_RUN)
			warder_advising_say(
				p->a, p->start == START_SEPARATE ? WARDER_NOTE : WARDER_WARNING,
				&p->code->place, NULL,
				"set \"%s\" may do what set \"%s\" may not: it leaves %s "
				"ungoverned",
				p->code->name, p->starter->name, names[i]);
	}
}

static bool is_large(const struct warder_advising *a)
{
	return warder_image_states(a->image) > EVERY_RULE_STATES ||
	       a->policy->path_count > EVERY_RULE_RULES;
}

static int compare(struct pair *p)
{
	const struct warder_side code = side_of(p->a, p->code);
	const struct warder_side starter = side_of(p->a, p->starter);
	_cleanup_comparison_ struct warder_comparison found = {0};
	const struct warder_comparison_options options = {
		.one_way = true,
		.shortest = is_large(p->a),
	};
	int r;

	say_ungoverned(p);
	r = warder_compare(&code, &starter, &options, &found);
	/* Too large to compare: nothing is certain. */
	if (r == -E2BIG)
		return 0;
	if (r == 0)
		r = say_differences(p, &found, true);
	return r < 0 ? r : say_differences(p, &found, false);
}

static int compare_started(const struct warder_advising *a, size_t starter, size_t code)
{
	const struct warder_policy *policy = a->policy;
	struct pair p = {a, &policy->sets[starter], &policy->sets[code], START_CODE_SET, 0, 0};

	if (starter == code)
		return 0;
	if (p.starter->may_run >> p.code->key & 1) {
		p.start = p.code->separate ? START_SEPARATE : START_MAY_RUN;
		return compare(&p);
	}
	/* With `separate` it was said that it is meant. */
	if (policy->model != WARDER_SANDBOX_AS_TOOL || !policy->has_code_set ||
	    code != policy->code_set || starter != warder_policy_run_set(policy) ||
	    p.code->separate)
		return 0;
	return compare(&p);
}

int warder_advise_wider(const struct warder_advising *a)
{
	size_t starter, code;
	int r = 0;

	for (starter = 0; r == 0 && starter < a->policy->set_count; starter++) {
		for (code = 0; r == 0 && code < a->policy->set_count; code++)
			r = compare_started(a, starter, code);
	}
	return r;
}
