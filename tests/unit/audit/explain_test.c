// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* explain_test.c - the rule beside an event: of a refusal, and of a key that was used. */
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <warder/access.h>
#include <warder/hook.h>

#include "audit/explain.h"

/* Keys: 0 agent, 1 edit, 2 post. */
static const char text[] = "version: 1\n"
			   "policy: p\n"
			   "model: agent-in-sandbox\n"
			   "sets:\n"
			   "  agent:\n"
			   "    files:\n"
			   "      read: [/srv/**]\n"
			   "      create: [/tmp/**]\n"
			   "      deny:\n"
			   "        write: [/var/**]\n"
			   "    network: {connect: ['tcp:127.0.0.0/8:*']}\n"
			   "    syscalls: {deny: [mkdir]}\n"
			   "tools:\n"
			   "  edit: {shared: true, exec: [/bin/ed], files: {write: [/srv/**]}}\n"
			   "  post: {network: {connect: ['tcp:127.0.0.1:25']}}\n";

#define AGENT 1ull
#define EDIT  2ull
#define POST  4ull

static struct warder_policy *policy;

static void check(struct warder_event *event, const char *object, __u64 held, const char *expected)
{
	struct warder_explanation explanation;
	char rule[WARDER_RULE_TEXT_MAX];
	bool explained;

	event->text_length = strlen(object);
	explained = warder_event_explain(event, object, policy, held, &explanation) == 0;
	assert_string_equal(
		warder_event_rule(event, explained ? &explanation : NULL, rule, sizeof(rule)),
		expected);
}

static void names_the_rule_of_a_refusal(void **state)
{
	struct warder_event event = {.object = WARDER_OBJECT_PATH,
				     .hook = WARDER_HOOK_FILE_OPEN,
				     .reason = WARDER_REASON_NO_RULE,
				     .error = -EACCES,
				     .rights = WARDER_READ | WARDER_WRITE,
				     .missing = WARDER_WRITE};

	check(&event, "/srv/x", AGENT, "no rule");
	event.missing = WARDER_READ | WARDER_WRITE;
	event.reason = WARDER_REASON_DENY_RULE;
	check(&event, "/var/x", AGENT, "p.yaml:10: files.deny.write \"/var/**\"");
	/* The key came after the refusal. */
	event.missing = WARDER_WRITE;
	event.reason = WARDER_REASON_NO_RULE;
	check(&event, "/srv/x", AGENT | EDIT, "no rule");
}

static void names_the_rule_of_a_call(void **state)
{
	struct warder_event event = {.object = WARDER_OBJECT_SYSCALL,
				     .hook = WARDER_HOOK_PATH_MKDIR,
				     .reason = WARDER_REASON_SYSCALL,
				     .error = -EPERM,
				     .number = 83};

	check(&event, "", AGENT, "p.yaml:12: syscalls.deny \"mkdir\"");
}

/* Reading was everybody's; what the key was used for is writing. */
static void names_the_rule_of_the_key_that_was_used(void **state)
{
	struct warder_event event = {.object = WARDER_OBJECT_PATH,
				     .hook = WARDER_HOOK_FILE_OPEN,
				     .reason = WARDER_REASON_GRANTED_KEY,
				     .rights = WARDER_READ | WARDER_WRITE,
				     .keys = EDIT};

	check(&event, "/srv/x", AGENT | EDIT, "p.yaml:14: files.write \"/srv/**\"");
	/* The grant has ended since. */
	check(&event, "/srv/x", AGENT, "p.yaml:14: files.write \"/srv/**\"");
	event = (struct warder_event){.object = WARDER_OBJECT_ADDRESS,
				      .hook = WARDER_HOOK_SOCKET_CONNECT,
				      .reason = WARDER_REASON_GRANTED_KEY,
				      .proto = IPPROTO_TCP,
				      .address_lo = 0xffff7f000001ull,
				      .port = 25,
				      .keys = POST};
	check(&event, "", AGENT | POST, "p.yaml:15: network.connect \"tcp:127.0.0.1:25\"");
}

/* From /srv, for which the key was needed, to /tmp, for which it was not. */
static void names_no_rule_of_another_key(void **state)
{
	struct warder_event event = {.object = WARDER_OBJECT_PATH,
				     .hook = WARDER_HOOK_PATH_RENAME,
				     .reason = WARDER_REASON_GRANTED_KEY,
				     .rights = WARDER_CREATE,
				     .keys = EDIT};

	check(&event, "/tmp/x", AGENT | EDIT, "allowed by a granted key");
}

static int load(void **state)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {};

	return warder_policy_parse("p.yaml", text, strlen(text), &options, &found, &policy);
}

static int unload(void **state)
{
	warder_policy_free(&policy);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_rule_of_a_refusal),
		cmocka_unit_test(names_the_rule_of_a_call),
		cmocka_unit_test(names_the_rule_of_the_key_that_was_used),
		cmocka_unit_test(names_no_rule_of_another_key),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
