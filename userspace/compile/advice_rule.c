// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice_rule.c - path rules that do nothing: what they match does not exist, is denied or
 * reserved, or another rule of their key gives it; and exceptions that except nothing.
 *
 * Asked of each rule of the policy itself, against the image and against each other one of its
 * key. A rule that a variable is in may do nothing for one value and be needed for another, so it
 * is not called useless.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/advising.h"
#include "compile/walk.h"
#include "policy/reader.h"
#include "policy/right.h"

/* Steps of all walks together: less than half a second. */
#define STEPS_MAX (16ull << 20)

struct one {
	const struct warder_path_rule *rule;
	struct warder_dfa *language; /* with its exceptions; NULL: too large */
	bool filled;		     /* a variable is in it, or another name */
	bool idle;		     /* something was said */
};

struct rules {
	const struct warder_advising *a;
	struct warder_classes classes;
	struct one *list;
	size_t count;
	__u32 judged; /* rights that the kernel judges */
	unsigned long long budget;
};

/* --- places and words --- */

/*
 * Is it another pattern than was written there: a variable is in it, or a name of another place
 * ("/dev/fd", and nobody is to blame for not knowing of which)?
 */
static bool is_filled(const struct rules *s, const struct warder_path_rule *rule)
{
	return !warder_advising_is_as_written(s->a, &rule->place, rule->path.text) ||
	       strcmp(rule->path.text, rule->path.pattern->text);
}

static const char *key_name(const struct rules *s, const struct warder_path_rule *rule)
{
	return s->a->policy->keys[rule->key].name;
}

/* "line 12: files.deny.read "**"". */
static const char *describe(const struct rules *s, const struct warder_path_rule *rule, char *out,
			    size_t size)
{
	char quoted[WARDER_QUOTED_MAX];

	warder_reader_quote(rule->path.text, strlen(rule->path.text), quoted);
	if (warder_advising_own(s->a, &rule->place))
		snprintf(out, size, "line %u: %s %s", rule->place.line, rule->section, quoted);
	else
		snprintf(out, size, "%s: %s %s", rule->place.file, rule->section, quoted);
	return out;
}

/* --- one rule within another --- */

struct against {
	const struct rules *rules;
	const struct warder_path_rule *rule;
	__u32 counts;	    /* rights that are looked at */
	bool denied, other; /* what was met at ends: a deny; neither deny nor allow */
	bool met;
};

static bool gives_more(void *context, __u32 rights, __u32 other)
{
	const struct against *x = context;

	return (rights & ~other & x->counts) != 0;
}

/* Does `wide` give (or deny) all that `narrow` does, of some rights? 1, 0; negative errno. */
static int covers(struct rules *s, const struct warder_dfa *wide, const struct warder_dfa *narrow,
		  __u32 rights)
{
	struct against x = {.rules = s, .counts = rights};
	const struct warder_walk walk = {.rule = narrow,
					 .other = wide,
					 .stops_at_dead = true,
					 .budget = &s->budget,
					 .end = gives_more,
					 .context = &x};
	int r = warder_walk_run(&walk);

	return r < 0 ? r : !r;
}

/* --- against the image --- */

static bool is_open(void *context, __u32 rights, __u32 row_number)
{
	struct against *x = context;
	const struct warder_policy *policy = x->rules->a->policy;
	const struct warder_row *row = warder_row(x->rules->a->image, row_number);
	__u64 key = 1ull << x->rule->key;
	int right;
	size_t i;

	for (right = 0; right < WARDER_RIGHT_COUNT; right++) {
		if (!((rights & x->rules->judged) >> right & 1))
			continue;
		x->met = true;
		if (!policy->keys[x->rule->key].tool) {
			if (row->deny[right] & key)
				x->denied = true;
			else if (row->allow[right] & key)
				return true;
			else
				x->other = true;
			continue;
		}
		/* A tool does something where one set does not deny it. */
		for (i = 0; i < policy->set_count; i++) {
			if (!(row->deny[right] >> policy->sets[i].key & 1) &&
			    row->allow[right] & key)
				return true;
		}
		if (row->allow[right] & key)
			x->denied = true;
		else
			x->other = true;
	}
	return false;
}

/* The first rule that does this alone; NULL: several together do. */
static const struct warder_path_rule *find_wider(struct rules *s, const struct one *one, bool deny)
{
	const struct warder_policy *policy = s->a->policy;
	size_t i;

	for (i = 0; i < policy->path_count; i++) {
		const struct warder_path_rule *rule = &policy->path_rules[i];
		_cleanup_dfa_ struct warder_dfa *language = NULL;
		bool fits = deny ? rule->deny && rule->key == one->rule->key
				 : rule->names && !policy->keys[rule->key].shared &&
					    rule->key != one->rule->key;

		if (fits &&
		    warder_walk_language(&s->classes, rule, WARDER_EXCEPT_ALL, &language) == 0 &&
		    covers(s, language, one->language, s->judged) == 1)
			return rule;
	}
	return NULL;
}

static void say_denied(struct rules *s, const struct one *one)
{
	const struct warder_path_rule *deny = find_wider(s, one, true);
	bool tool = s->a->policy->keys[one->rule->key].tool;
	char why[1024] = "several rules together";

	if (deny)
		describe(s, deny, why, sizeof(why));
	warder_advising_say(
		s->a, WARDER_WARNING, &one->rule->place,
		tool ? "a deny beats the grant of a tool: except it in the deny, or leave the rule "
		       "out"
		     : "a deny beats every allow: except it in the deny, or leave the rule out",
		tool ? "the rule allows nothing: every set denies all that it matches%s%s%s"
		     : "the rule allows nothing: all that it matches is denied%s%s%s",
		tool ? "" : " (", tool ? "" : why, tool ? "" : ")");
}

static void say_reserved(struct rules *s, const struct one *one)
{
	const struct warder_policy *policy = s->a->policy;
	const struct warder_path_rule *rule = find_wider(s, one, false);
	char why[1024], hint[256];
	size_t i;

	if (!rule)
		return; /* several tools: too intricate to say it briefly */
	/* Who holds the tool has it anyway. */
	for (i = 0; i < policy->set_count; i++) {
		if (policy->sets[i].key == one->rule->key && policy->sets[i].tools >> rule->key & 1)
			return;
	}
	snprintf(hint, sizeof(hint),
		 "give the set the tool (tools: [%s]), or say `shared: true` "
		 "in the tool",
		 key_name(s, rule));
	warder_advising_say(s->a, WARDER_WARNING, &one->rule->place, hint,
			    "the rule allows nothing: what it matches is reserved for tool \"%s\" "
			    "(%s)",
			    key_name(s, rule), describe(s, rule, why, sizeof(why)));
}

/* Says so when the rule does nothing. */
static int advise_idle(struct rules *s, struct one *one)
{
	struct against x = {.rules = s, .rule = one->rule};
	const struct warder_walk walk = {.rule = one->language,
					 .image = s->a->image,
					 .budget = &s->budget,
					 .end = is_open,
					 .context = &x};
	int r;

	if (one->rule->deny || !(one->rule->rights & s->judged))
		return 0;
	r = warder_walk_run(&walk);
	if (r)
		return r < 0 ? r : 0;
	one->idle = true;
	if (!x.met)
		warder_advising_say(s->a, WARDER_WARNING, &one->rule->place, NULL,
				    "the rule can never match: no path is like that");
	else if (!x.other)
		say_denied(s, one);
	else if (!x.denied)
		say_reserved(s, one);
	return 0;
}

/* --- exceptions --- */

static bool is_any(void *context, __u32 rights, __u32 other)
{
	return true;
}

static bool has_texts(struct rules *s, const struct warder_dfa *language)
{
	const struct warder_walk walk = {
		.rule = language, .other = language, .budget = &s->budget, .end = is_any};

	return warder_walk_run(&walk) != 0;
}

/* An exception that changes nothing of its deny. */
static int advise_exceptions(struct rules *s, struct one *one)
{
	_cleanup_dfa_ struct warder_dfa *plain = NULL;
	char quoted[WARDER_QUOTED_MAX];
	size_t i;
	int r;

	if (!one->rule->except_count)
		return 0;
	r = warder_walk_language(&s->classes, one->rule, WARDER_EXCEPT_NONE, &plain);
	for (i = 0; r >= 0 && i < one->rule->except_count; i++) {
		const char *text = one->rule->except[i].text;
		_cleanup_dfa_ struct warder_dfa *excepting = NULL;

		r = warder_walk_language(&s->classes, one->rule, (int)i, &excepting);
		if (r == 0)
			r = covers(s, excepting, plain, WARDER_RIGHTS_ALL);
		if (r == 1)
			warder_advising_say(s->a, WARDER_WARNING, &one->rule->place,
					    "an exception is of use only where its deny matches",
					    "the exception %s excepts nothing of this deny",
					    warder_reader_quote(text, strlen(text), quoted));
	}
	if (r >= 0 && !has_texts(s, one->language)) {
		one->idle = true;
		warder_advising_say(s->a, WARDER_WARNING, &one->rule->place, NULL,
				    "the rule denies nothing: its exceptions cover it");
	}
	return r < 0 ? r : 0;
}

/* --- useless rules --- */

static bool may_replace(const struct one *wide, const struct one *narrow)
{
	const struct warder_path_rule *w = wide->rule, *n = narrow->rule;

	return wide != narrow && wide->language && !wide->idle && !wide->filled &&
	       w->key == n->key && w->deny == n->deny && (w->hide || !n->hide) &&
	       (w->names || !n->names);
}

/* Is `one` useless beside `wide`? Of two that say the same, the later one is. */
static int is_useless(struct rules *s, const struct one *one, const struct one *wide)
{
	int r = covers(s, wide->language, one->language, WARDER_RIGHTS_ALL);

	if (r != 1 || wide < one)
		return r;
	r = covers(s, one->language, wide->language, WARDER_RIGHTS_ALL);
	return r < 0 ? r : !r;
}

/*
 * How bad is it? Whoever lists a path under read and under write speaks clearly, and a deny
 * within another one is a belt beside braces.
 */
static enum warder_severity severity_of(const struct one *one, const struct one *wide)
{
	return one->rule->deny || one->rule->section != wide->rule->section ? WARDER_NOTE
									    : WARDER_WARNING;
}

/* Looks for one that makes it useless as badly as that. 1: said. */
static int advise_useless(struct rules *s, struct one *one, enum warder_severity severity)
{
	char why[1024];
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < s->count; i++) {
		const struct one *wide = &s->list[i];

		if (!may_replace(wide, one) || severity_of(one, wide) != severity)
			continue;
		r = is_useless(s, one, wide);
		if (r == 1)
			warder_advising_say(s->a, severity, &one->rule->place,
					    "leave it out, or make the other one narrower",
					    "the rule adds nothing to %s",
					    describe(s, wide->rule, why, sizeof(why)));
	}
	one->idle |= r == 1 && severity == WARDER_WARNING;
	return r;
}

/* --- all of them --- */

static int add_rule(struct rules *s, const struct warder_path_rule *rule)
{
	struct one *one = &s->list[s->count];
	int r;

	*one = (struct one){.rule = rule, .filled = is_filled(s, rule)};
	r = warder_walk_language(&s->classes, rule, WARDER_EXCEPT_ALL, &one->language);
	if (r == -ENOMEM)
		return r;
	s->count++;
	return 0;
}

static int add_rules(struct rules *s)
{
	const struct warder_policy *policy = s->a->policy;
	size_t counts[WARDER_KEYS_MAX] = {0}, i;
	int r = 0;

	for (i = 0; i < policy->path_count; i++)
		counts[policy->path_rules[i].key] +=
			warder_advising_own(s->a, &policy->path_rules[i].place);
	for (i = 0; r == 0 && i < policy->path_count; i++) {
		const struct warder_path_rule *rule = &policy->path_rules[i];

		if (warder_advising_own(s->a, &rule->place) && !rule->all &&
		    counts[rule->key] <= WARDER_ADVICE_RULES_MAX)
			r = add_rule(s, rule);
	}
	return r;
}

static int advise_all(struct rules *s)
{
	size_t i;
	int r = add_rules(s);

	for (i = 0; r == 0 && i < s->count; i++) {
		struct one *one = &s->list[i];

		if (one->language)
			r = advise_idle(s, one);
		if (r == 0 && one->language)
			r = advise_exceptions(s, one);
	}
	for (i = 0; r == 0 && i < s->count; i++) {
		struct one *one = &s->list[i];

		if (one->language && !one->idle && !one->filled)
			r = advise_useless(s, one, WARDER_WARNING);
		if (r == 0 && one->language && !one->idle && !one->filled)
			r = advise_useless(s, one, WARDER_NOTE);
		r = r < 0 ? r : 0;
	}
	/* The budget is spent: the rest is not looked at. */
	return r == -E2BIG ? 0 : r;
}

int warder_advise_rules(const struct warder_advising *a)
{
	struct rules s = {.a = a, .judged = warder_rights_judged(), .budget = STEPS_MAX};
	size_t i;
	int r;

	s.list = calloc(a->policy->path_count + 1, sizeof(*s.list));
	if (!s.list)
		return -ENOMEM;
	warder_walk_classes(a->policy, &s.classes);
	r = advise_all(&s);
	for (i = 0; i < s.count; i++)
		warder_dfa_free(&s.list[i].language);
	free(s.list);
	return r;
}
