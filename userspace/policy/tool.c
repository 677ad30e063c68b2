// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * tool.c - one entry of `tools:`: a key that can be granted by name, and what belongs to it.
 */
#include <string.h>

#include "policy/document.h"
#include "policy/section.h"

#define SUMMARY_MAX 200u

static void read_summary(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	struct warder_key *tool = &reader->policy->keys[reader->key];

	if (!warder_reader_text(reader, value, "a sentence"))
		return;
	if (value->length > SUMMARY_MAX) {
		warder_reader_error(reader, value, NULL, "summary longer than %u bytes",
				    SUMMARY_MAX);
		return;
	}
	tool->summary = strdup(value->text);
	if (!tool->summary)
		reader->out_of_memory = true;
}

static void read_shared(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	warder_reader_bool(reader, value, &reader->policy->keys[reader->key].shared);
}

static void refuse_deny(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	warder_reader_error(reader, key,
			    "a grant adds rights and never removes one: put the deny into the sets",
			    "deny inside a tool");
}

static const struct warder_field fields[] = {
	{"summary", read_summary, false, 0},
	{"shared", read_shared, false, 0},
	{"exec", warder_section_exec, false, 0},
	{"network", warder_section_network, false, 0},
	{"unix", warder_section_unix, false, 0},
	{"files", warder_section_tool_files, false, 0},
	{"deny", refuse_deny, false, 0},
	{"kernel", warder_section_surface, false, 0},
	{0},
};

static size_t count_rules(const struct warder_policy *policy)
{
	return policy->path_count + policy->net_count + policy->unix_bind_count +
	       policy->family_count + policy->surface_count;
}

void warder_tool_read(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	struct warder_policy *policy = reader->policy;
	size_t rules = count_rules(policy);
	unsigned int errors = reader->diagnostics->errors;
	char name[WARDER_NAME_MAX];
	int index;

	if (!warder_reader_name(reader, key, "the name of a tool", name))
		return;
	index = warder_document_key(policy, name);
	if (index < 0)
		return; /* too many; reported */
	if (!policy->keys[index].tool) {
		warder_reader_error(reader, key, "tools and sets share one name space",
				    "there is a set of this name");
		return;
	}
	reader->key = (unsigned int)index;
	reader->names = true;
	warder_reader_mapping(reader, value, "a tool", fields, NULL);
	reader->names = false;
	if (reader->diagnostics->errors == errors && count_rules(policy) == rules)
		warder_reader_error(reader, key, "give it exec, network, unix, files or kernel",
				    "tool \"%s\" holds no right", name);
}
