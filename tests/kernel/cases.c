// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * cases.c - a table of acts, each tried inside, outside, and inside with a grant.
 */
#include "harness.h"

#include <stdarg.h>
#include <sys/stat.h>

static void rebuild(struct kt_subject *s, void (*build)(struct kt_subject *s))
{
	if (!build)
		return;
	kt_remove(s->dir);
	mkdir(s->dir, 0777);
	build(s);
}

static void check(const struct kt_case *row, const char *what, bool ok, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void check(const struct kt_case *row, const char *what, bool ok, const char *format, ...)
{
	char name[256], why[256];
	va_list arguments;

	snprintf(name, sizeof(name), "%s: %s", row->name, what);
	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	kt_check_why(name, ok, "%s", why);
}

static void check_result(const struct kt_case *row, const char *what, int got, int expected)
{
	char name[256];

	snprintf(name, sizeof(name), "%s: %s", row->name, what);
	kt_result(name, got, expected);
}

static void run_inside(struct kt_subject *s, void (*build)(struct kt_subject *s),
		       const struct kt_case *row)
{
	struct kt_match match = {
		.hook = row->hook,
		.reason = row->reason,
		.missing = row->missing,
		.text = row->text,
		.error = row->inside < 0 ? row->inside : 0,
	};
	char name[256];
	__u64 before;

	rebuild(s, build);
	before = kt_tree_digest(s->dir);
	kt_events_clear(s);
	check_result(row, "inside", kt_inside(s, row->act, row->argument), row->inside);
	if (row->inside >= 0)
		return;
	check(row, "nothing changed", kt_tree_digest(s->dir) == before,
	      "a refused act left a trace below %s", s->dir);
	if (row->hook < 0)
		return;
	snprintf(name, sizeof(name), "%s: reported", row->name);
	kt_event(s, name, &match);
}

static void run_outside(struct kt_subject *s, void (*build)(struct kt_subject *s),
			const struct kt_case *row)
{
	__u64 before;

	rebuild(s, build);
	before = kt_tree_digest(s->dir);
	check_result(row, "control outside", kt_outside(s, row->act, row->argument), row->outside);
	if (!row->quiet && row->inside < 0)
		check(row, "control has an effect", kt_tree_digest(s->dir) != before,
		      "nothing changed below %s", s->dir);
}

static void run_granted(struct kt_subject *s, void (*build)(struct kt_subject *s),
			const struct kt_case *row)
{
	rebuild(s, build);
	if (!kt_grant(s, row->key, 0))
		return;
	check_result(row, "granted", kt_inside(s, row->act, row->argument), row->outside);
	kt_revoke(s, row->key);
	rebuild(s, build);
	check_result(row, "revoked", kt_inside(s, row->act, row->argument), row->inside);
}

void kt_cases_run(struct kt_subject *s, void (*build)(struct kt_subject *s),
		  const struct kt_case *cases, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		run_inside(s, build, &cases[i]);
		run_outside(s, build, &cases[i]);
		if (cases[i].key)
			run_granted(s, build, &cases[i]);
	}
}
