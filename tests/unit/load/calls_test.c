// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * calls_test.c - which system calls a kernel has, by its symbols.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/syscall.h>

#include "load/calls.h"

static struct warder_calls read_symbols(const char *text)
{
	struct warder_calls calls;
	FILE *file = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(file);
	warder_calls_read(file, &calls);
	fclose(file);
	return calls;
}

static void functions_are_calls(void **state)
{
	struct warder_calls calls = read_symbols("0000000000000000 t do_sys\n"
						 "0000000000000000 T __x64_sys_read\n"
						 "0000000000000000 t __x64_sys_newstat\t[x]\n"
						 "0000000000000000 T __x64_sys_lstat\n"
						 "0000000000000000 W __x64_sys_uselib\n"
						 "0000000000000000 T __ia32_sys_write\n"
						 "0000000000000000 T __x64_sys_umount\n"
						 "0000000000000000 T __x64_sys_oldumount\n"
						 "0000000000000000 T __x64_sys_file_setattr\n"
						 "garbage\n"
						 "0000000000000000 T");

	assert_true(calls.known);
	assert_true(calls.has[SYS_read] && calls.has[SYS_stat] && calls.has[SYS_umount2]);
	assert_true(calls.has[WARDER_SYSCALL_NEWEST]);
	/* Weak: built without it. Of another table: not this one. */
	assert_false(calls.has[SYS_uselib] || calls.has[SYS_lstat] || calls.has[SYS_write]);
}

static void nothing_told_is_nothing_known(void **state)
{
	assert_false(read_symbols("0000000000000000 T _text\n").known);
	assert_false(read_symbols("0000000000000000 T __x64_sys_\n").known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_calls),
		cmocka_unit_test(nothing_told_is_nothing_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
