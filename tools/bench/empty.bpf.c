// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * empty.bpf.c - a program that does nothing on every hook that warder has: what a hook costs at
 * least. The lists are warder's own.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <warder/hook.h>

#define X(upper, lower)                                              \
	SEC("lsm/" #lower) int hook_##lower(unsigned long long *ctx) \
	{                                                            \
		return 0;                                            \
	}
WARDER_LSM_HOOKS(X)
#undef X

/* This convention says 1 for allow. */
#define X(upper, lower)                                                     \
	SEC("lsm_cgroup/" #lower) int twin_##lower(unsigned long long *ctx) \
	{                                                                   \
		return 1;                                                   \
	}
WARDER_TWIN_HOOKS(X)
#undef X

#define SECTION_connect4    "cgroup/connect4"
#define SECTION_connect6    "cgroup/connect6"
#define SECTION_sendmsg4    "cgroup/sendmsg4"
#define SECTION_sendmsg6    "cgroup/sendmsg6"
#define SECTION_bind4	    "cgroup/bind4"
#define SECTION_bind6	    "cgroup/bind6"
#define SECTION_sock_create "cgroup/sock_create"
#define SECTION_egress	    "cgroup_skb/egress"

#define X(upper, lower)                                 \
	SEC(SECTION_##lower) int net_##lower(void *ctx) \
	{                                               \
		return 1;                               \
	}
WARDER_NET_HOOKS(X)
#undef X

#define X(upper, lower)                                               \
	SEC("tp_btf/" #lower) int on_##lower(unsigned long long *ctx) \
	{                                                             \
		return 0;                                             \
	}
WARDER_TRACEPOINTS(X)
#undef X

/* --- what the bound on the tax is tried with: a hash lookup before it lets go --- */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u64);
	__type(value, __u64);
} nothing SEC(".maps");

SEC("lsm/file_open")
int costly_file_open(unsigned long long *ctx)
{
	__u64 id = bpf_get_current_cgroup_id();

	bpf_map_lookup_elem(&nothing, &id);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
