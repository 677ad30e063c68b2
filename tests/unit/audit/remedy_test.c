// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * remedy_test.c - what a summary suggests is valid policy text and does allow what was refused;
 * nothing is suggested where nothing helps.
 */
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include <warder/access.h>
#include <warder/hook.h>
#include <warder/surface.h>

#include "audit/explain.h"
#include "audit/fold.h"
#include "audit/remedy.h"
#include "base/cleanup.h"

#define HEAD "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"

static const char policy_text[] = HEAD
	"tools:\n"
	"  mail: { exec: [/usr/sbin/sendmail], unix: {connect: [/run/mail.sock]},\n"
	"          network: {connect: ['tcp:127.0.0.1:25']} }\n"
	"sets:\n"
	"  agent: { files: { read: [/srv/**], deny: { read: ['**/.env'], write: [/fixed] } },\n"
	"           exec: [/usr/bin/true], syscalls: { deny: [ptrace] } }\n";

static struct warder_policy *parse(const char *text)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	struct warder_policy *policy = NULL;

	if (warder_policy_parse("p.yaml", text, strlen(text), &options, &diagnostics, &policy)) {
		warder_diagnostics_print(&diagnostics, stderr);
		fail_msg("no policy: %s", text);
	}
	return policy;
}

static __u64 keyring(const struct warder_policy *policy)
{
	return warder_policy_keyring(policy, warder_policy_run_set(policy));
}

static struct warder_event refused(unsigned int hook, unsigned int object, unsigned int reason)
{
	return (struct warder_event){
		.hook = hook,
		.object = object,
		.reason = reason,
		.error = -EACCES,
		.syscall = SYS_openat,
	};
}

static struct warder_event refused_path(unsigned int hook, __u32 missing, size_t length)
{
	struct warder_event event = refused(hook, WARDER_OBJECT_PATH, WARDER_REASON_NO_RULE);

	event.rights = event.missing = missing;
	event.text_length = length;
	return event;
}

/* What is said about an event under the policy above. */
static void find(const struct warder_event *event, const char *text, struct warder_remedy *remedy)
{
	_cleanup_policy_ struct warder_policy *policy = parse(policy_text);
	struct warder_explanation explanation;
	bool explained = warder_event_explain(event, text, policy, keyring(policy), &explanation) ==
			 0;

	warder_remedy_find(event, text, "agent", explained ? &explanation : NULL, remedy);
}

static void check_text(const struct warder_event *event, const char *text, const char *expected)
{
	char said[WARDER_REMEDY_TEXT_MAX];
	struct warder_remedy remedy;

	find(event, text, &remedy);
	assert_string_equal(warder_remedy_text(&remedy, said, sizeof(said)), expected);
}

/* Put the rule into a set of its own and ask again: would it be allowed? */
static void check_allows(const struct warder_remedy *remedy, const struct warder_event *event,
			 const char *text, size_t length)
{
	_cleanup_policy_ struct warder_policy *policy = NULL;
	struct warder_explanation explanation;
	struct warder_event again = *event;
	char rule[WARDER_REMEDY_TEXT_MAX], whole[sizeof(rule) + 256];

	assert_int_equal(remedy->kind, WARDER_REMEDY_RULE);
	warder_remedy_rule(remedy, rule, sizeof(rule));
	assert_true(rule[0]);
	snprintf(whole, sizeof(whole), HEAD "sets:\n  agent:\n    %s\n", rule);
	policy = parse(whole);
	again.text_length = length;
	again.error = 0; /* agrees with the policy when that allows it */
	again.reason = WARDER_REASON_GRANTED_KEY;
	if (warder_event_explain(&again, text, policy, keyring(policy), &explanation) < 0)
		fail_msg("not allowed: %s", whole);
	assert_true(explanation.allowed);
}

static void says_rules(void **state)
{
	static const char tmp[] = "/tmp/x";
	struct warder_event event = refused_path(WARDER_HOOK_FILE_OPEN, WARDER_READ, 6);
	const struct {
		unsigned int hook;
		__u32 missing;
		const char *text;
	} cases[] = {
		{WARDER_HOOK_FILE_OPEN, WARDER_READ, "files: {read: [/tmp/x]}"},
		{WARDER_HOOK_FILE_OPEN, WARDER_LIST, "files: {list: [/tmp/x]}"},
		{WARDER_HOOK_FILE_OPEN, WARDER_WRITE, "files: {write-only: [/tmp/x]}"},
		{WARDER_HOOK_FILE_OPEN, WARDER_READ | WARDER_WRITE, "files: {write: [/tmp/x]}"},
		{WARDER_HOOK_FILE_OPEN, WARDER_MAP_EXEC, "exec: [/tmp/x]"},
		{WARDER_HOOK_BPRM_CHECK_SECURITY, WARDER_EXEC, "exec: [/tmp/x]"},
		{WARDER_HOOK_MMAP_FILE, WARDER_MAP_EXEC, "files: {map-exec: [/tmp/x]}"},
		{WARDER_HOOK_PATH_MKDIR, WARDER_CREATE, "files: {create: [/tmp/x]}"},
		{WARDER_HOOK_PATH_UNLINK, WARDER_DELETE, "files: {delete: [/tmp/x]}"},
		{WARDER_HOOK_PATH_RENAME, WARDER_RENAME, "files: {rename: [/tmp/x]}"},
		{WARDER_HOOK_PATH_RENAME, WARDER_CREATE | WARDER_DELETE,
		 "files: {write-only: [/tmp/x]}"},
		{WARDER_HOOK_PATH_LINK, WARDER_LINK, "files: {link: [/tmp/x]}"},
		{WARDER_HOOK_PATH_CHMOD, WARDER_CHATTR, "files: {chattr: [/tmp/x]}"},
		/* What open(2) creates it also writes to. */
		{WARDER_HOOK_PATH_MKNOD, WARDER_CREATE, "files: {write-only: [/tmp/x]}"},
		{WARDER_HOOK_UNIX_STREAM_CONNECT, WARDER_CONNECT, "unix: {connect: [/tmp/x]}"},
	};
	struct warder_remedy remedy;
	char expected[128];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		event = refused_path(cases[i].hook, cases[i].missing, strlen(tmp));
		snprintf(expected, sizeof(expected), "%s in set \"agent\" would allow it",
			 cases[i].text);
		check_text(&event, tmp, expected);
		find(&event, tmp, &remedy);
		check_allows(&remedy, &event, tmp, strlen(tmp));
	}
	event = refused_path(WARDER_HOOK_PATH_MKNOD, WARDER_CREATE, strlen(tmp));
	event.syscall = SYS_mknodat;
	check_text(&event, tmp, "files: {create: [/tmp/x]} in set \"agent\" would allow it");
}

/* The name of an unnamed file is a number: the rule is about all of the directory. */
static void says_unnamed_files(void **state)
{
	static const char *const paths[] = {"/tmp/#12345", "/#1"};
	static const char *const expected[] = {
		"files: {write: ['/tmp/#[0-9]*']} in set \"agent\" would allow it",
		"files: {write: ['/#[0-9]*']} in set \"agent\" would allow it",
	};
	struct warder_remedy remedy;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct warder_event event = refused_path(WARDER_HOOK_FILE_OPEN,
							 WARDER_READ | WARDER_WRITE | WARDER_CREATE,
							 strlen(paths[i]));

		check_text(&event, paths[i], expected[i]);
		find(&event, paths[i], &remedy);
		check_allows(&remedy, &event, paths[i], strlen(paths[i]));
	}
}

static void check_endpoint(unsigned int proto, __u64 hi, __u64 lo, const char *expected)
{
	struct warder_event event =
		refused(WARDER_HOOK_SOCKET_CONNECT, WARDER_OBJECT_ADDRESS, WARDER_REASON_NO_RULE);
	struct warder_remedy remedy;

	event.family = AF_INET6;
	event.proto = proto;
	event.address_hi = hi;
	event.address_lo = lo;
	event.port = 443;
	check_text(&event, "", expected);
	find(&event, "", &remedy);
	check_allows(&remedy, &event, "", 0);
}

static void says_addresses(void **state)
{
	struct warder_event event =
		refused(WARDER_HOOK_SOCKET_BIND, WARDER_OBJECT_ADDRESS, WARDER_REASON_NO_RULE);
	struct warder_remedy remedy;

	check_endpoint(IPPROTO_TCP, 0, 0xffff01020304ull,
		       "network: {connect: ['tcp:1.2.3.4:443']} in set \"agent\" would allow it");
	check_endpoint(
		IPPROTO_UDP, 0x20010db800000000ull, 1,
		"network: {connect: ['udp:[2001:db8::1]:443']} in set \"agent\" would allow it");
	/* As they are judged. */
	check_endpoint(IPPROTO_TCP, 0, 0,
		       "network: {connect: ['tcp:[::1]:443']} in set \"agent\" would allow it");
	check_endpoint(IPPROTO_TCP, 0, 0xffff00000000ull,
		       "network: {connect: ['tcp:127.0.0.1:443']} in set \"agent\" would allow it");
	/* IPv4-compatible, not mapped. */
	check_endpoint(
		IPPROTO_TCP, 0, 0x01020304,
		"network: {connect: ['tcp:[::1.2.3.4]:443']} in set \"agent\" would allow it");
	event.family = AF_INET;
	event.proto = IPPROTO_TCP;
	event.port = 25;
	/* A tool's address to connect to is none of one's own. */
	event.address_lo = 0xffff7f000001ull;
	check_text(&event, "",
		   "network: {bind: ['tcp:127.0.0.1:25']} in set \"agent\" would allow it");
	/* No address is all of them, and port 0 one that the kernel picks. */
	event.hook = WARDER_HOOK_SOCKET_LISTEN;
	event.address_lo = 0xffff00000000ull;
	event.port = 0;
	check_text(&event, "",
		   "network: {bind: ['tcp:0.0.0.0:0']} in set \"agent\" would allow it");
	find(&event, "", &remedy);
	check_allows(&remedy, &event, "", 0);
	event.hook = WARDER_HOOK_INET_CONN_REQUEST;
	event.address_lo = 0xffffc0000207ull;
	event.port = 43210;
	check_text(&event, "",
		   "network: {accept: ['tcp:192.0.2.7']} in set \"agent\" would allow it");
	find(&event, "", &remedy);
	check_allows(&remedy, &event, "", 0);
	event.address_lo = 0xffff7f000001ull;
	event.port = 25;
	event.hook = WARDER_HOOK_SOCKET_CONNECT;
	event.port = 0;
	check_text(&event, "", "no rule of this version can grant it");
}

static void says_grants(void **state)
{
	static const char grant[] = "`warder grant NAME mail --for 5m --reason ...` would allow it";
	struct warder_event event = refused_path(WARDER_HOOK_FILE_OPEN, WARDER_MAP_EXEC, 18);

	check_text(&event, "/usr/sbin/sendmail", grant);
	event = refused_path(WARDER_HOOK_UNIX_STREAM_CONNECT, WARDER_CONNECT, 14);
	event.object = WARDER_OBJECT_UNIX;
	check_text(&event, "/run/mail.sock", grant);
	event = refused(WARDER_HOOK_SOCKET_CONNECT, WARDER_OBJECT_ADDRESS, WARDER_REASON_NO_RULE);
	event.proto = IPPROTO_TCP;
	event.address_lo = 0xffff7f000001ull;
	event.port = 25;
	check_text(&event, "", grant);
	/* Reading the program is nobody's in particular. */
	event = refused_path(WARDER_HOOK_FILE_OPEN, WARDER_READ, 18);
	check_text(&event, "/usr/sbin/sendmail",
		   "files: {read: [/usr/sbin/sendmail]} in set \"agent\" would allow it");
}

/* Kernel surface has words, but for what would let its holder choose what paths mean. */
static void names_the_surface(void **state)
{
	struct warder_event event =
		refused(WARDER_HOOK_PERF_EVENT_OPEN, WARDER_OBJECT_SURFACE, WARDER_REASON_SURFACE);

	event.number = WARDER_SURFACE_PERF;
	check_text(&event, "", "kernel: [perf] in set \"agent\" would allow it");
	event.number = WARDER_SURFACE_MOUNTS;
	check_text(&event, "", "no rule of this version can grant it");
	event = refused(WARDER_HOOK_CAPABLE, WARDER_OBJECT_CAP, WARDER_REASON_SURFACE);
	event.number = 13;
	check_text(&event, "", "capabilities: [net_raw] in set \"agent\" would allow it");
	event.number = 21;
	check_text(&event, "", "no rule of this version can grant it");
}

static void says_nothing(void **state)
{
	static const unsigned int impossible[] = {
		WARDER_REASON_SURFACE,	  WARDER_REASON_NOT_MEMBER, WARDER_REASON_FOREIGN_ABI,
		WARDER_REASON_UNFINISHED, WARDER_REASON_TOO_DEEP,   WARDER_REASON_SPELLING};
	static const unsigned int silent[] = {WARDER_REASON_WIDEN,   WARDER_REASON_UNSTABLE,
					      WARDER_REASON_UNKNOWN, WARDER_REASON_NO_MEMORY,
					      WARDER_REASON_SYSCALL, WARDER_REASON_NOT_BOUND,
					      WARDER_REASON_GONE};
	struct warder_event event = refused_path(WARDER_HOOK_FILE_OPEN, WARDER_READ, 9);
	size_t i;

	event.reason = WARDER_REASON_DENY_RULE;
	check_text(&event, "/srv/.env", "");
	/* The kernel found no rule, the policy of now denies: nothing is sure. */
	event.reason = WARDER_REASON_NO_RULE;
	check_text(&event, "/srv/.env", "");
	event.text_length = 19;
	check_text(&event, "/run/warder/session", "");
	event.text_length = 6;
	event.flags = WARDER_EVENT_TEXT_CUT;
	check_text(&event, "/tmp/x", "");
	event.flags = 0;
	event.error = 0;
	check_text(&event, "/tmp/x", "");
	event.error = -EACCES;
	for (i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
		event.reason = silent[i];
		check_text(&event, "/tmp/x", "");
	}
	for (i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		event.reason = impossible[i];
		check_text(&event, "/tmp/x", "no rule of this version can grant it");
	}
	event = refused(WARDER_HOOK_SOCKET_LISTEN, WARDER_OBJECT_SOCKET, WARDER_REASON_NO_RULE);
	check_text(&event, "", "no rule of this version can grant it");
	event = refused_path(WARDER_HOOK_BPRM_CHECK_SECURITY, WARDER_EXEC, 5);
	event.object = WARDER_OBJECT_NAMED;
	check_text(&event, "memfd", "no rule of this version can grant it");
}

/* Names that YAML, globs and terminals would take for something else. */
static void hostile_names(void **state)
{
	static const char *const names[] = {"/a b",
					    "/a, b",
					    "/[x]",
					    "/{a,b}",
					    "/a: b",
					    "/a #b",
					    "/*",
					    "/**",
					    "/a?",
					    "/'",
					    "/\"",
					    "/\\",
					    "/\\*",
					    "/${HOME}",
					    "/$HOME",
					    "/-",
					    "/~",
					    "/a\nb",
					    "/\x1b[31m",
					    "/\x7f",
					    "/\xff\xfe",
					    "/\xe2\x80\xae",
					    "/\xef\xbb\xbf",
					    "/\xc3\xa9",
					    "/\xc2\x85",
					    "/\xef\xbf\xbf",
					    "/\t",
					    "/ ",
					    "/%",
					    "/&a",
					    "/!!str",
					    "/null",
					    "/a/{b",
					    "/a]",
					    "/@x"};
	static const char abstract[] = "@a\0b*\n/'";
	struct warder_remedy remedy;
	struct warder_event event;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		event = refused_path(WARDER_HOOK_FILE_OPEN, WARDER_READ, strlen(names[i]));
		find(&event, names[i], &remedy);
		check_allows(&remedy, &event, names[i], strlen(names[i]));
		event = refused_path(WARDER_HOOK_BPRM_CHECK_SECURITY, WARDER_EXEC,
				     strlen(names[i]));
		find(&event, names[i], &remedy);
		check_allows(&remedy, &event, names[i], strlen(names[i]));
	}
	event = refused(WARDER_HOOK_UNIX_STREAM_CONNECT, WARDER_OBJECT_UNIX, WARDER_REASON_NO_RULE);
	event.rights = event.missing = WARDER_CONNECT;
	event.text_length = sizeof(abstract) - 1;
	find(&event, abstract, &remedy);
	check_allows(&remedy, &event, abstract, sizeof(abstract) - 1);
}

static void random_names(void **state)
{
	static const char special[] = "*?[]{}\\,-!'\"#:&|>%@`~$ \t\n\x1b\x7f/.=<{";
	struct warder_remedy remedy;
	char path[32] = "/";
	size_t round, length, i;

	srand(2);
	for (round = 0; round < 1000; round++) {
		struct warder_event event;

		length = 2 + rand() % (sizeof(path) - 2);
		for (i = 1; i < length; i++) {
			path[i] = rand() % 2 ? special[rand() % (sizeof(special) - 1)]
					     : rand() % 255 + 1;
			if (path[i] == '.' || (path[i] == '/' && path[i - 1] == '/'))
				path[i] = 'x';
		}
		if (path[length - 1] == '/')
			path[length - 1] = 'x';
		event = refused_path(WARDER_HOOK_PATH_UNLINK, WARDER_DELETE, length);
		find(&event, path, &remedy);
		check_allows(&remedy, &event, path, length);
	}
}

/* A name too long for a line is none to be suggested. */
static void long_names(void **state)
{
	char path[WARDER_TEXT_MAX];
	struct warder_event event;

	memset(path, 'a', sizeof(path));
	path[0] = '/';
	event = refused_path(WARDER_HOOK_FILE_OPEN, WARDER_READ, 600);
	check_text(&event, path, "");
	event.text_length = WARDER_TEXT_MAX;
	check_text(&event, path, "");
	memcpy(path + WARDER_TEXT_MAX - 4, "/#12", 4);
	event.rights = event.missing = WARDER_READ | WARDER_CREATE;
	check_text(&event, path, "");
}

/* What is folded is suggested as the pattern that it is shown as. */
static void patterns(void **state)
{
	static const char pattern[] = "/tmp/[t]mp\0\0.s";
	struct warder_event event = refused_path(WARDER_HOOK_PATH_MKNOD, WARDER_CREATE, 14);
	struct warder_remedy remedy;
	char said[WARDER_REMEDY_TEXT_MAX];

	find(&event, "/tmp/[t]mp12.s", &remedy);
	warder_remedy_set_path(&remedy, pattern, sizeof(pattern) - 1, "?");
	assert_string_equal(warder_remedy_rule(&remedy, said, sizeof(said)),
			    "files: {write-only: ['/tmp/\\[t\\]mp??.s']}");
	check_allows(&remedy, &event, "/tmp/[t]mp12.s", 14);
	check_allows(&remedy, &event, "/tmp/[t]mpxy.s", 14);
	/* Only who says what it stands for has one in a name. */
	warder_remedy_set_path(&remedy, pattern, sizeof(pattern) - 1, NULL);
	assert_int_equal(remedy.kind, WARDER_REMEDY_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_rules),	     cmocka_unit_test(says_unnamed_files),
		cmocka_unit_test(says_addresses),    cmocka_unit_test(says_grants),
		cmocka_unit_test(names_the_surface), cmocka_unit_test(says_nothing),
		cmocka_unit_test(hostile_names),     cmocka_unit_test(random_names),
		cmocka_unit_test(long_names),	     cmocka_unit_test(patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
