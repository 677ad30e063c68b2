// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * reference.c - a text that names a tool or a set of the policy.
 */
#include "policy/reference.h"

#include <string.h>

#include "base/nearest.h"
#include "policy/document.h"

static void report_unknown(struct warder_reader *reader, const struct warder_yaml *node, bool tool)
{
	const struct warder_policy *policy = reader->policy;
	const char *kind = tool ? "tool" : "set";
	char quoted[WARDER_QUOTED_MAX], hint[128];
	struct warder_nearest nearest;
	size_t i;

	snprintf(hint, sizeof(hint), "%ss are declared under `%ss:`", kind, kind);
	warder_nearest_begin(&nearest, node->text, node->length);
	for (i = 0; i < policy->key_count; i++) {
		if (policy->keys[i].tool == tool)
			warder_nearest_offer(&nearest, policy->keys[i].name);
	}
	if (nearest.best)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest.best);
	warder_reader_error(reader, node, hint, "there is no %s %s", kind,
			    warder_reader_quote(node->text, node->length, quoted));
}

/* The key that a text names; -1: none, reported. */
static int find_key(struct warder_reader *reader, const struct warder_yaml *node, bool tool)
{
	const char *hint = tool ? "a set is no tool" : "a tool is no set";
	int key;

	if (!warder_reader_text(reader, node, tool ? "the name of a tool" : "the name of a set"))
		return -1;
	key = memchr(node->text, 0, node->length) ? -1
						  : warder_document_key(reader->policy, node->text);
	if (key >= 0 && reader->policy->keys[key].tool == tool)
		return key;
	if (key >= 0)
		warder_reader_error(reader, node, hint, "there is no %s \"%s\"",
				    tool ? "tool" : "set", node->text);
	else
		report_unknown(reader, node, tool);
	return -1;
}

static bool add_key(struct warder_reader *reader, const struct warder_yaml *node, bool tool,
		    __u64 *keys)
{
	int key = find_key(reader, node, tool);

	if (key < 0)
		return false;
	if (*keys >> key & 1) {
		warder_reader_error(reader, node, NULL, "%s \"%s\" is there twice",
				    tool ? "tool" : "set", node->text);
		return false;
	}
	*keys |= 1ull << key;
	return true;
}

bool warder_reference_tool(struct warder_reader *reader, const struct warder_yaml *node,
			   __u64 *keys)
{
	return add_key(reader, node, true, keys);
}

bool warder_reference_set_key(struct warder_reader *reader, const struct warder_yaml *node,
			      __u64 *keys)
{
	return add_key(reader, node, false, keys);
}

bool warder_reference_set(struct warder_reader *reader, const struct warder_yaml *node,
			  unsigned int *ret_set)
{
	/* A set whose own reading failed is reported there. */
	return find_key(reader, node, false) >= 0 &&
	       warder_policy_find_set(reader->policy, node->text, ret_set) == 0;
}
