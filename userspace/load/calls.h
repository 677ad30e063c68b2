/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * calls.h - which system calls the running kernel has, by the symbols of their functions.
 */
#ifndef WARDER_LOAD_CALLS_H
#define WARDER_LOAD_CALLS_H

#include <stdbool.h>
#include <stdio.h>

#include <warder/limits.h>

#define WARDER_KALLSYMS "/proc/kallsyms"

struct warder_calls {
	bool known; /* false: the kernel does not tell, and `has` means nothing */
	bool has[WARDER_SYSCALLS_MAX]; /* by number; only calls that have a name here */
};

/* Read the symbols, as WARDER_KALLSYMS has them. */
void warder_calls_read(FILE *symbols, struct warder_calls *ret_calls);

#endif
