// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_kernel.c - `syscalls:` and `capabilities:`.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "policy/section.h"
#include "policy/syscall.h"

static void add_rule(struct warder_reader *reader, const struct warder_yaml *node, int number)
{
	struct warder_policy *policy = reader->policy;
	struct warder_syscall_rule rule = {.place = warder_reader_place(reader, node),
					   .key = reader->key,
					   .number = (unsigned int)number,
					   .text = strdup(node->text)};

	if (!rule.text ||
	    !VECTOR_ROOM(policy->syscall_rules, policy->syscall_count, policy->syscall_capacity)) {
		free(rule.text);
		reader->out_of_memory = true;
		return;
	}
	policy->syscall_rules[policy->syscall_count++] = rule;
}

static void read_syscall(struct warder_reader *reader, const struct warder_yaml *item,
			 void *context)
{
	_cleanup_free_ char *nearest = NULL;
	char quoted[WARDER_QUOTED_MAX], hint[128] = "";
	int number;

	if (!warder_reader_text(reader, item, "the name of a system call"))
		return;
	number = warder_syscall_number(item->text);
	warder_reader_quote(item->text, item->length, quoted);
	if (number < 0) {
		if (!warder_diagnostics_full(reader->diagnostics))
			nearest = warder_syscall_nearest(item->text);
		if (nearest)
			snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest);
		warder_reader_error(reader, item, hint, "%s is no system call of x86-64", quoted);
	} else if (!warder_syscall_is_judged(item->text)) {
		warder_reader_error(reader, item,
				    "it does not always pass a hook where it could be refused; "
				    "warder-policy(5) lists the calls that do",
				    "denying %s is not enforced by this version", quoted);
	} else {
		add_rule(reader, item, number);
	}
}

static void read_deny(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "system calls", read_syscall, NULL);
}

static const struct warder_field fields[] = {
	{"deny", read_deny, true, 0},
	{"profile", NULL, false, 0},
	{"allow", NULL, false, 0},
	{0},
};

void warder_section_syscalls(struct warder_reader *reader, const struct warder_yaml *key,
			     const struct warder_yaml *value, void *context)
{
	if (!warder_section_refuse_ungoverned(reader, key, value))
		warder_reader_mapping(reader, value, "syscalls", fields, NULL);
}

void warder_section_capabilities(struct warder_reader *reader, const struct warder_yaml *key,
				 const struct warder_yaml *value, void *context)
{
	if (warder_section_refuse_ungoverned(reader, key, value) || warder_reader_is(value, "none"))
		return;
	if (value->type == WARDER_YAML_SEQUENCE)
		warder_reader_refuse(reader, value, "a list of capabilities");
	else
		warder_reader_error(reader, value, "write capabilities: none",
				    "expected none for capabilities");
}
