// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* event_test.c - events in words and in JSON; hostile bytes in both. */
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include <warder/access.h>
#include <warder/hook.h>

#include "audit/event.h"
#include "audit/line.h"
#include "audit/name.h"

static struct warder_event refused(unsigned int hook, unsigned int object)
{
	return (struct warder_event){
		.sequence = 7,
		.pid = 17,
		.hook = hook,
		.object = object,
		.error = -EACCES,
		.reason = WARDER_REASON_NO_RULE,
		.syscall = 257,
		.comm = "python3",
		.exe = "python3.11",
	};
}

static void check_words(const struct warder_event *event, const char *text, const char *act,
			const char *object)
{
	char buffer[WARDER_OBJECT_TEXT_MAX];

	assert_string_equal(warder_event_act(event, buffer, sizeof(buffer)), act);
	assert_string_equal(warder_event_object(event, text, buffer, sizeof(buffer)), object);
}

static void says_objects_in_words(void **state)
{
	struct warder_event event = refused(WARDER_HOOK_FILE_OPEN, WARDER_OBJECT_PATH);

	event.rights = WARDER_READ | WARDER_WRITE;
	event.missing = WARDER_WRITE;
	event.text_length = 11;
	check_words(&event, "/etc/shadow", "write", "/etc/shadow");
	event.flags = WARDER_EVENT_TEXT_CUT;
	check_words(&event, "/etc/shadow", "write", ".../etc/shadow");

	/* A program that is opened to be run: what was tried is an exec. A library is mapped. */
	event.flags = 0;
	event.rights = event.missing = WARDER_MAP_EXEC;
	check_words(&event, "/etc/shadow", "exec", "/etc/shadow");
	event.hook = WARDER_HOOK_MMAP_FILE;
	check_words(&event, "/etc/shadow", "map-exec", "/etc/shadow");

	event = refused(WARDER_HOOK_SOCKET_CONNECT, WARDER_OBJECT_ADDRESS);
	event.proto = IPPROTO_TCP;
	event.address_lo = 0xffff01020304ull;
	event.port = 443;
	check_words(&event, "", "connect", "tcp:1.2.3.4:443");
	event.proto = 99;
	event.address_hi = 0x20010db800000000ull;
	event.address_lo = 1;
	check_words(&event, "", "connect", "proto-99:[2001:db8::1]:443");

	event = refused(WARDER_HOOK_SOCKET_CREATE, WARDER_OBJECT_SOCKET);
	event.family = AF_NETLINK;
	event.socket_type = SOCK_RAW | SOCK_NONBLOCK;
	check_words(&event, "", "create socket", "netlink socket, type 3, protocol 0");
	event.family = 200;
	check_words(&event, "", "create socket", "socket of family 200, type 3, protocol 0");

	event = refused(WARDER_HOOK_TASK_KILL, WARDER_OBJECT_PROCESS);
	event.number = 1;
	event.signal = 9;
	check_words(&event, "", "signal", "process 1 (SIGKILL)");
	event.signal = 40;
	check_words(&event, "", "signal", "process 1 (signal 40)");

	event = refused(WARDER_HOOK_CAPABLE, WARDER_OBJECT_CAP);
	event.number = 21;
	check_words(&event, "", "use capability", "sys_admin");
	event.number = 77;
	check_words(&event, "", "use capability", "#77");

	event = refused(WARDER_HOOK_CAPABLE, WARDER_OBJECT_SYSCALL);
	event.number = 101;
	check_words(&event, "", "system call", "ptrace");
	event.number = -1;
	check_words(&event, "", "system call", "#-1");

	event = refused(WARDER_HOOK_USERNS_CREATE, WARDER_OBJECT_NONE);
	check_words(&event, "", "create user namespace", "");
	event.hook = 255;
	check_words(&event, "", "?", "");
}

static void escapes_hostile_bytes(void **state)
{
	static const char text[] = "/tmp/\n\x1b[2J\xff";
	struct warder_event event = refused(WARDER_HOOK_FILE_OPEN, WARDER_OBJECT_PATH);
	struct warder_record record = {.event = &event, .text = text, .subject = "bot"};
	json_t *json;

	event.missing = WARDER_READ;
	event.text_length = sizeof(text) - 1;
	check_words(&event, text, "read", "/tmp/\\x0a\\x1b[2J\\xff");
	json = warder_event_json(&record);
	assert_string_equal(json_string_value(json_object_get(json, "object_hex")),
			    "2f746d702f0a1b5b324aff");
	json_decref(json);

	/* Valid UTF-8 stays itself, a NUL of an abstract name too. */
	event.text_length = 4;
	record.text = "@a\0b";
	json = warder_event_json(&record);
	assert_null(json_object_get(json, "object_hex"));
	assert_int_equal(json_string_length(json_object_get(json, "object")), 4);
	json_decref(json);
}

static void json_has_every_field(void **state)
{
	static const char *const keys[] = {
		"type",	   "time",    "boottime",   "sequence",	  "verdict",
		"subject", "binding", "generation", "cgroup",	  "pid",
		"tid",	   "uid",     "gid",	    "start_time", "comm",
		"exe",	   "hook",    "second_net", "syscall",	  "act",
		"missing", "object",  "error",	    "reason",	  "rule"};
	struct warder_event event = refused(WARDER_HOOK_FILE_OPEN, WARDER_OBJECT_PATH);
	struct warder_record record = {
		.event = &event, .text = "/a", .subject = "bot", .rule = "no rule"};
	json_t *json;
	size_t i;

	event.missing = WARDER_READ;
	event.text_length = 2;
	json = warder_event_json(&record);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(json_object_get(json, keys[i]));
	assert_string_equal(json_string_value(json_object_get(json, "syscall")), "openat");
	assert_string_equal(json_string_value(json_object_get(json, "hook")), "file_open");
	json_decref(json);
}

static void names_are_complete(void **state)
{
	unsigned int i;

	for (i = 0; i < WARDER_HOOK_COUNT; i++) {
		assert_string_not_equal(warder_name_hook(i), "?");
		assert_string_not_equal(warder_name_act(i), "?");
	}
	for (i = 0; i < WARDER_REASON_COUNT; i++)
		assert_string_not_equal(warder_name_reason(i), "?");
	assert_string_equal(warder_name_capability(40), "checkpoint_restore");
	assert_null(warder_name_capability(41));
}

static void takes_only_whole_samples(void **state)
{
	struct warder_event sample[2] = {{.text_length = sizeof(struct warder_event)}};
	const struct warder_event *event = NULL;
	const char *text = NULL;

	assert_false(warder_event_parse(sample, sizeof(sample[0]) - 1, &event, &text));
	assert_false(warder_event_parse(sample, sizeof(sample) - 1, &event, &text));
	assert_null(event);
	assert_true(warder_event_parse(sample, sizeof(sample), &event, &text));
	assert_ptr_equal(text, &sample[1]);
	sample[0].text_length = 0xffffffffu;
	assert_false(warder_event_parse(sample, sizeof(sample), &event, &text));
}

static char *line_of(const char *json_text)
{
	json_t *record = json_loads(json_text, JSON_ALLOW_NUL, NULL);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(record);
	warder_line_print(record, out);
	fclose(out);
	json_decref(record);
	return text;
}

static void lines_are_for_people(void **state)
{
	char *line =
		line_of("{\"type\":\"event\",\"time\":0,\"verdict\":\"denied\",\"subject\":\"b\","
			"\"comm\":\"sh\\u001b\",\"pid\":3,\"act\":\"read\","
			"\"object\":\"/a\\nb\",\"rule\":\"no rule\"}");

	assert_string_equal(line + 9, "denied     b sh\\x1b[3]: read /a\\x0ab (no rule)\n");
	free(line);
	line = line_of(
		"{\"type\":\"event\",\"verdict\":\"allowed\",\"subject\":\"b\",\"comm\":\"m\","
		"\"pid\":3,\"act\":\"exec\",\"object\":\"/s\",\"keys\":\"mail\","
		"\"reason\":\"granted-key\"}");
	assert_string_equal(line + 9, "key used   b m[3]: exec /s with mail (granted-key)\n");
	free(line);
	line = line_of("{\"type\":\"grant\",\"subject\":\"b\",\"key\":\"mail\",\"by_uid\":0,"
		       "\"until\":\"revoked\",\"reason\":\"why\"}");
	assert_string_equal(line + 9, "grant      b: mail until revoked, by uid 0: why\n");
	free(line);
	/* A damaged log: no clock reads 1e300 seconds, and a type is text like any other. */
	line = line_of("{\"type\":\"\\u001b\\n\",\"time\":1e300,\"until\":-1e300}");
	assert_string_equal(line, "??:??:?? \\x1b\\x0a    until ??:??:??, by uid 0\n");
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_objects_in_words),    cmocka_unit_test(escapes_hostile_bytes),
		cmocka_unit_test(json_has_every_field),	    cmocka_unit_test(names_are_complete),
		cmocka_unit_test(takes_only_whole_samples), cmocka_unit_test(lines_are_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
