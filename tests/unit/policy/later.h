/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * later.h - prints of a policy what no image holds: what this version only reads, and the values of
 * variables and expectations.
 */
#ifndef TESTS_POLICY_LATER_H
#define TESTS_POLICY_LATER_H

#include <stdio.h>

#include "policy/policy.h"

static void print_place(const struct warder_policy *policy, unsigned int key,
			struct warder_place place, FILE *out)
{
	fprintf(out, "%s %u:%u ", policy->keys[key].name, place.line, place.column);
}

static void print_variables(const struct warder_policy *policy, FILE *out)
{
	size_t i;

	if (strcmp(policy->instance, policy->name))
		fprintf(out, "instance %s\n", policy->instance);
	for (i = 0; i < policy->variable_count; i++)
		fprintf(out, "variable %s%s \"%s\"\n", policy->variables[i].name,
			policy->variables[i].given ? " given" : "", policy->variables[i].value);
}

static void print_later_rules(const struct warder_policy *policy, FILE *out)
{
	size_t i;

	for (i = 0; i < policy->family_count; i++) {
		const struct warder_family_rule *rule = &policy->family_rules[i];

		print_place(policy, rule->key, rule->place, out);
		fprintf(out, "family %d protocol %d\n", rule->family, rule->protocol);
	}
	for (i = 0; i < policy->unix_bind_count; i++) {
		print_place(policy, policy->unix_binds[i].key, policy->unix_binds[i].place, out);
		fprintf(out, "bind %s\n", policy->unix_binds[i].path.text);
	}
	for (i = 0; i < policy->filter_count; i++) {
		const struct warder_syscall_rule *rule = &policy->filter_rules[i];

		print_place(policy, rule->key, rule->place, out);
		fprintf(out, "filter %s %s %u\n", rule->deny ? "deny" : "allow", rule->text,
			rule->number);
	}
	for (i = 0; i < policy->path_count; i++) {
		if (!policy->path_rules[i].hide)
			continue;
		print_place(policy, policy->path_rules[i].key, policy->path_rules[i].place, out);
		fprintf(out, "hide %s\n", policy->path_rules[i].path.text);
	}
}

static void print_users(const struct warder_users *users, const char *of, FILE *out)
{
	size_t i;

	for (i = 0; i < users->count; i++)
		fprintf(out, "%s user %s\n", of, users->list[i]);
}

static void print_later_set(const struct warder_policy *policy, const struct warder_set *set,
			    FILE *out)
{
	static const char *const profiles[] = {"none", "default", "strict"};
	static const char *const classes[] = {"files", "exec",	   "network",
					      "unix",  "syscalls", "capabilities"};
	unsigned int i;

	for (i = 0; i < 6; i++) {
		if (set->ungoverned >> i & 1)
			fprintf(out, "%s ungoverned %s\n", set->name, classes[i]);
	}
	if (set->profile)
		fprintf(out, "%s profile %s\n", set->name, profiles[set->profile]);
	for (i = 0; i < 64; i++) {
		if (set->may_run >> i & 1)
			fprintf(out, "%s may run %s\n", set->name, policy->keys[i].name);
	}
	if (set->limits.memory || set->limits.pids || set->limits.cpu)
		fprintf(out, "%s memory %llu pids %u cpu %u%%\n", set->name, set->limits.memory,
			set->limits.pids, set->limits.cpu);
	if (set->kill || set->separate)
		fprintf(out, "%s%s%s\n", set->name, set->kill ? " kill" : "",
			set->separate ? " separate" : "");
	print_users(&set->users, set->name, out);
	for (i = 0; i < set->env.pass_count; i++)
		fprintf(out, "%s pass %s\n", set->name, set->env.pass[i]);
	for (i = 0; i < set->env.set_count; i++)
		fprintf(out, "%s env %s\n", set->name, set->env.set[i]);
}

static void print_later_top(const struct warder_policy *policy, FILE *out)
{
	static const char *const modes[] = {"enforce", "audit", "learn"};
	size_t i;

	print_users(&policy->users, "policy", out);
	for (i = 0; i < policy->bind_count; i++) {
		const struct warder_bind_rule *rule = &policy->bind_rules[i];

		print_place(policy, policy->sets[rule->set].key, rule->place, out);
		if (rule->cgroup)
			fprintf(out, "cgroup %s", rule->cgroup->text);
		else
			fprintf(out, "annotation \"%s\" = \"%s\"", rule->annotation, rule->value);
		fprintf(out, " %s%s\n", modes[rule->mode], rule->attach_cgroup ? " by cgroup" : "");
	}
	for (i = 0; i < policy->expect_count; i++) {
		const struct warder_expect *expect = &policy->expects[i];

		if (expect->preset)
			continue;
		print_place(policy, policy->sets[expect->set].key, expect->place, out);
		fprintf(out, "with %llx %s \"%s\"\n", expect->tools,
			expect->allow ? "allow" : "deny", expect->access);
	}
}

static void print_later(const struct warder_policy *policy, FILE *out)
{
	size_t i;

	print_variables(policy, out);
	print_later_rules(policy, out);
	for (i = 0; i < policy->set_count; i++)
		print_later_set(policy, &policy->sets[i], out);
	print_later_top(policy, out);
}

#endif
