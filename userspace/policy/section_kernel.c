// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_kernel.c - `syscalls:` and `capabilities:`.
 */
#include <errno.h>
#include <string.h>

#include <warder/surface.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "policy/capability.h"
#include "policy/section.h"
#include "policy/syscall.h"

/* --- system calls --- */

static bool holds(const struct warder_syscall_rule *rules, size_t count, unsigned int key,
		  int number, bool deny)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (rules[i].key == key && (int)rules[i].number == number && rules[i].deny == deny)
			return true;
	}
	return false;
}

/* Is there a rule of the key about this call? */
static bool has_rule(const struct warder_reader *reader, int number, bool deny)
{
	const struct warder_policy *p = reader->policy;

	return holds(p->syscall_rules, p->syscall_count, reader->key, number, deny) ||
	       holds(p->filter_rules, p->filter_count, reader->key, number, deny);
}

/* `filter`: no hook judges it, only a seccomp filter can. */
static void add_rule(struct warder_reader *reader, const struct warder_yaml *node, int number,
		     bool deny, bool filter)
{
	struct warder_policy *policy = reader->policy;
	struct warder_syscall_rule rule = {.place = warder_reader_place(reader, node),
					   .key = reader->key,
					   .number = (unsigned int)number,
					   .deny = deny,
					   .text = strdup(node->text)};
	bool room = filter ? VECTOR_ROOM(policy->filter_rules, policy->filter_count,
					 policy->filter_capacity)
			   : VECTOR_ROOM(policy->syscall_rules, policy->syscall_count,
					 policy->syscall_capacity);

	if (!rule.text || !room) {
		free(rule.text);
		reader->out_of_memory = true;
		return;
	}
	if (filter)
		policy->filter_rules[policy->filter_count++] = rule;
	else
		policy->syscall_rules[policy->syscall_count++] = rule;
}

/* The number of the call that a node names; -1: none, reported. */
static int read_number(struct warder_reader *reader, const struct warder_yaml *item, bool deny)
{
	_cleanup_free_ char *nearest = NULL;
	char quoted[WARDER_QUOTED_MAX], hint[128] = "";
	int number;

	if (!warder_reader_text(reader, item, "the name of a system call"))
		return -1;
	number = warder_syscall_number(item->text);
	warder_reader_quote(item->text, item->length, quoted);
	if (number < 0) {
		if (!warder_diagnostics_full(reader->diagnostics))
			nearest = warder_syscall_nearest(item->text);
		if (nearest)
			snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest);
		warder_reader_error(reader, item, hint, "%s is no system call of x86-64", quoted);
		return -1;
	}
	if (has_rule(reader, number, !deny)) {
		warder_reader_error(reader, item, "a deny beats every allow: remove one of them",
				    "%s is both denied and allowed", quoted);
		return -1;
	}
	return number;
}

static void read_denied(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	int number = read_number(reader, item, true);
	bool judged = number >= 0 && warder_syscall_is_judged(item->text);

	if (number < 0)
		return;
	if (!judged)
		warder_reader_construct(reader, item, WARDER_CONSTRUCT_SYSCALL_FILTER);
	add_rule(reader, item, number, true, !judged);
}

static void read_deny(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "system calls", read_denied, NULL);
}

static void read_allowed(struct warder_reader *reader, const struct warder_yaml *item,
			 void *context)
{
	int number = read_number(reader, item, false);

	if (number >= 0)
		add_rule(reader, item, number, false, true);
}

static void read_allow(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "system calls", read_allowed, NULL);
}

static void read_profile(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	struct warder_set *set = warder_reader_current_set(reader);
	static const char *const words[] = {"none", "default", "strict"};
	size_t i = warder_reader_word(reader, value, "a profile of system calls", words, 3);

	if (i >= 3)
		return;
	if (i)
		warder_reader_construct(reader, value, WARDER_CONSTRUCT_PROFILE);
	set->profile = (enum warder_profile)i;
	set->profile_place = warder_reader_place(reader, value);
}

static const struct warder_field fields[] = {
	{"deny", read_deny, false, 0},
	{"profile", read_profile, false, 0},
	{"allow", read_allow, false, WARDER_CONSTRUCT_SYSCALL_ALLOW},
	{0},
};

/* The number names the entry: what a ring does, no deny of a call stops. */
static void check_ring(struct warder_reader *reader, const struct warder_yaml *key)
{
	const struct warder_policy *p = reader->policy;
	const char *ring = NULL, *denied = NULL;
	size_t i;

	for (i = 0; i < p->filter_count; i++) {
		const struct warder_syscall_rule *rule = &p->filter_rules[i];

		if (rule->key != reader->key)
			continue;
		if (!rule->deny && !strncmp(rule->text, "io_uring_", 9))
			ring = rule->text;
		if (rule->deny && warder_syscall_in_ring(rule->text))
			denied = rule->text;
	}
	for (i = 0; i < p->syscall_count; i++) {
		if (p->syscall_rules[i].key == reader->key &&
		    warder_syscall_in_ring(p->syscall_rules[i].text))
			denied = p->syscall_rules[i].text;
	}
	if (ring && !denied && warder_reader_current_set(reader)->profile == WARDER_PROFILE_STRICT)
		denied = "socket"; /* is not in that profile */
	if (ring && denied)
		warder_reader_error(reader, key, "allow no ring, or deny none of what it can do",
				    "\"%s\" is allowed, and a ring can do what denying \"%s\" is "
				    "meant to stop",
				    ring, denied);
}

void warder_section_syscalls(struct warder_reader *reader, const struct warder_yaml *key,
			     const struct warder_yaml *value, void *context)
{
	if (warder_section_ungoverned(reader, key, value, WARDER_CLASS_SYSCALLS))
		return;
	if (value->type == WARDER_YAML_SEQUENCE) {
		warder_reader_error(reader, value, "write syscalls: {deny: [NAME]}",
				    "a list of system calls needs what is said about them");
		return;
	}
	if (!warder_reader_mapping(reader, value, "syscalls", fields, NULL))
		return;
	if (!value->count)
		warder_reader_error(reader, value, NULL, "empty syscalls");
	check_ring(reader, key);
}

/* --- capabilities --- */

static void add_capability(struct warder_reader *reader, const struct warder_yaml *item,
			   unsigned int number)
{
	struct warder_policy *policy = reader->policy;
	struct warder_capability_rule rule = {.place = warder_reader_place(reader, item),
					      .key = reader->key,
					      .number = number,
					      .text = strdup(item->text)};

	if (!rule.text || !VECTOR_ROOM(policy->capability_rules, policy->capability_count,
				       policy->capability_capacity)) {
		free(rule.text);
		reader->out_of_memory = true;
		return;
	}
	policy->capability_rules[policy->capability_count++] = rule;
}

static void read_capability(struct warder_reader *reader, const struct warder_yaml *item,
			    void *context)
{
	struct warder_set *set = context;
	char quoted[WARDER_QUOTED_MAX], hint[96] = "";
	const char *nearest;
	int number;

	if (!warder_reader_text(reader, item, "the name of a capability"))
		return;
	warder_reader_quote(item->text, item->length, quoted);
	number = warder_capability_number(item->text);
	if (number < 0) {
		nearest = warder_capability_nearest(item->text);
		if (nearest)
			snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest);
		warder_reader_error(reader, item, hint, "%s is no capability", quoted);
	} else if (!warder_reader_is(item, warder_capability_name((unsigned int)number))) {
		snprintf(hint, sizeof(hint), "write %s",
			 warder_capability_name((unsigned int)number));
		warder_reader_error(reader, item, hint,
				    "capabilities are written small and without CAP_");
	} else if (set->capabilities >> number & 1) {
		warder_reader_error(reader, item, NULL, "capability %s is there twice", quoted);
	} else {
		set->capabilities |= 1ull << number;
		add_capability(reader, item, (unsigned int)number);
	}
}

/* All that have a name here: what a later kernel adds is nobody's. */
static void add_every_capability(struct warder_reader *reader, const struct warder_yaml *value,
				 struct warder_set *set)
{
	unsigned int number;

	for (number = 0; number < WARDER_CAPABILITIES_MAX; number++) {
		if (reader->out_of_memory || !warder_capability_name(number))
			continue;
		set->capabilities |= 1ull << number;
		add_capability(reader, value, number);
	}
}

void warder_section_capabilities(struct warder_reader *reader, const struct warder_yaml *key,
				 const struct warder_yaml *value, void *context)
{
	struct warder_set *set = warder_reader_current_set(reader);

	if (warder_section_ungoverned(reader, key, value, WARDER_CLASS_CAPABILITIES)) {
		if (warder_reader_is(value, "ungoverned") && set && !reader->preset)
			add_every_capability(reader, value, set);
		return;
	}
	if (warder_reader_is(value, "none"))
		return;
	if (value->type != WARDER_YAML_SEQUENCE) {
		warder_reader_error(reader, value, "write capabilities: none, or a list of names",
				    "expected none or a list for capabilities");
		return;
	}
	warder_reader_construct(reader, value, WARDER_CONSTRUCT_CAPABILITIES);
	warder_reader_list(reader, value, "capabilities", read_capability, set);
}
