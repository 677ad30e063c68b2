// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * document.c - the top of a policy: names and keys first, then what each tool and set says.
 */
#include "policy/document.h"

#include <string.h>

#include <linux/capability.h>

#include "base/identifier.h"
#include "base/vector.h"
#include "policy/contradiction.h"
#include "policy/surface.h"
#include "policy/users.h"
#include "policy/variable.h"

int warder_document_key(const struct warder_policy *policy, const char *name)
{
	size_t i;

	for (i = 0; i < policy->key_count; i++) {
		if (!strcmp(policy->keys[i].name, name))
			return (int)i;
	}
	return -1;
}

/* --- keys: declared before anything is read, so that a set may name a tool further down --- */

static bool is_name(const struct warder_yaml *node)
{
	return node->type == WARDER_YAML_SCALAR &&
	       warder_identifier_check(node->text, node->length);
}

static void declare_key(struct warder_reader *reader, const struct warder_yaml *node, bool tool)
{
	struct warder_policy *policy = reader->policy;
	struct warder_key *key;

	if (!is_name(node) || warder_document_key(policy, node->text) >= 0)
		return; /* reported where it is read */
	if (policy->key_count == WARDER_KEYS_MAX) {
		warder_reader_error(reader, node, "split the policy: each policy has its own keys",
				    "more than %u tools and sets", WARDER_KEYS_MAX);
		policy->key_count++;
	}
	if (policy->key_count > WARDER_KEYS_MAX)
		return;
	if (!VECTOR_ROOM(policy->keys, policy->key_count, policy->key_capacity)) {
		reader->out_of_memory = true;
		return;
	}
	key = &policy->keys[policy->key_count++];
	*key = (struct warder_key){.tool = tool, .place = warder_reader_place(reader, node)};
	memcpy(key->name, node->text, node->length + 1);
}

static void declare_keys(struct warder_reader *reader, const struct warder_yaml *root)
{
	size_t i, k;

	if (root->type != WARDER_YAML_MAPPING)
		return;
	for (i = 0; i + 1 < root->count; i += 2) {
		const struct warder_yaml *names = root->items[i + 1];
		bool tools = warder_reader_is(root->items[i], "tools");

		if ((!tools && !warder_reader_is(root->items[i], "sets")) ||
		    names->type != WARDER_YAML_MAPPING)
			continue;
		for (k = 0; k + 1 < names->count; k += 2)
			declare_key(reader, names->items[k], tools);
	}
	/* The one too many only says that there were too many. */
	if (reader->policy->key_count > WARDER_KEYS_MAX)
		reader->policy->key_count = WARDER_KEYS_MAX;
}

/* --- the fields of a policy --- */

struct document {
	const struct warder_yaml *model, *code_set, *bind, *expect;
	bool has_model;
};

static void read_version(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	if (!warder_reader_is(value, "1") || !value->plain)
		warder_reader_error(reader, value, "this warder reads version 1",
				    "unknown version of the policy language");
}

static void read_policy_name(struct warder_reader *reader, const struct warder_yaml *key,
			     const struct warder_yaml *value, void *context)
{
	warder_reader_name(reader, value, "a policy name", reader->policy->name);
}

static void read_model(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	struct document *document = context;

	document->model = value;
	document->has_model = true;
	if (warder_reader_is(value, "agent-in-sandbox")) {
		reader->policy->model = WARDER_AGENT_IN_SANDBOX;
	} else if (warder_reader_is(value, "sandbox-as-tool")) {
		reader->policy->model = WARDER_SANDBOX_AS_TOOL;
	} else {
		document->has_model = false;
		warder_reader_error(reader, value, "agent-in-sandbox or sandbox-as-tool",
				    "unknown model");
	}
}

static void read_code_set(struct warder_reader *reader, const struct warder_yaml *key,
			  const struct warder_yaml *value, void *context)
{
	struct document *document = context;

	if (warder_reader_text(reader, value, "the name of a set"))
		document->code_set = value;
}

static void read_tools(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	warder_reader_names(reader, value, "tools", warder_tool_read, NULL);
}

static void read_sets(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	warder_reader_names(reader, value, "sets", warder_set_read, NULL);
}

/* Variables are read before anything that may hold one. */
static void ignore(struct warder_reader *reader, const struct warder_yaml *key,
		   const struct warder_yaml *value, void *context)
{
}

static const struct warder_yaml *find_vars(const struct warder_yaml *root)
{
	size_t i;

	for (i = 0; root->type == WARDER_YAML_MAPPING && i + 1 < root->count; i += 2) {
		if (warder_reader_is(root->items[i], "vars"))
			return root->items[i + 1];
	}
	return NULL;
}

/* These name sets: read when all of them are known. */
static void keep_bind(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	struct document *document = context;

	document->bind = value;
}

static void keep_expect(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	struct document *document = context;

	document->expect = value;
}

static void read_users(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	warder_users_read(reader, value, &reader->policy->users);
}

static const struct warder_field fields[] = {
	{"version", read_version, true, 0},
	{"policy", read_policy_name, true, 0},
	{"model", read_model, true, 0},
	{"code-set", read_code_set, false, 0},
	{"tools", read_tools, false, 0},
	{"sets", read_sets, true, 0},
	{"vars", ignore, false, WARDER_CONSTRUCT_VARS},
	{"bind", keep_bind, false, WARDER_CONSTRUCT_BIND},
	{"expect", keep_expect, false, WARDER_CONSTRUCT_EXPECT},
	{"allow-users", read_users, false, WARDER_CONSTRUCT_USERS},
	{0},
};

/* --- what only the whole shows --- */

static void find_code_set(struct warder_reader *reader, const struct document *document)
{
	struct warder_policy *policy = reader->policy;
	const char *name = document->code_set ? document->code_set->text : WARDER_SET_SANDBOX;

	if (warder_policy_find_set(policy, name, &policy->code_set) == 0) {
		policy->has_code_set = true;
	} else if (document->code_set) {
		warder_reader_error(reader, document->code_set, NULL, "there is no set \"%s\"",
				    name);
	} else if (document->has_model && policy->model == WARDER_SANDBOX_AS_TOOL &&
		   policy->set_count) {
		warder_reader_error(reader, document->model,
				    "add a set `sandbox`, or name another one: code-set: NAME",
				    "sandbox-as-tool needs a set for generated code");
	}
}

/* Path rules that bind the set and are not warder's own: of its key and of its tools. */
static bool has_path_rules(const struct warder_policy *policy, const struct warder_set *set)
{
	__u64 keys = set->tools | 1ull << set->key;
	size_t i;

	for (i = 0; i < policy->path_count; i++) {
		const struct warder_path_rule *rule = &policy->path_rules[i];

		if (keys >> rule->key & 1 && !rule->all &&
		    strcmp(rule->place.file, WARDER_GUARD_FILE))
			return true;
	}
	return false;
}

/* Does the set name what changes the meaning of paths? */
static bool moves_paths(const struct warder_policy *policy, const struct warder_set *set)
{
	size_t i;

	for (i = 0; i < policy->surface_count; i++) {
		const struct warder_surface_rule *rule = &policy->surface_rules[i];

		if (rule->key == set->key && !rule->deny &&
		    warder_surface_moves_paths(rule->surface))
			return true;
	}
	return set->capabilities & (1ull << CAP_SYS_ADMIN | 1ull << CAP_SYS_CHROOT);
}

/* Who can mount or change his root chooses what a path means. */
static void check_mounts(struct warder_reader *reader)
{
	const struct warder_policy *policy = reader->policy;
	const char *hint = "leave sys_admin, sys_chroot, user-namespaces, mounts, pivot-root, "
			   "chroot and setns out, or the path rules (files and exec: ungoverned)";
	size_t i;

	for (i = 0; i < policy->set_count; i++) {
		const struct warder_set *set = &policy->sets[i];
		struct warder_span span = {set->place.line, set->place.column,
					   (unsigned int)strlen(set->name)};

		if (!moves_paths(policy, set) || !has_path_rules(policy, set))
			continue;
		warder_diagnostics_add(
			reader->diagnostics, WARDER_ERROR, reader->source, span, hint,
			"set \"%s\" may mount or change its root, and has path rules, "
			"which then mean nothing",
			set->name);
	}
}

/* Does a binding, or a set that may start code in it, name the set? */
static bool is_used(const struct warder_policy *policy, unsigned int set)
{
	size_t i;

	for (i = 0; i < policy->bind_count; i++) {
		if (policy->bind_rules[i].set == set)
			return true;
	}
	for (i = 0; i < policy->set_count; i++) {
		if (policy->sets[i].may_run >> policy->sets[set].key & 1)
			return true;
	}
	return false;
}

static void warn_unused_code_set(struct warder_reader *reader, const struct document *document)
{
	const struct warder_policy *policy = reader->policy;
	const char *hint = "model: sandbox-as-tool puts generated code into it";

	if (policy->model != WARDER_AGENT_IN_SANDBOX || !document->has_model ||
	    !policy->has_code_set)
		return;
	/* A policy of one set is started in it, whatever its name. */
	if (policy->code_set == warder_policy_run_set(policy) || is_used(policy, policy->code_set))
		return;
	warder_reader_warn(reader, WARDER_WARNING, document->model, hint,
			   "generated code runs in its agent's own set: set \"%s\" is unused",
			   policy->sets[policy->code_set].name);
}

static void note_unused_tools(struct warder_reader *reader)
{
	const struct warder_policy *policy = reader->policy;
	struct warder_span span = {.width = 1};
	__u64 used = 0;
	size_t i;

	for (i = 0; i < policy->set_count; i++)
		used |= policy->sets[i].tools;
	for (i = 0; i < policy->key_count; i++) {
		const struct warder_key *key = &policy->keys[i];

		if (!key->tool || (used >> i & 1))
			continue;
		span = (struct warder_span){key->place.line, key->place.column,
					    (unsigned int)strlen(key->name)};
		warder_diagnostics_add(reader->diagnostics, WARDER_NOTE, reader->source, span, NULL,
				       "no set holds tool \"%s\": only a grant gives it",
				       key->name);
	}
}

void warder_document_read(struct warder_reader *reader, const struct warder_yaml *root)
{
	struct document document = {0};

	declare_keys(reader, root);
	warder_variables_read(reader, find_vars(root));
	if (!warder_reader_mapping(reader, root, "a policy", fields, &document))
		return;
	find_code_set(reader, &document);
	check_mounts(reader);
	warder_contradictions_report(reader);
	if (document.bind)
		warder_bindings_read(reader, document.bind);
	if (document.expect)
		warder_expect_read(reader, NULL, document.expect, NULL);
	if (warder_diagnostics_failed(reader->diagnostics))
		return;
	warder_variables_end(reader);
	warn_unused_code_set(reader, &document);
	note_unused_tools(reader);
}
