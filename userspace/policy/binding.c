// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * binding.c - `bind:`: which cgroups and containers are subjects, of which set.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "policy/document.h"
#include "policy/reference.h"
#include "policy/variable.h"

/* Of the key of an annotation. */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/"

/* One entry that is being read. */
struct entry {
	struct warder_bind_rule rule;
	const struct warder_yaml *subject; /* the value of `cgroup` or `annotation` */
	bool named, has_set;
};

static void rule_release(struct warder_bind_rule *rule)
{
	warder_pattern_free(&rule->cgroup);
	free(rule->annotation);
	free(rule->value);
}

void warder_bindings_free(struct warder_policy *policy)
{
	size_t i;

	for (i = 0; i < policy->bind_count; i++)
		rule_release(&policy->bind_rules[i]);
	free(policy->bind_rules);
}

/* One of `cgroup` and `annotation`. False: reported. */
static bool name_subject(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, struct entry *entry)
{
	if (entry->named) {
		warder_reader_error(reader, key, "write two entries",
				    "an entry of bind has a cgroup or an annotation, not both");
		return false;
	}
	entry->named = true;
	entry->subject = value;
	return true;
}

static void read_cgroup(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	_cleanup_filled_ struct warder_filled filled = {0};
	struct warder_pattern_error error;
	struct entry *entry = context;
	int r;

	if (!name_subject(reader, key, value, entry) ||
	    !warder_variable_fill(reader, value, "a cgroup", WARDER_FILL_PATTERN, &filled))
		return;
	r = warder_pattern_parse(filled.text, filled.length, false, &entry->rule.cgroup, &error);
	if (r == -EINVAL)
		warder_filled_error(reader, value, &filled, error.offset, error.hint,
				    error.message);
	if (r == -ENOMEM)
		reader->out_of_memory = true;
}

static void read_annotation(struct warder_reader *reader, const struct warder_yaml *key,
			    const struct warder_yaml *value, void *context)
{
	static const char hint[] = "write KEY=VALUE: dev.warder.set=sandbox";
	_cleanup_filled_ struct warder_filled filled = {0};
	struct entry *entry = context;
	size_t good;

	if (!name_subject(reader, key, value, entry) ||
	    !warder_variable_fill(reader, value, "an annotation", WARDER_FILL_TEXT, &filled))
		return;
	good = strspn(filled.text, LETTERS);
	if (!good || filled.text[good] != '=' || !filled.text[good + 1]) {
		warder_filled_error(reader, value, &filled, good, hint,
				    filled.text[good] == '=' ? "annotation without a key or value"
				    : good == filled.length  ? "annotation without a value"
							     : "not the key of an annotation");
		return;
	}
	entry->rule.annotation = strndup(filled.text, good);
	entry->rule.value = strdup(filled.text + good + 1);
	reader->out_of_memory |= !entry->rule.annotation || !entry->rule.value;
}

static void read_set(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context)
{
	struct entry *entry = context;

	entry->has_set = warder_reference_set(reader, value, &entry->rule.set);
}

static void read_mode(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	static const char *const words[] = {"enforce", "audit", "learn"};
	struct entry *entry = context;
	size_t i = warder_reader_word(reader, value, "a mode", words, 3);

	if (i < 3)
		entry->rule.mode = (enum warder_mode)i;
}

static void read_attach(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	static const char *const words[] = {"global", "cgroup"};
	struct entry *entry = context;

	entry->rule.attach_cgroup =
		warder_reader_word(reader, value, "a way to attach", words, 2) == 1;
}

static const struct warder_field fields[] = {
	{"cgroup", read_cgroup, false, 0}, {"annotation", read_annotation, false, 0},
	{"set", read_set, true, 0},	   {"mode", read_mode, false, 0},
	{"attach", read_attach, false, 0}, {0},
};

static bool same_subject(const struct warder_bind_rule *a, const struct warder_bind_rule *b)
{
	if (a->cgroup && b->cgroup)
		return !strcmp(a->cgroup->text, b->cgroup->text);
	return a->annotation && b->annotation && !strcmp(a->annotation, b->annotation) &&
	       !strcmp(a->value, b->value);
}

/* Which of two entries a subject belongs to must not depend on their order. */
static bool is_bound_before(struct warder_reader *reader, const struct entry *entry)
{
	const struct warder_policy *policy = reader->policy;
	char hint[64];
	size_t i;

	for (i = 0; i < policy->bind_count; i++) {
		if (!same_subject(&policy->bind_rules[i], &entry->rule))
			continue;
		snprintf(hint, sizeof(hint), "the first one is in line %u",
			 policy->bind_rules[i].place.line);
		warder_reader_error(reader, entry->subject, hint, "this is bound twice");
		return true;
	}
	return false;
}

static void read_entry(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	struct warder_policy *policy = reader->policy;
	struct entry entry = {.rule = {.place = warder_reader_place(reader, item)}};
	bool complete;

	if (warder_reader_mapping(reader, item, "an entry of bind", fields, &entry) && !entry.named)
		warder_reader_error(reader, item,
				    "write {cgroup: PATH, set: NAME} or {annotation: KEY=VALUE, "
				    "set: NAME}",
				    "an entry of bind without a cgroup or an annotation");
	complete = entry.has_set &&
		   (entry.rule.cgroup || (entry.rule.annotation && entry.rule.value));
	if (!complete || is_bound_before(reader, &entry)) {
		rule_release(&entry.rule);
	} else if (!VECTOR_ROOM(policy->bind_rules, policy->bind_count, policy->bind_capacity)) {
		rule_release(&entry.rule);
		reader->out_of_memory = true;
	} else {
		policy->bind_rules[policy->bind_count++] = entry.rule;
	}
}

void warder_bindings_read(struct warder_reader *reader, const struct warder_yaml *value)
{
	warder_reader_list(reader, value, "bindings", read_entry, NULL);
}
