// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * guard.bpf.c - the enforcer out of reach of those it confines.
 *
 *   bpf, bpf_map, bpf_prog	no bpf(2) command, map or program for any subject
 *
 * The pins (bpffs) and cgroup files are refused where paths are judged (judge.bpf.h).
 */

SEC("lsm/bpf")
int BPF_PROG(hook_bpf, int cmd, union bpf_attr *attr, unsigned int size)
{
	SURFACE_HOOK(BPF);
}

SEC("lsm/bpf_map")
int BPF_PROG(hook_bpf_map, struct bpf_map *map, unsigned int mode)
{
	SURFACE_HOOK(BPF_MAP);
}

SEC("lsm/bpf_prog")
int BPF_PROG(hook_bpf_prog, struct bpf_prog *prog)
{
	SURFACE_HOOK(BPF_PROG);
}
