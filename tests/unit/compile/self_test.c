// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * self_test.c - names that mean another place to each process are compiled to what the kernel
 * feeds for the caller's own place (bpf/path.bpf.h: the caller's directory is fed as "self").
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/compile.h"

static __u32 rights(const struct warder_image *image, const char *path)
{
	__u32 state = image->start;

	for (; *path; path++)
		state = warder_step(image, state, (__u8)*path);
	return warder_rights(warder_row(image, warder_row_number(image, state)), 1);
}

/* What a set whose files say `section`, the rule and `end` may do with the path. */
static __u32 rights_with(const char *section, const char *rule, const char *end, const char *path)
{
	static const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	_cleanup_free_ char *text = NULL;

	assert_true(asprintf(&text,
			     "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
			     "sets: { a: { files: { %s'%s'%s } } }\n",
			     section, rule, end) > 0);
	if (warder_policy_parse("p", text, strlen(text), &options, &found, &policy) < 0)
		warder_diagnostics_print(&found, stdout);
	assert_non_null(policy);
	assert_int_equal(warder_compile(policy, &found, &image), 0);
	return rights(image, path);
}

static const struct {
	const char *rule, *fed;
} names[] = {
	{"/proc/self/status", "/proc/self/status"},
	{"/proc/self", "/proc/self"},
	{"/proc/self/**", "/proc/self/task/7/stat"},
	{"/proc/thread-self", "/proc/self/task/7"},
	{"/proc/thread-self/stat", "/proc/self/task/7/stat"},
	{"/proc/thread-self/**", "/proc/self/task/7/attr/current"},
	{"/proc/thread-self/*", "/proc/self/task/7/stat"},
	{"/proc/mounts", "/proc/self/mounts"},
	{"/proc/net/tcp", "/proc/self/net/tcp"},
	{"/proc/net/**", "/proc/self/net/stat/rt_cache"},
	{"/dev/fd", "/proc/self/fd"},
	{"/dev/fd/3", "/proc/self/fd/3"},
	{"/dev/fd/**", "/proc/self/fd/3"},
	{"/dev/fd/[0-2]", "/proc/self/fd/2"},
	{"/dev/stdin", "/proc/self/fd/0"},
	{"/dev/stdout", "/proc/self/fd/1"},
	{"/dev/stderr", "/proc/self/fd/2"},
};

static void each_name_is_where_it_leads(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(rights_with("read: [", names[i].rule, "]", names[i].fed) & WARDER_READ);
		/* A deny and an exception mean the same place. */
		assert_int_equal(rights_with("read: [/**], deny: {read: [", names[i].rule, "]}",
					     names[i].fed) &
					 WARDER_READ,
				 0);
		assert_true(rights_with("read: [/**], deny: {read: [{path: /**, except: [",
					names[i].rule, "]}]}", names[i].fed) &
			    WARDER_READ);
	}
}

static void no_name_is_more(void **state)
{
	assert_int_equal(rights_with("read: [", "/dev/fdx", "]", "/proc/self/fdx"), 0);
	assert_int_equal(rights_with("read: [", "/dev/stdin", "]", "/proc/self/fd/1"), 0);
	assert_int_equal(rights_with("read: [", "/proc/thread-self/stat", "]", "/proc/self/stat"),
			 0);
	assert_int_equal(
		rights_with("read: [", "/proc/thread-self/stat", "]", "/proc/self/task/7/x/stat"),
		0);
	assert_int_equal(rights_with("read: [", "/proc/self/**", "]", "/proc/1/environ"), 0);
	/* A glob is what it says. */
	assert_int_equal(rights_with("read: [", "/dev/std*", "]", "/proc/self/fd/0"), 0);
	assert_int_equal(rights_with("read: [", "/dev/**", "]", "/proc/self/fd/0"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_name_is_where_it_leads),
		cmocka_unit_test(no_name_is_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
