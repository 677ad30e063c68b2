// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* access_text_test.c - "exec /usr/bin/id": what an access is, and what is none, to the letter. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include <warder/surface.h>

#include "policy/access_text.h"

static struct warder_access parse(const char *text)
{
	struct warder_access access = {0};
	struct warder_access_error error = {0};
	int r = warder_access_parse(text, strlen(text), &access, &error);

	if (r < 0)
		print_error("%s: %s\n", text, error.message);
	assert_int_equal(r, 0);
	assert_string_equal(access.text, text);
	return access;
}

static void check_path(const char *text, __u32 rights, const char *path)
{
	_cleanup_access_ struct warder_access access = parse(text);

	assert_int_equal(access.kind, WARDER_ACCESS_PATH);
	assert_int_equal(access.rights, rights);
	assert_string_equal(access.path, path);
	assert_int_equal(access.length, strlen(path));
}

static void reads_paths(void **state)
{
	check_path("read /etc/hosts", WARDER_READ, "/etc/hosts");
	check_path("list /", WARDER_LIST, "/");
	check_path("write+create  /a b ", WARDER_WRITE | WARDER_CREATE, "/a b ");
	check_path("exec /bin/sh", WARDER_EXEC | WARDER_MAP_EXEC, "/bin/sh");
	check_path("map-exec /lib/x.so", WARDER_MAP_EXEC, "/lib/x.so");
	check_path("delete /a/.../..b", WARDER_DELETE, "/a/.../..b");
	check_path("read /a\\*\\[\\]\\{\\}\\?\\\\\\,", WARDER_READ, "/a*[]{}?\\,");
	check_path("connect /run/s", WARDER_CONNECT, "/run/s");
	check_path("connect @", WARDER_CONNECT, "@");
	check_path("connect @a//b/./", WARDER_CONNECT, "@a//b/./");
	check_path("read /dev/fd/3", WARDER_READ, "/proc/self/fd/3");
	check_path("read /dev/stdin", WARDER_READ, "/proc/self/fd/0");
	check_path("read /dev/stdinx", WARDER_READ, "/dev/stdinx");
	check_path("read /proc/net/tcp", WARDER_READ, "/proc/self/net/tcp");
}

/* An abstract name may hold NUL. */
static void reads_any_abstract_name(void **state)
{
	_cleanup_access_ struct warder_access access = {0};
	struct warder_access_error error;

	assert_int_equal(warder_access_parse("connect @\0b", 11, &access, &error), 0);
	assert_int_equal(access.length, 3);
	assert_memory_equal(access.path, "@\0b", 3);
}

static void check_address(const char *text, enum warder_access_verb verb, enum warder_proto proto,
			  __u64 hi, __u64 lo, __u16 port)
{
	_cleanup_access_ struct warder_access access = parse(text);

	assert_int_equal(access.kind, WARDER_ACCESS_ADDRESS);
	assert_int_equal(access.verb, verb);
	assert_int_equal(access.proto, proto);
	assert_true(access.address.hi == hi && access.address.lo == lo);
	assert_int_equal(access.port, port);
	assert_int_equal(
		strncmp(text, warder_access_verb_name(verb), strlen(warder_access_verb_name(verb))),
		0);
}

static void reads_addresses(void **state)
{
	check_address("connect tcp:192.0.2.1:443", WARDER_VERB_CONNECT, WARDER_PROTO_TCP, 0,
		      0xffffc0000201ull, 443);
	check_address("send udp:[2001:db8::1]:53", WARDER_VERB_SEND, WARDER_PROTO_UDP,
		      0x20010db800000000ull, 1, 53);
	/* What programs do, and no rule can say. */
	check_address("connect tcp:0.0.0.0:65535", WARDER_VERB_CONNECT, WARDER_PROTO_TCP, 0,
		      0xffff00000000ull, 65535);
	check_address("accept tcp:[::]:1", WARDER_VERB_ACCEPT, WARDER_PROTO_TCP, 0, 0, 1);
	check_address("connect tcp:[::ffff:10.0.0.1]:1", WARDER_VERB_CONNECT, WARDER_PROTO_TCP, 0,
		      0xffff0a000001ull, 1);
	check_address("bind udp:127.0.0.1:0", WARDER_VERB_BIND, WARDER_PROTO_UDP, 0,
		      0xffff7f000001ull, 0);
}

static void writes_addresses(void **state)
{
	char text[WARDER_ADDRESS_TEXT_MAX];
	struct warder_address last = {~0ull, ~0ull};

	assert_string_equal(
		warder_address_text(WARDER_PROTO_TCP, warder_address_v4(0x7f000001), 25, text),
		"tcp:127.0.0.1:25");
	assert_string_equal(warder_address_text(WARDER_PROTO_UDP, last, 65535, text),
			    "udp:[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535");
}

static void check_number(const char *text, enum warder_access_kind kind, int number)
{
	_cleanup_access_ struct warder_access access = parse(text);

	assert_int_equal(access.kind, kind);
	assert_int_equal(access.number, number);
}

static void reads_names(void **state)
{
	check_number("syscall ptrace", WARDER_ACCESS_SYSCALL, 101);
	check_number("capability sys_admin", WARDER_ACCESS_CAPABILITY, 21);
	check_number("capability CAP_NET_RAW", WARDER_ACCESS_CAPABILITY, 13);
	check_number("kernel perf", WARDER_ACCESS_SURFACE, WARDER_SURFACE_PERF);
}

#define FORM	     "write VERB OBJECT: read /etc/hosts, connect tcp:192.0.2.1:443, syscall ptrace"
#define ADDRESS_FORM "write tcp:ADDRESS:PORT or udp:..., an IPv6 address in brackets"
#define ONE_OBJECT \
	"an access names one object; with a backslash before it the character means itself"

static const struct {
	const char *text;
	size_t offset;
	const char *message, *hint;
} bad[] = {
	{"", 0, "empty access", FORM},
	{" read /x", 0, "space where a verb is expected", FORM},
	{"reed /x", 0, "unknown verb \"reed\"", "did you mean \"read\"?"},
	{"syscal ptrace", 0, "unknown verb \"syscal\"", "did you mean \"syscall\"?"},
	{"frobnicate /x", 0, "unknown verb \"frobnicate\"", FORM},
	{"read+wirte /x", 5, "unknown verb \"wirte\"", "did you mean \"write\"?"},
	{"read+ /x", 5, "unknown verb \"\"", FORM},
	{"reed", 0, "unknown verb \"reed\"", "did you mean \"read\"?"},
	{"read", 4, "nothing behind the verb \"read\"", FORM},
	{"syscall  ", 9, "nothing behind the verb \"syscall\"", FORM},
	{"stat /x", 0, "no hook of this version asks for the right \"stat\"",
	 "what a policy says about it is not enforced"},
	{"read+stat /x", 5, "no hook of this version asks for the right \"stat\"",
	 "what a policy says about it is not enforced"},
	{"write-only /x", 0, "\"write-only\" is several acts",
	 "name one: write, create, delete, rename, link or chattr"},
	{"read x", 5, "relative path", "a path starts with /"},
	{"read **/x", 5, "relative path", "a path starts with /"},
	{"read tcp:127.0.0.1:1", 5, "address where a path is expected",
	 "addresses go with connect, send, bind and accept"},
	{"read @x", 5, "abstract socket name where a path is expected",
	 "abstract names are connected to: connect @NAME"},
	{"connect+read @x", 13, "abstract socket name where a path is expected",
	 "abstract names are connected to: connect @NAME"},
	{"send /x", 5, "path where an address is expected",
	 "unix sockets are connected to: connect /PATH, connect @NAME"},
	{"read /a/", 7, "slash at the end", "a directory is written without it"},
	{"read //", 5, "two slashes in a row", "write one slash"},
	{"read /a//b", 7, "two slashes in a row", "write one slash"},
	{"read /a/../b", 8, "'.' or '..' as a component", "write the path they lead to"},
	{"read /.", 6, "'.' or '..' as a component", "write the path they lead to"},
	{"read /a/*", 8, "pattern where one object is expected", ONE_OBJECT},
	{"read /{a,b}", 6, "pattern where one object is expected", ONE_OBJECT},
	{"read /\\a", 6, "backslash before a character that needs none",
	 "a backslash itself is written \\\\"},
	{"read /a\\", 7, "backslash before a character that needs none",
	 "a backslash itself is written \\\\"},
	{"read /proc/thread-self/maps", 5, "another directory for each thread",
	 "name one of them: /proc/self/task/NUMBER"},
	{"connect 127.0.0.1:1", 8, "address does not start with tcp: or udp:", ADDRESS_FORM},
	{"connect https://x", 8, "URL where an address is expected", ADDRESS_FORM},
	{"connect tcp:example.org:443", 12, "host name",
	 "names are not resolved: write an address"},
	{"connect tcp:10.0.0.0/8:443", 20, "network", "an access names one address"},
	{"connect tcp:*:443", 12, "any address", "an access names one address"},
	{"connect tcp:10.0.0:443", 12, "not an IPv4 address", ADDRESS_FORM},
	{"connect tcp:[::1:443", 12, "'[' without ']'", ADDRESS_FORM},
	{"connect tcp:[fe80::1%eth0]:443", 13, "not an IPv6 address", ""},
	{"connect tcp:127.0.0.1", 21, "address without a port", "write ADDRESS:PORT"},
	{"connect tcp:[::1]x:1", 17, "unexpected text after the address", "write ADDRESS:PORT"},
	{"connect tcp:127.0.0.1:", 22, "not a port", "a port is 1 to 65535"},
	{"connect tcp:127.0.0.1:0", 22, "not a port", "a port is 1 to 65535"},
	{"connect tcp:127.0.0.1:65536", 22, "not a port", "a port is 1 to 65535"},
	{"connect tcp:127.0.0.1:080", 22, "not a port", "a port is 1 to 65535"},
	{"connect tcp:127.0.0.1:80x", 22, "not a port", "a port is 1 to 65535"},
	{"connect tcp:127.0.0.1:80-90", 24, "several ports", "an access names one port"},
	{"syscall ptrac", 8, "\"ptrac\" is no system call of x86-64", "did you mean \"ptrace\"?"},
	{"syscall /x/y/z/w/v", 8, "\"/x/y/z/w/v\" is no system call of x86-64", ""},
	{"capability CAP_SYS_ADMN", 11, "\"CAP_SYS_ADMN\" is no capability",
	 "did you mean \"sys_admin\"?"},
	{"kernel perff", 7, "\"perff\" is no part of the kernel's surface",
	 "did you mean \"perf\"?"},
	{"capability everything", 11, "\"everything\" is no capability",
	 "capabilities(7) lists them: sys_admin, net_raw, ..."},
};

static void says_what_is_wrong(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct warder_access access = {0};
		struct warder_access_error error = {0};

		if (warder_access_parse(bad[i].text, strlen(bad[i].text), &access, &error) == 0)
			fail_msg("taken: %s", bad[i].text);
		if (strcmp(error.message, bad[i].message) || strcmp(error.hint, bad[i].hint) ||
		    error.offset != bad[i].offset)
			fail_msg("%s: %zu: %s: %s", bad[i].text, error.offset, error.message,
				 error.hint);
		assert_null(access.text);
	}
}

static void check_bad(const char *text, size_t length, const char *message)
{
	struct warder_access access = {0};
	struct warder_access_error error = {0};

	assert_int_equal(warder_access_parse(text, length, &access, &error), -EINVAL);
	assert_string_equal(error.message, message);
}

/* What no policy can open, because the kernel side never judges it. */
static void knows_the_limits(void **state)
{
	static char text[2048];
	size_t i;

	check_bad("read /a\0b", 9, "NUL byte in a path");
	check_bad("connect tcp:1\0", 14, "NUL byte in an address");
	check_bad("syscall a\0", 10, "NUL byte in a name");
	strcpy(text, "read /");
	memset(text + 6, 'a', 255);
	check_path(text, WARDER_READ, text + 5);
	text[6 + 255] = 'a';
	check_bad(text, strlen(text), "name longer than 255 bytes");
	strcpy(text, "read ");
	for (i = 0; i < 256; i++)
		strcat(text, "/a");
	check_path(text, WARDER_READ, text + 5);
	strcat(text, "/a");
	check_bad(text, strlen(text), "more than 256 components");
	strcpy(text, "connect @");
	memset(text + 9, 'a', 107);
	text[9 + 107] = 0;
	check_path(text, WARDER_CONNECT, text + 8);
	strcat(text, "a");
	check_bad(text, strlen(text), "abstract name longer than 107 bytes");
}

/* --- links --- */

static char root[] = "/tmp/warder-access-XXXXXX";
static int root_fd;

static void check_followed(const char *text, const char *path)
{
	_cleanup_access_ struct warder_access access = parse(text);
	static struct warder_link_error error;

	assert_int_equal(warder_access_follow(&access, root_fd, getuid(), &error), 0);
	assert_string_equal(access.path, path);
	assert_int_equal(access.length, strlen(path));
	assert_int_equal(access.elsewhere,
			 access.kind == WARDER_ACCESS_PATH && strcmp(strchr(text, ' ') + 1, path));
}

static void follows_links(void **state)
{
	_cleanup_access_ struct warder_access access = parse("read /open/link");
	_cleanup_access_ struct warder_access thread = parse("read /thread/comm");
	static struct warder_link_error error;

	check_followed("exec /bin/sh", "/usr/bin/dash");
	check_followed("read /usr/bin/dash", "/usr/bin/dash");
	check_followed("read /nowhere/x", "/nowhere/x");
	check_followed("read /top", "/");
	check_followed("read /top/usr", "/usr");
	/* Acts on the name itself. */
	check_followed("delete /bin/sh", "/usr/bin/sh");
	check_followed("rename /bin", "/bin");
	check_followed("create /top/x", "/x");
	check_followed("write+create /bin/sh", "/usr/bin/dash");
	/* What a link leads to may be another name itself. */
	check_followed("read /mtab", "/proc/self/mounts");
	check_followed("read /top/dev/fd/3", "/proc/self/fd/3");
	check_followed("connect @/bin/sh", "@/bin/sh");
	check_followed("connect tcp:127.0.0.1:1", "");
	/* A link that others can replace tells nothing; nor one to no single place. */
	assert_int_equal(warder_access_follow(&access, root_fd, getuid(), &error), -EPERM);
	assert_string_equal(error.link, "/open/link");
	assert_string_equal(access.path, "/open/link");
	assert_int_equal(warder_access_follow(&thread, root_fd, getuid(), &error), -EPERM);
	assert_string_equal(thread.path, "/thread/comm");
}

static int make_tree(void **state)
{
	umask(022);
	if (!mkdtemp(root))
		return -1;
	chmod(root, 0755);
	root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return root_fd < 0 || mkdirat(root_fd, "usr", 0755) || mkdirat(root_fd, "usr/bin", 0755) ||
	       mkdirat(root_fd, "open", 0755) || fchmodat(root_fd, "open", 0777, 0) ||
	       symlinkat("usr/bin", root_fd, "bin") || symlinkat("dash", root_fd, "usr/bin/sh") ||
	       symlinkat("/", root_fd, "top") || symlinkat("/proc/mounts", root_fd, "mtab") ||
	       symlinkat("/proc/thread-self", root_fd, "thread") ||
	       symlinkat("/usr", root_fd, "open/link");
}

static int remove_tree(void **state)
{
	unlinkat(root_fd, "open/link", 0);
	unlinkat(root_fd, "thread", 0);
	unlinkat(root_fd, "mtab", 0);
	unlinkat(root_fd, "top", 0);
	unlinkat(root_fd, "usr/bin/sh", 0);
	unlinkat(root_fd, "bin", 0);
	unlinkat(root_fd, "open", AT_REMOVEDIR);
	unlinkat(root_fd, "usr/bin", AT_REMOVEDIR);
	unlinkat(root_fd, "usr", AT_REMOVEDIR);
	close(root_fd);
	return rmdir(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_paths),
		cmocka_unit_test(reads_any_abstract_name),
		cmocka_unit_test(reads_addresses),
		cmocka_unit_test(writes_addresses),
		cmocka_unit_test(reads_names),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(knows_the_limits),
		cmocka_unit_test_setup_teardown(follows_links, make_tree, remove_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
