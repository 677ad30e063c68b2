// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * variable.c - `vars:`: declarations, and the value that each one has in this instance.
 */
#include "policy/variable.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "policy/argument.h"
#include "policy/link.h"
#include "policy/rule_path.h"

/* A declaration that is being read. */
struct declaration {
	struct warder_variable variable;
	const struct warder_yaml *node;	    /* its name */
	const struct warder_yaml *standard; /* its default; NULL: none, or a bad one */
	size_t within_capacity;
};

void warder_variable_release(struct warder_variable *variable)
{
	size_t i;

	for (i = 0; i < variable->within_count; i++)
		warder_rule_path_release(&variable->within[i]);
	free(variable->within);
	free(variable->value);
	*variable = (struct warder_variable){0};
}

/* --- is a value one that the policy takes? --- */

/* As the kernel feeds it: /dev/fd/3 is a place in /proc/self, which is what patterns say, too. */
static bool lies_within(struct warder_reader *reader, const struct warder_variable *variable,
			const char *value)
{
	_cleanup_free_ char *path = NULL;
	int match = warder_rule_path_place(value, &path);
	size_t i;

	if (match == -ENOMEM)
		reader->out_of_memory = true;
	if (match < 0)
		return false;
	for (i = 0; i < variable->within_count; i++) {
		match = warder_rule_path_match(&variable->within[i], path, strlen(path));
		if (match < 0)
			reader->out_of_memory = true;
		/* Of a tree, what lies below it; the directory itself is more than that. */
		if (match > 0 && match & WARDER_MATCH_WHOLE)
			return true;
	}
	return false;
}

/* The patterns, for a hint. */
static void name_within(const struct warder_variable *variable, char *hint, size_t size)
{
	char quoted[WARDER_QUOTED_MAX];
	size_t used = (size_t)snprintf(hint, size, "it has to lie within"), i;

	for (i = 0; i < variable->within_count && used < size; i++) {
		const char *text = variable->within[i].text;

		used += (size_t)snprintf(hint + used, size - used, "%s %s", i ? " or" : "",
					 warder_reader_quote(text, strlen(text), quoted));
	}
}

/* A value that no link leads out of what it has to lie within. */
static bool check_links(struct warder_reader *reader, const struct warder_yaml *node,
			const struct warder_variable *variable, const char *value, const char *who)
{
	_cleanup_free_ struct warder_link_error *error = malloc(sizeof(*error));
	_cleanup_free_ char *resolved = NULL;
	char from[WARDER_QUOTED_MAX], to[WARDER_QUOTED_MAX], hint[512];
	int r = -ENOMEM;

	if (error)
		r = warder_link_resolve(reader->root_fd, reader->options->trusted_uid, value,
					&resolved, error);
	if (r == -ENOMEM)
		reader->out_of_memory = true;
	if (r == -EPERM)
		warder_reader_error(
			reader, node, "name the place the link leads to, or protect the link",
			"%s leads through the symbolic link %s, but %s", who,
			warder_reader_quote(error->link, strlen(error->link), from), error->reason);
	if (r < 0)
		return false;
	if (!resolved || lies_within(reader, variable, resolved))
		return true;
	name_within(variable, hint, sizeof(hint));
	warder_reader_error(reader, node, hint, "%s is a symbolic link to %s, or lies behind one",
			    who, warder_reader_quote(resolved, strlen(resolved), to));
	return false;
}

/* `who` calls the value in messages: "the default \"/etc\"". */
static bool check_value(struct warder_reader *reader, const struct warder_yaml *node,
			const struct warder_variable *variable, const char *value, const char *who)
{
	_cleanup_free_ char *escaped = warder_pattern_escape(value);
	_cleanup_pattern_ struct warder_pattern *pattern = NULL;
	struct warder_pattern_error error;
	_cleanup_free_ char *place = NULL;
	char hint[512], quoted[WARDER_QUOTED_MAX];
	int r = -ENOMEM;

	/* Escaped, it is a literal path or none at all. */
	if (escaped)
		r = warder_pattern_parse(escaped, strlen(escaped), false, &pattern, &error);
	if (r == -ENOMEM)
		reader->out_of_memory = true;
	if (r == -EINVAL)
		warder_reader_error(reader, node, "a value is an absolute path without . and ..",
				    "%s is no path: %s", who, error.message);
	if (r < 0)
		return false;
	r = warder_rule_path_place(value, &place);
	if (r == -ENOMEM)
		reader->out_of_memory = true;
	if (r == -EINVAL)
		warder_reader_error(reader, node, "name one of them: /proc/self/task/NUMBER",
				    "%s is another directory for each thread", who);
	if (r < 0)
		return false;
	if (!lies_within(reader, variable, place)) {
		name_within(variable, hint, sizeof(hint));
		if (strcmp(place, value))
			warder_reader_error(reader, node, hint, "%s means %s, and is out of bounds",
					    who, warder_reader_quote(place, strlen(place), quoted));
		else
			warder_reader_error(reader, node, hint, "%s is out of bounds", who);
		return false;
	}
	return reader->root_fd < 0 || check_links(reader, node, variable, place, who);
}

/* --- what the policy says --- */

static void read_default(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	struct declaration *declaration = context;

	if (!warder_reader_text(reader, value, "a value"))
		return;
	if (memchr(value->text, 0, value->length))
		warder_reader_error(reader, value, NULL, "NUL byte in a value");
	else if (value->length > WARDER_VALUE_MAX)
		warder_reader_error(reader, value, NULL, "value longer than %u bytes",
				    WARDER_VALUE_MAX);
	else
		declaration->standard = value;
}

static void read_within_item(struct warder_reader *reader, const struct warder_yaml *item,
			     void *context)
{
	struct declaration *declaration = context;
	struct warder_variable *variable = &declaration->variable;
	struct warder_rule_path path;

	if (!warder_rule_path_read(reader, item, false, &path))
		return;
	if (!VECTOR_ROOM(variable->within, variable->within_count, declaration->within_capacity)) {
		warder_rule_path_release(&path);
		reader->out_of_memory = true;
		return;
	}
	variable->within[variable->within_count++] = path;
}

static void read_within(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "paths", read_within_item, context);
}

static const struct warder_field fields[] = {
	{"default", read_default, false, 0},
	{"within", read_within, false, 0},
	{0},
};

/* --- one variable --- */

/* From outside. False: reported. */
static bool check_given(struct warder_reader *reader, const struct declaration *declaration,
			const char *value)
{
	const struct warder_variable *variable = &declaration->variable;
	char who[WARDER_QUOTED_MAX + 96], quoted[WARDER_QUOTED_MAX];

	if (!variable->within_count) {
		warder_reader_error(reader, declaration->node,
				    "only a variable with `within` takes a value from outside",
				    "--var: the variable \"%s\" is a constant", variable->name);
		return false;
	}
	snprintf(who, sizeof(who), "--var %s: the value %s", variable->name,
		 warder_reader_quote(value, strlen(value), quoted));
	if (*value)
		return check_value(reader, declaration->node, variable, value, who);
	warder_reader_error(reader, declaration->node, NULL, "--var %s: the value is empty",
			    variable->name);
	return false;
}

static bool check_default(struct warder_reader *reader, const struct declaration *declaration)
{
	const struct warder_yaml *node = declaration->standard;
	char who[WARDER_QUOTED_MAX + 16], quoted[WARDER_QUOTED_MAX];

	if (!declaration->variable.within_count)
		return true;
	snprintf(who, sizeof(who), "the default %s",
		 warder_reader_quote(node->text, node->length, quoted));
	return check_value(reader, node, &declaration->variable, node->text, who);
}

/* Without a value (an error was reported) nothing is said where it is used. */
static void choose_value(struct warder_reader *reader, struct declaration *declaration)
{
	struct warder_variable *variable = &declaration->variable;
	const char *given = warder_argument_find(reader, variable->name), *value = NULL;
	char hint[WARDER_NAME_MAX + 64];

	if (declaration->standard && check_default(reader, declaration))
		value = declaration->standard->text;
	if (given)
		value = check_given(reader, declaration, given) ? given : NULL;
	if (!given && !declaration->standard) {
		snprintf(hint, sizeof(hint), "give it one: --var %s=PATH", variable->name);
		warder_reader_error(reader, declaration->node, hint,
				    "the variable \"%s\" has no value", variable->name);
	}
	if (!value)
		return;
	variable->given = given &&
			  !(declaration->standard && !strcmp(given, declaration->standard->text));
	variable->value = strdup(value);
	reader->out_of_memory |= !variable->value;
}

static void read_variable(struct warder_reader *reader, const struct warder_yaml *key,
			  const struct warder_yaml *value, void *context)
{
	struct warder_policy *policy = reader->policy;
	struct declaration declaration = {.node = key};
	unsigned int errors = reader->diagnostics->errors;

	if (!warder_reader_name(reader, key, "the name of a variable", declaration.variable.name))
		return;
	declaration.variable.place = warder_reader_place(reader, key);
	if (warder_reader_mapping(reader, value, "a variable", fields, &declaration) &&
	    !value->count)
		warder_reader_error(reader, value,
				    "write {default: VALUE}, or {within: [PATH]} for one that "
				    "--var gives",
				    "a variable needs a default or within");
	if (reader->diagnostics->errors == errors)
		choose_value(reader, &declaration);
	if (!VECTOR_ROOM(policy->variables, policy->variable_count, policy->variable_capacity)) {
		warder_variable_release(&declaration.variable);
		reader->out_of_memory = true;
		return;
	}
	policy->variables[policy->variable_count++] = declaration.variable;
}

/* --- the instance --- */

/* FNV-1a: the same name for the same values, in every process. */
static __u32 hash_text(__u32 hash, const char *text)
{
	do {
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	} while (*text++);
	return hash;
}

/* "NAME", or where --var changed something "NAME@1f9a3c07": no name of a policy holds an @. */
static void name_instance(struct warder_policy *policy)
{
	__u32 hash = hash_text(2166136261u, policy->name);
	bool given = false;
	size_t i;

	for (i = 0; i < policy->variable_count; i++) {
		const struct warder_variable *variable = &policy->variables[i];

		if (!variable->given || !variable->value)
			continue;
		given = true;
		hash = hash_text(hash_text(hash, variable->name), variable->value);
	}
	if (given)
		snprintf(policy->instance, sizeof(policy->instance), "%.54s@%08x", policy->name,
			 hash);
	else
		memcpy(policy->instance, policy->name, sizeof(policy->instance));
}

void warder_variables_read(struct warder_reader *reader, const struct warder_yaml *vars)
{
	reader->literal = true;
	if (vars)
		warder_reader_names(reader, vars, "variables", read_variable, NULL);
	reader->literal = false;
	warder_arguments_check(reader);
}

void warder_variables_end(struct warder_reader *reader)
{
	struct warder_policy *policy = reader->policy;
	struct warder_span span;
	size_t i;

	for (i = 0; i < policy->variable_count; i++) {
		const struct warder_variable *variable = &policy->variables[i];

		if (variable->used)
			continue;
		span = (struct warder_span){variable->place.line, variable->place.column,
					    (unsigned int)strlen(variable->name)};
		warder_diagnostics_add(reader->diagnostics, WARDER_WARNING, reader->source, span,
				       NULL, "the variable \"%s\" is not used", variable->name);
	}
	name_instance(policy);
}
