// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * line.c - a record of the audit log as a line for people.
 *
 *	12:34:56 denied     bot-agent-2 python3[17]: read /etc/shadow (no rule)
 *	12:34:57 key used   bot-agent-2 bc[18]: exec /usr/bin/bc with calc (p.yaml:6)
 *	12:34:58 grant      bot-agent-2: calc until 12:35:18, by uid 0: the reason
 */
#include "audit/line.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/utf8.h"

/* The end of the year 9999: no record of ours is later. */
#define WALL_MAX 253402300800.0

/* "12:34:56", local time. */
static const char *clock_text(double wall, char *buffer, size_t size)
{
	time_t seconds;
	struct tm local;

	if (!(wall >= 0 && wall < WALL_MAX)) {
		snprintf(buffer, size, "??:??:??");
		return buffer;
	}
	seconds = (time_t)wall;
	localtime_r(&seconds, &local);
	strftime(buffer, size, "%H:%M:%S", &local);
	return buffer;
}

static void put_bytes(const json_t *record, const char *key, const char *before, FILE *out)
{
	const json_t *value = json_object_get(record, key);
	size_t size = value ? json_string_length(value) : 0;
	_cleanup_free_ char *escaped = size ? malloc(4 * size + 1) : NULL;

	if (!escaped)
		return;
	warder_utf8_escape(escaped, 4 * size + 1, json_string_value(value), size);
	fprintf(out, "%s%s", before, escaped);
}

static void print_event(const json_t *record, FILE *out)
{
	const char *verdict = json_string_value(json_object_get(record, "verdict"));
	bool denied = !verdict || strcmp(verdict, "allowed");

	fprintf(out, "%-10s ", denied ? "denied" : "key used");
	put_bytes(record, "subject", "", out);
	put_bytes(record, "comm", " ", out);
	fprintf(out, "[%lld]:", json_integer_value(json_object_get(record, "pid")));
	put_bytes(record, "act", " ", out);
	put_bytes(record, "object", " ", out);
	if (json_is_true(json_object_get(record, "if_new")))
		fputs(", if new", out);
	if (!denied)
		put_bytes(record, "keys", " with ", out);
	put_bytes(record, json_object_get(record, "rule") ? "rule" : "reason", " (", out);
	put_bytes(record, "judge", "; by subject ", out);
	fputs(json_is_true(json_object_get(record, "killed")) ? "); killed\n" : ")\n", out);
}

static void print_count(const json_t *record, const char *key, const char *format, FILE *out)
{
	json_int_t count = json_integer_value(json_object_get(record, key));

	if (count > 0)
		fprintf(out, format, (long long)count);
}

static void print_deed(const json_t *record, const char *type, FILE *out)
{
	const json_t *until = json_object_get(record, "until");
	char clock[16], shown[64];

	fprintf(out, "%-10s ", warder_utf8_escape(shown, sizeof(shown), type, strlen(type)));
	put_bytes(record, "subject", "", out);
	put_bytes(record, "key", ": ", out);
	put_bytes(record, "command", ": ", out);
	if (json_is_real(until))
		fprintf(out, " until %s", clock_text(json_real_value(until), clock, sizeof(clock)));
	else if (until)
		fputs(" until revoked", out);
	fprintf(out, ", by uid %lld", json_integer_value(json_object_get(record, "by_uid")));
	put_bytes(record, "reason", ": ", out);
	print_count(record, "refusals", ": %lld refusals", out);
	/* Why: see WARDER_EVENT_BURST. */
	print_count(record, "not_recorded",
		    ", %lld events counted only (they came faster than warder records them)", out);
	fputc('\n', out);
}

void warder_line_print(const json_t *record, FILE *out)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	char clock[16];

	fprintf(out, "%s ",
		clock_text(json_number_value(json_object_get(record, "time")), clock,
			   sizeof(clock)));
	if (type && !strcmp(type, "event"))
		print_event(record, out);
	else
		print_deed(record, type ? type : "?", out);
}
