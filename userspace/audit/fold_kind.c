// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * fold_kind.c - by what paths are put together: numbers, made-up names, one directory.
 */
#include "audit/fold_kind.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit/secret.h"

/* From how many on. */
#define NUMBERS_MIN  3
#define MADE_UP_MIN  4
#define SIBLINGS_MIN 10
/* A made-up part is at least this long, and as many bytes before it are the program's own. */
#define MADE_UP_LENGTH 4
#define MADE_UP_STEM   2
/*
 * A rule is offered only where the fixed part tells whose names they are: by this many bytes before
 * the made-up ones, by one less ("tmp") where those are many, or by an ending as well (".s").
 */
#define NARROW_STEM   4
#define NARROW_LENGTH 6
#define NARROW_END    2

/* Where the last component begins. */
static size_t name_at(const struct warder_fold *path)
{
	const char *slash = memrchr(path->path, '/', path->length);

	return slash ? slash - path->path + 1 : 0;
}

/* Bytes up to the next slash. */
static size_t component_length(const struct warder_fold *path, size_t at)
{
	const char *slash = memchr(path->path + at, '/', path->length - at);

	return slash ? (size_t)(slash - path->path) - at : path->length - at;
}

static bool is_number(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
	}
	return length > 0;
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* --- what paths have in common --- */

/* The path with each component that is a number left out; false when there is none. */
static bool number_key(const struct warder_fold *path, char *key, size_t *ret_length)
{
	size_t at = 0, used = 0, length;
	bool found = false;

	for (at = 0; at < path->length; at += length + 1) {
		length = component_length(path, at);
		if (at)
			key[used++] = '/';
		if (is_number(path->path + at, length)) {
			key[used++] = '\0';
			found = true;
		} else {
			memcpy(key + used, path->path + at, length);
			used += length;
		}
	}
	*ret_length = used;
	return found;
}

/* The directory, the length of the name and how it begins. */
static bool stem_key(const struct warder_fold *path, char *key, size_t *ret_length)
{
	size_t at = name_at(path), length = path->length - at, used = at + MADE_UP_STEM;

	if (!at || length < MADE_UP_STEM + MADE_UP_LENGTH)
		return false;
	memcpy(key, path->path, used);
	memcpy(key + used, &length, sizeof(length));
	*ret_length = used + sizeof(length);
	return true;
}

static bool directory_key(const struct warder_fold *path, char *key, size_t *ret_length)
{
	size_t at = name_at(path);

	memcpy(key, path->path, at);
	*ret_length = at;
	return at > 0;
}

/* --- from a run of paths to a group --- */

static void start_group(struct warder_fold_candidate *run, size_t count, char *pattern,
			size_t length)
{
	size_t i;

	for (i = 0; i < count; i++)
		run[i].path->leader = run[0].path->leader;
	run[0].path->members = count;
	run[0].path->pattern = pattern;
	run[0].path->pattern_length = length;
}

/* Where number `number` of a path begins. Only asked for one that is there. */
static size_t number_at(const struct warder_fold *path, size_t number, size_t *ret_length)
{
	size_t at = 0, seen = 0, length = component_length(path, 0);

	while (at < path->length) {
		if (is_number(path->path + at, length) && seen++ == number)
			break;
		at += length + 1;
		length = at < path->length ? component_length(path, at) : 0;
	}
	*ret_length = length;
	return at;
}

/* Is number `number` the same in all? Their keys are equal, so all have it. */
static bool is_shared(const struct warder_fold_candidate *run, size_t count, size_t number)
{
	size_t length, other_length, i;
	size_t at = number_at(run[0].path, number, &length);

	for (i = 1; i < count; i++) {
		size_t other = number_at(run[i].path, number, &other_length);

		if (other_length != length ||
		    memcmp(run[0].path->path + at, run[i].path->path + other, length))
			return false;
	}
	return true;
}

/* The key is the pattern, with the numbers put back that are no different. */
static int fold_numbers(struct warder_fold_candidate *run, size_t count)
{
	const struct warder_fold *first = run[0].path;
	size_t at, length, used = 0, number = 0;
	char *pattern;

	if (count < NUMBERS_MIN)
		return 0;
	pattern = malloc(first->length + 1);
	if (!pattern)
		return -ENOMEM;
	for (at = 0; at < first->length; at += length + 1) {
		length = component_length(first, at);
		if (at)
			pattern[used++] = '/';
		if (is_number(first->path + at, length) && !is_shared(run, count, number++)) {
			pattern[used++] = '\0';
		} else {
			memcpy(pattern + used, first->path + at, length);
			used += length;
		}
	}
	start_group(run, count, pattern, used);
	return 0;
}

/* How many bytes all begin with, from `from` on, and how many they end in. */
static void common_ends(const struct warder_fold_candidate *run, size_t count, size_t from,
			size_t *ret_head, size_t *ret_tail)
{
	const struct warder_fold *first = run[0].path;
	size_t head = first->length, tail = first->length - from, i, k;

	for (i = 1; i < count; i++) {
		const struct warder_fold *path = run[i].path;
		size_t room;

		for (k = from; k < head && k < path->length && path->path[k] == first->path[k]; k++)
			;
		head = k;
		room = (path->length < first->length ? path->length : first->length) - head;
		for (k = 0; k < tail && k < room &&
			    path->path[path->length - 1 - k] == first->path[first->length - 1 - k];
		     k++)
			;
		tail = k;
	}
	/* A later head is shorter, so an earlier tail was cut too much, never too little. */
	while (head > from && head < first->length && is_continuation(first->path[head]))
		head--;
	while (tail && is_continuation(first->path[first->length - tail]))
		tail--;
	*ret_head = head;
	*ret_tail = tail;
}

/* `wild` NULs between what is common. */
static int fold_names(struct warder_fold_candidate *run, size_t count, size_t head, size_t wild,
		      size_t tail)
{
	const struct warder_fold *first = run[0].path;
	char *pattern = malloc(head + wild + tail);

	if (!pattern)
		return -ENOMEM;
	memcpy(pattern, first->path, head);
	memset(pattern + head, 0, wild);
	memcpy(pattern + head + wild, first->path + first->length - tail, tail);
	start_group(run, count, pattern, head + wild + tail);
	return 0;
}

/* A digit, a capital or an underscore where words have none. */
static bool looks_made_up(const struct warder_fold *path, size_t head, size_t tail)
{
	size_t i;

	for (i = head; i < path->length - tail; i++) {
		unsigned char byte = (unsigned char)path->path[i];

		if (isdigit(byte) || isupper(byte) || byte == '_')
			return true;
	}
	return false;
}

/* Would a rule for the pattern reach such names, and no others that somebody knows? */
static bool is_narrow(const struct warder_fold *path, size_t head, size_t tail)
{
	size_t at = name_at(path), varied = path->length - head - tail, stem;

	/* A leading dot tells nothing. */
	while (at < head && path->path[at] == '.')
		at++;
	stem = head - at;
	if (stem < NARROW_STEM && !(stem == NARROW_STEM - 1 && varied >= NARROW_LENGTH) &&
	    !(stem >= MADE_UP_STEM && tail >= NARROW_END))
		return false;
	return !warder_secret_matches(path->pattern, path->pattern_length);
}

static int fold_made_up(struct warder_fold_candidate *run, size_t count)
{
	size_t head, tail, made_up = 0, varied, i;
	int error;

	if (count < MADE_UP_MIN)
		return 0;
	common_ends(run, count, name_at(run[0].path), &head, &tail);
	/* All are of one length: it is part of the key. */
	varied = run[0].path->length - head - tail;
	if (varied < MADE_UP_LENGTH)
		return 0;
	for (i = 0; i < count; i++)
		made_up += looks_made_up(run[i].path, head, tail);
	if (made_up * 2 < count)
		return 0;
	error = fold_names(run, count, head, varied, tail);
	if (error < 0)
		return error;
	run[0].path->made_up = true;
	run[0].path->narrow = is_narrow(run[0].path, head, tail);
	return 0;
}

static int fold_siblings(struct warder_fold_candidate *run, size_t count)
{
	size_t head, tail;

	if (count < SIBLINGS_MIN)
		return 0;
	common_ends(run, count, name_at(run[0].path), &head, &tail);
	return fold_names(run, count, head, 1, tail);
}

const struct warder_fold_kind warder_fold_kinds[WARDER_FOLD_KINDS] = {
	{number_key, fold_numbers},
	{stem_key, fold_made_up},
	{directory_key, fold_siblings},
};
