// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * diff_test.c - `warder diff`: no part of the language changes without a line and the exit status.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/cleanup.h"
#include "cli/verb.h"

/* Every part of the language. */
static const char base[] =
	"version: 1\n"
	"policy: first\n"
	"model: agent-in-sandbox\n"
	"vars:\n"
	"  work: {default: /srv/w, within: [/srv/*]}\n"
	"allow-users: [alice]\n"
	"tools:\n"
	"  mail:\n"
	"    summary: Send mail\n"
	"    exec: [/bin/mail]\n"
	"    network: {connect: ['tcp:127.0.0.1:25'], bind: ['tcp:*:90']}\n"
	"  news: {exec: [/bin/news]}\n"
	"sets:\n"
	"  agent:\n"
	"    tools: [mail]\n"
	"    may-run: [box]\n"
	"    allow-users: [bob]\n"
	"    files: {read: ['${work}/**'], hide: [/srv/w/h]}\n"
	"    unix: {connect: [/run/s], bind: ['@a']}\n"
	"    network:\n"
	"      connect: ['tcp:10.0.0.1:443', 'tcp:10.0.0.8/31:80']\n"
	"      bind: ['tcp:*:80']\n"
	"      accept: ['tcp:10.0.0.0/8']\n"
	"      families: ['netlink:route']\n"
	"      deny: {connect: ['tcp:10.0.0.9:*']}\n"
	"    env: {pass: [PATH], set: {HOME: /x}}\n"
	"    capabilities: [kill]\n"
	"    syscalls: {deny: [ptrace, getpid], profile: default, allow: [personality]}\n"
	"    limits: {memory: 512M, pids: 64, cpu: 50%}\n"
	"    on-violation: deny\n"
	"  box: {exec: [/bin/x]}\n"
	"bind:\n"
	"  - {cgroup: /a.slice/*, set: agent, mode: enforce}\n"
	"expect:\n"
	"  - {set: agent, deny: 'exec /bin/no'}\n";

/* A place of the policy, what stands there instead, and a line of the answer. */
static const struct {
	const char *from, *to, *line;
} changes[] = {
	{"policy: first", "policy: second", "policy: first -> second\n"},
	{"model: agent-in-sandbox", "model: sandbox-as-tool\ncode-set: box",
	 "model: agent-in-sandbox -> sandbox-as-tool\ncode-set: none -> box\n"},
	{"[/srv/*]", "[/srv/**]", "vars: has work = /srv/w within /srv/** now\n"},
	{"[alice]", "[alice, 'group:dev']", "allow-users: has group:dev now\n"},
	{"[alice]", "[carol]", "allow-users: has alice no longer\nallow-users: has carol now\n"},
	{"Send mail", "Send post", "summary of tool mail: Send mail -> Send post\n"},
	{"exec: [/bin/mail]", "exec: [/bin/mail]\n    shared: true",
	 "shared of tool mail: false -> true\n"},
	{"'tcp:*:90'", "'tcp:*:91'", "+ bind tcp:[::]:91\n"},
	{"tools: [mail]", "tools: [mail, news]", "tools of set agent: has news now\n"},
	{"may-run: [box]", "may-run: [box, agent]", "may-run of set agent: has agent now\n"},
	{"[bob]", "[eve]", "allow-users of set agent: has eve now\n"},
	{"[/srv/w/h]", "[/srv/w/h, /srv/w/i]", "hide of set agent: has /srv/w/i now\n"},
	{", hide: [/srv/w/h]",
	 ", deny: {read: [/srv/w/h], write: [/srv/w/h], exec: [/srv/w/h], "
	 "connect: [/srv/w/h]}",
	 "hide of set agent: has /srv/w/h no longer\n"},
	{"hide: [/srv/w/h]", "hide: [/srv/w/h], stat: [/srv/**], ioctl: [/dev/x]",
	 "files.stat of set agent: has /srv/** now\n"},
	{"hide: [/srv/w/h]", "hide: [/srv/w/h], ioctl: [/dev/x]", "+ ioctl /dev/x\n"},
	{", hide: [/srv/w/h]",
	 ", hide: [/srv/w/h], deny: {stat: [{path: /srv/**, except: [/srv/w]}]}",
	 "files.deny.stat of set agent: has /srv/** except /srv/w now\n"},
	{"['@a']", "['@b']", "unix.bind of set agent: has @a no longer\n"},
	{"'tcp:10.0.0.1:443'", "'tcp:10.0.0.1:444'", "+ connect tcp:10.0.0.1:444\n"},
	{"['tcp:*:80']", "['tcp:*:81']", "- bind tcp:[::]:80\n"},
	{"['tcp:10.0.0.0/8']", "['tcp:*']", "+ accept tcp:[::]:1\n"},
	{"'netlink:route'", "'netlink:route', vsock",
	 "network.families of set agent: has vsock now\n"},
	{"10.0.0.9:*", "10.0.0.8:*", "+ connect tcp:10.0.0.9:80\n"},
	{"pass: [PATH]", "pass: [PATH, API_*]", "env of set agent: passes API_* now\n"},
	{"HOME: /x", "HOME: /y",
	 "env of set agent: sets HOME=/x no longer\nenv of set agent: sets HOME=/y now\n"},
	{"    env: {pass: [PATH], set: {HOME: /x}}\n", "    env: ungoverned\n",
	 "env of set agent: passes * now\n"},
	{"[kill]", "[kill, net_raw]", "+ capability net_raw\n"},
	{"capabilities: [kill]", "kernel: [perf]", "- capability kill\n"},
	{"capabilities: [kill]", "kernel: [perf]", "+ kernel perf\n"},
	{"[ptrace, getpid]", "[ptrace]", "syscalls of set agent: denies getpid no longer\n"},
	{"[ptrace, getpid]", "[getpid]", "+ syscall ptrace\n"},
	{"profile: default", "profile: strict",
	 "syscalls.profile of set agent: default -> strict\n"},
	{"[personality]", "[personality, kcmp]", "syscalls of set agent: allows kcmp now\n"},
	{"512M", "1G", "limits.memory of set agent: 536870912 -> 1073741824\n"},
	{"pids: 64, ", "", "limits.pids of set agent: 64 -> none\n"},
	{"cpu: 50%", "cpu: 75%", "limits.cpu of set agent: 50% -> 75%\n"},
	{"on-violation: deny", "on-violation: kill", "on-violation of set agent: deny -> kill\n"},
	{"on-violation: deny", "separate: true", "separate of set agent: false -> true\n"},
	{"box: {exec: [/bin/x]}", "box: {exec: ungoverned}",
	 "ungoverned of set box: has exec now\n"},
	{"mode: enforce", "mode: audit",
	 "bind: has cgroup /a.slice/*: set agent, mode audit now\n"},
	{"exec /bin/no'}",
	 "exec /bin/no'}\n  - {set: agent, with: [news], allow: 'exec /bin/news'}",
	 "expect: has set agent with news: allow exec /bin/news now\n"},
	{"  news: {exec", "  post: {exec", "+ tool post\n"},
};

static char paths[2][32] = {"/tmp/warder-diff-XXXXXX", "/tmp/warder-diff-XXXXXX"};
static char said[65536];

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* The base with one place changed. */
static char *changed(const char *from, const char *to)
{
	const char *at = strstr(base, from);
	char *text;

	assert_non_null(at);
	assert_true(asprintf(&text, "%.*s%s%s", (int)(at - base), base, to, at + strlen(from)) > 0);
	return text;
}

/* What `warder diff OPTION A B` prints to stdout goes to `said`; its exit status. */
static int diff(const char *option, const char *a, const char *b)
{
	char *argv[] = {"diff", "--no-links", (char *)option, (char *)a, (char *)b, NULL};
	FILE *file = tmpfile();
	int out = dup(1), result;

	assert_non_null(file);
	assert_true(out >= 0);
	fflush(stdout);
	dup2(fileno(file), 1);
	result = verb_diff(5, argv);
	fflush(stdout);
	dup2(out, 1);
	close(out);
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = 0;
	fclose(file);
	return result;
}

static void nothing_changes_in_silence(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		_cleanup_free_ char *text = changed(changes[i].from, changes[i].to);

		put(paths[1], text);
		if (diff("--all", paths[0], paths[1]) != WARDER_EXIT_REFUSED ||
		    !strstr(said, changes[i].line))
			fail_msg("\"%s\" for \"%s\": \"%s\" is missing:\n%s", changes[i].to,
				 changes[i].from, changes[i].line, said);
	}
}

static void the_same_is_the_same(void **state)
{
	/* Order is no difference. */
	_cleanup_free_ char *text = changed("[ptrace, getpid]", "[getpid, ptrace]");

	put(paths[1], text);
	assert_int_equal(diff("--all", paths[0], paths[1]), WARDER_EXIT_OK);
	assert_non_null(strstr(said, " allow the same\n"));
	assert_null(strstr(said, "getpid"));
	/* Nobody takes that for a policy that is in force. */
	assert_non_null(strstr(said, ": this version loads no such policy"));
}

/* What two sets are, under whatever name. */
static void sets_are_compared_by_themselves(void **state)
{
	char a[64], b[64];
	_cleanup_free_ char *text =
		changed("box: {exec: [/bin/x]}", "box: {exec: [/bin/x], env: {pass: [API_*]}}");

	put(paths[1], text);
	snprintf(a, sizeof(a), "%s:box", paths[0]);
	snprintf(b, sizeof(b), "%s:box", paths[1]);
	assert_int_equal(diff("--all", a, b), WARDER_EXIT_REFUSED);
	assert_non_null(strstr(said, "env: passes API_* now\n"));
	assert_null(strstr(said, "vars: "));
	/* "The same" is said of the rules alone. */
	assert_null(strstr(said, " allow the same\n"));
	assert_non_null(strstr(said, "the rules on paths, addresses and system calls "));
	/* The model is none of them. */
	put(paths[1], base);
	assert_int_equal(diff("--all", a, b), WARDER_EXIT_OK);
}

static void tells_it_as_json(void **state)
{
	_cleanup_free_ char *text = changed("pass: [PATH]", "pass: [PATH, API_*]");
	json_t *json, *one;

	put(paths[1], text);
	assert_int_equal(diff("--json", paths[0], paths[1]), WARDER_EXIT_REFUSED);
	json = json_loads(said, 0, NULL);
	assert_non_null(json);
	assert_true(json_is_false(json_object_get(json, "same")));
	assert_true(json_is_false(json_object_get(json, "loadable")));
	assert_int_equal(json_array_size(json_object_get(json, "settings")), 1);
	one = json_array_get(json_object_get(json, "settings"), 0);
	assert_string_equal(json_string_value(json_object_get(one, "set")), "agent");
	assert_string_equal(json_string_value(json_object_get(one, "part")), "env");
	assert_string_equal(json_string_value(json_object_get(one, "verb")), "passes");
	assert_true(json_is_null(json_object_get(one, "a")));
	assert_string_equal(json_string_value(json_object_get(one, "b")), "API_*");
	json_decref(json);
}

static int start(void **state)
{
	int i, fd;

	for (i = 0; i < 2; i++) {
		fd = mkstemp(paths[i]);
		if (fd < 0)
			return -1;
		close(fd);
	}
	put(paths[0], base);
	return 0;
}

static int finish(void **state)
{
	return unlink(paths[0]) | unlink(paths[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changes_in_silence),
		cmocka_unit_test(the_same_is_the_same),
		cmocka_unit_test(sets_are_compared_by_themselves),
		cmocka_unit_test(tells_it_as_json),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
