// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weakness.c - what this host lets warder do less of.
 *
 * What a seccomp filter refuses is told by the kernel's function audit_seccomp, which exists with
 * CONFIG_AUDITSYSCALL and runs for the actions that kernel.seccomp.actions_logged names.
 */
#include "load/weakness.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define ACTIONS_LOGGED "/proc/sys/kernel/seccomp/actions_logged"

static bool no_function(void)
{
	return libbpf_find_vmlinux_btf_id("audit_seccomp", BPF_TRACE_FENTRY) < 0;
}

/* One line of names with blanks between them. Not to be read: nothing says that it is weaker. */
static bool not_logged(void)
{
	_cleanup_fclose_ FILE *file = fopen(ACTIONS_LOGGED, "re");
	char line[256], *name, *rest = line;

	if (!file || !fgets(line, sizeof(line), file))
		return false;
	while ((name = strsep(&rest, " \n"))) {
		if (!strcmp(name, "errno"))
			return false;
	}
	return true;
}

const struct warder_weakness warder_weaknesses[] = {
	{"filter-reports-function",
	 "what a filter of system calls refuses is not reported: the kernel has no function "
	 "audit_seccomp",
	 "a kernel with CONFIG_AUDITSYSCALL=y", no_function},
	{"filter-reports-logged",
	 "what a filter of system calls refuses is not reported: \"errno\" is not in "
	 "kernel.seccomp.actions_logged",
	 "sysctl kernel.seccomp.actions_logged=\"$(sysctl -n kernel.seccomp.actions_logged) "
	 "errno\"",
	 not_logged},
};

const size_t warder_weakness_count = sizeof(warder_weaknesses) / sizeof(warder_weaknesses[0]);
