// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * expect.c - `expect:`: the policy's own tests, as they are written.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "policy/document.h"
#include "policy/reference.h"
#include "policy/variable.h"

/* One entry that is being read. */
struct entry {
	struct warder_expect expect;
	const struct warder_yaml *verdict; /* the key `allow` or `deny`; NULL: not seen yet */
	bool has_set;
};

static void read_set(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context)
{
	struct entry *entry = context;

	entry->has_set = warder_reference_set(reader, value, &entry->expect.set);
}

static void read_with_item(struct warder_reader *reader, const struct warder_yaml *item,
			   void *context)
{
	struct entry *entry = context;

	warder_reference_tool(reader, item, &entry->expect.tools);
}

static void read_with(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "tools", read_with_item, context);
}

static void read_verdict(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	_cleanup_filled_ struct warder_filled filled = {0};
	struct entry *entry = context;

	if (entry->verdict) {
		warder_reader_error(reader, key, "write two entries",
				    "an entry of expect has allow or deny, not both");
		return;
	}
	entry->verdict = key;
	/* As in rules: a star in a value is a star in a name. */
	if (!warder_variable_fill(reader, value, "an access", WARDER_FILL_ACCESS, &filled))
		return;
	entry->expect.allow = warder_reader_is(key, "allow");
	entry->expect.place = warder_reader_place(reader, value);
	entry->expect.access = TAKE_PTR(filled.text);
}

static const struct warder_field fields[] = {
	{"set", read_set, true, 0},
	{"with", read_with, false, 0},
	{"allow", read_verdict, false, 0},
	{"deny", read_verdict, false, 0},
	{0},
};

/* A preset has neither sets nor tools: what is tested is what it gives by itself. */
static const struct warder_field preset_fields[] = {
	{"allow", read_verdict, false, 0},
	{"deny", read_verdict, false, 0},
	{0},
};

static void read_entry(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	struct warder_policy *policy = reader->policy;
	struct entry entry = {.expect = {.preset = reader->preset}, .has_set = reader->preset};

	/* The set that includes the preset is the one that is being read. */
	if (reader->preset)
		entry.expect.set = (unsigned int)policy->set_count - 1;
	if (!warder_reader_mapping(reader, item, "an entry of expect",
				   reader->preset ? preset_fields : fields, &entry))
		return;
	if (!entry.verdict)
		warder_reader_error(reader, item,
				    "write allow: \"ACCESS\" or deny: \"ACCESS\", for example "
				    "deny: \"exec /bin/sh\"",
				    "an entry of expect without allow or deny");
	if (!entry.expect.access || !entry.has_set ||
	    !VECTOR_ROOM(policy->expects, policy->expect_count, policy->expect_capacity)) {
		reader->out_of_memory |= entry.expect.access && entry.has_set;
		free(entry.expect.access);
		return;
	}
	policy->expects[policy->expect_count++] = entry.expect;
}

void warder_expect_read(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "tests", read_entry, NULL);
}
