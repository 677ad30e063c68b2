// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section.c - `ungoverned` in place of a section: the set does not judge that class.
 */
#include "policy/section.h"

#include "base/nearest.h"

enum warder_construct warder_section_construct(enum warder_class class)
{
	switch (class) {
	case WARDER_CLASS_FILES:
		return WARDER_CONSTRUCT_FILES_UNGOVERNED;
	case WARDER_CLASS_EXEC:
		return WARDER_CONSTRUCT_EXEC_UNGOVERNED;
	case WARDER_CLASS_NETWORK:
		return WARDER_CONSTRUCT_NETWORK_UNGOVERNED;
	case WARDER_CLASS_UNIX:
		return WARDER_CONSTRUCT_UNIX_UNGOVERNED;
	case WARDER_CLASS_SYSCALLS:
		return WARDER_CONSTRUCT_SYSCALLS_UNGOVERNED;
	case WARDER_CLASS_CAPABILITIES:
	default:
		return WARDER_CONSTRUCT_CAPABILITIES_UNGOVERNED;
	}
}

static bool is_misspelt(const struct warder_yaml *value)
{
	struct warder_nearest nearest;

	if (value->type != WARDER_YAML_SCALAR || warder_reader_is(value, "ungoverned"))
		return false;
	warder_nearest_begin(&nearest, value->text, value->length);
	warder_nearest_offer(&nearest, "ungoverned");
	return nearest.best;
}

bool warder_section_ungoverned(struct warder_reader *reader, const struct warder_yaml *key,
			       const struct warder_yaml *value, enum warder_class class)
{
	struct warder_set *set = warder_reader_current_set(reader);
	char quoted[WARDER_QUOTED_MAX];

	if (is_misspelt(value)) {
		warder_reader_error(
			reader, value, "did you mean \"ungoverned\"?", "%s is not a word for %s",
			warder_reader_quote(value->text, value->length, quoted), key->text);
		return true;
	}
	if (!warder_reader_is(value, "ungoverned"))
		return false;
	if (!set || reader->preset) {
		warder_reader_error(reader, value, "a set says it, where everybody sees it",
				    "only a set can leave a class unjudged");
		return true;
	}
	warder_reader_construct(reader, value, warder_section_construct(class));
	set->ungoverned |= class;
	return true;
}
