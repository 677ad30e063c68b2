// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * set.c - one entry of `sets:`: its own rules, the presets it includes, the tools it starts with.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vector.h"
#include "policy/document.h"
#include "policy/preset.h"
#include "policy/reference.h"
#include "policy/section.h"
#include "policy/users.h"

const struct warder_preset *warder_preset_find(const char *name)
{
	const struct warder_preset *preset;

	for (preset = warder_presets; preset->name; preset++) {
		if (!strcmp(preset->name, name))
			return preset;
	}
	return NULL;
}

/* --- include --- */

static void read_preset_name(struct warder_reader *reader, const struct warder_yaml *key,
			     const struct warder_yaml *value, void *context)
{
	const struct warder_preset *preset = context;

	if (!warder_reader_is(value, preset->name))
		warder_reader_error(reader, value, NULL,
				    "the preset \"%s\" has another name inside", preset->name);
}

static void read_preset_summary(struct warder_reader *reader, const struct warder_yaml *key,
				const struct warder_yaml *value, void *context)
{
	warder_reader_text(reader, value, "a sentence");
}

static const struct warder_field preset_fields[] = {
	{"preset", read_preset_name, true, 0},	       {"summary", read_preset_summary, true, 0},
	{"files", warder_section_files, false, 0},     {"exec", warder_section_exec, false, 0},
	{"network", warder_section_network, false, 0}, {"unix", warder_section_unix, false, 0},
	{"expect", warder_expect_read, false, 0},      {0},
};

/* "preset base", kept by the policy. */
static const char *file_name(struct warder_reader *reader, const struct warder_preset *preset)
{
	struct warder_policy *policy = reader->policy;
	char *name;

	if (asprintf(&name, "preset %s", preset->name) < 0)
		return NULL;
	if (!VECTOR_ROOM(policy->files, policy->file_count, policy->file_capacity)) {
		free(name);
		return NULL;
	}
	return policy->files[policy->file_count++] = name;
}

/* The rules of a preset become rules of the set's own key. */
static void include(struct warder_reader *reader, const struct warder_preset *preset)
{
	struct warder_reader inner = *reader;
	struct warder_source source = {0};
	struct warder_yaml *root = NULL;
	int r = -ENOMEM;

	inner.file = file_name(reader, preset);
	if (inner.file)
		r = warder_source_copy(inner.file, preset->text, preset->size, &source);
	inner.source = &source;
	inner.preset = inner.literal = true;
	if (r == 0)
		r = warder_yaml_parse(&source, reader->diagnostics, &root);
	if (r == 0)
		warder_reader_mapping(&inner, root, "a preset", preset_fields, (void *)preset);
	reader->out_of_memory |= inner.out_of_memory || r == -ENOMEM;
	warder_yaml_free(&root);
	warder_source_release(&source);
}

static bool seen_before(const struct warder_yaml *list, const struct warder_yaml *item)
{
	size_t i;

	for (i = 0; i < list->count && list->items[i] != item; i++) {
		if (warder_reader_is(list->items[i], item->text))
			return true;
	}
	return false;
}

static void read_include_item(struct warder_reader *reader, const struct warder_yaml *item,
			      void *context)
{
	const struct warder_yaml *list = context;
	const struct warder_preset *preset;
	struct warder_nearest nearest;
	char quoted[WARDER_QUOTED_MAX], hint[96] = "`warder presets` lists them";

	if (!warder_reader_text(reader, item, "the name of a preset"))
		return;
	warder_reader_quote(item->text, item->length, quoted);
	preset = warder_preset_find(item->text);
	if (preset && !strcmp(preset->name, WARDER_GUARD)) {
		warder_reader_error(reader, item, "leave it out", "every set includes %s by itself",
				    quoted);
	} else if (preset && seen_before(list, item)) {
		warder_reader_error(reader, item, NULL, "preset %s is there twice", quoted);
	} else if (preset) {
		include(reader, preset);
	} else {
		warder_nearest_begin(&nearest, item->text, item->length);
		for (preset = warder_presets; preset->name; preset++)
			warder_nearest_offer(&nearest, preset->name);
		if (nearest.best)
			snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest.best);
		warder_reader_error(reader, item, hint, "there is no preset %s", quoted);
	}
}

static void read_include(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "presets", read_include_item, (void *)value);
}

/* --- tools --- */

static void read_tools_item(struct warder_reader *reader, const struct warder_yaml *item,
			    void *context)
{
	struct warder_set *set = context;

	warder_reference_tool(reader, item, &set->tools);
}

static void read_tools(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "tools", read_tools_item, context);
}

static void read_env(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context)
{
	struct warder_set *set = context;

	warder_section_env(reader, key, value, &set->env);
}

/* --- how a subject of the set is kept --- */

static void read_may_run_item(struct warder_reader *reader, const struct warder_yaml *item,
			      void *context)
{
	struct warder_set *set = context;

	warder_reference_set_key(reader, item, &set->may_run);
}

static void read_may_run(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "sets", read_may_run_item, context);
}

static void read_on_violation(struct warder_reader *reader, const struct warder_yaml *key,
			      const struct warder_yaml *value, void *context)
{
	static const char *const words[] = {"deny", "kill"};
	struct warder_set *set = context;

	if (warder_reader_word(reader, value, "a reaction to a violation", words, 2) != 1)
		return;
	warder_reader_construct(reader, value, WARDER_CONSTRUCT_KILL);
	set->kill = true;
}

static void read_separate(struct warder_reader *reader, const struct warder_yaml *key,
			  const struct warder_yaml *value, void *context)
{
	struct warder_set *set = context;

	if (!warder_reader_bool(reader, value, &set->separate) || !set->separate)
		return;
	warder_reader_construct(reader, value, WARDER_CONSTRUCT_SEPARATE);
}

static void read_users(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	struct warder_set *set = context;

	warder_users_read(reader, value, &set->users);
}

static const struct warder_field fields[] = {
	{"include", read_include, false, 0},
	{"tools", read_tools, false, 0},
	{"files", warder_section_files, false, 0},
	{"exec", warder_section_exec, false, 0},
	{"network", warder_section_network, false, 0},
	{"unix", warder_section_unix, false, 0},
	{"env", read_env, false, 0},
	{"syscalls", warder_section_syscalls, false, 0},
	{"capabilities", warder_section_capabilities, false, 0},
	{"kernel", warder_section_surface, false, 0},
	{"may-run", read_may_run, false, WARDER_CONSTRUCT_MAY_RUN},
	{"limits", warder_section_limits, false, WARDER_CONSTRUCT_LIMITS},
	{"on-violation", read_on_violation, false, 0},
	{"separate", read_separate, false, 0},
	{"allow-users", read_users, false, WARDER_CONSTRUCT_SET_USERS},
	{0},
};

static struct warder_set *set_new(struct warder_reader *reader, const struct warder_yaml *key,
				  const char *name, unsigned int index)
{
	struct warder_policy *policy = reader->policy;
	struct warder_set *set;

	if (!VECTOR_ROOM(policy->sets, policy->set_count, policy->set_capacity)) {
		reader->out_of_memory = true;
		return NULL;
	}
	set = &policy->sets[policy->set_count++];
	*set = (struct warder_set){.key = index, .place = warder_reader_place(reader, key)};
	strcpy(set->name, name);
	return set;
}

void warder_set_read(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context)
{
	struct warder_set *set;
	char name[WARDER_NAME_MAX];
	int index;

	if (!warder_reader_name(reader, key, "the name of a set", name))
		return;
	index = warder_document_key(reader->policy, name);
	if (index < 0)
		return; /* too many; reported */
	if (reader->policy->keys[index].tool) {
		warder_reader_error(reader, key, "tools and sets share one name space",
				    "there is a tool of this name");
		return;
	}
	set = set_new(reader, key, name, (unsigned int)index);
	if (!set)
		return;
	reader->key = (unsigned int)index;
	reader->in_set = true;
	warder_reader_mapping(reader, value, "a set", fields, set);
	reader->in_set = false;
	/* Denies what is warder's own, to every set: a grant never takes the key of a set away. */
	include(reader, warder_preset_find(WARDER_GUARD));
}
