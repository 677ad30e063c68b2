// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * unenforced.c - what a policy says about an access in words that this version does not enforce.
 */
#include "compile/unenforced.h"

#include <stdio.h>
#include <string.h>

#include "policy/reader.h"
#include "policy/section.h"

static const struct warder_unenforced nothing;

/* The set whose base key is held; NULL: the keys of tools alone. */
static const struct warder_set *set_of(const struct warder_side *side)
{
	size_t i;

	for (i = 0; i < side->policy->set_count; i++) {
		if (side->held >> side->policy->sets[i].key & 1)
			return &side->policy->sets[i];
	}
	return NULL;
}

static struct warder_unenforced of_set(const struct warder_set *set,
				       enum warder_unenforced_cause cause)
{
	return (struct warder_unenforced){
		.cause = cause, .differs = true, .place = set->place, .key_name = set->name};
}

/* enum warder_class: of a path, those of all its rights. */
static unsigned int classes_of(const struct warder_access *access)
{
	unsigned int classes = 0;

	switch (access->kind) {
	case WARDER_ACCESS_ADDRESS:
		return WARDER_CLASS_NETWORK;
	case WARDER_ACCESS_SYSCALL:
		return WARDER_CLASS_SYSCALLS;
	case WARDER_ACCESS_CAPABILITY:
		return WARDER_CLASS_CAPABILITIES;
	case WARDER_ACCESS_SURFACE:
		return 0;
	case WARDER_ACCESS_PATH:
		break;
	}
	if (access->rights & WARDER_CONNECT)
		classes |= WARDER_CLASS_UNIX;
	if (access->rights & WARDER_COARSE_EXEC)
		classes |= WARDER_CLASS_EXEC;
	if (access->rights & ~(__u32)(WARDER_CONNECT | WARDER_COARSE_EXEC))
		classes |= WARDER_CLASS_FILES;
	return classes;
}

/* Of the classes of an access, those whose `ungoverned` is no set of rules yet. */
static unsigned int unenforced_of(const struct warder_access *access)
{
	unsigned int classes = classes_of(access), left = 0, class;

	for (class = WARDER_CLASS_FILES; class <= WARDER_CLASS_CAPABILITIES; class <<= 1) {
		if (classes & class && !warder_construct_enforced(warder_section_construct(class)))
			left |= class;
	}
	return left;
}

struct warder_unenforced warder_unenforced_find(const struct warder_side *side,
						const struct warder_access *access, bool allowed)
{
	const struct warder_set *set = set_of(side);

	if (set && set->ungoverned & unenforced_of(access))
		return of_set(set, WARDER_UNENFORCED_UNGOVERNED);
	return nothing;
}

/* --- words --- */

char *warder_unenforced_text(const struct warder_unenforced *u, char *out, size_t size)
{
	out[0] = 0;
	switch (u->cause) {
	case WARDER_UNENFORCED_NONE:
		break;
	case WARDER_UNENFORCED_UNGOVERNED:
		snprintf(out, size, "%s:%u: set %s leaves it ungoverned", u->place.file,
			 u->place.line, u->key_name);
		break;
	}
	return out;
}
