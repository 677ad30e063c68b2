// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * second.bpf.c - the second net: cgroup programs on addresses and packets.
 *
 *   connect4/6, sendmsg4/6	the second net, by the cgroup of the current task; and an
 *				unspecified destination becomes the loopback it is judged as
 *   egress			no packet takes a route of its own
 */

/* What a program of the second net refuses. */
static __always_inline int net_refuse(__u64 binding, struct warder_event *event)
{
	event->error = -EPERM;
	event->flags = WARDER_EVENT_SECOND_NET;
	report_bare(binding, event);
	return 0;
}

/*
 * The second net. These programs have no task storage and so no label; they go by the
 * current task's leaf cgroup. They run after the LSM hooks, so what they refuse is what
 * the first net has missed: that alone is reported.
 */
static __always_inline int net_second(struct bpf_sock_addr *ctx, struct endpoint *end, __u8 hook)
{
	struct warder_event event = {};
	__u64 binding;

	binding = leaf_binding(bpf_get_current_cgroup_id());
	if (!binding)
		return 1; /* a socket of the subject's, used by somebody outside */
	end->port = bpf_ntohs(ctx->user_port);
	end->proto = ctx->protocol;
	event.reason = judge_endpoint_up(end, binding);
	if (!event.reason)
		return 1;
	event.judge = end->judge;
	event.generation = end->generation;
	event.cgroup = bpf_get_current_cgroup_id();
	event.keys = end->keys;
	event.address_hi = end->hi;
	event.address_lo = end->lo;
	event.pid = bpf_get_current_pid_tgid() >> 32;
	event.tid = bpf_get_current_pid_tgid();
	event.uid = bpf_get_current_uid_gid();
	event.gid = bpf_get_current_uid_gid() >> 32;
	event.family = ctx->family;
	event.port = end->port;
	event.proto = end->proto;
	event.socket_type = ctx->type;
	event.hook = hook;
	bpf_get_current_comm(event.comm, sizeof(event.comm));
	return net_refuse(binding, &event);
}

/*
 * An unspecified destination is judged as loopback, but goes to whatever source address the
 * socket has when the route is looked up: one that it was bound to meanwhile, the address of
 * a device (SO_BINDTODEVICE), one that stands beside the message (IP_PKTINFO). So it is
 * written down here as what it was judged as.
 */
static __always_inline int net_second4(struct bpf_sock_addr *ctx, __u8 hook)
{
	struct endpoint end = {};

	if (!ctx->user_ip4)
		ctx->user_ip4 = bpf_htonl(0x7f000001);
	endpoint_set4(&end, ctx->user_ip4);
	return net_second(ctx, &end, hook);
}

static __always_inline int net_second6(struct bpf_sock_addr *ctx, __u8 hook)
{
	__u32 words[4] = {ctx->user_ip6[0], ctx->user_ip6[1], ctx->user_ip6[2], ctx->user_ip6[3]};
	struct endpoint end = {};

	if (!words[0] && !words[1] && !words[3]) {
		if (!words[2])
			words[3] = bpf_htonl(1);
		else if (words[2] == bpf_htonl(0xffff))
			words[3] = bpf_htonl(0x7f000001);
		ctx->user_ip6[3] = words[3];
	}
	endpoint_set6(&end, words);
	return net_second(ctx, &end, hook);
}

SEC("cgroup/connect4")
int net_connect4(struct bpf_sock_addr *ctx)
{
	return net_second4(ctx, WARDER_HOOK_NET_CONNECT4);
}

SEC("cgroup/connect6")
int net_connect6(struct bpf_sock_addr *ctx)
{
	return net_second6(ctx, WARDER_HOOK_NET_CONNECT6);
}

SEC("cgroup/sendmsg4")
int net_sendmsg4(struct bpf_sock_addr *ctx)
{
	return net_second4(ctx, WARDER_HOOK_NET_SENDMSG4);
}

SEC("cgroup/sendmsg6")
int net_sendmsg6(struct bpf_sock_addr *ctx)
{
	return net_second6(ctx, WARDER_HOOK_NET_SENDMSG6);
}

/*
 * A packet that carries its own route goes elsewhere first: source routes of IPv4 and routing
 * headers of IPv6, which come from socket options, from beside a message, or from a flow label.
 * No rule names that other place, so no socket of a subject sends such packets. This may run
 * in the network's own time, when the current task is anybody: it goes by the socket's cgroup.
 */
SEC("cgroup_skb/egress")
int net_egress(struct __sk_buff *skb)
{
	struct warder_event event = {};
	struct endpoint end = {};
	struct warder_cgroup *entry;
	__u32 words[4] = {};
	__u64 cgroup;
	__u8 head = 0;

	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		if (!bpf_skb_load_bytes(skb, 0, &head, 1) && head <= 0x45)
			return 1; /* no options */
		bpf_skb_load_bytes(skb, 16, words, 4);
		endpoint_set4(&end, words[0]);
		event.family = AF_INET;
	} else if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
		if (!bpf_skb_load_bytes(skb, 6, &head, 1) && head != NEXTHDR_HOP &&
		    head != NEXTHDR_ROUTING && head != NEXTHDR_DEST)
			return 1;
		bpf_skb_load_bytes(skb, 24, words, 16);
		endpoint_set6(&end, words);
		event.family = AF_INET6;
	} else {
		return 1;
	}
	cgroup = bpf_skb_cgroup_id(skb);
	entry = bpf_map_lookup_elem(&cgroups, &cgroup);
	event.cgroup = cgroup;
	event.address_hi = end.hi;
	event.address_lo = end.lo;
	event.hook = WARDER_HOOK_NET_EGRESS;
	event.reason = WARDER_REASON_SURFACE;
	return entry ? net_refuse(entry->binding, &event) : 0;
}
