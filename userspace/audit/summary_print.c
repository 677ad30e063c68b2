// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * summary_print.c - the summary for people: in the order of time, alike ones on one line.
 */
#include <stdlib.h>
#include <string.h>

#include "audit/fold.h"
#include "audit/refusal.h"
#include "audit/summary.h"
#include "base/cleanup.h"
#include "base/utf8.h"

/* One line: the refusals that lead it, and what they have in sum. */
struct line {
	const struct warder_refusal *refusal;
	__u64 count, again, looked;
};

/* What is being printed. */
struct printing {
	const struct warder_summary *summary;
	bool each;
	struct line *lines; /* in the order of time; `count` of them */
	struct warder_fold *folds;
	size_t count;
};

static int by_time(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->refusal->first != b->refusal->first)
		return a->refusal->first < b->refusal->first ? -1 : 1;
	return a->refusal < b->refusal ? -1 : a->refusal > b->refusal;
}

static void collect(struct printing *printing)
{
	const struct warder_summary *summary = printing->summary;
	size_t i;

	for (i = 0; i < summary->count; i++) {
		const struct warder_refusal *refusal = &summary->refusals[i];
		struct line line = {.refusal = refusal, .count = warder_refusal_count(refusal)};

		/* A shell's look is told with the exec before it. */
		if (!printing->each) {
			line.count -= line.count < refusal->looks ? line.count : refusal->looks;
			line.again = refusal->again;
			line.looked = refusal->looked;
		}
		if (refusal->refused && line.count)
			printing->lines[printing->count++] = line;
	}
	qsort(printing->lines, printing->count, sizeof(*printing->lines), by_time);
}

/* May they stand on one line, but for the names? */
static bool alike(const struct warder_refusal *a, const struct warder_refusal *b)
{
	return !strcmp(a->act, b->act) && !strcmp(a->rule, b->rule) &&
	       warder_remedy_alike(&a->remedy, &b->remedy);
}

/* The class of a refusal is the first that is like it. */
static void set_class(struct printing *printing, size_t *classes, size_t *class_count, size_t i)
{
	size_t k;

	for (k = 0; k < *class_count; k++) {
		if (alike(printing->lines[classes[k]].refusal, printing->lines[i].refusal))
			break;
	}
	if (k == *class_count)
		classes[(*class_count)++] = i;
	printing->folds[i].class = k;
}

/* Out of memory folds nothing: then each has a line of its own. */
static void fold(struct printing *printing)
{
	_cleanup_free_ size_t *classes = calloc(printing->count + 1, sizeof(*classes));
	size_t class_count = 0, i;

	for (i = 0; i < printing->count; i++) {
		const struct warder_refusal *refusal = printing->lines[i].refusal;

		printing->folds[i].leader = i;
		printing->folds[i].members = 1;
		printing->folds[i].path = refusal->path ? refusal->path : "";
		printing->folds[i].length = refusal->path_length;
		if (classes)
			set_class(printing, classes, &class_count, i);
	}
	if (!classes || printing->each || warder_fold(printing->folds, printing->count) < 0)
		return;
	for (i = 0; i < printing->count; i++) {
		struct line *leader = &printing->lines[printing->folds[i].leader];

		if (leader == &printing->lines[i])
			continue;
		leader->count += printing->lines[i].count;
		leader->again += printing->lines[i].again;
		leader->looked += printing->lines[i].looked;
	}
}

/* With the stars and question marks that its NULs are; escaped. */
static void put_pattern(const struct warder_fold *fold, FILE *out)
{
	char text[WARDER_OBJECT_TEXT_MAX];
	size_t at, end;

	for (at = 0; at < fold->pattern_length; at = end + 1) {
		end = at + strnlen(fold->pattern + at, fold->pattern_length - at);
		fputs(warder_utf8_escape(text, sizeof(text), fold->pattern + at, end - at), out);
		if (end < fold->pattern_length)
			fputc(fold->made_up ? '?' : '*', out);
	}
	fprintf(out, " (%zu names)", fold->members);
}

/* "no rule; files: {read: [/etc/hosts]} in set "agent" would allow it". */
static void put_why(const struct warder_refusal *refusal, const struct warder_fold *fold, FILE *out)
{
	struct warder_remedy remedy = refusal->remedy;
	char text[WARDER_REMEDY_TEXT_MAX];
	bool bare;

	if (fold->pattern && remedy.kind == WARDER_REMEDY_RULE) {
		/* A rule for "/etc" and all in it is no answer to ten names, nor "/etc/sh*". */
		if (fold->narrow)
			warder_remedy_set_path(&remedy, fold->pattern, fold->pattern_length, "?");
		else
			remedy.kind = WARDER_REMEDY_NONE;
	}
	warder_remedy_text(&remedy, text, sizeof(text));
	bare = remedy.kind == WARDER_REMEDY_IMPOSSIBLE && !strcmp(refusal->rule, "no rule");
	fprintf(out, " (%s%s%s)\n", bare ? "" : refusal->rule, text[0] && !bare ? "; " : "", text);
}

static void put_line(const struct line *line, const struct warder_fold *fold, FILE *out)
{
	const struct warder_refusal *refusal = line->refusal;

	fprintf(out, "  %llux %s%s", line->count - line->again, refusal->act,
		refusal->object[0] ? " " : "");
	if (fold->pattern)
		put_pattern(fold, out);
	else
		fputs(refusal->object, out);
	if (line->again)
		fprintf(out, ", in %llu calls", line->count);
	if (line->looked)
		fputs(", then read it", out);
	put_why(refusal, fold, out);
}

static void print_lines(struct printing *printing, size_t limit, FILE *out)
{
	size_t shown = 0, left = 0, i;
	bool folded = false;

	for (i = 0; i < printing->count; i++) {
		if (printing->folds[i].leader != i)
			continue;
		if (shown >= limit) {
			left++;
			continue;
		}
		put_line(&printing->lines[i], &printing->folds[i], out);
		folded = folded || printing->folds[i].pattern;
		shown++;
	}
	if (left)
		fprintf(out, "  and %zu more (`warder events` shows them)\n", left);
	else if (folded)
		fprintf(out, "  (`warder run --verbose` and `warder events` show each name)\n");
}

static void print_refusals(const struct warder_summary *summary,
			   const struct warder_summary_style *style, FILE *out)
{
	_cleanup_free_ struct line *lines = calloc(summary->count + 1, sizeof(*lines));
	_cleanup_free_ struct warder_fold *folds = calloc(summary->count + 1, sizeof(*folds));
	struct printing printing = {
		.summary = summary, .each = style->each, .lines = lines, .folds = folds};

	if (!lines || !folds) {
		fprintf(out, "  %llu refusals (out of memory; `warder events` shows them)\n",
			summary->refused);
		return;
	}
	collect(&printing);
	fold(&printing);
	print_lines(&printing, style->each ? SIZE_MAX : style->limit, out);
	warder_fold_release(folds, printing.count);
}

/* What the kernel counted and did not record, and why. */
static void print_unrecorded(const struct warder_summary *summary, const struct warder_stats *stats,
			     FILE *out)
{
	__u64 lost = stats->suppressed + stats->dropped;
	__u64 refusals = stats->denied > summary->refused ? stats->denied - summary->refused : 0;

	if (refusals > lost)
		refusals = lost;
	if (refusals)
		fprintf(out, "  %llu refusals in all, %llu of them counted without detail\n",
			stats->denied, refusals);
	if (lost > refusals)
		fprintf(out, "  uses of granted keys counted without detail: %llu\n",
			lost - refusals);
	if (stats->killed)
		fprintf(out, "  processes killed for it (on-violation: kill): %llu\n",
			stats->killed);
	if (stats->suppressed)
		fprintf(out,
			"  warder records at most %u events a second of a subject, so that a flood "
			"of them stays small\n",
			WARDER_EVENT_BURST);
	if (stats->dropped)
		fprintf(out, "  %llu events found no room: they came faster than they were read\n",
			stats->dropped);
	if (summary->not_kept)
		fprintf(out, "  %llu events are in the log only: too many different ones\n",
			summary->not_kept);
}

void warder_summary_print(const struct warder_summary *summary, const struct warder_stats *stats,
			  const struct warder_summary_style *style, FILE *out)
{
	if (!warder_summary_count(summary) && !summary->not_kept && !stats->dropped &&
	    !stats->suppressed)
		return;
	fprintf(out, "warder: denied:\n");
	print_refusals(summary, style, out);
	print_unrecorded(summary, stats, out);
}
