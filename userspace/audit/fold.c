// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * fold.c - many paths that differ in one place, as one pattern.
 *
 * For each kind, the paths that are still alone are sorted so that those with the same key
 * stand side by side, and each run is given to the kind.
 */
#include "audit/fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit/fold_kind.h"
#include "base/cleanup.h"

static int compare(const void *left, const void *right)
{
	const struct warder_fold_candidate *a = left, *b = right;
	size_t least = a->key_length < b->key_length ? a->key_length : b->key_length;
	int order;

	if (a->path->class != b->path->class)
		return a->path->class < b->path->class ? -1 : 1;
	order = memcmp(a->key, b->key, least);
	if (order)
		return order;
	if (a->key_length != b->key_length)
		return a->key_length < b->key_length ? -1 : 1;
	/* The array of paths is in the order of time. */
	return a->path < b->path ? -1 : a->path > b->path;
}

static bool same_key(const struct warder_fold_candidate *a, const struct warder_fold_candidate *b)
{
	return a->path->class == b->path->class && a->key_length == b->key_length &&
	       !memcmp(a->key, b->key, a->key_length);
}

static bool is_alone(const struct warder_fold *paths, size_t index)
{
	return paths[index].leader == index && paths[index].members == 1;
}

static int collect(const struct warder_fold_kind *kind, struct warder_fold *paths, size_t count,
		   struct warder_fold_candidate *candidates, size_t *ret_count)
{
	size_t i, found = 0;

	for (i = 0; i < count; i++) {
		struct warder_fold_candidate one = {.path = &paths[i]};

		if (!is_alone(paths, i))
			continue;
		one.key = malloc(paths[i].length + WARDER_FOLD_KEY_MORE);
		if (!one.key)
			break;
		if (kind->key(&paths[i], one.key, &one.key_length))
			candidates[found++] = one;
		else
			free(one.key);
	}
	*ret_count = found;
	return i < count ? -ENOMEM : 0;
}

static int fold_kind(const struct warder_fold_kind *kind, struct warder_fold *paths, size_t count,
		     struct warder_fold_candidate *candidates)
{
	size_t found = 0, begin, end;
	int error = collect(kind, paths, count, candidates, &found);

	if (!error)
		qsort(candidates, found, sizeof(*candidates), compare);
	for (begin = 0; !error && begin < found; begin = end) {
		for (end = begin + 1; end < found && same_key(&candidates[begin], &candidates[end]);
		     end++)
			;
		error = kind->fold(candidates + begin, end - begin);
	}
	for (begin = 0; begin < found; begin++)
		free(candidates[begin].key);
	return error;
}

void warder_fold_release(struct warder_fold *paths, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		free(paths[i].pattern);
		paths[i].pattern = NULL;
		paths[i].leader = i;
		paths[i].members = 1;
	}
}

int warder_fold(struct warder_fold *paths, size_t count)
{
	_cleanup_free_ struct warder_fold_candidate *candidates =
		calloc(count + 1, sizeof(*candidates));
	size_t i;
	int error = candidates ? 0 : -ENOMEM;

	for (i = 0; i < count; i++) {
		paths[i].leader = i;
		paths[i].members = 1;
		paths[i].pattern = NULL;
		paths[i].pattern_length = 0;
		paths[i].made_up = false;
		paths[i].narrow = false;
	}
	for (i = 0; i < WARDER_FOLD_KINDS && !error; i++)
		error = fold_kind(&warder_fold_kinds[i], paths, count, candidates);
	if (error)
		warder_fold_release(paths, count);
	return error;
}
