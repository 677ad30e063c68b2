// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * setting.c - what a policy says beside the rules that an image holds, as words to be compared.
 */
#include "policy/setting.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "policy/profile.h"
#include "policy/right.h"

/* Settings that are being gathered. */
struct gathering {
	const struct warder_policy *policy;
	struct warder_settings out;
	const char *noun, *name; /* whose they are now */
	bool failed;
};

static void add(struct gathering *g, const char *part, const char *verb, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct gathering *g, const char *part, const char *verb, const char *format, ...)
{
	struct warder_settings *out = &g->out;
	struct warder_setting setting = {
		.noun = g->noun, .name = g->name, .part = part, .verb = verb};
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&setting.value, format, arguments);
	va_end(arguments);
	if (length < 0) {
		g->failed = true;
		return;
	}
	if (!VECTOR_ROOM(out->list, out->count, out->capacity)) {
		free(setting.value);
		g->failed = true;
		return;
	}
	out->list[out->count++] = setting;
}

/* --- texts of several words --- */

/* A text that is written piece by piece. */
struct words {
	char *text;
	size_t size;
	FILE *out;
};

static bool words_open(struct gathering *g, struct words *words)
{
	*words = (struct words){0};
	words->out = open_memstream(&words->text, &words->size);
	g->failed |= !words->out;
	return words->out;
}

static void words_add(struct gathering *g, struct words *words, const char *part, const char *verb)
{
	if (fclose(words->out))
		g->failed = true;
	else
		add(g, part, verb, "%s", words->text);
	free(words->text);
}

/* --- rules of keys --- */

static bool is_of(__u64 keys, unsigned int key)
{
	return keys >> key & 1;
}

static void add_path(struct gathering *g, const char *part, const struct warder_path_rule *rule)
{
	struct words words;
	size_t i;

	if (!words_open(g, &words))
		return;
	fputs(rule->path.text, words.out);
	for (i = 0; i < rule->except_count; i++)
		fprintf(words.out, "%s%s", i ? ", " : " except ", rule->except[i].text);
	words_add(g, &words, part, "has");
}

/* What it says beside what the comparison of rights sees. */
static void add_path_rule(struct gathering *g, const struct warder_path_rule *rule)
{
	/* A deny refuses with another error where it hides: the rights are the same. */
	if (rule->hide)
		add_path(g, "hide", rule);
	/* "stat" or "ioctl", which nothing asks for yet. */
	else if (!(rule->rights & warder_rights_judged()))
		add_path(g, rule->section, rule);
}

static void add_rules(struct gathering *g, __u64 keys)
{
	const struct warder_policy *p = g->policy;
	size_t i;

	for (i = 0; i < p->path_count; i++) {
		if (is_of(keys, p->path_rules[i].key))
			add_path_rule(g, &p->path_rules[i]);
	}
	for (i = 0; i < p->family_count; i++) {
		if (is_of(keys, p->family_rules[i].key))
			add(g, "network.families", "has", "%s", p->family_rules[i].text);
	}
	for (i = 0; i < p->unix_bind_count; i++) {
		if (is_of(keys, p->unix_binds[i].key))
			add(g, "unix.bind", "has", "%s", p->unix_binds[i].path.text);
	}
	for (i = 0; i < p->filter_count; i++) {
		const struct warder_syscall_rule *rule = &p->filter_rules[i];

		if (is_of(keys, rule->key))
			add(g, "syscalls", rule->deny ? "denies" : "allows", "%s", rule->text);
	}
}

/* --- sets --- */

static void add_limits(struct gathering *g, const struct warder_limits *limits)
{
	static const char none[] = "none";

	if (limits->memory)
		add(g, "limits.memory", NULL, "%llu", limits->memory);
	else
		add(g, "limits.memory", NULL, none);
	if (limits->pids)
		add(g, "limits.pids", NULL, "%u", limits->pids);
	else
		add(g, "limits.pids", NULL, none);
	if (limits->cpu)
		add(g, "limits.cpu", NULL, "%u%%", limits->cpu);
	else
		add(g, "limits.cpu", NULL, none);
}

static void add_ungoverned(struct gathering *g, unsigned int classes)
{
	static const struct {
		enum warder_class class;
		const char *name;
	} names[] = {
		{WARDER_CLASS_FILES, "files"},	     {WARDER_CLASS_EXEC, "exec"},
		{WARDER_CLASS_NETWORK, "network"},   {WARDER_CLASS_UNIX, "unix"},
		{WARDER_CLASS_SYSCALLS, "syscalls"}, {WARDER_CLASS_CAPABILITIES, "capabilities"},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (classes & names[i].class)
			add(g, "ungoverned", "has", "%s", names[i].name);
	}
}

static void add_users(struct gathering *g, const struct warder_users *users)
{
	size_t i;

	for (i = 0; i < users->count; i++)
		add(g, "allow-users", "has", "%s", users->list[i]);
}

static void add_set(struct gathering *g, const struct warder_set *set)
{
	const struct warder_policy *p = g->policy;
	size_t i;

	for (i = 0; i < p->key_count; i++) {
		if (is_of(set->tools, (unsigned int)i))
			add(g, "tools", "has", "%s", p->keys[i].name);
		if (is_of(set->may_run, (unsigned int)i))
			add(g, "may-run", "has", "%s", p->keys[i].name);
	}
	for (i = 0; i < set->env.pass_count; i++)
		add(g, "env", "passes", "%s", set->env.pass[i]);
	for (i = 0; i < set->env.set_count; i++)
		add(g, "env", "sets", "%s", set->env.set[i]);
	add(g, "syscalls.profile", NULL, "%s", warder_profile_name(set->profile));
	add(g, "on-violation", NULL, "%s", set->kill ? "kill" : "deny");
	add(g, "separate", NULL, "%s", set->separate ? "true" : "false");
	add_limits(g, &set->limits);
	add_ungoverned(g, set->ungoverned);
	add_users(g, &set->users);
}

/* --- the policy --- */

static void add_variable(struct gathering *g, const struct warder_variable *variable)
{
	struct words words;
	size_t i;

	if (!words_open(g, &words))
		return;
	fprintf(words.out, "%s = %s", variable->name, variable->value ? variable->value : "");
	for (i = 0; i < variable->within_count; i++)
		fprintf(words.out, "%s%s", i ? ", " : " within ", variable->within[i].text);
	words_add(g, &words, "vars", "has");
}

static void add_binding(struct gathering *g, const struct warder_bind_rule *rule)
{
	static const char *const modes[] = {
		[WARDER_MODE_ENFORCE] = "enforce",
		[WARDER_MODE_AUDIT] = "audit",
		[WARDER_MODE_LEARN] = "learn",
	};
	const char *set = g->policy->sets[rule->set].name, *mode = modes[rule->mode];
	const char *attach = rule->attach_cgroup ? ", attach cgroup" : "";

	if (rule->cgroup)
		add(g, "bind", "has", "cgroup %s: set %s, mode %s%s", rule->cgroup->text, set, mode,
		    attach);
	else
		add(g, "bind", "has", "annotation %s=%s: set %s, mode %s%s", rule->annotation,
		    rule->value, set, mode, attach);
}

static void add_expect(struct gathering *g, const struct warder_expect *expect)
{
	struct words words;
	size_t i;

	if (!words_open(g, &words))
		return;
	fprintf(words.out, "set %s", g->policy->sets[expect->set].name);
	for (i = 0; i < g->policy->key_count; i++) {
		if (is_of(expect->tools, (unsigned int)i))
			fprintf(words.out, " with %s", g->policy->keys[i].name);
	}
	fprintf(words.out, ": %s %s", expect->allow ? "allow" : "deny", expect->access);
	words_add(g, &words, "expect", "has");
}

static void add_policy(struct gathering *g)
{
	const struct warder_policy *p = g->policy;
	unsigned int code;
	size_t i;

	add(g, "policy", NULL, "%s", p->name);
	add(g, "model", NULL, "%s", warder_model_name(p->model));
	add(g, "code-set", NULL, "%s",
	    warder_policy_code_set(p, &code) < 0 ? "none" : p->sets[code].name);
	for (i = 0; i < p->variable_count; i++)
		add_variable(g, &p->variables[i]);
	add_users(g, &p->users);
	for (i = 0; i < p->bind_count; i++)
		add_binding(g, &p->bind_rules[i]);
	for (i = 0; i < p->expect_count; i++) {
		if (!p->expects[i].preset)
			add_expect(g, &p->expects[i]);
	}
}

static int finish(struct gathering *g, struct warder_settings *ret_settings)
{
	if (g->failed) {
		warder_settings_release(&g->out);
		return -ENOMEM;
	}
	*ret_settings = g->out;
	return 0;
}

int warder_settings_of_policy(const struct warder_policy *policy,
			      struct warder_settings *ret_settings)
{
	struct gathering g = {.policy = policy};
	size_t i;

	add_policy(&g);
	for (i = 0; i < policy->set_count; i++) {
		g.noun = "set";
		g.name = policy->sets[i].name;
		add_set(&g, &policy->sets[i]);
		add_rules(&g, 1ull << policy->sets[i].key);
	}
	for (i = 0; i < policy->key_count; i++) {
		const struct warder_key *key = &policy->keys[i];

		if (!key->tool)
			continue;
		g.noun = "tool";
		g.name = key->name;
		add(&g, "summary", NULL, "%s", key->summary ? key->summary : "none");
		add(&g, "shared", NULL, "%s", key->shared ? "true" : "false");
		add_rules(&g, 1ull << i);
	}
	return finish(&g, ret_settings);
}

int warder_settings_of_set(const struct warder_policy *policy, unsigned int set, __u64 held,
			   struct warder_settings *ret_settings)
{
	struct gathering g = {.policy = policy};

	add_set(&g, &policy->sets[set]);
	add_rules(&g, held);
	return finish(&g, ret_settings);
}

void warder_settings_release(struct warder_settings *settings)
{
	size_t i;

	for (i = 0; i < settings->count; i++)
		free(settings->list[i].value);
	free(settings->list);
	*settings = (struct warder_settings){0};
}

/* --- changes --- */

/* Both may be NULL. */
static bool is_equal(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_owner(const struct warder_setting *a, const struct warder_setting *b)
{
	return is_equal(a->noun, b->noun) && is_equal(a->name, b->name);
}

static bool has_owner(const struct warder_settings *settings, const struct warder_setting *of)
{
	size_t i;

	for (i = 0; i < settings->count; i++) {
		if (is_owner(&settings->list[i], of))
			return true;
	}
	return false;
}

/* The one value of the same part, or the same item of it; NULL: there is none. */
static const struct warder_setting *find(const struct warder_settings *settings,
					 const struct warder_setting *like)
{
	size_t i;

	for (i = 0; i < settings->count; i++) {
		const struct warder_setting *one = &settings->list[i];

		if (is_owner(one, like) && is_equal(one->part, like->part) &&
		    is_equal(one->verb, like->verb) &&
		    (!one->verb || is_equal(one->value, like->value)))
			return one;
	}
	return NULL;
}

bool warder_settings_next_change(const struct warder_settings *a, const struct warder_settings *b,
				 size_t *at, const struct warder_setting **ret_a,
				 const struct warder_setting **ret_b)
{
	for (; *at < a->count + b->count; ++*at) {
		bool of_a = *at < a->count;
		const struct warder_settings *other = of_a ? b : a;
		const struct warder_setting *one = of_a ? &a->list[*at] : &b->list[*at - a->count];
		const struct warder_setting *found = find(other, one);

		/* The one value of a part was met on the side of `a`. */
		if (!has_owner(other, one) ||
		    (found && (one->verb || !of_a || is_equal(one->value, found->value))))
			continue;
		*ret_a = of_a ? one : found;
		*ret_b = of_a ? found : one;
		++*at;
		return true;
	}
	return false;
}
