// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* verdict_test.c - what the enforcer answers, why, and what would open it; a policy's own tests. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "compile/expect.h"

/* Keys: 0 mail, 1 reader, 2 writer, 3 agent. */
static const char text[] = "version: 1\n"
			   "policy: p\n"
			   "model: agent-in-sandbox\n"
			   "tools:\n"
			   "  mail:\n"
			   "    exec: [/bin/mail]\n"
			   "    network: {connect: ['tcp:127.0.0.1:25']}\n"
			   "  reader: {files: {read: [/srv/**]}}\n"
			   "  writer: {files: {create: [/srv/**]}}\n"
			   "sets:\n"
			   "  agent:\n"
			   "    exec: [/bin/**]\n"
			   "    files:\n"
			   "      read: [/etc/**]\n"
			   "      deny: {read: ['**/.env'], exec: [/bin/no]}\n"
			   "    network: {connect: ['tcp:127.0.0.0/8:1-99']}\n"
			   "    syscalls: {deny: [ptrace]}\n";

static struct warder_policy *policy;
static struct warder_image *image;

#define MAIL   1ull
#define READER 2ull
#define WRITER 4ull
#define AGENT  8ull

/* The image of a policy with the same keys and other rules. */
static struct warder_image *make_other(void)
{
	static const char rules[] = "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
				    "tools:\n  mail: {exec: [/a]}\n  reader: {exec: [/b]}\n"
				    "  writer: {exec: [/c]}\n"
				    "sets: {agent: {files: {list: [/x]}}}\n";
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *other = NULL;
	struct warder_image *made = NULL;

	assert_int_equal(
		warder_policy_parse("o.yaml", rules, strlen(rules), &options, &found, &other), 0);
	assert_int_equal(warder_compile(other, &found, &made), 0);
	return made;
}

static struct warder_access parse(const char *words)
{
	struct warder_access access = {0};
	struct warder_access_error error;

	assert_int_equal(warder_access_parse(words, strlen(words), &access, &error), 0);
	return access;
}

static struct warder_verdict judge(__u64 held, const char *words)
{
	const struct warder_side side = {
		.policy = policy, .image = image, .held = held, .base = AGENT & held};
	_cleanup_access_ struct warder_access access = parse(words);
	struct warder_verdict verdict;

	assert_int_equal(warder_verdict_find(&side, &access, &verdict), 0);
	assert_true(verdict.agrees);
	return verdict;
}

/* The lines for people. */
static void check(__u64 held, const char *words, bool allowed, const char *expected)
{
	const struct warder_side side = {.policy = policy, .image = image, .held = held};
	struct warder_verdict verdict = judge(held, words);
	_cleanup_free_ char *lines = NULL;
	size_t size;
	FILE *out = open_memstream(&lines, &size);

	warder_verdict_print(&verdict, &side, "", out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(lines, expected);
	assert_int_equal(verdict.allowed, allowed);
}

static void answers_for_paths(void **state)
{
	check(AGENT, "read /etc/hosts", true,
	      "right  read\nrule   p.yaml:14: files.read \"/etc/**\"\nkey    agent\n");
	check(AGENT, "read /etc/.env", false,
	      "right  read\nrule   p.yaml:15: files.deny.read \"**/.env\"\nkey    agent\n"
	      "no grant opens it: a deny beats every allow\n");
	check(AGENT, "read /root/x", false,
	      "right  read\nrule   no rule\nno grant opens it: no tool has it\n");
	check(AGENT, "exec /bin/no", false,
	      "right  exec\nrule   p.yaml:15: files.deny.exec \"/bin/no\"\nkey    agent\n"
	      "no grant opens it: a deny beats every allow\n");
	/* Of several rights the one that is missing. */
	check(AGENT, "read+write /etc/hosts", false,
	      "right  write\nrule   no rule\nno grant opens it: no tool has it\n");
}

static void names_what_opens(void **state)
{
	struct warder_verdict verdict;

	check(AGENT, "exec /bin/mail", false,
	      "right  exec\nrule   reserved for tool mail (p.yaml:6: exec \"/bin/mail\")\n"
	      "key    mail (not held)\nopened by a grant of mail\n");
	check(AGENT, "connect tcp:0.0.0.0:25", false,
	      "rule   reserved for tool mail (p.yaml:7: network.connect \"tcp:127.0.0.1:25\")\n"
	      "key    mail (not held)\nopened by a grant of mail\n");
	check(AGENT, "read /srv/x", false,
	      "right  read\nrule   no rule\nopened by a grant of reader\n");
	check(AGENT, "read+create /srv/x", false,
	      "right  read\nrule   no rule\nopened by no tool alone, only by several\n");
	check(AGENT, "read /srv/.env", false,
	      "right  read\nrule   p.yaml:15: files.deny.read \"**/.env\"\nkey    agent\n"
	      "no grant opens it: a deny beats every allow\n");
	verdict = judge(AGENT | READER, "read+create /srv/x");
	assert_int_equal(verdict.openers, WRITER);
	verdict = judge(AGENT | READER | WRITER, "read+create /srv/x");
	assert_true(verdict.allowed && !verdict.openers);
	assert_int_equal(verdict.granted, READER | WRITER);
	verdict = judge(AGENT | MAIL, "exec /bin/mail");
	assert_true(verdict.allowed && verdict.granted == MAIL && verdict.why.key == 0);
}

#define EVERY "this version refuses it to every subject, whatever the policy grants; "
/* Which layer holds the verdict of a call. */
#define BY_BOTH "layer  hooks, of any process, and the filter of what `warder run` starts\n"
#define BY_FILTER \
	"layer  filter: of what `warder run` starts; the call does not always pass a hook\n"
#define BY_HOOKS "layer  hooks: of any process, however started\n"

#define REFUSED "rule   " EVERY "no rule would grant it\n"

static void answers_for_the_rest(void **state)
{
	check(AGENT, "connect tcp:127.0.0.1:24", true,
	      "rule   p.yaml:16: network.connect \"tcp:127.0.0.0/8:1-99\"\nkey    agent\n");
	check(AGENT, "send udp:127.0.0.1:24", false,
	      "rule   no rule\nno grant opens it: no tool has it\n");
	check(AGENT, "syscall ptrace", false,
	      "rule   p.yaml:17: syscalls.deny \"ptrace\"\nkey    agent\n" BY_BOTH
	      "no grant opens it: a deny beats every allow\n");
	check(AGENT, "syscall kill", true, "rule   no rule denies it\n");
	/* No rule denies it, and hooks refuse it: that is no allow. */
	check(AGENT, "syscall perf_event_open", false,
	      "rule   no rule\n" BY_HOOKS "note   it takes kernel: [perf]\n"
	      "no grant opens it: no tool has it\n");
	check(AGENT, "syscall reboot", false,
	      "rule   no rule\n" BY_HOOKS "note   it takes capabilities: [sys_boot]\n"
	      "no grant opens it: no tool has it\n");
	check(AGENT, "syscall keyctl", true,
	      "rule   no rule denies it\nnote   most of its uses take kernel: [keys]\n");
	check(~0ull, "capability net_raw", false,
	      "rule   no rule\nno grant opens it: no tool has it\n");
	check(AGENT, "kernel perf", false, "rule   no rule\nno grant opens it: no tool has it\n");
	check(~0ull, "bind tcp:127.0.0.1:80", false,
	      "rule   no rule\nno grant opens it: no tool has it\n");
	check(~0ull, "accept tcp:127.0.0.1:80", false,
	      "rule   no rule\nno grant opens it: no tool has it\n");
	/* What a socket gets when it sends needs no rule. */
	check(AGENT, "bind udp:127.0.0.1:0", true, "rule   no rule denies it\n");
}

/* --- what is not enforced --- */

/* Keys: 0 serve, 1 agent, 2 open. */
static const char later[] =
	"version: 1\n"
	"policy: p\n"
	"model: agent-in-sandbox\n"
	"tools:\n"
	"  serve: {network: {bind: ['tcp:*:90']}, kernel: [perf]}\n"
	"sets:\n"
	"  agent:\n"
	"    network:\n"
	"      connect: ['tcp:10.0.0.0/8:443']\n"
	"      bind: ['tcp:*:80']\n"
	"      accept: ['tcp:10.0.0.0/8']\n"
	"      deny: {connect: ['tcp:10.1.0.0/16:*'], bind: ['tcp:127.0.0.2:*']}\n"
	"    capabilities: [kill,\n"
	"      net_raw]\n"
	"    syscalls: {deny: [ptrace, getpid], profile: strict}\n"
	"    kernel: {deny: [syslog]}\n"
	"  open: {files: ungoverned, network: ungoverned}\n";

static void check_later(__u64 held, const char *words, bool allowed, const char *expected)
{
	const struct warder_policy_options options = {.keep_links = true,
						      .accept_unenforced = true};
	struct warder_policy *kept = policy;
	struct warder_image *kept_image = image;
	struct warder_diagnostics found = {0};

	assert_int_equal(
		warder_policy_parse("l.yaml", later, strlen(later), &options, &found, &policy), 0);
	assert_int_equal(warder_compile(policy, &found, &image), 0);
	warder_diagnostics_release(&found);
	check(held, words, allowed, expected);
	warder_policy_free(&policy);
	free(image);
	policy = kept;
	image = kept_image;
}

#define NO_SUCH "; this version does not enforce that, and loads no such policy\n"

static void answers_for_what_is_not_enforced(void **state)
{
	/* What it refuses anyway: who would grant it. */
	check_later(2, "capability net_raw", true,
		    "rule   l.yaml:14: capabilities \"net_raw\"\nkey    agent\n");
	check_later(2, "capability sys_admin", false,
		    "rule   no rule\nno grant opens it: no tool has it\n");
	/* The rules of another set are not its own. */
	check_later(4, "capability net_raw", false,
		    "rule   no rule\nno grant opens it: no tool has it\n");
	check_later(2, "kernel syslog", false,
		    "rule   l.yaml:16: kernel.deny \"syslog\"\nkey    agent\n"
		    "no grant opens it: a deny beats every allow\n");
	check_later(2, "kernel perf", false, "rule   no rule\nopened by a grant of serve\n");
	check_later(3, "kernel perf", true, "rule   l.yaml:5: kernel \"perf\"\nkey    serve\n");
	/* The tool's word opens the profile, and hooks wait for the grant. */
	check_later(2, "syscall perf_event_open", false,
		    "rule   no rule\n" BY_HOOKS "note   it takes kernel: [perf]\n"
		    "opened by a grant of serve\n");
	/* What the matcher alone would answer otherwise. */
	check_later(2, "syscall getpid", false,
		    "rule   l.yaml:15: syscalls.deny \"getpid\"\nkey    agent\n" BY_FILTER
		    "no grant opens it: a deny beats every allow\n");
	check_later(2, "syscall mount", false,
		    "rule   l.yaml:15: syscalls.profile \"strict\"\nkey    agent\n" BY_BOTH
		    "note   it takes kernel: [mounts] and capabilities: [sys_admin]\n"
		    "no grant opens it: a deny beats every allow\n");
	check_later(4, "connect tcp:192.0.2.1:1", false,
		    "rule   l.yaml:17: set open leaves it ungoverned" NO_SUCH);
	check_later(4, "read /x", true,
		    "right  read\n"
		    "rule   l.yaml:17: files \"ungoverned\"\n"
		    "key    open\n");
	/* And what it answers as the policy does. */
	check_later(2, "connect tcp:10.0.0.1:443", true,
		    "rule   l.yaml:9: network.connect \"tcp:10.0.0.0/8:443\"\nkey    agent\n");
	check_later(2, "syscall ptrace", false,
		    "rule   l.yaml:15: syscalls.deny \"ptrace\"\nkey    agent\n" BY_BOTH
		    "no grant opens it: a deny beats every allow\n");
	check_later(2, "bind tcp:127.0.0.1:80", true,
		    "rule   l.yaml:10: network.bind \"tcp:*:80\"\nkey    agent\n");
	check_later(2, "bind tcp:127.0.0.2:80", false,
		    "rule   l.yaml:12: network.deny.bind \"tcp:127.0.0.2:*\"\nkey    agent\n"
		    "no grant opens it: a deny beats every allow\n");
	/* It would answer at what is denied. */
	check_later(2, "bind tcp:0.0.0.0:80", false,
		    "rule   l.yaml:12: network.deny.bind \"tcp:127.0.0.2:*\"\nkey    agent\n"
		    "no grant opens it: a deny beats every allow\n");
	check_later(2, "bind tcp:127.0.0.1:90", false,
		    "rule   no rule\nopened by a grant of serve\n");
	check_later(3, "bind tcp:127.0.0.1:90", true,
		    "rule   l.yaml:5: network.bind \"tcp:*:90\"\nkey    serve\n");
	check_later(2, "accept tcp:10.0.0.1:1000", true,
		    "rule   l.yaml:11: network.accept \"tcp:10.0.0.0/8\"\nkey    agent\n");
	check_later(2, "connect tcp:10.1.0.1:443", false,
		    "rule   l.yaml:12: network.deny.connect \"tcp:10.1.0.0/16:*\"\nkey    agent\n"
		    "no grant opens it: a deny beats every allow\n");
	check_later(2, "connect tcp:11.0.0.1:443", false,
		    "rule   no rule\nno grant opens it: no tool has it\n");
}

static void tells_it_as_json(void **state)
{
	const struct warder_side side = {.policy = policy, .image = image, .held = AGENT};
	struct warder_verdict verdict = judge(AGENT, "exec /bin/mail");
	json_t *json = warder_verdict_json(&verdict, &side);
	_cleanup_free_ char *flat = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);

	assert_string_equal(flat, "{\"agrees\":true,\"keys\":[\"agent\"],\"opened_by\":[\"mail\"],"
				  "\"right\":\"exec\",\"verdict\":\"refused\",\"why\":{"
				  "\"cause\":\"reserved\",\"column\":12,\"file\":\"p.yaml\","
				  "\"key\":\"mail\",\"line\":6,\"rule\":\"/bin/mail\","
				  "\"section\":\"exec\",\"text\":\"reserved for tool mail "
				  "(p.yaml:6: exec \\\"/bin/mail\\\")\"}}");
	json_decref(json);
}

/* The image alone has an answer; only the rule is not known. */
static void answers_without_the_text(void **state)
{
	const struct warder_side side = {.image = image, .held = AGENT};
	_cleanup_access_ struct warder_access access = parse("read /etc/hosts");
	struct warder_verdict verdict;

	assert_int_equal(warder_verdict_find(&side, &access, &verdict), 0);
	assert_true(verdict.allowed && verdict.agrees && !verdict.explained);
}

/* An image of another policy: decide.h has the last word, and the contradiction is seen. */
/* The kernel refuses it with EXDEV; "allowed" alone would be half of the answer. */
static void tells_what_keeps_a_directory(void **state)
{
	static const char rules[] = "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
				    "sets: {agent: {files: {write: [/srv/**],\n"
				    "  deny: {write: [/srv/a/b/c]}}}}\n";
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *other = NULL, *outer = policy;
	struct warder_image *made = NULL, *outer_image = image;
	struct warder_verdict v;

	assert_int_equal(
		warder_policy_parse("o.yaml", rules, strlen(rules), &options, &found, &other), 0);
	assert_int_equal(warder_compile(other, &found, &made), 0);
	policy = other;
	image = made;
	v = judge(1, "rename /srv/a");
	assert_true(v.allowed && v.nailed);
	assert_int_equal(v.below.place.line, 5);
	assert_true(judge(1, "write+rename /srv/a/b").nailed);
	assert_false(judge(1, "rename /srv/a/b/d").nailed);
	assert_false(judge(1, "delete /srv/a").nailed);
	v = judge(1, "rename /srv/a/b/c");
	assert_false(v.allowed || v.nailed);
	policy = outer;
	image = outer_image;
	warder_policy_free(&other);
	free(made);
}

static void sees_a_contradiction(void **state)
{
	static const char *const tries[] = {"read /etc/hosts", "read /var/.env", "exec /bin/mail",
					    "connect tcp:127.0.0.1:24", "syscall ptrace"};
	_cleanup_free_ struct warder_image *other = make_other();
	const struct warder_side side = {.policy = policy, .image = other, .held = AGENT};
	struct warder_expectation expectation = {0};
	struct warder_verdict verdict;
	char words[512];
	bool holds;
	size_t i;

	for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		_cleanup_access_ struct warder_access access = parse(tries[i]);

		assert_int_equal(warder_verdict_find(&side, &access, &verdict), 0);
		assert_int_equal(verdict.allowed, i == 4);
		/* Both refuse to run /bin/mail, because no held key has it. */
		assert_int_equal(verdict.agrees, i == 2);
		expectation.access = &access;
		expectation.allow = i == 4;
		assert_int_equal(warder_expect_check(policy, other, &expectation, &verdict, &holds),
				 0);
		assert_int_equal(holds, i == 2);
	}
	assert_string_equal(warder_expect_text(&expectation, &verdict, words, sizeof(words)),
			    "internal error: the matcher says allowed, but the rules say refused "
			    "(p.yaml:17: syscalls.deny \"ptrace\")");
}

/* --- expect --- */

static void check_expect(bool allow, __u64 with, const char *words, const char *expected)
{
	_cleanup_access_ struct warder_access access = parse(words);
	struct warder_expectation expectation = {.with = with, .allow = allow, .access = &access};
	struct warder_verdict verdict;
	char got[512];
	bool holds;

	assert_int_equal(warder_expect_check(policy, image, &expectation, &verdict, &holds), 0);
	assert_int_equal(holds, !expected);
	if (expected)
		assert_string_equal(warder_expect_text(&expectation, &verdict, got, sizeof(got)),
				    expected);
}

static void runs_the_tests_of_a_policy(void **state)
{
	_cleanup_access_ struct warder_access access = parse("read /x");
	struct warder_expectation wrong = {.set = 1, .access = &access};
	struct warder_verdict verdict;
	bool holds;

	check_expect(true, 0, "read /etc/hosts", NULL);
	check_expect(false, 0, "exec /bin/mail", NULL);
	check_expect(true, MAIL, "exec /bin/mail", NULL);
	check_expect(false, 0, "capability sys_admin", NULL);
	check_expect(false, 0, "exec /bin/ls",
		     "expected to be refused, but allowed: p.yaml:12: exec \"/bin/**\"");
	check_expect(true, 0, "exec /bin/mail",
		     "expected to be allowed, but refused: reserved for tool mail "
		     "(p.yaml:6: exec \"/bin/mail\")");
	check_expect(true, 0, "bind tcp:127.0.0.1:1",
		     "expected to be allowed, but refused: no rule");
	check_expect(true, 0, "capability kill", "expected to be allowed, but refused: no rule");
	assert_int_equal(warder_expect_check(policy, image, &wrong, &verdict, &holds), -EINVAL);
	wrong = (struct warder_expectation){.with = 1ull << 4, .access = &access};
	assert_int_equal(warder_expect_check(policy, image, &wrong, &verdict, &holds), -EINVAL);
}

static int start(void **state)
{
	const struct warder_policy_options options = {.keep_links = true};
	struct warder_diagnostics found = {0};
	int r = warder_policy_parse("p.yaml", text, strlen(text), &options, &found, &policy);

	if (r == 0)
		r = warder_compile(policy, &found, &image);
	if (r < 0)
		warder_diagnostics_print(&found, stdout);
	warder_diagnostics_release(&found);
	return r;
}

static int finish(void **state)
{
	warder_policy_free(&policy);
	free(image);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_for_paths),
		cmocka_unit_test(names_what_opens),
		cmocka_unit_test(answers_for_the_rest),
		cmocka_unit_test(answers_for_what_is_not_enforced),
		cmocka_unit_test(tells_it_as_json),
		cmocka_unit_test(answers_without_the_text),
		cmocka_unit_test(tells_what_keeps_a_directory),
		cmocka_unit_test(sees_a_contradiction),
		cmocka_unit_test(runs_the_tests_of_a_policy),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
