/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * twin.bpf.h - the other return convention: an lsm_cgroup program says 1 for allow, 0
 * for refuse, and sets the errno by itself. A plain LSM program says 0 for allow.
 */
#ifndef WARDER_TWIN_BPF_H
#define WARDER_TWIN_BPF_H

static __always_inline int twin_return(int error)
{
	if (!error)
		return 1;
	bpf_set_retval(error);
	return 0;
}

#endif
