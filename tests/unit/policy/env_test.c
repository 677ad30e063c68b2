// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* env_test.c - which variables a program starts with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/policy.h"

static struct warder_policy *parse(const char *env)
{
	const struct warder_policy_options options = {.keep_links = true};
	struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;
	char text[1024];

	snprintf(text, sizeof(text),
		 "version: 1\npolicy: p\nmodel: agent-in-sandbox\nsets: {a: {%s}}\n", env);
	if (warder_policy_parse("p", text, strlen(text), &options, &found, &policy) < 0) {
		warder_diagnostics_print(&found, stdout);
		fail();
	}
	warder_diagnostics_release(&found);
	return policy;
}

/* What passes, joined by spaces. */
static void check(const char *env, char *const *environment, const char *expected)
{
	struct warder_policy *policy = parse(env);
	char **list = NULL, joined[1024] = "";
	size_t i;

	assert_int_equal(warder_env_build(policy, 0, environment, &list), 0);
	for (i = 0; list[i]; i++) {
		strcat(joined, i ? " " : "");
		strcat(joined, list[i]);
	}
	assert_string_equal(joined, expected);
	free(list);
	warder_policy_free(&policy);
}

static char *starter[] = {"PATH=/bin", "HOME=/root", "API_KEY=secret", "API=x",	    "LC_ALL=C",
			  "LANG=C",    "EMPTY=",     "PATH=/evil",     "no-equals", "=nameless",
			  NULL};

static void nothing_passes_unasked(void **state)
{
	check("capabilities: none", starter, "");
	check("env: {set: {A: b}}", starter, "A=b");
	check("env: {pass: [PATH]}", NULL, "");
}

static void what_is_named_passes(void **state)
{
	check("env: {pass: [LANG, PATH]}", starter, "PATH=/bin LANG=C");
	check("env: {pass: ['API_*', LC_?L?]}", starter, "API_KEY=secret LC_ALL=C");
	check("env: {pass: [EMPTY, NOT_THERE]}", starter, "EMPTY=");
	/* The first of a name, and only what is a variable. */
	check("env: {pass: ['*']}", starter,
	      "PATH=/bin HOME=/root API_KEY=secret API=x LC_ALL=C LANG=C EMPTY=");
	check("env: {pass: [path, API_]}", starter, "");
}

static void what_is_set_replaces(void **state)
{
	check("env: {pass: ['*'], set: {HOME: /srv, API_KEY: '', NEW: 'a b=c'}}", starter,
	      "PATH=/bin API=x LC_ALL=C LANG=C EMPTY= HOME=/srv API_KEY= NEW=a b=c");
}

static void long_names_do_not_pass(void **state)
{
	char name[400], *environment[] = {name, NULL};

	memset(name, 'A', sizeof(name));
	strcpy(name + 300, "=x");
	check("env: {pass: ['*']}", environment, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_passes_unasked),
		cmocka_unit_test(what_is_named_passes),
		cmocka_unit_test(what_is_set_replaces),
		cmocka_unit_test(long_names_do_not_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
