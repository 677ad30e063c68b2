// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * policy.c - load and release a policy, and answer questions about its sets and keys.
 */
#include "policy/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "policy/document.h"
#include "policy/rule_path.h"
#include "policy/users.h"
#include "policy/variable.h"

static void keys_free(struct warder_policy *policy)
{
	size_t i;

	for (i = 0; i < policy->key_count; i++)
		free(policy->keys[i].summary);
	free(policy->keys);
}

static void strings_free(char **strings, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(strings[i]);
	free(strings);
}

static void sets_free(struct warder_policy *policy)
{
	size_t i;

	for (i = 0; i < policy->set_count; i++) {
		strings_free(policy->sets[i].env.pass, policy->sets[i].env.pass_count);
		strings_free(policy->sets[i].env.set, policy->sets[i].env.set_count);
		warder_users_release(&policy->sets[i].users);
	}
	free(policy->sets);
}

static void path_rules_free(struct warder_path_rule *rules, size_t count)
{
	size_t i, k;

	for (i = 0; i < count; i++) {
		warder_rule_path_release(&rules[i].path);
		for (k = 0; k < rules[i].except_count; k++)
			warder_rule_path_release(&rules[i].except[k]);
		free(rules[i].except);
	}
	free(rules);
}

static void net_rules_free(struct warder_net_rule *rules, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(rules[i].text);
	free(rules);
}

static void syscall_rules_free(struct warder_syscall_rule *rules, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(rules[i].text);
	free(rules);
}

static void rules_free(struct warder_policy *p)
{
	size_t i;

	path_rules_free(p->path_rules, p->path_count);
	path_rules_free(p->unix_binds, p->unix_bind_count);
	net_rules_free(p->net_rules, p->net_count);
	syscall_rules_free(p->syscall_rules, p->syscall_count);
	syscall_rules_free(p->filter_rules, p->filter_count);
	for (i = 0; i < p->family_count; i++)
		free(p->family_rules[i].text);
	free(p->family_rules);
	for (i = 0; i < p->capability_count; i++)
		free(p->capability_rules[i].text);
	free(p->capability_rules);
	for (i = 0; i < p->surface_count; i++)
		free(p->surface_rules[i].text);
	free(p->surface_rules);
	warder_bindings_free(p);
}

void warder_policy_free(struct warder_policy **policy)
{
	struct warder_policy *p = policy ? *policy : NULL;
	size_t i;

	if (!p)
		return;
	keys_free(p);
	sets_free(p);
	rules_free(p);
	warder_users_release(&p->users);
	for (i = 0; i < p->variable_count; i++)
		warder_variable_release(&p->variables[i]);
	free(p->variables);
	for (i = 0; i < p->expect_count; i++)
		free(p->expects[i].access);
	free(p->expects);
	strings_free(p->files, p->file_count);
	warder_source_release(&p->source);
	free(p);
	*policy = NULL;
}

/* Open the directory that links are resolved below. */
static int open_root(struct warder_reader *reader, const struct warder_policy_options *options)
{
	const char *root = options->root ? options->root : "/";
	struct warder_source nowhere = {.name = (char *)root};
	int r;

	if (options->keep_links)
		return 0;
	reader->root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (reader->root_fd >= 0)
		return 0;
	r = -errno;
	warder_diagnostics_add(reader->diagnostics, WARDER_ERROR, &nowhere, (struct warder_span){0},
			       NULL, "the root directory cannot be opened: %s", strerror(errno));
	return r;
}

/* Read policy->source. Takes nothing over. */
static int policy_read(struct warder_policy *policy, const struct warder_policy_options *options,
		       struct warder_diagnostics *diagnostics)
{
	struct warder_reader reader = {.policy = policy,
				       .source = &policy->source,
				       .file = policy->source.name,
				       .options = options,
				       .root_fd = -1,
				       .diagnostics = diagnostics};
	_cleanup_yaml_ struct warder_yaml *root = NULL;
	unsigned int errors = diagnostics->errors;
	int r = open_root(&reader, options);

	if (r == 0)
		r = warder_yaml_parse(&policy->source, diagnostics, &root);
	if (r == 0)
		warder_document_read(&reader, root);
	if (reader.root_fd >= 0)
		close(reader.root_fd);
	if (r < 0)
		return r;
	if (reader.out_of_memory || diagnostics->out_of_memory)
		return -ENOMEM;
	return diagnostics->errors == errors ? 0 : -EINVAL;
}

/* Takes the source over, on failure too. */
static int parse_source(struct warder_source *source, const struct warder_policy_options *options,
			struct warder_diagnostics *diagnostics, struct warder_policy **ret_policy)
{
	static const struct warder_policy_options defaults;
	_cleanup_policy_ struct warder_policy *policy = calloc(1, sizeof(*policy));
	int r;

	if (!policy) {
		warder_source_release(source);
		diagnostics->out_of_memory = true;
		return -ENOMEM;
	}
	policy->source = *source;
	*source = (struct warder_source){0};
	r = policy_read(policy, options ? options : &defaults, diagnostics);
	if (r == -ENOMEM)
		diagnostics->out_of_memory = true;
	if (r < 0)
		return r;
	*ret_policy = TAKE_PTR(policy);
	return 0;
}

/* Why a file cannot be read, in words, and what to do about it. */
static void report_unread(const char *path, int error, struct warder_diagnostics *diagnostics)
{
	struct warder_source nowhere = {.name = (char *)path};
	const char *reason = strerror(-error), *hint = NULL;

	if (error == -EINVAL) {
		reason = "not a file";
		hint = "a policy is a file or a pipe";
	} else if (error == -EISDIR) {
		hint = "name the policy file in it";
	} else if (error == -EPIPE) {
		reason = "nothing comes from this pipe";
		hint = "does anybody write to it?";
	} else if (error == -ENOENT && !strcmp(path, "-")) {
		hint = "standard input is called /dev/stdin";
	}
	if (*path)
		warder_diagnostics_add(diagnostics, WARDER_ERROR, &nowhere, (struct warder_span){0},
				       hint, "cannot be read: %s", reason);
	else
		warder_diagnostics_add(diagnostics, WARDER_ERROR, NULL, (struct warder_span){0},
				       NULL, "the name of the policy file is empty");
}

int warder_policy_load(const char *path, const struct warder_policy_options *options,
		       struct warder_diagnostics *diagnostics, struct warder_policy **ret_policy)
{
	struct warder_source source = {0};
	int r = warder_source_read(path, &source);

	if (r < 0) {
		report_unread(path, r, diagnostics);
		return r;
	}
	return parse_source(&source, options, diagnostics, ret_policy);
}

int warder_policy_parse(const char *name, const char *text, size_t size,
			const struct warder_policy_options *options,
			struct warder_diagnostics *diagnostics, struct warder_policy **ret_policy)
{
	struct warder_source source = {0};
	int r = warder_source_copy(name, text, size, &source);

	if (r < 0) {
		diagnostics->out_of_memory = true;
		return r;
	}
	return parse_source(&source, options, diagnostics, ret_policy);
}

const char *warder_model_name(enum warder_model model)
{
	return model == WARDER_SANDBOX_AS_TOOL ? "sandbox-as-tool" : "agent-in-sandbox";
}

int warder_policy_find_set(const struct warder_policy *policy, const char *name,
			   unsigned int *ret_set)
{
	size_t i;

	for (i = 0; i < policy->set_count; i++) {
		if (strcmp(policy->sets[i].name, name))
			continue;
		*ret_set = (unsigned int)i;
		return 0;
	}
	return -ENOENT;
}

unsigned int warder_policy_run_set(const struct warder_policy *policy)
{
	unsigned int set = 0;

	warder_policy_find_set(policy, WARDER_SET_AGENT, &set);
	return set;
}

int warder_policy_code_set(const struct warder_policy *policy, unsigned int *ret_set)
{
	if (policy->model == WARDER_AGENT_IN_SANDBOX || !policy->has_code_set)
		return -ENOENT;
	*ret_set = policy->code_set;
	return 0;
}

__u64 warder_policy_keyring(const struct warder_policy *policy, unsigned int set)
{
	return policy->sets[set].tools | 1ull << policy->sets[set].key;
}

int warder_policy_find_tool(const struct warder_policy *policy, const char *name,
			    unsigned int *ret_key)
{
	int key = warder_document_key(policy, name);

	if (key < 0)
		return -ENOENT;
	if (!policy->keys[key].tool)
		return -EISNAM;
	*ret_key = (unsigned int)key;
	return 0;
}
