// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * hook.c - which hooks the running kernel has.
 */
#include "load/hook.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <warder/hook.h>

static const struct newer {
	const char *name;
} newer[] = {
#define X(upper, lower) {#lower},
	WARDER_NEWER_HOOKS(X)
#undef X
};

#define NEWER_COUNT (sizeof(newer) / sizeof(newer[0]))

/* Reading the kernel's types takes a while, and they do not change: one look at each. */
static bool is_lacking(size_t i)
{
	static int known[NEWER_COUNT]; /* 1: there, -ESRCH: lacking */
	libbpf_print_fn_t before;
	int found;

	if (!known[i]) {
		before = libbpf_set_print(NULL);
		found = libbpf_find_vmlinux_btf_id(newer[i].name, BPF_LSM_MAC);
		libbpf_set_print(before);
		known[i] = found == -ENOENT || found == -ESRCH ? -ESRCH : 1;
	}
	return known[i] < 0;
}

bool warder_hook_is_newer(const char *name)
{
	size_t i;

	for (i = 0; i < NEWER_COUNT; i++) {
		if (!strcmp(newer[i].name, name))
			return is_lacking(i);
	}
	return false;
}
