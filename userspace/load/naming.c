// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * naming.c - which subject an operator means.
 *
 * Digits alone are a binding and never a name: no subject is called so, and the number of one
 * must not be the beginning of another one's name.
 */
#include "load/naming.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "base/nearest.h"

bool warder_naming_is_binding(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* 0 is no subject's. */
static __u64 parse_binding(const char *text)
{
	__u64 binding;

	errno = 0;
	binding = strtoull(text, NULL, 10);
	return errno ? 0 : binding;
}

bool warder_naming_check(const char *name)
{
	return warder_identifier_check(name, strlen(name)) && !isdigit((unsigned char)*name);
}

bool warder_naming_means(const char *text, const char *name, __u64 binding, bool whole)
{
	if (warder_naming_is_binding(text))
		return binding && binding == parse_binding(text);
	return whole ? !strcmp(name, text) : *text && !strncmp(name, text, strlen(text));
}

static const struct warder_subject *find(const struct warder_subject *list, size_t count,
					 const char *text, bool whole, size_t *ret_matches)
{
	const struct warder_subject *found = NULL;
	size_t i;

	*ret_matches = 0;
	for (i = 0; i < count; i++) {
		if (!warder_naming_means(text, list[i].name, list[i].binding, whole))
			continue;
		found = &list[i];
		(*ret_matches)++;
	}
	return found;
}

/* Whole names are unique, as long as bind sees to it; that nobody is taken for another, we do. */
static int not_unique(const struct warder_subject *list, size_t count, const char *text, bool whole,
		      struct warder_error *reterr)
{
	size_t i;

	warder_error_set(reterr, -ENOTUNIQ,
			 whole ? "several subjects are called \"%s\"; name one by its binding"
			       : "\"%s\" is the beginning of several subjects; name one of them",
			 text);
	for (i = 0; i < count; i++) {
		if (warder_naming_means(text, list[i].name, list[i].binding, whole))
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

int warder_naming_choose(const struct warder_subject *list, size_t count, const char *text,
			 bool whole, const struct warder_subject **ret_subject,
			 struct warder_error *reterr)
{
	const struct warder_subject *found;
	size_t matches;

	/* A whole name beats those that it is the beginning of. */
	found = find(list, count, text, true, &matches);
	if (!found && !whole) {
		found = find(list, count, text, false, &matches);
		if (matches > 1)
			return not_unique(list, count, text, false, reterr);
	}
	if (!found)
		return unknown_subject(list, count, text, reterr);
	if (matches > 1)
		return not_unique(list, count, text, true, reterr);
	*ret_subject = found;
	return 0;
}
