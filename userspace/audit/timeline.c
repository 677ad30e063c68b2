// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * timeline.c - lines of the audit log in the order of time.
 *
 * Only where the lines are is kept: a log may be larger than memory.
 */
#include "audit/timeline.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/vector.h"

/* Where a line is, and when it happened. */
struct spot {
	json_int_t time;
	long offset;
	size_t size;
};

struct spots {
	struct spot *list;
	size_t count, capacity;
};

static int by_time(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static json_t *parse(const char *line, size_t size)
{
	return json_loadb(line, size, JSON_ALLOW_NUL, NULL);
}

/* A record without a time keeps its place: it is as late as the one before it. */
static int keep_spot(struct spots *spots, const json_t *record, long offset, size_t size)
{
	const json_t *time = json_object_get(record, "boottime");
	struct spot spot = {.offset = offset, .size = size};

	if (!VECTOR_ROOM(spots->list, spots->count, spots->capacity))
		return -ENOMEM;
	if (json_is_integer(time))
		spot.time = json_integer_value(time);
	else if (spots->count)
		spot.time = spots->list[spots->count - 1].time;
	spots->list[spots->count++] = spot;
	return 0;
}

static int find_spots(FILE *log, struct spots *spots, long *ret_end)
{
	_cleanup_free_ char *line = NULL;
	long offset = ftell(log);
	size_t room = 0;
	ssize_t size;
	int error = 0;

	while (!error && (size = getline(&line, &room, log)) > 0) {
		json_t *record;

		/* Half a line: its writer is at it. */
		if (line[size - 1] != '\n')
			break;
		/* The log is ours; a line that is not JSON was cut by a full disk. */
		record = parse(line, size);
		if (record)
			error = keep_spot(spots, record, offset, size);
		json_decref(record);
		offset += size;
	}
	*ret_end = offset;
	return error;
}

static int read_spot(FILE *log, const struct spot *spot, warder_timeline_function function,
		     void *context)
{
	_cleanup_free_ char *line = malloc(spot->size);
	json_t *record;

	if (!line)
		return -ENOMEM;
	if (fseek(log, spot->offset, SEEK_SET) < 0 || fread(line, 1, spot->size, log) != spot->size)
		return -EIO;
	record = parse(line, spot->size);
	if (record)
		function(line, spot->size, record, context);
	json_decref(record);
	return 0;
}

int warder_timeline_read(FILE *log, warder_timeline_function function, void *context)
{
	struct spots spots = {};
	long end = 0;
	size_t i;
	int error = find_spots(log, &spots, &end);

	if (!error && spots.count)
		qsort(spots.list, spots.count, sizeof(*spots.list), by_time);
	for (i = 0; i < spots.count && !error; i++)
		error = read_spot(log, &spots.list[i], function, context);
	free(spots.list);
	clearerr(log);
	if (!error && fseek(log, end, SEEK_SET) < 0)
		error = -EIO;
	return error;
}
