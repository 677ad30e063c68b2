// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* compile_test.c - what a rule means once it is an image, case by case; limits and sizes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "compile/validate.h"

#define HEAD "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"

#define EXECUTE (WARDER_EXEC | WARDER_MAP_EXEC)

static struct warder_policy *policy;
static struct warder_image *image;

static void release(void)
{
	warder_policy_free(&policy);
	free(image);
	image = NULL;
}

/* Compile what follows the head; 0 or -E2BIG. */
static int try_compile(const char *text, struct warder_diagnostics *found)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_free_ char *whole = NULL;
	int r;

	release();
	assert_true(asprintf(&whole, "%s%s", HEAD, text) > 0);
	r = warder_policy_parse("p.yaml", whole, strlen(whole), &options, found, &policy);
	if (r < 0)
		warder_diagnostics_print(found, stdout);
	assert_int_equal(r, 0);
	return warder_compile(policy, found, &image);
}

static void compile(const char *text)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};

	assert_int_equal(try_compile(text, &found), 0);
}

static __u32 state_of(const char *path)
{
	__u32 state = image->start;

	for (; *path; path++)
		state = warder_step(image, state, (__u8)*path);
	return state;
}

static __u32 rights(const char *path, __u64 held)
{
	return warder_rights(warder_row(image, warder_row_number(image, state_of(path))), held);
}

static void matches_at_component_boundaries(void **state)
{
	compile("sets: {a: {exec: [/bin/rm, '/opt/*/run'], files: {list: ['**/x', /d/**/e]}}}");
	assert_int_equal(rights("/bin/rm", 1), EXECUTE);
	assert_int_equal(rights("/bin/rmdir", 1), 0);
	assert_int_equal(rights("/bin/r", 1), 0);
	assert_int_equal(rights("/bin/rm/x", 1), WARDER_LIST);
	assert_int_equal(rights("/usr/bin/rm", 1), 0);
	assert_int_equal(rights("/opt/a/run", 1), EXECUTE);
	assert_int_equal(rights("/opt/a/b/run", 1), 0);
	assert_int_equal(rights("/opt/run", 1), 0);
	/* Two stars: any number of components, none included. */
	assert_int_equal(rights("/x", 1), WARDER_LIST);
	assert_int_equal(rights("/a/b/x", 1), WARDER_LIST);
	assert_int_equal(rights("/ax", 1), 0);
	assert_int_equal(rights("/d/e", 1), WARDER_LIST);
	assert_int_equal(rights("/d/f/g/e", 1), WARDER_LIST);
	assert_int_equal(rights("/de", 1), 0);
}

static void a_tree_gives_reading_its_root(void **state)
{
	const __u32 root = WARDER_READ | WARDER_LIST | WARDER_STAT;

	compile("sets: {a: {files: {write: [/d/**, '/g/*/**'], delete: [/w/**]}, exec: [/d/**]}}");
	assert_int_equal(rights("/d", 1), root);
	assert_int_equal(rights("/d/x", 1), WARDER_COARSE_WRITE | EXECUTE);
	assert_int_equal(rights("/d/x/y", 1), WARDER_COARSE_WRITE | EXECUTE);
	assert_int_equal(rights("/", 1), 0);
	assert_int_equal(rights("/g", 1), 0);
	assert_int_equal(rights("/g/h", 1), root);
	assert_int_equal(rights("/g/h/i", 1), WARDER_COARSE_WRITE);
	/* Only what the rule gives at all. */
	assert_int_equal(rights("/w", 1), 0);
	assert_int_equal(rights("/w/x", 1), WARDER_DELETE);

	compile("sets: {a: {files: {write: [/**]}}}");
	assert_int_equal(rights("/", 1), root);
	assert_int_equal(rights("/a", 1), WARDER_COARSE_WRITE);
	compile("sets: {a: {files: {write: [/]}}}");
	assert_int_equal(rights("/", 1), WARDER_COARSE_WRITE);
	assert_int_equal(rights("/a", 1), 0);
	compile("sets: {a: {files: {list: ['/*', '**/.*']}}}");
	assert_int_equal(rights("/", 1), 0);
	assert_int_equal(rights("/a", 1), WARDER_LIST);
}

static void a_deny_of_a_tree_takes_its_root_too(void **state)
{
	compile("sets: {a: {files: {write: [/d/**], deny: {"
		"write: [{path: /d/k/**, except: [/d/k/t/**, '/d/k/*.pub']}]}}}}");
	assert_int_equal(rights("/d/k", 1), WARDER_COARSE_READ);
	assert_int_equal(rights("/d/k/x", 1), WARDER_COARSE_READ);
	assert_int_equal(rights("/d/k/x.pub", 1), WARDER_COARSE_WRITE);
	assert_int_equal(rights("/d/k/x.pub/y", 1), WARDER_COARSE_READ);
	/* The root of an exception can be read, and stays where it is. */
	assert_int_equal(rights("/d/k/t", 1), WARDER_COARSE_READ);
	assert_int_equal(rights("/d/k/t/x", 1), WARDER_COARSE_WRITE);
	assert_int_equal(rights("/d/kk", 1), WARDER_COARSE_WRITE);

	compile("sets: {a: {files: {read: [/d/**], deny: {"
		"read: [{path: /d/**, except: [/d/t/**]}]}}}}");
	assert_int_equal(rights("/d", 1), 0);
	assert_int_equal(rights("/d/t", 1), WARDER_COARSE_READ);
	assert_int_equal(rights("/d/t/x", 1), WARDER_COARSE_READ);
}

static void a_deny_beats_an_allow_of_the_same_keyring(void **state)
{
	/* Keys: 0 the tool, 1 and 2 the sets. */
	compile("tools: {t: {files: {read: [/d/**]}}}\n"
		"sets:\n"
		"  a: {files: {read: [/d/f], deny: {read: ['**/.env']}}}\n"
		"  b: {files: {read: [/d/.env]}}\n");
	assert_int_equal(rights("/d/.env", 1), WARDER_COARSE_READ);
	assert_int_equal(rights("/d/.env", 4), WARDER_COARSE_READ);
	assert_int_equal(rights("/d/.env", 3), 0);
	assert_int_equal(rights("/d/.env", 6), 0);
	assert_int_equal(rights("/d/x", 2), 0);
	assert_int_equal(rights("/d/x", 3), WARDER_COARSE_READ);
}

static void a_tool_reserves_what_it_names(void **state)
{
	/* Keys: 0 mail, 1 copy, 2 open (shared), 3 the set. */
	compile("tools:\n"
		"  mail: {exec: [/bin/mail, /opt/mail/**], unix: {connect: [/run/mail, '@mail']}}\n"
		"  copy: {exec: [/bin/mail, /bin/cp]}\n"
		"  open: {shared: true, exec: [/bin/ls, /bin/mail]}\n"
		"sets:\n"
		"  a: {exec: [/bin/**, /opt/**], unix: {connect: [/run/**, '@*']},\n"
		"      files: {read: [/bin/**], map-exec: [/opt/**]}}\n");
	assert_int_equal(rights("/bin/id", 8), EXECUTE | WARDER_COARSE_READ);
	/* Reading is not reserved. */
	assert_int_equal(rights("/bin/mail", 8), WARDER_COARSE_READ);
	assert_int_equal(rights("/bin/mail", 9), EXECUTE | WARDER_COARSE_READ);
	assert_int_equal(rights("/bin/mail", 10), EXECUTE | WARDER_COARSE_READ);
	assert_int_equal(rights("/bin/mail", 1), EXECUTE);
	/* Who shares does not open what somebody else reserves, but holds it by naming it. */
	assert_int_equal(rights("/bin/mail", 4), EXECUTE);
	assert_int_equal(rights("/bin/ls", 8), EXECUTE | WARDER_COARSE_READ);
	assert_int_equal(rights("/bin/cp", 12), WARDER_COARSE_READ);
	/* Everything in the tree, but not the directory. */
	assert_int_equal(rights("/opt/mail/x", 8), 0);
	assert_int_equal(rights("/opt/mail/x/y", 9), EXECUTE);
	assert_int_equal(rights("/opt/mail", 8), EXECUTE);
	assert_int_equal(rights("/run/mail", 8), 0);
	assert_int_equal(rights("/run/mail", 9), WARDER_CONNECT);
	assert_int_equal(rights("/run/other", 8), WARDER_CONNECT);
	assert_int_equal(rights("@mail", 8), 0);
	assert_int_equal(rights("@mail", 1), WARDER_CONNECT);
	assert_int_equal(rights("@mailx/y", 8), WARDER_CONNECT);
}

static int connects(__u8 proto, __u64 lo, __u16 port, __u64 held)
{
	__u64 denied, keys, hi = 0;

	warder_address_normalise(&hi, &lo);
	return warder_decide_net(image, WARDER_NET_CONNECT, proto, hi, lo, port, held, held,
				 &denied, &keys);
}

static void addresses_are_reserved_as_well(void **state)
{
	const __u64 loopback = 0xffff7f000001ull;

	/* Keys: 0 mail, 1 web (shared), 2 the set. */
	compile("tools:\n"
		"  mail: {network: {connect: ['tcp:127.0.0.1:25', 'tcp:[::1]:25']}}\n"
		"  web: {shared: true, network: {connect: ['tcp:127.0.0.1:80']}}\n"
		"sets:\n"
		"  a: {network: {connect: ['tcp:127.0.0.0/8:1-1000', 'udp:*:*']}}\n");
	assert_true(connects(WARDER_PROTO_TCP, loopback, 24, 4));
	assert_false(connects(WARDER_PROTO_TCP, loopback, 25, 4));
	assert_true(connects(WARDER_PROTO_TCP, loopback, 25, 5));
	assert_true(connects(WARDER_PROTO_TCP, loopback, 25, 1));
	assert_true(connects(WARDER_PROTO_TCP, loopback, 80, 4));
	assert_true(connects(WARDER_PROTO_UDP, loopback, 25, 4));
	assert_false(connects(WARDER_PROTO_TCP, loopback, 1001, 4));
	assert_true(connects(WARDER_PROTO_TCP, loopback + 1, 25, 4));
	/* 0.0.0.0 and :: are loopback. */
	assert_false(connects(WARDER_PROTO_TCP, 0xffff00000000ull, 25, 4));
	assert_true(connects(WARDER_PROTO_TCP, 0xffff00000000ull, 26, 4));
	assert_true(connects(WARDER_PROTO_TCP, 0, 25, 1));
	assert_false(connects(WARDER_PROTO_TCP, 0, 26, 4));
	assert_false(connects(WARDER_PROTO_UDP, loopback, 0, 4));
}

/* The last key is a bit like the others. */
static void all_64_keys_count(void **state)
{
	char text[8192] = "sets:\n", path[32];
	unsigned int i, k;

	for (i = 0; i < WARDER_KEYS_MAX; i++)
		sprintf(text + strlen(text), "  k%u: {files: {read: [/d/%u], list: [/all]}}\n", i,
			i);
	compile(text);
	assert_int_equal(image->key_count, WARDER_KEYS_MAX);
	for (i = 0; i < WARDER_KEYS_MAX; i++) {
		sprintf(path, "/d/%u", i);
		for (k = 0; k < WARDER_KEYS_MAX; k++)
			assert_int_equal(rights(path, 1ull << k), k == i ? WARDER_COARSE_READ : 0);
		assert_int_equal(rights("/all", 1ull << i), WARDER_LIST);
	}
}

static void equal_policies_are_equal_bytes(void **state)
{
	static const char one[] = "sets: {a: {files: {read: [/a, '/b*', /c/**]}}}";
	static const char other[] = "sets: {a: {files: {read: [/c/**, '/b*', /a, /a, /c/x]}}}";
	_cleanup_free_ struct warder_image *first = NULL;

	compile(one);
	first = TAKE_PTR(image);
	compile(other);
	assert_memory_equal(first, image, warder_image_size(image));
	assert_int_equal(image->magic, WARDER_IMAGE_MAGIC);
	compile("sets: {a: {files: {read: [/c/**, '/b?', /a]}}}");
	assert_int_equal(first->page_count, image->page_count);
	assert_memory_not_equal(first, image, warder_image_size(image));
}

static void an_empty_set_may_nothing(void **state)
{
	__u64 denied, keys;

	compile("sets: {a: {capabilities: none}}");
	assert_int_equal(rights("/", ~0ull), 0);
	assert_int_equal(rights("/etc/passwd", ~0ull), 0);
	assert_false(warder_decide_net(image, WARDER_NET_CONNECT, WARDER_PROTO_TCP, 0, 1, 80, ~0ull,
				       ~0ull, &denied, &keys));
	assert_int_equal(image->range_count, 0);
}

/* --- sizes --- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The usual policy: directories for everyone, and names that are taken at any depth. */
static void usual_denies_stay_small(void **state)
{
	static const char *const trees[] = {"/usr/lib/**",   "/usr/share/**",  "/etc/**",
					    "/srv/agent/**", "/srv/data/**",   "/var/lib/app/**",
					    "/opt/tool/**",  "/home/agent/**", "/tmp/**",
					    "/var/tmp/**",   "/run/app/**",    "/dev/shm/**"};
	static const char *const denied[] = {".git",
					     ".ssh",
					     ".aws",
					     ".gnupg",
					     ".kube",
					     ".docker",
					     "secrets",
					     "private",
					     "node_modules",
					     ".config",
					     ".cache",
					     "credentials",
					     ".password-store",
					     "keys",
					     "backup"};
	char text[4096] = "sets:\n  a:\n    files:\n      read:\n";
	double start;
	size_t i;

	for (i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		sprintf(text + strlen(text), "        - %s\n", trees[i]);
	strcat(text, "      deny:\n        read:\n");
	for (i = 0; i < sizeof(denied) / sizeof(denied[0]); i++)
		sprintf(text + strlen(text), "        - '**/%s/**'\n", denied[i]);
	start = now();
	compile(text);
	start = now() - start;
	printf("figure 12 trees and 15 denies at any depth: %u states, %u rows, %.3f s\n",
	       warder_image_states(image), image->row_count, start);
	assert_true(warder_image_states(image) < 2000);
	assert_true(start < 0.1 * 10); /* sanitizers cost a factor */
	assert_int_equal(rights("/srv/agent/x", 1), WARDER_COARSE_READ);
	assert_int_equal(rights("/srv/agent/x/.git/config", 1), 0);
	assert_int_equal(rights("/srv/agent/x/.git", 1), 0);
	assert_int_equal(rights("/srv/agent/x/.gitignore", 1), WARDER_COARSE_READ);
}

/* Many directories fit, beside names that are denied at any depth; few pages hold them. */
static void many_directories_fit(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ char *text = malloc(1u << 20);
	char path[64];
	size_t used, i;
	double start;

	used = (size_t)sprintf(text, "sets:\n  a:\n    files:\n"
				     "      deny: {read: ['**/.env', '**/.git/**']}\n"
				     "      read:\n");
	for (i = 0; i < 10000; i++)
		used += (size_t)sprintf(text + used, "        - /srv/d%04zx/project-%zu/**\n",
					i * 40503 % 65536, i);
	start = now();
	assert_int_equal(try_compile(text, &found), 0);
	start = now() - start;
	printf("figure 10,000 directories: %u states, %u pages, %.3f s\n",
	       warder_image_states(image), image->page_count, start);
	assert_true(warder_image_states(image) > 60000);
	assert_true(warder_image_size(image) < 4u << 20);
	assert_null(warder_image_fault(image));
	for (i = 0; i < 10000; i += 7) {
		sprintf(path, "/srv/d%04zx/project-%zu/x", i * 40503 % 65536, i);
		assert_int_equal(rights(path, 1), WARDER_COARSE_READ);
		sprintf(path, "/srv/d%04zx/project-%zu/.env", i * 40503 % 65536, i);
		assert_int_equal(rights(path, 1), 0);
		sprintf(path, "/srv/d%04zx/project-%zu/x", i * 40503 % 65536, i + 1);
		assert_int_equal(rights(path, 1), 0);
	}
}

/* A small policy takes a small image: one page of cells, and one of all else. */
static void a_small_policy_takes_two_pages(void **state)
{
	compile("sets: {a: {include: [base, python], exec: [/usr/bin/**],\n"
		"  files: {read: [/srv/**], write: [/srv/work/**], deny: {read: ['**/.env']}},\n"
		"  network: {connect: ['tcp:10.0.0.0/8:443', 'udp:127.0.0.53:53']}}}");
	printf("figure base, python and a work tree: %u states, %u pages\n",
	       warder_image_states(image), image->page_count);
	assert_int_equal(image->page_count, 2);
	assert_int_equal(warder_image_size(image), 65536);
}

/* Tables that do not fit behind the head go on behind the cells. */
static void tables_take_pages_of_their_own(void **state)
{
	_cleanup_free_ char *text = malloc(1u << 20);
	size_t used, i;
	char path[32];

	/* Each of the ranges says something else. */
	used = (size_t)sprintf(text, "sets:\n");
	for (i = 0; i < 60; i++)
		used += (size_t)sprintf(text + used,
					"  s%zu:\n    exec: [/a/%zu, /b/%zu]\n"
					"    files: {read: [/a/%zu, /c/%zu], write: [/d/%zu]}\n"
					"    network: {connect: ['tcp:10.0.%zu.0/25:%zu',"
					" 'udp:10.1.%zu.0/24:%zu']}\n",
					i, i, i, (i + 1) % 60, i, i, i, i + 1, i, i + 100);
	compile(text);
	printf("figure 60 sets: %u rows, %u ranges, %u pages\n", image->row_count,
	       image->range_count, image->page_count);
	assert_true(image->row_count > WARDER_PAGE_ROWS);
	assert_true(image->page_count > image->cell_pages + 1);
	assert_null(warder_image_fault(image));
	for (i = 0; i < 60; i++) {
		sprintf(path, "/a/%zu", (i + 1) % 60);
		assert_int_equal(rights(path, 1ull << i) & WARDER_COARSE_READ, WARDER_COARSE_READ);
		assert_int_equal(rights(path, 1ull << (i + 1) % 60) & WARDER_EXEC, WARDER_EXEC);
		assert_true(connects(WARDER_PROTO_TCP, 0xffff0a000000ull | i << 8, (__u16)(i + 1),
				     1ull << i));
		assert_false(connects(WARDER_PROTO_TCP, 0xffff0a000080ull | i << 8, (__u16)(i + 1),
				      1ull << i));
		assert_true(connects(WARDER_PROTO_UDP, 0xffff0a010000ull | i << 8, (__u16)(i + 100),
				     1ull << i));
	}
}

/* Patterns that multiply one another are refused with the ones that do. */
static void blow_ups_are_named(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	char text[8192] = "sets:\n  a:\n    files:\n      read: [/etc/**]\n      deny:\n"
			  "        read:\n";
	double start;
	unsigned int i;

	for (i = 0; i < 40; i++)
		sprintf(text + strlen(text), "        - '**/*%c%c*%c%c*%c/*%c*/**'\n", 'a' + i % 26,
			'b' + i % 24, 'c' + i % 20, 'a' + i % 11, 'd' + i % 7, 'e' + i % 17);
	start = now();
	assert_int_equal(try_compile(text, &found), -E2BIG);
	start = now() - start;
	printf("figure 40 patterns that multiply: refused, %.3f s\n", start);
	assert_true(start < 20);
	assert_non_null(strstr(found.list[0].hint, "the costliest patterns: \"**/*"));
	assert_non_null(strstr(found.list[0].hint, "(p.yaml:"));
}

/* One pattern alone can be too much. */
static void one_pattern_can_be_too_much(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	char any[21] = "", text[128], hint[128];

	memset(any, '?', sizeof(any) - 1);
	sprintf(text, "sets: {a: {files: {read: [/etc/**, '/x/*a%s']}}}", any);
	sprintf(hint, "the costliest patterns: \"/x/*a%s\" (p.yaml:4)", any);
	assert_int_equal(try_compile(text, &found), -E2BIG);
	assert_string_equal(found.list[0].hint, hint);
}

static void too_many_networks_are_refused(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ char *text = malloc(1u << 20);
	size_t used, i;

	used = (size_t)sprintf(text, "sets:\n  a:\n    network:\n      connect:\n");
	for (i = 0; i < 2000; i++)
		used += (size_t)sprintf(text + used, "        - tcp:10.%zu.%zu.1:443\n", i / 256,
					i % 256);
	assert_int_equal(try_compile(text, &found), -E2BIG);
	assert_non_null(strstr(found.list[0].message, "address ranges"));
	assert_non_null(strstr(found.list[0].hint, "2048"));
}

static int finish(void **state)
{
	release();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_at_component_boundaries),
		cmocka_unit_test(a_tree_gives_reading_its_root),
		cmocka_unit_test(a_deny_of_a_tree_takes_its_root_too),
		cmocka_unit_test(a_deny_beats_an_allow_of_the_same_keyring),
		cmocka_unit_test(a_tool_reserves_what_it_names),
		cmocka_unit_test(addresses_are_reserved_as_well),
		cmocka_unit_test(all_64_keys_count),
		cmocka_unit_test(equal_policies_are_equal_bytes),
		cmocka_unit_test(an_empty_set_may_nothing),
		cmocka_unit_test(usual_denies_stay_small),
		cmocka_unit_test(many_directories_fit),
		cmocka_unit_test(a_small_policy_takes_two_pages),
		cmocka_unit_test(tables_take_pages_of_their_own),
		cmocka_unit_test(blow_ups_are_named),
		cmocka_unit_test(one_pattern_can_be_too_much),
		cmocka_unit_test(too_many_networks_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, finish);
}
