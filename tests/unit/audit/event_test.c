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
#include <warder/surface.h>

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

	assert_string_equal(warder_event_act(event, text, buffer, sizeof(buffer)), act);
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
	event.proto = 199;
	event.address_hi = 0x20010db800000000ull;
	event.address_lo = 1;
	check_words(&event, "", "connect", "proto-199:[2001:db8::1]:443");
	/* A packet on its way: its protocol is not looked at. */
	event.proto = event.port = 0;
	check_words(&event, "", "connect", "[2001:db8::1]");

	event = refused(WARDER_HOOK_TASK_KILL, WARDER_OBJECT_PROCESS);
	event.number = 1;
	event.signal = 9;
	check_words(&event, "", "signal", "process 1 (SIGKILL)");
	event.signal = 40;
	check_words(&event, "", "signal", "process 1 (SIGRTMIN+6)");
	event.signal = 33;
	check_words(&event, "", "signal", "process 1 (signal 33)");

	event = refused(WARDER_HOOK_CAPABLE, WARDER_OBJECT_CAP);
	event.number = 21;
	check_words(&event, "", "use capability", "sys_admin");
	event.number = 77;
	check_words(&event, "", "use capability", "#77");

	event = refused(WARDER_HOOK_SB_MOUNT, WARDER_OBJECT_SURFACE);
	event.number = WARDER_SURFACE_MOUNTS;
	check_words(&event, "", "use", "mounts");
	event.number = 77;
	check_words(&event, "", "use", "?");

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

/* No number where there is a name. */
static void names_sockets(void **state)
{
	static const struct {
		unsigned int family, type, protocol;
		const char *words;
	} cases[] = {
		{AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK, 0, "netlink socket, raw, route"},
		{AF_NETLINK, SOCK_DGRAM, 16, "netlink socket, datagram, generic"},
		{AF_INET, SOCK_STREAM, 0, "inet socket, stream, tcp"},
		{AF_INET6, SOCK_DGRAM, 0, "inet6 socket, datagram, udp"},
		{AF_INET, SOCK_RAW, 1, "inet socket, raw, icmp"},
		{AF_INET, SOCK_STREAM, 262, "inet socket, stream, mptcp"},
		{AF_INET, SOCK_DGRAM, 199, "inet socket, datagram, protocol 199"},
		{AF_UNIX, SOCK_SEQPACKET, 0, "unix socket, sequential packet"},
		{AF_PACKET, SOCK_RAW, 0x300, "packet socket, raw, all"},
		{AF_PACKET, SOCK_RAW, 0x301, "packet socket, raw, protocol 769"},
		{AF_VSOCK, SOCK_STREAM, 0, "vsock socket, stream"},
		{200, 9, 0, "socket of family 200, type 9"},
	};
	struct warder_event event = refused(WARDER_HOOK_SOCKET_CREATE, WARDER_OBJECT_SOCKET);
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		event.family = cases[i].family;
		event.socket_type = cases[i].type;
		event.proto = cases[i].protocol;
		check_words(&event, "", "create socket", cases[i].words);
	}
	for (i = 0; i < AF_MAX; i++)
		assert_non_null(warder_name_family(i));
	event = refused(WARDER_HOOK_SOCKET_BIND, WARDER_OBJECT_ADDRESS);
	event.family = AF_INET;
	event.socket_type = SOCK_STREAM;
	event.address_lo = 0xffff00000000ull;
	event.port = 8000;
	check_words(&event, "", "bind", "tcp:0.0.0.0:8000");
	event.socket_type = SOCK_DGRAM;
	check_words(&event, "", "bind", "udp:0.0.0.0:8000");
}

/* The name of an unnamed file is a number that the kernel made up. */
static void says_unnamed_files(void **state)
{
	struct warder_event event = refused(WARDER_HOOK_FILE_OPEN, WARDER_OBJECT_PATH);
	struct warder_record record = {.event = &event, .text = "/tmp/#123"};
	json_t *json;

	event.rights = event.missing = WARDER_READ | WARDER_WRITE | WARDER_CREATE;
	event.text_length = 9;
	check_words(&event, "/tmp/#123", "create unnamed file in", "/tmp");
	json = warder_event_json(&record);
	assert_string_equal(json_string_value(json_object_get(json, "object")), "/tmp");
	json_decref(json);
	event.missing = WARDER_READ;
	check_words(&event, "/tmp/#123", "create unnamed file in", "/tmp");
	event.text_length = 3;
	check_words(&event, "/#1", "create unnamed file in", "/");
	check_words(&event, "/#x", "read", "/#x");
	event.text_length = 2;
	check_words(&event, "/#", "read", "/#");
	/* A file of that name. */
	event.text_length = 9;
	event.rights = WARDER_READ;
	check_words(&event, "/tmp/#123", "read", "/tmp/#123");
}

/* A number of another ABI is looked up in that ABI's table. */
static void names_foreign_calls(void **state)
{
	struct warder_event event = refused(WARDER_HOOK_FILE_OPEN, WARDER_OBJECT_SYSCALL);

	event.number = 5;
	event.reason = WARDER_REASON_SYSCALL;
	check_words(&event, "", "system call", "fstat");
	event.reason = WARDER_REASON_FOREIGN_ABI;
	check_words(&event, "", "system call", "open (i386)");
	event.number = 0x40000000 | 2;
	check_words(&event, "", "system call", "open (x32)");
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
	assert_null(json_object_get(json, "if_new"));
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(json_object_get(json, keys[i]));
	assert_string_equal(json_string_value(json_object_get(json, "syscall")), "openat");
	assert_string_equal(json_string_value(json_object_get(json, "hook")), "file_open");
	json_decref(json);
	event.flags = WARDER_EVENT_IF_NEW;
	json = warder_event_json(&record);
	assert_true(json_is_true(json_object_get(json, "if_new")));
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
	line = line_of(
		"{\"type\":\"event\",\"verdict\":\"denied\",\"subject\":\"b\",\"comm\":\"m\","
		"\"pid\":3,\"act\":\"create\",\"object\":\"/s\",\"if_new\":true,"
		"\"rule\":\"no rule\"}");
	assert_string_equal(line + 9, "denied     b m[3]: create /s, if new (no rule)\n");
	free(line);
	line = line_of("{\"type\":\"unbind\",\"subject\":\"b\",\"by_uid\":0,\"refusals\":3000,"
		       "\"not_recorded\":2488}");
	assert_string_equal(line + 9, "unbind     b, by uid 0: 3000 refusals, 2488 events counted "
				      "only (they came faster than warder records them)\n");
	free(line);
	line = line_of("{\"type\":\"unbind\",\"subject\":\"b\",\"by_uid\":0,\"refusals\":0,"
		       "\"not_recorded\":0}");
	assert_string_equal(line + 9, "unbind     b, by uid 0\n");
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
		cmocka_unit_test(says_objects_in_words), cmocka_unit_test(names_sockets),
		cmocka_unit_test(says_unnamed_files),	 cmocka_unit_test(names_foreign_calls),
		cmocka_unit_test(escapes_hostile_bytes), cmocka_unit_test(json_has_every_field),
		cmocka_unit_test(names_are_complete),	 cmocka_unit_test(takes_only_whole_samples),
		cmocka_unit_test(lines_are_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
