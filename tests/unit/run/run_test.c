// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* run_test.c - what is refused before anything is touched. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "run/run.h"

static const char text[] = "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
			   "sets: {agent: {may-run: [agent]}}\n";

/* Somebody reads a policy as `check` does, and runs it: no promise is made that nobody keeps. */
static void what_is_not_enforced_is_not_loaded(void **state)
{
	const struct warder_policy_options options = {.keep_links = true,
						      .accept_unenforced = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	char *const command[] = {"true", NULL};
	struct warder_run_request request = {.arguments = command};
	struct warder_run_result result = {0};
	struct warder_error message = {0};

	assert_int_equal(
		warder_policy_parse("p.yaml", text, strlen(text), &options, &found, &policy), 0);
	assert_int_equal(warder_compile(policy, &found, &image), 0);
	request.policy = policy;
	request.image = image;
	assert_int_equal(warder_run(&request, &result, &message), -EOPNOTSUPP);
	assert_non_null(strstr(message.text, "policy \"p\""));
	assert_null(result.summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_enforced_is_not_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
