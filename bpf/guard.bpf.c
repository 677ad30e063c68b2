// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * guard.bpf.c - the enforcer out of reach of those it confines.
 *
 *   bpf, bpf_map, bpf_prog	bpf(2) where a held key names it, and never what is there already:
 *				by number or pin
 *
 * The pins (bpffs) and cgroup files are refused where paths are judged (judge.bpf.h).
 */

/*
 * Commands that lead to what is there already, whoever made it; new ones are not known, and may.
 * Of those below, everything else works on what the caller has made or holds.
 */
static __always_inline int is_reach(int command)
{
	const __u64 reach = 1ull << BPF_OBJ_PIN | 1ull << BPF_OBJ_GET |
			    1ull << BPF_PROG_GET_FD_BY_ID | 1ull << BPF_MAP_GET_FD_BY_ID |
			    1ull << BPF_BTF_GET_FD_BY_ID | 1ull << BPF_LINK_GET_FD_BY_ID |
			    1ull << BPF_TASK_FD_QUERY;

	return (__u32)command > BPF_PROG_BIND_MAP || (reach >> (command & 63) & 1);
}

static __noinline int body_bpf(int cmd, __u8 flags)
{
	HOOK_BEGIN(actor, BPF);
	actor.flags = flags;
	if (!reason && is_reach(cmd)) {
		reason = WARDER_REASON_SURFACE;
		actor.task->event.object = WARDER_OBJECT_NAMED;
		__builtin_memcpy(actor.task->text, "bpf object of somebody else", 27);
		actor.task->event.text_length = 27;
	}
	return surface_judge(&actor, reason, WARDER_SURFACE_BPF);
}

SEC("lsm/bpf")
int BPF_PROG(hook_bpf, int cmd, union bpf_attr *attr, unsigned int size)
{
	return body_bpf(cmd, 0);
}

SEC("lsm_cgroup/bpf")
int BPF_PROG(twin_bpf, int cmd, union bpf_attr *attr, unsigned int size)
{
	return twin_return(body_bpf(cmd, WARDER_EVENT_SECOND_NET));
}

SEC("lsm/bpf_map")
int BPF_PROG(hook_bpf_map, struct bpf_map *map, unsigned int mode)
{
	SURFACE_HOOK(BPF_MAP, BPF);
}

SEC("lsm/bpf_prog")
int BPF_PROG(hook_bpf_prog, struct bpf_prog *prog)
{
	SURFACE_HOOK(BPF_PROG, BPF);
}
