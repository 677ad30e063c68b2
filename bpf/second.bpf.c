// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * second.bpf.c - the second net: cgroup programs on sockets, addresses and packets.
 *
 *   sock_create		of IPv4 and IPv6, TCP and UDP alone
 *   connect4/6, sendmsg4/6	the second net, by the cgroup of the current task; and an
 *				unspecified destination becomes the loopback it is judged as
 *   bind4/6			the own address and port
 *   egress			no packet goes where its socket's subject may not send one, and none
 *				takes a route of its own
 */

/* What a program of the second net refuses. */
static __always_inline int net_refuse(__u64 binding, struct warder_event *event)
{
	event->error = -EPERM;
	event->flags = WARDER_EVENT_SECOND_NET;
	report_bare(binding, event);
	return 0;
}

/* What the programs that run in a task's own time have in common. */
static __always_inline void event_task(struct warder_event *event)
{
	event->cgroup = bpf_get_current_cgroup_id();
	event->pid = bpf_get_current_pid_tgid() >> 32;
	event->tid = bpf_get_current_pid_tgid();
	event->uid = bpf_get_current_uid_gid();
	event->gid = bpf_get_current_uid_gid() >> 32;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
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
	/* A raw socket names a protocol without speaking it. */
	if (ctx->type != SOCK_STREAM && ctx->type != SOCK_DGRAM)
		end->proto = IPPROTO_RAW;
	event.reason = judge_endpoint_up(end, binding);
	if (!event.reason)
		return 1;
	event.judge = end->judge;
	event.generation = end->generation;
	event.keys = end->keys;
	event.address_hi = end->hi;
	event.address_lo = end->lo;
	event.family = ctx->family;
	event.port = end->port;
	event.proto = end->proto;
	event.socket_type = ctx->type;
	event.hook = hook;
	event_task(&event);
	return net_refuse(binding, &event);
}

/* The kind of socket, for one binding. */
static __always_inline int judge_kind(__u64 binding, int known)
{
	int state = subject_state(subject_find(binding));

	if (state)
		return state < 0 ? 0 : state;
	return known ? 0 : WARDER_REASON_FAMILY;
}

/* ... and for all above it. */
__noinline int judge_kind_up(__u64 binding, int known)
{
	struct warder_subject *subject = subject_find(binding);
	int reason = judge_kind(binding, known);
	__u32 i;

	for (i = 0; i < WARDER_NESTING_MAX - 1; i++) {
		if (reason || !subject || !subject->above[i])
			break;
		reason = judge_kind(subject->above[i], known);
	}
	return reason;
}

/*
 * Sockets that are made. The kernel has found the protocol by now. Only those of IPv4 and IPv6
 * pass here, and none that the kernel makes for itself.
 */
SEC("cgroup/sock_create")
int net_sock_create(struct bpf_sock *ctx)
{
	struct warder_event event = {};
	__u64 binding = leaf_binding(bpf_get_current_cgroup_id());

	if (!binding)
		return 1;
	event.reason =
		judge_kind_up(binding, socket_is_known(ctx->family, ctx->type, ctx->protocol));
	if (!event.reason)
		return 1;
	event.object = WARDER_OBJECT_SOCKET;
	event.family = ctx->family;
	event.socket_type = ctx->type;
	event.proto = ctx->protocol;
	event.hook = WARDER_HOOK_NET_SOCK_CREATE;
	event_task(&event);
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
 * The own address, as in hook_socket_bind: a TCP socket that lets the kernel pick a port is judged
 * when it listens, which no program here sees; whom it answers then, egress does.
 */
static __always_inline int net_second_bind(struct bpf_sock_addr *ctx, struct endpoint *end,
					   __u8 hook)
{
	if (!ctx->user_port && ctx->type == SOCK_STREAM && ctx->protocol == IPPROTO_TCP)
		return 1;
	end->op = WARDER_NET_BIND;
	return net_second(ctx, end, hook);
}

SEC("cgroup/bind4")
int net_bind4(struct bpf_sock_addr *ctx)
{
	struct endpoint end = {};

	endpoint_set4(&end, ctx->user_ip4);
	return net_second_bind(ctx, &end, WARDER_HOOK_NET_BIND4);
}

SEC("cgroup/bind6")
int net_bind6(struct bpf_sock_addr *ctx)
{
	__u32 words[4] = {ctx->user_ip6[0], ctx->user_ip6[1], ctx->user_ip6[2], ctx->user_ip6[3]};
	struct endpoint end = {};

	endpoint_set6(&end, words);
	return net_second_bind(ctx, &end, WARDER_HOOK_NET_BIND6);
}

/* --- packets: in the network's own time, when the current task is anybody --- */

/*
 * Whose a packet is: by its socket's cgroup. One that has no entry has been removed, and its
 * sockets only send what is left; but where entries could not be inserted, cannot tell is deny.
 */
static __always_inline __u64 packet_binding(__u64 cgroup)
{
	struct warder_cgroup *entry = bpf_map_lookup_elem(&cgroups, &cgroup);

	if (entry)
		return entry->binding;
	return total_get(WARDER_TOTAL_INHERIT_FAILED) ? WARDER_BINDING_UNBOUND : 0;
}

/* Is it sent by a route of its own? Source routes of IPv4, and routing headers of IPv6. */
static __always_inline int packet_is_routed(struct __sk_buff *skb)
{
	__u8 head = 0;

	if (skb->protocol == bpf_htons(ETH_P_IP))
		return bpf_skb_load_bytes(skb, 0, &head, 1) || head > 0x45;
	return bpf_skb_load_bytes(skb, 6, &head, 1) || head == NEXTHDR_HOP ||
	       head == NEXTHDR_ROUTING || head == NEXTHDR_DEST;
}

/*
 * Where a packet says that it goes. One without a head of TCP or UDP behind that of IP (of
 * another protocol, a later part) keeps a protocol that no rule can name.
 */
static __always_inline void packet_read(struct __sk_buff *skb, struct endpoint *end)
{
	__u32 words[4] = {}, offset = 40;
	__be16 part = 0, ports[2];
	__u8 proto = 0;

	end->proto = IPPROTO_RAW;
	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		offset = 20;
		if (bpf_skb_load_bytes(skb, 16, words, 4) ||
		    bpf_skb_load_bytes(skb, 9, &proto, 1) || bpf_skb_load_bytes(skb, 6, &part, 2))
			return;
		endpoint_set4(end, words[0]);
	} else {
		if (bpf_skb_load_bytes(skb, 24, words, 16) || bpf_skb_load_bytes(skb, 6, &proto, 1))
			return;
		endpoint_set6(end, words);
	}
	if ((part & bpf_htons(0x3fff)) || (proto != IPPROTO_TCP && proto != IPPROTO_UDP) ||
	    bpf_skb_load_bytes(skb, offset, ports, sizeof(ports)))
		return;
	end->port = bpf_ntohs(ports[1]);
	end->proto = proto;
}

/*
 * The other end of a TCP socket that has one. It says more than the packet, whose destination may
 * have been translated by now, or wrapped up (NAT, IPsec). 1: it has one.
 */
static __always_inline int peer_read(struct bpf_sock *sk, struct endpoint *end)
{
	__u32 words[4];

	if (sk->protocol != IPPROTO_TCP || sk->state == BPF_TCP_LISTEN || !sk->dst_port)
		return 0;
	if (sk->family == AF_INET) {
		endpoint_set4(end, sk->dst_ip4);
	} else {
		words[0] = sk->dst_ip6[0];
		words[1] = sk->dst_ip6[1];
		words[2] = sk->dst_ip6[2];
		words[3] = sk->dst_ip6[3];
		endpoint_set6(end, words);
	}
	end->port = bpf_ntohs(sk->dst_port);
	end->proto = IPPROTO_TCP;
	return 1;
}

/*
 * May a packet go there? What one may connect to; and, for TCP that does not begin a connection,
 * whom one may accept one from. The keys held now count: a connection ends with its grant.
 */
__noinline int judge_packet(struct endpoint *end, __u64 binding, int answer)
{
	struct endpoint back;
	int reason;

	if (!end)
		return WARDER_REASON_UNKNOWN;
	back = *end;
	reason = judge_endpoint_up(end, binding);
	if (!reason || !answer || back.proto != IPPROTO_TCP)
		return reason;
	back.op = WARDER_NET_ACCEPT;
	return judge_endpoint_up(&back, binding) ? reason : 0;
}

/* In a frame of its own: with those of the judges it is too much stack. */
__noinline int packet_refuse(struct endpoint *end, __u64 binding, __u64 cgroup, int family,
			     int reason)
{
	struct warder_event event = {};

	if (!end)
		return 0;
	event.reason = reason;
	event.judge = end->judge;
	event.generation = end->generation;
	event.keys = end->keys;
	event.cgroup = cgroup;
	event.address_hi = end->hi;
	event.address_lo = end->lo;
	event.family = family;
	event.port = end->port;
	event.proto = end->proto;
	event.hook = WARDER_HOOK_NET_EGRESS;
	return net_refuse(binding, &event);
}

/*
 * A packet that carries its own route goes elsewhere first: it comes from socket options, from
 * beside a message, or from a flow label. No rule names that other place, so no socket of a
 * subject sends such packets. Any other is judged by where it goes: also that of a socket that
 * somebody else uses, and that of a connection made before a grant ended.
 */
SEC("cgroup_skb/egress")
int net_egress(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct endpoint end = {};
	__u64 cgroup, binding;
	int answer = 1, reason = 0, family = AF_INET6;

	if (skb->protocol == bpf_htons(ETH_P_IP))
		family = AF_INET;
	else if (skb->protocol != bpf_htons(ETH_P_IPV6))
		return 1;
	cgroup = bpf_skb_cgroup_id(skb);
	binding = packet_binding(cgroup);
	if (packet_is_routed(skb)) {
		packet_read(skb, &end);
		end.proto = 0;
		end.port = 0;
		reason = WARDER_REASON_SURFACE;
	} else if (binding) {
		if (sk)
			sk = bpf_sk_fullsock(sk);
		if (sk && sk->protocol == IPPROTO_TCP && sk->state == BPF_TCP_SYN_SENT)
			answer = 0;
		if (!sk || !peer_read(sk, &end))
			packet_read(skb, &end);
		reason = judge_packet(&end, binding, answer);
	}
	return reason ? packet_refuse(&end, binding, cgroup, family, reason) : 1;
}
