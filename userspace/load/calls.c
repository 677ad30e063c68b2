// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * calls.c - which system calls the running kernel has, by the symbols of their functions.
 *
 * Each call is a function __x64_sys_NAME. One that the kernel is built without is a weak symbol of
 * that name, which answers ENOSYS.
 */
#include "load/calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/syscall.h"

#define PREFIX "__x64_sys_"

/* Calls whose function has another name. */
static const struct {
	const char *call, *function;
} renamed[] = {
	{"stat", "newstat"},   {"lstat", "newlstat"},	   {"fstat", "newfstat"},
	{"uname", "newuname"}, {"sendfile", "sendfile64"}, {"umount2", "umount"},
};

#define RENAMED_COUNT (sizeof(renamed) / sizeof(renamed[0]))

/* The call of a function; NULL: the function is the older one, of other tables. */
static const char *call_of(const char *function)
{
	size_t i;

	for (i = 0; i < RENAMED_COUNT; i++) {
		if (!strcmp(renamed[i].function, function))
			return renamed[i].call;
		if (!strcmp(renamed[i].call, function))
			return NULL;
	}
	return function;
}

/* "ffffffff81000000 T __x64_sys_read", perhaps with a module behind it. */
static void read_line(char *line, struct warder_calls *calls)
{
	char *save = NULL, *address = strtok_r(line, " \t\n", &save);
	char *type = address ? strtok_r(NULL, " \t\n", &save) : NULL;
	char *symbol = type ? strtok_r(NULL, " \t\n", &save) : NULL;
	const char *call;
	int number;

	if (!symbol || strncmp(symbol, PREFIX, strlen(PREFIX)))
		return;
	call = call_of(symbol + strlen(PREFIX));
	number = call ? warder_syscall_number(call) : -1;
	if (number < 0 || (*type != 'T' && *type != 't'))
		return;
	calls->known = true;
	calls->has[number] = true;
}

void warder_calls_read(FILE *symbols, struct warder_calls *ret_calls)
{
	_cleanup_free_ char *line = NULL;
	struct warder_calls calls = {};
	size_t size = 0;

	while (getline(&line, &size, symbols) >= 0) {
		/* Hundreds of thousands of lines are about something else. */
		if (strstr(line, PREFIX))
			read_line(line, &calls);
	}
	*ret_calls = calls;
}
