// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* explain_test.c - the rule, its file and line, in the words that people read. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compile/explain.h"

/* Keys: 0 mail, 1 list, 2 agent. */
static const char text[] = "version: 1\n"
			   "policy: p\n"
			   "model: agent-in-sandbox\n"
			   "tools:\n"
			   "  mail:\n"
			   "    exec: [/bin/mail]\n"
			   "    network: {connect: ['tcp:127.0.0.1:25']}\n"
			   "  list: {shared: true, exec: [/bin/ls]}\n"
			   "sets:\n"
			   "  agent:\n"
			   "    include: [python]\n"
			   "    exec: [/bin/**]\n"
			   "    files:\n"
			   "      read: [/srv/**, /etc]\n"
			   "      deny:\n"
			   "        read: [{path: '**/.env', except: [/srv/ok/.env]}]\n"
			   "        write: [/var/**]\n"
			   "    network: {connect: ['tcp:127.0.0.0/8:1-99']}\n"
			   "    syscalls: {deny: [ptrace]}\n";

static struct warder_policy *policy;

#define AGENT 4ull
#define MAIL  1ull

static void check(const struct warder_explanation *e, bool allowed, const char *expected)
{
	char words[512];

	assert_string_equal(warder_explanation_text(e, words, sizeof(words)), expected);
	assert_int_equal(e->allowed, allowed);
	assert_int_equal(e->allowed, e->cause == WARDER_CAUSE_ALLOWED);
}

static void check_path(__u64 held, __u32 rights, const char *path, bool allowed,
		       const char *expected)
{
	struct warder_explanation e;

	assert_int_equal(warder_explain_path(policy, held, rights, path, strlen(path), &e), 0);
	check(&e, allowed, expected);
}

static void explains_paths(void **state)
{
	check_path(AGENT, WARDER_READ, "/srv/x", true, "p.yaml:14: files.read \"/srv/**\"");
	check_path(AGENT, WARDER_READ, "/srv", true, "p.yaml:14: files.read \"/srv/**\"");
	check_path(AGENT, WARDER_READ, "/srv/.env", false,
		   "p.yaml:16: files.deny.read \"**/.env\"");
	check_path(AGENT, WARDER_READ, "/srv/ok/.env", true, "p.yaml:14: files.read \"/srv/**\"");
	check_path(AGENT, WARDER_READ, "/root/x", false, "no rule");
	check_path(AGENT, WARDER_WRITE, "/srv/x", false, "no rule");
	check_path(AGENT, WARDER_EXEC, "/usr/bin/python3.11", true,
		   "preset python:21: exec \"/usr/bin/python3*\"");
	check_path(0, WARDER_READ, "/srv/x", false, "no rule");
}

/* A right that is denied decides, then the first that is missing, then the first asked for. */
static void explains_one_right(void **state)
{
	struct warder_explanation e;

	assert_int_equal(
		warder_explain_path(policy, AGENT, WARDER_READ | WARDER_WRITE, "/srv/x", 6, &e), 0);
	assert_int_equal(e.right, WARDER_WRITE);
	assert_int_equal(
		warder_explain_path(policy, AGENT, WARDER_READ | WARDER_STAT, "/srv/x", 6, &e), 0);
	assert_int_equal(e.right, WARDER_READ);
	assert_int_equal(e.key, 2);
	assert_string_equal(e.key_name, "agent");
	/* No rule gives reading, which comes first; writing is denied, and so is the reason. */
	assert_int_equal(
		warder_explain_path(policy, AGENT, WARDER_READ | WARDER_WRITE, "/var/log", 8, &e),
		0);
	assert_int_equal(e.right, WARDER_WRITE);
	check(&e, false, "p.yaml:17: files.deny.write \"/var/**\"");
}

static void explains_reservation(void **state)
{
	check_path(AGENT, WARDER_EXEC, "/bin/mail", false,
		   "reserved for tool mail (p.yaml:6: exec \"/bin/mail\")");
	check_path(AGENT | MAIL, WARDER_EXEC, "/bin/mail", true, "p.yaml:6: exec \"/bin/mail\"");
	check_path(AGENT, WARDER_EXEC, "/bin/ls", true, "p.yaml:12: exec \"/bin/**\"");
	check_path(MAIL, WARDER_READ, "/bin/mail", false, "no rule");
}

static void explains_addresses(void **state)
{
	struct warder_address loopback = warder_address_v4(0x7f000001);
	struct warder_address any = warder_address_v4(0);
	struct warder_explanation e;

	assert_int_equal(warder_explain_net(policy, AGENT, WARDER_NET_CONNECT, WARDER_PROTO_TCP,
					    loopback, 24, &e),
			 0);
	check(&e, true, "p.yaml:18: network.connect \"tcp:127.0.0.0/8:1-99\"");
	assert_int_equal(warder_explain_net(policy, AGENT, WARDER_NET_CONNECT, WARDER_PROTO_TCP,
					    any, 25, &e),
			 0);
	check(&e, false, "reserved for tool mail (p.yaml:7: network.connect \"tcp:127.0.0.1:25\")");
	assert_int_equal(
		warder_explain_net(policy, MAIL, WARDER_NET_CONNECT, WARDER_PROTO_TCP, any, 25, &e),
		0);
	check(&e, true, "p.yaml:7: network.connect \"tcp:127.0.0.1:25\"");
	assert_int_equal(warder_explain_net(policy, AGENT, WARDER_NET_CONNECT, WARDER_PROTO_UDP,
					    loopback, 24, &e),
			 0);
	check(&e, false, "no rule");
}

static void explains_system_calls(void **state)
{
	struct warder_explanation e;

	assert_int_equal(warder_explain_syscall(policy, AGENT, 101, &e), 0);
	check(&e, false, "p.yaml:19: syscalls.deny \"ptrace\"");
	assert_int_equal(warder_explain_syscall(policy, MAIL, 101, &e), 0);
	check(&e, true, "no rule denies it");
	assert_int_equal(warder_explain_syscall(policy, AGENT, 100000, &e), 0);
	check(&e, false, "no rule");
}

static void refuses_what_is_no_object(void **state)
{
	static const char *const paths[] = {"", "a", "/a/", "//a", "/a//b", "/.", "/a/../b"};
	struct warder_explanation e;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_int_equal(warder_explain_path(policy, AGENT, WARDER_READ, paths[i],
						     strlen(paths[i]), &e),
				 -EINVAL);
	assert_int_equal(warder_explain_path(policy, AGENT, 0, "/a", 2, &e), -EINVAL);
	assert_int_equal(warder_explain_path(policy, AGENT, 1u << 20, "/a", 2, &e), -EINVAL);
	assert_int_equal(warder_explain_path(policy, AGENT, WARDER_READ, "/a\0b", 4, &e), -EINVAL);
}

static void cuts_what_is_too_long(void **state)
{
	struct warder_explanation e;
	char words[16];

	assert_int_equal(warder_explain_path(policy, AGENT, WARDER_READ, "/srv/x", 6, &e), 0);
	assert_string_equal(warder_explanation_text(&e, words, sizeof(words)), "p.yaml:14: file");
}

static int start(void **state)
{
	const struct warder_policy_options options = {.keep_links = true};
	struct warder_diagnostics found = {0};
	int r = warder_policy_parse("p.yaml", text, strlen(text), &options, &found, &policy);

	if (r < 0)
		warder_diagnostics_print(&found, stdout);
	warder_diagnostics_release(&found);
	return r;
}

static int finish(void **state)
{
	warder_policy_free(&policy);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(explains_paths),
		cmocka_unit_test(explains_one_right),
		cmocka_unit_test(explains_reservation),
		cmocka_unit_test(explains_addresses),
		cmocka_unit_test(explains_system_calls),
		cmocka_unit_test(refuses_what_is_no_object),
		cmocka_unit_test(cuts_what_is_too_long),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
