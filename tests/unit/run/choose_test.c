// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* choose_test.c - which set a run starts in, for both models. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run/choose.h"

static struct warder_policy *parse(const char *model)
{
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	struct warder_policy_options options = {.keep_links = true};
	struct warder_policy *policy = NULL;
	char text[256];

	snprintf(text, sizeof(text),
		 "version: 1\npolicy: p\nmodel: %s\nsets:\n"
		 "  sandbox: { files: { read: [/a] } }\n  agent: { files: { read: [/b] } }\n",
		 model);
	assert_int_equal(
		warder_policy_parse("p.yaml", text, strlen(text), &options, &diagnostics, &policy),
		0);
	return policy;
}

static void check(const struct warder_policy *policy, const char *name, bool code,
		  const char *expected)
{
	unsigned int set = 99;

	assert_int_equal(warder_run_choose_set(policy, name, code, &set, NULL), 0);
	assert_string_equal(policy->sets[set].name, expected);
}

static void the_model_decides(void **state)
{
	_cleanup_policy_ struct warder_policy *tool = parse("sandbox-as-tool");
	_cleanup_policy_ struct warder_policy *inside = parse("agent-in-sandbox");

	check(tool, NULL, false, "agent");
	check(tool, NULL, true, "sandbox");
	check(tool, "sandbox", false, "sandbox");
	check(inside, NULL, false, "agent");
	check(inside, NULL, true, "agent");
}

static void unknown_sets_are_named(void **state)
{
	_cleanup_policy_ struct warder_policy *policy = parse("sandbox-as-tool");
	struct warder_error message = {};
	unsigned int set = 99;

	assert_int_equal(warder_run_choose_set(policy, "sandbx", false, &set, &message), -ENOENT);
	assert_int_equal(set, 99);
	assert_string_equal(message.text,
			    "policy \"p\" has no set \"sandbx\"; it has: sandbox, agent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_model_decides),
		cmocka_unit_test(unknown_sets_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
