// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * summary.c - what a run was refused: each distinct act once, with its count.
 */
#include "audit/summary.h"

#include <errno.h>
#include <string.h>

#include "audit/name.h"
#include "base/cleanup.h"
#include "base/vector.h"

/* Distinct lines kept; hostile code could otherwise fill memory with names. */
#define LINES_MAX 4096

struct line {
	char *act, *object, *rule, *keys;
	bool refused;
	__u64 count;
	__u32 last_pid;
	__u64 last_sequence;
};

struct warder_summary {
	struct line *lines;
	size_t count, capacity;
	size_t refused; /* of the lines */
	__u64 not_kept; /* records for which there was no line left */
};

int warder_summary_new(struct warder_summary **ret_summary)
{
	struct warder_summary *summary = calloc(1, sizeof(*summary));

	if (!summary)
		return -ENOMEM;
	*ret_summary = summary;
	return 0;
}

static void line_release(struct line *line)
{
	free(line->act);
	free(line->object);
	free(line->rule);
	free(line->keys);
}

void warder_summary_free(struct warder_summary **summary)
{
	size_t i;

	if (!summary || !*summary)
		return;
	for (i = 0; i < (*summary)->count; i++)
		line_release(&(*summary)->lines[i]);
	free((*summary)->lines);
	free(*summary);
	*summary = NULL;
}

static struct line *find_line(struct warder_summary *summary, bool refused, const char *act,
			      const char *object, const char *rule)
{
	size_t i;

	for (i = 0; i < summary->count; i++) {
		struct line *line = &summary->lines[i];

		if (line->refused == refused && !strcmp(line->act, act) &&
		    !strcmp(line->object, object) && !strcmp(line->rule, rule))
			return line;
	}
	return NULL;
}

static struct line *add_line(struct warder_summary *summary, bool refused, const char *act,
			     const char *object, const char *rule, const char *keys)
{
	struct line line = {.refused = refused};

	if (summary->count >= LINES_MAX ||
	    !VECTOR_ROOM(summary->lines, summary->count, summary->capacity))
		return NULL;
	line.act = strdup(act);
	line.object = strdup(object);
	line.rule = strdup(rule);
	line.keys = strdup(keys ? keys : "");
	if (!line.act || !line.object || !line.rule || !line.keys) {
		line_release(&line);
		return NULL;
	}
	summary->refused += refused;
	summary->lines[summary->count] = line;
	return &summary->lines[summary->count++];
}

void warder_summary_add(struct warder_summary *summary, const struct warder_record *record)
{
	const struct warder_event *event = record->event;
	bool refused = warder_event_refused(event);
	char act[256], object[WARDER_OBJECT_TEXT_MAX];
	const char *rule = record->rule ? record->rule : warder_text_reason(event->reason);
	struct line *line;

	warder_event_act(event, act, sizeof(act));
	warder_event_object(event, record->text, object, sizeof(object));
	line = find_line(summary, refused, act, object, rule);
	if (!line)
		line = add_line(summary, refused, act, object, rule, record->keys);
	if (!line) {
		summary->not_kept++;
		return;
	}
	line->count++;
	line->last_pid = event->pid;
	line->last_sequence = event->sequence;
}

size_t warder_summary_count(const struct warder_summary *summary)
{
	return summary->refused;
}

const char *warder_summary_last(const struct warder_summary *summary, __u32 pid,
				const char **ret_act, const char **ret_object)
{
	const struct line *last = NULL;
	size_t i;

	for (i = 0; i < summary->count; i++) {
		const struct line *line = &summary->lines[i];

		if (line->refused && line->last_pid == pid &&
		    (!last || line->last_sequence > last->last_sequence))
			last = line;
	}
	if (!last)
		return NULL;
	*ret_act = last->act;
	*ret_object = last->object;
	return last->rule;
}

static void print_lines(const struct warder_summary *summary, size_t limit, FILE *out)
{
	size_t shown = 0, i;

	for (i = 0; i < summary->count && shown < limit; i++) {
		const struct line *line = &summary->lines[i];

		if (!line->refused)
			continue;
		fprintf(out, "  %llux %s%s%s (%s)\n", line->count, line->act,
			line->object[0] ? " " : "", line->object, line->rule);
		shown++;
	}
	if (summary->refused > shown)
		fprintf(out, "  and %zu more (`warder events` shows them)\n",
			summary->refused - shown);
}

void warder_summary_print(const struct warder_summary *summary, const struct warder_stats *stats,
			  size_t limit, FILE *out)
{
	__u64 lost = summary->not_kept + stats->dropped + stats->suppressed;

	if (!summary->refused && !lost)
		return;
	fprintf(out, "warder: denied:\n");
	print_lines(summary, limit, out);
	if (stats->suppressed)
		fprintf(out, "  %llu events were held back: more than %u in one second\n",
			stats->suppressed, WARDER_EVENT_BURST);
	if (stats->dropped)
		fprintf(out, "  %llu events were lost: the ring was full\n", stats->dropped);
	if (summary->not_kept)
		fprintf(out, "  %llu events are in the log only: too many different ones\n",
			summary->not_kept);
}

static json_t *line_json(const struct line *line)
{
	return json_pack("{s:I, s:s, s:s, s:s, s:s}", "count", (json_int_t)line->count, "act",
			 line->act, "object", line->object, "rule", line->rule, "keys", line->keys);
}

json_t *warder_summary_json(const struct warder_summary *summary, const struct warder_stats *stats)
{
	json_t *denied = json_array(), *granted = json_array();
	size_t i;

	for (i = 0; i < summary->count; i++) {
		const struct line *line = &summary->lines[i];

		json_array_append_new(line->refused ? denied : granted, line_json(line));
	}
	return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I}", "denied", denied, "granted_key_uses",
			 granted, "refusals", (json_int_t)stats->denied, "dropped",
			 (json_int_t)stats->dropped, "suppressed", (json_int_t)stats->suppressed,
			 "not_kept", (json_int_t)summary->not_kept);
}
