// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * naming.c - which subject an operator means.
 */
#include "load/naming.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

/* A number that is all of the text; 0 is none. */
static __u64 parse_binding(const char *text)
{
	char *end;
	__u64 binding = strtoull(text, &end, 0);

	return *text >= '0' && *text <= '9' && !*end ? binding : 0;
}

static int not_unique(const struct warder_subject *list, size_t count, const char *text,
		      struct warder_error *reterr)
{
	size_t i;

	warder_error_set(reterr, -ENOTUNIQ,
			 "\"%s\" is the beginning of several subjects; name one of them", text);
	for (i = 0; i < count; i++) {
		if (!strncmp(list[i].name, text, strlen(text)))
			warder_error_add(reterr, -ENOTUNIQ, "  %s (binding %llu)", list[i].name,
					 list[i].binding);
	}
	return -ENOTUNIQ;
}

static int unknown_subject(const struct warder_subject *list, size_t count, const char *text,
			   struct warder_error *reterr)
{
	struct warder_nearest nearest;
	const char *begun = NULL;
	size_t i;

	warder_nearest_begin(&nearest, text, strlen(text));
	for (i = 0; i < count; i++) {
		warder_nearest_offer(&nearest, list[i].name);
		if (!begun && *text && !strncmp(list[i].name, text, strlen(text)))
			begun = list[i].name;
	}
	if (nearest.best || begun)
		return warder_error_set(
			reterr, -ESRCH,
			"there is no subject \"%s\"; did you mean \"%s\"? (`warder ps` lists them)",
			text, begun ? begun : nearest.best);
	return warder_error_set(reterr, -ESRCH,
				"there is no subject \"%s\" (`warder ps` lists them)", text);
}

/* The subject of that whole name or binding; NULL. */
static const struct warder_subject *find_exact(const struct warder_subject *list, size_t count,
					       const char *text)
{
	__u64 binding = parse_binding(text);
	size_t i;

	for (i = 0; i < count; i++) {
		if (!strcmp(list[i].name, text) || (binding && list[i].binding == binding))
			return &list[i];
	}
	return NULL;
}

static const struct warder_subject *find_begun(const struct warder_subject *list, size_t count,
					       const char *text, size_t *ret_matches)
{
	const struct warder_subject *found = NULL;
	size_t i;

	*ret_matches = 0;
	for (i = 0; i < count; i++) {
		if (!*text || strncmp(list[i].name, text, strlen(text)))
			continue;
		found = &list[i];
		(*ret_matches)++;
	}
	return found;
}

int warder_naming_choose(const struct warder_subject *list, size_t count, const char *text,
			 bool whole, const struct warder_subject **ret_subject,
			 struct warder_error *reterr)
{
	const struct warder_subject *found = find_exact(list, count, text);
	size_t matches = 0;

	if (!found && !whole)
		found = find_begun(list, count, text, &matches);
	if (matches > 1)
		return not_unique(list, count, text, reterr);
	if (!found)
		return unknown_subject(list, count, text, reterr);
	*ret_subject = found;
	return 0;
}
