// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_surface.c - `kernel:`, a list of what is allowed, or a mapping of allow and deny.
 */
#include <string.h>

#include "base/vector.h"
#include "policy/section.h"
#include "policy/surface.h"

static const struct warder_surface_rule *find(const struct warder_reader *reader,
					      unsigned int surface)
{
	const struct warder_policy *p = reader->policy;
	size_t i;

	for (i = 0; i < p->surface_count; i++) {
		if (p->surface_rules[i].key == reader->key &&
		    p->surface_rules[i].surface == surface)
			return &p->surface_rules[i];
	}
	return NULL;
}

static void add(struct warder_reader *reader, const struct warder_yaml *item, unsigned int surface,
		bool deny)
{
	struct warder_policy *policy = reader->policy;
	struct warder_surface_rule rule = {.place = warder_reader_place(reader, item),
					   .key = reader->key,
					   .surface = surface,
					   .deny = deny,
					   .text = strdup(item->text)};

	if (!rule.text ||
	    !VECTOR_ROOM(policy->surface_rules, policy->surface_count, policy->surface_capacity)) {
		free(rule.text);
		reader->out_of_memory = true;
		return;
	}
	policy->surface_rules[policy->surface_count++] = rule;
}

static void unknown(struct warder_reader *reader, const struct warder_yaml *item,
		    const char *quoted)
{
	const char *nearest = warder_surface_nearest(item->text);
	char hint[96] = "warder-policy(5) lists them: perf, bpf, keys, io-uring, ...";

	if (nearest)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest);
	warder_reader_error(reader, item, hint, "%s is no part of the kernel's surface", quoted);
}

static void read_item(struct warder_reader *reader, const struct warder_yaml *item, bool deny)
{
	const struct warder_surface_rule *before;
	char quoted[WARDER_QUOTED_MAX];
	int surface;

	if (!warder_reader_text(reader, item, "a part of the kernel's surface"))
		return;
	warder_reader_quote(item->text, item->length, quoted);
	surface = warder_surface_number(item->text);
	if (surface < 0) {
		unknown(reader, item, quoted);
		return;
	}
	before = find(reader, (unsigned int)surface);
	if (before && before->deny != deny)
		warder_reader_error(reader, item, "a deny beats every allow: remove one of them",
				    "%s is both denied and allowed", quoted);
	else if (before)
		warder_reader_error(reader, item, NULL, "%s is there twice", quoted);
	else if (!deny && !reader->in_set && warder_surface_moves_paths((unsigned int)surface))
		warder_reader_error(
			reader, item, "only a set without path rules can name it",
			"a tool cannot give %s: its holder would choose what paths mean", quoted);
	else
		add(reader, item, (unsigned int)surface, deny);
}

static void read_allowed(struct warder_reader *reader, const struct warder_yaml *item,
			 void *context)
{
	read_item(reader, item, false);
}

static void read_denied(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	read_item(reader, item, true);
}

static void read_allow(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "parts of the kernel's surface", read_allowed, NULL);
}

static void read_deny(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	if (reader->in_set)
		warder_reader_list(reader, value, "parts of the kernel's surface", read_denied,
				   NULL);
	else
		warder_reader_error(
			reader, key,
			"a grant adds rights and never removes one: put the deny into the sets",
			"deny inside a tool");
}

static const struct warder_field fields[] = {
	{"allow", read_allow, false, 0},
	{"deny", read_deny, false, 0},
	{0},
};

void warder_section_surface(struct warder_reader *reader, const struct warder_yaml *key,
			    const struct warder_yaml *value, void *context)
{
	if (warder_reader_is(value, "none"))
		return;
	if (value->type == WARDER_YAML_SEQUENCE) {
		read_allow(reader, key, value, context);
		return;
	}
	if (value->type != WARDER_YAML_MAPPING) {
		warder_reader_error(reader, value, "write kernel: none, or a list of names",
				    "expected none, a list, or allow and deny for kernel");
		return;
	}
	if (warder_reader_mapping(reader, value, "kernel", fields, NULL) && !value->count)
		warder_reader_error(reader, value, NULL, "empty kernel");
}
