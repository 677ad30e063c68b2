// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_files.c - `files:` and `exec:`: rules on paths, with deny and its exceptions.
 */
#include <string.h>

#include "base/vector.h"
#include "policy/right.h"
#include "policy/rule_path.h"
#include "policy/section.h"

/* Takes ownership of the rule's path and exceptions. */
static void add_rule(struct warder_reader *reader, struct warder_path_rule *rule)
{
	struct warder_policy *policy = reader->policy;

	rule->key = reader->key;
	if (!VECTOR_ROOM(policy->path_rules, policy->path_count, policy->path_capacity)) {
		reader->out_of_memory = true;
		return;
	}
	policy->path_rules[policy->path_count++] = *rule;
	*rule = (struct warder_path_rule){0};
}

static void rule_release(struct warder_path_rule *rule)
{
	size_t i;

	warder_rule_path_release(&rule->path);
	for (i = 0; i < rule->except_count; i++)
		warder_rule_path_release(&rule->except[i]);
	free(rule->except);
}

void warder_section_add_path(struct warder_reader *reader, const struct warder_yaml *node,
			     const char *section, __u32 rights, bool names)
{
	struct warder_path_rule rule = {.place = warder_reader_place(reader, node),
					.section = section,
					.rights = rights,
					.names = names && reader->names};
	bool abstract = rights == WARDER_CONNECT;

	if (warder_rule_path_read(reader, node, abstract, &rule.path))
		add_rule(reader, &rule);
	rule_release(&rule);
}

/* One rule of warder_section_add_all. */
static void add_one_of_all(struct warder_reader *reader, const struct warder_yaml *node,
			   const char *section, __u32 rights, const char *pattern)
{
	struct warder_path_rule rule = {.place = warder_reader_place(reader, node),
					.section = section,
					.rights = rights,
					.all = true};
	struct warder_pattern_error error;

	rule.path.text = strdup(node->text);
	if (!rule.path.text || warder_pattern_parse(pattern, strlen(pattern), *pattern == '@',
						    &rule.path.pattern, &error) < 0)
		reader->out_of_memory = true;
	else
		add_rule(reader, &rule);
	rule_release(&rule);
}

void warder_section_add_all(struct warder_reader *reader, const struct warder_yaml *node,
			    const char *section, __u32 rights)
{
	/* Below the root directory, and the root directory itself. */
	add_one_of_all(reader, node, section, rights, "/**");
	add_one_of_all(reader, node, section, rights, "/");
	if (rights & WARDER_CONNECT)
		add_one_of_all(reader, node, section, rights, "@*");
}

/* --- allow --- */

static void read_allow_item(struct warder_reader *reader, const struct warder_yaml *item,
			    void *context)
{
	const struct warder_right_word *word = context;

	/* Not a pattern with braces that lacks its quotes, but a deny rule in the wrong place. */
	if (item->type == WARDER_YAML_MAPPING && item->count &&
	    warder_reader_is(item->items[0], "path"))
		warder_reader_error(reader, item,
				    "write the path alone, and what to leave out "
				    "under files: {deny: ...}",
				    "only a deny rule has exceptions");
	else
		warder_section_add_path(reader, item, word->allow_section, word->allow, false);
}

static void read_allow(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	const struct warder_right_word *word = warder_right_find(key->text);

	if (word->elsewhere)
		warder_reader_error(reader, key, word->elsewhere, "\"%s\" is not given under files",
				    word->name);
	else
		warder_reader_list(reader, value, "paths", read_allow_item, (void *)word);
}

/* --- deny --- */

/* Not a right: the path is not there. Denies all rights to it. */
static const struct warder_right_word hide_word = {
	.name = "hide", .deny = WARDER_RIGHTS_ALL, .deny_section = "files.hide"};

struct deny_context {
	const struct warder_right_word *word;
	struct warder_path_rule *rule;
	size_t except_capacity;
};

static void read_except(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	struct deny_context *deny = context;
	struct warder_path_rule *rule = deny->rule;
	struct warder_rule_path path;

	if (!warder_rule_path_read(reader, item, deny->word->deny == WARDER_CONNECT, &path))
		return;
	if (!VECTOR_ROOM(rule->except, rule->except_count, deny->except_capacity)) {
		reader->out_of_memory = true;
		warder_rule_path_release(&path);
		return;
	}
	rule->except[rule->except_count++] = path;
}

static void read_deny_path(struct warder_reader *reader, const struct warder_yaml *key,
			   const struct warder_yaml *value, void *context)
{
	struct deny_context *deny = context;

	if (warder_rule_path_read(reader, value, deny->word->deny == WARDER_CONNECT,
				  &deny->rule->path))
		deny->rule->place = warder_reader_place(reader, value);
}

static void read_deny_except(struct warder_reader *reader, const struct warder_yaml *key,
			     const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "paths", read_except, context);
}

static const struct warder_field deny_fields[] = {
	{"path", read_deny_path, true, 0},
	{"except", read_deny_except, false, 0},
	{0},
};

static void read_deny_item(struct warder_reader *reader, const struct warder_yaml *item,
			   void *context)
{
	const struct warder_right_word *word = context;
	struct warder_path_rule rule = {.section = word->deny_section,
					.rights = word->deny,
					.deny = true,
					.hide = word == &hide_word};
	struct deny_context deny = {.word = word, .rule = &rule};

	if (item->type == WARDER_YAML_MAPPING)
		warder_reader_mapping(reader, item, "a deny rule", deny_fields, &deny);
	else
		read_deny_path(reader, NULL, item, &deny);
	if (rule.path.pattern)
		add_rule(reader, &rule);
	rule_release(&rule);
}

static void read_deny_right(struct warder_reader *reader, const struct warder_yaml *key,
			    const struct warder_yaml *value, void *context)
{
	const struct warder_right_word *word = warder_right_find(key->text);

	warder_reader_list(reader, value, "paths", read_deny_item, (void *)word);
}

static void read_hide(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "paths", read_deny_item, (void *)&hide_word);
}

/* clang-format off */
#define RIGHTS_BOTH(read, deny)                              \
	{"read", read, false, 0},                            \
	{"write", read, false, 0},                           \
	{"write-only", read, false, 0},                      \
	{"list", read, false, 0},                            \
	{"create", read, false, 0},                          \
	{"delete", read, false, 0},                          \
	{"rename", read, false, 0},                          \
	{"link", read, false, 0},                            \
	{"chattr", read, false, 0},                          \
	{"map-exec", read, false, 0},                        \
	{"exec", read, false, 0},                            \
	{"connect", read, false, 0},                         \
	{"stat", read, false, WARDER_CONSTRUCT_##deny##STAT}, \
	{"ioctl", read, false, WARDER_CONSTRUCT_##deny##IOCTL}
/* clang-format on */

static const struct warder_field deny_right_fields[] = {
	RIGHTS_BOTH(read_deny_right, DENY_),
	{0},
};

static void read_deny(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	if (value->type == WARDER_YAML_SEQUENCE) {
		warder_reader_error(reader, value, "write deny: {read: [PATH], write: [PATH]}",
				    "a deny names the rights it takes");
		return;
	}
	warder_reader_mapping(reader, value, "files.deny", deny_right_fields, NULL);
	if (value->type == WARDER_YAML_MAPPING && !value->count)
		warder_reader_error(reader, value, NULL, "empty files.deny");
}

static void refuse_tool_deny(struct warder_reader *reader, const struct warder_yaml *key,
			     const struct warder_yaml *value, void *context)
{
	warder_reader_error(reader, key,
			    "a grant adds rights and never removes one: put it into the sets",
			    "%s inside a tool", key->text);
}

static const struct warder_field set_fields[] = {
	RIGHTS_BOTH(read_allow, ),
	{"deny", read_deny, false, 0},
	{"hide", read_hide, false, WARDER_CONSTRUCT_HIDE},
	{0},
};

static const struct warder_field tool_fields[] = {
	RIGHTS_BOTH(read_allow, ),
	{"deny", refuse_tool_deny, false, 0},
	{"hide", refuse_tool_deny, false, 0},
	{0},
};

static void read_files(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, const struct warder_field *fields)
{
	if (warder_section_ungoverned(reader, key, value, WARDER_CLASS_FILES)) {
		if (warder_reader_is(value, "ungoverned"))
			warder_section_add_all(
				reader, value, "files",
				WARDER_RIGHTS_ALL & ~(__u32)(WARDER_COARSE_EXEC | WARDER_CONNECT));
		return;
	}
	if (value->type == WARDER_YAML_SEQUENCE) {
		warder_reader_error(reader, value, "write files: {read: [PATH], write: [PATH]}",
				    "a list of paths needs the right they get");
		return;
	}
	if (warder_reader_mapping(reader, value, "files", fields, NULL) && !value->count)
		warder_reader_error(reader, value, NULL, "empty files");
}

void warder_section_files(struct warder_reader *reader, const struct warder_yaml *key,
			  const struct warder_yaml *value, void *context)
{
	read_files(reader, key, value, set_fields);
}

void warder_section_tool_files(struct warder_reader *reader, const struct warder_yaml *key,
			       const struct warder_yaml *value, void *context)
{
	read_files(reader, key, value, tool_fields);
}

/* --- exec --- */

static void read_exec_item(struct warder_reader *reader, const struct warder_yaml *item,
			   void *context)
{
	warder_section_add_path(reader, item, "exec", WARDER_COARSE_EXEC, true);
}

void warder_section_exec(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	if (!warder_section_ungoverned(reader, key, value, WARDER_CLASS_EXEC))
		warder_reader_list(reader, value, "paths", read_exec_item, NULL);
	else if (warder_reader_is(value, "ungoverned"))
		warder_section_add_all(reader, value, "exec", WARDER_COARSE_EXEC);
}
