// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * filter.c - the seccomp filter of a run: a second hold on what would type into the caller's
 * terminal.
 *
 * The hook file_ioctl refuses the same; the filter stays when the programs are unloaded early.
 */
#include "run/filter.h"

#include <errno.h>
#include <sys/ioctl.h>

/* The kernel takes 32 bits of the request; the upper half is the caller's noise. */
#define REQUEST_MASK 0xffffffffull

static int refuse_request(scmp_filter_ctx filter, unsigned int request)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
				SCMP_A1(SCMP_CMP_MASKED_EQ, REQUEST_MASK, request));
}

int warder_filter_build(scmp_filter_ctx *ret_filter)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int error;

	if (!filter)
		return -ENOMEM;
	/* The other ABIs of the processor, too. */
	error = seccomp_arch_add(filter, SCMP_ARCH_X86);
	if (!error)
		error = seccomp_arch_add(filter, SCMP_ARCH_X32);
	if (!error)
		error = refuse_request(filter, TIOCSTI);
	if (!error)
		error = refuse_request(filter, TIOCLINUX);
	if (error < 0) {
		seccomp_release(filter);
		return error;
	}
	*ret_filter = filter;
	return 0;
}

int warder_filter_install(scmp_filter_ctx filter)
{
	return seccomp_load(filter);
}
