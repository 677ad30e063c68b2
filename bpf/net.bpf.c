// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * net.bpf.c - sockets.
 *
 *   socket_create		only TCP, UDP and unix sockets exist for a subject
 *   socket_connect		IPv4, IPv6, v4-mapped; by the socket's family, not the address's
 *   socket_sendmsg		whatever names a destination: UDP, TCP fast open
 *   socket_bind, socket_listen	no rule can grant them yet, so: no port of one's own
 *   socket_setsockopt	no membership of groups: the kernel sends the group's and the
 *				sources' addresses, which are the caller's words, to the network
 *   unix_stream_connect	by the path or abstract name of the peer
 *   unix_may_send		the same for datagrams
 *   connect4/6, sendmsg4/6	the second net, by the cgroup of the current task; and an
 *				unspecified destination becomes the loopback it is judged as
 *   egress			no packet takes a route of its own
 *
 * IPv4 is ::ffff:a.b.c.d throughout.
 */

/* Where to: the input and output of one network decision; fits sockets with and without task. */
struct endpoint {
	__u64 hi, lo;
	__u64 keys, judge, generation; /* see struct warder_event */
	__u16 port;
	__u16 proto; /* IPPROTO_* */
	__u32 pad;
};

__noinline int judge_endpoint(struct endpoint *end, __u64 binding)
{
	struct warder_subject *subject = subject_find(binding);
	__u64 hi, lo, denied = 0, keys = 0, held;
	const union warder_page *first;
	int state = subject_state(subject);
	void *image;
	__u8 proto;

	if (!end || !subject)
		return WARDER_REASON_GONE;
	if (state)
		return state < 0 ? 0 : state;
	image = image_find(subject, &first);
	if (!image)
		return WARDER_REASON_GONE;
	if (!end->keys)
		end->generation = subject->generation;
	if (end->proto == IPPROTO_TCP)
		proto = WARDER_PROTO_TCP;
	else if (end->proto == IPPROTO_UDP)
		proto = WARDER_PROTO_UDP;
	else
		return WARDER_REASON_FAMILY;
	hi = end->hi;
	lo = end->lo;
	warder_address_normalise(&hi, &lo);
	held = keys_held(subject);
	if (warder_decide_net(image, WARDER_NET_CONNECT, proto, hi, lo, end->port, held,
			      subject->base, &denied, &keys)) {
		/* As in used_keys. */
		if (keys && !end->keys) {
			end->keys = keys;
			end->judge = binding;
			end->generation = subject->generation;
		}
		return 0;
	}
	end->keys = denied;
	end->judge = binding;
	end->generation = subject->generation;
	return denied ? WARDER_REASON_DENY_RULE : WARDER_REASON_NO_RULE;
}

static __always_inline void endpoint_set4(struct endpoint *end, __u32 address_be)
{
	end->hi = 0;
	end->lo = 0xffff00000000ull | bpf_ntohl(address_be);
}

static __always_inline void endpoint_set6(struct endpoint *end, const __u32 *words_be)
{
	end->hi = (__u64)bpf_ntohl(words_be[0]) << 32 | bpf_ntohl(words_be[1]);
	end->lo = (__u64)bpf_ntohl(words_be[2]) << 32 | bpf_ntohl(words_be[3]);
}

/*
 * Where an unspecified destination goes: to the address that the socket is bound to, but a
 * v6 socket with a v4-mapped address goes to 127.0.0.1. Without one it is loopback, which
 * warder_address_normalise knows. (That it stays so until the packet leaves, see net_second4.)
 */
static __always_inline void endpoint_specify(struct endpoint *end, struct sock *sk)
{
	__u32 words[4] = {};

	if (end->hi)
		return;
	if (end->lo == 0xffff00000000ull) {
		if (!bpf_core_read(words, 4, &sk->__sk_common.skc_rcv_saddr) && words[0])
			endpoint_set4(end, words[0]);
	} else if (!end->lo) {
		if (bpf_core_read(words, 16, &sk->__sk_common.skc_v6_rcv_saddr))
			return;
		if (!words[0] && !words[1] && words[2] == bpf_htonl(0xffff))
			endpoint_set4(end, bpf_htonl(0x7f000001));
	}
}

/* How an address is used: connect dissolves an association, send does not. */
enum address_use {
	USE_CONNECT,
	USE_SEND
};

/* endpoint_read's answers besides a reason for refusal. */
#define ENDPOINT_JUDGE (-1) /* filled: judge it */
#define ENDPOINT_NONE  0    /* no destination in it: nothing to judge */

/*
 * Read the destination as the protocol will: when sending, AF_UNSPEC is taken for AF_INET,
 * and an IPv6 socket takes AF_INET addresses.
 */
static __always_inline int endpoint_read(struct endpoint *end, struct sock *sk, const void *address,
					 int length, enum address_use use)
{
	__u16 socket_family = sk->__sk_common.skc_family, family = 0;
	__u32 words[4];
	__be16 port = 0;

	end->proto = sk->sk_protocol;
	/* A raw socket names a protocol without speaking it: its packets go to any port. */
	if (sk->sk_type != SOCK_STREAM && sk->sk_type != SOCK_DGRAM)
		return WARDER_REASON_FAMILY;
	if (length < 2 || bpf_probe_read_kernel(&family, sizeof(family), address))
		return WARDER_REASON_UNKNOWN;
	if (family == AF_UNSPEC && use == USE_CONNECT)
		return ENDPOINT_NONE;
	/* A v6 socket drops the name; but it may become a v4 one (IPV6_ADDRFORM) before it does. */
	if (family == AF_UNSPEC)
		family = AF_INET;
	if (socket_family == AF_INET && family != AF_INET)
		return WARDER_REASON_FAMILY;
	if (family == AF_INET) {
		if (length < 8 || bpf_probe_read_kernel(&port, 2, address + 2) ||
		    bpf_probe_read_kernel(words, 4, address + 4))
			return WARDER_REASON_UNKNOWN;
		endpoint_set4(end, words[0]);
	} else if (family == AF_INET6) {
		if (length < 24 || bpf_probe_read_kernel(&port, 2, address + 2) ||
		    bpf_probe_read_kernel(words, 16, address + 8))
			return WARDER_REASON_UNKNOWN;
		endpoint_set6(end, words);
	} else {
		return WARDER_REASON_FAMILY;
	}
	endpoint_specify(end, sk);
	end->port = bpf_ntohs(port);
	return ENDPOINT_JUDGE;
}

static __always_inline int judge_address(struct actor *actor, struct sock *sk, const void *address,
					 int length, enum address_use use)
{
	struct warder_event *event = &actor->task->event;
	struct endpoint end = {};
	int reason;

	event->object = WARDER_OBJECT_ADDRESS;
	event->family = sk->__sk_common.skc_family;
	event->proto = sk->sk_protocol;
	event->socket_type = sk->sk_type;
	reason = endpoint_read(&end, sk, address, length, use);
	if (reason != ENDPOINT_JUDGE)
		return reason;
	event->address_hi = end.hi;
	event->address_lo = end.lo;
	event->port = end.port;
	reason = JUDGE_BOTH(actor, judge_endpoint(&end, binding));
	event->keys = end.keys;
	/* A refusal's judge is written down already. */
	if (!reason) {
		event->judge = end.judge;
		event->generation = end.generation;
	}
	return reason;
}

static __noinline int body_socket_create(int family, int type, int protocol, int kern, __u8 flags)
{
	struct warder_event *event;
	int known = 0;

	if (kern)
		return 0;
	HOOK_BEGIN(actor, SOCKET_CREATE);
	actor.flags = flags;
	event = &actor.task->event;
	if (family == AF_INET || family == AF_INET6)
		known = (type == SOCK_STREAM &&
			 (protocol == IPPROTO_IP || protocol == IPPROTO_TCP)) ||
			(type == SOCK_DGRAM && (protocol == IPPROTO_IP || protocol == IPPROTO_UDP));
	else if (family == AF_UNIX)
		known = type == SOCK_STREAM || type == SOCK_DGRAM || type == SOCK_SEQPACKET;
	if (!reason) {
		event->object = WARDER_OBJECT_SOCKET;
		event->family = family;
		event->socket_type = type;
		event->proto = protocol;
		if (!known)
			reason = WARDER_REASON_FAMILY;
	}
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/socket_create")
int BPF_PROG(hook_socket_create, int family, int type, int protocol, int kern)
{
	return body_socket_create(family, type, protocol, kern, 0);
}

SEC("lsm_cgroup/socket_create")
int BPF_PROG(twin_socket_create, int family, int type, int protocol, int kern)
{
	return twin_return(
		body_socket_create(family, type, protocol, kern, WARDER_EVENT_SECOND_NET));
}

static __noinline int body_socket_connect(struct socket *sock, struct sockaddr *address, int length,
					  __u8 flags)
{
	struct sock *sk = sock->sk;
	__u16 family = 0;

	HOOK_BEGIN(actor, SOCKET_CONNECT);
	actor.flags = flags;
	if (sk)
		family = sk->__sk_common.skc_family;
	/* Unix sockets are judged where the peer is known: unix_stream_connect, unix_may_send. */
	if (!reason && sk && (family == AF_INET || family == AF_INET6))
		reason = judge_address(&actor, sk, address, length, USE_CONNECT);
	else if (!reason && family != AF_UNIX)
		reason = WARDER_REASON_FAMILY;
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/socket_connect")
int BPF_PROG(hook_socket_connect, struct socket *sock, struct sockaddr *address, int length)
{
	return body_socket_connect(sock, address, length, 0);
}

SEC("lsm_cgroup/socket_connect")
int BPF_PROG(twin_socket_connect, struct socket *sock, struct sockaddr *address, int length)
{
	return twin_return(body_socket_connect(sock, address, length, WARDER_EVENT_SECOND_NET));
}

SEC("lsm/socket_sendmsg")
int BPF_PROG(hook_socket_sendmsg, struct socket *sock, struct msghdr *msg, int size)
{
	struct sock *sk = sock->sk;
	__u16 family = 0;

	HOOK_BEGIN(actor, SOCKET_SENDMSG);
	if (sk)
		family = sk->__sk_common.skc_family;
	if (reason || family == AF_UNIX)
		goto out;
	if (!sk || (family != AF_INET && family != AF_INET6))
		reason = WARDER_REASON_FAMILY;
	else if (msg->msg_name && msg->msg_namelen > 0)
		reason = judge_address(&actor, sk, msg->msg_name, msg->msg_namelen, USE_SEND);
out:
	return actor_end(&actor, reason, -EACCES);
}

static __always_inline void event_socket(struct warder_event *event, struct sock *sk)
{
	event->object = WARDER_OBJECT_SOCKET;
	if (!sk)
		return;
	event->family = sk->__sk_common.skc_family;
	event->socket_type = sk->sk_type;
	event->proto = sk->sk_protocol;
}

/* The address of a bind, for the report: as the caller wrote it, as far as it can be read. */
static __always_inline void event_bind(struct warder_event *event, struct sock *sk,
				       const void *address, int length)
{
	struct endpoint end = {};
	__u16 family = 0;
	__u32 words[4];

	event_socket(event, sk);
	event->object = WARDER_OBJECT_ADDRESS;
	if (length < 2 || bpf_probe_read_kernel(&family, sizeof(family), address))
		return;
	if (family == AF_INET6) {
		if (length >= 24 && !bpf_probe_read_kernel(words, 16, address + 8))
			endpoint_set6(&end, words);
	} else if (length >= 8 && !bpf_probe_read_kernel(words, 4, address + 4)) {
		endpoint_set4(&end, words[0]);
	}
	event->address_hi = end.hi;
	event->address_lo = end.lo;
}

/*
 * A port that others can reach is a way out too, and no rule of this version grants one.
 * Port 0 stays possible for bind: it is what clients do to choose a source address.
 */
SEC("lsm/socket_bind")
int BPF_PROG(hook_socket_bind, struct socket *sock, struct sockaddr *address, int length)
{
	struct sock *sk = sock->sk;
	__u16 family = 0;
	__be16 port = 0;

	HOOK_BEGIN(actor, SOCKET_BIND);
	if (sk)
		family = sk->__sk_common.skc_family;
	if (reason || family == AF_UNIX)
		goto out; /* a path is created (path_mknod); an abstract name is no way out */
	event_bind(&actor.task->event, sk, address, length);
	if (family != AF_INET && family != AF_INET6)
		reason = WARDER_REASON_FAMILY;
	else if (length < 4 || bpf_probe_read_kernel(&port, sizeof(port), (void *)address + 2))
		reason = WARDER_REASON_UNKNOWN;
	else if (port)
		reason = WARDER_REASON_NO_RULE;
	actor.task->event.port = bpf_ntohs(port);
out:
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/socket_listen")
int BPF_PROG(hook_socket_listen, struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	__u16 family = 0;

	HOOK_BEGIN(actor, SOCKET_LISTEN);
	if (sk)
		family = sk->__sk_common.skc_family;
	if (!reason && family != AF_UNIX) {
		event_socket(&actor.task->event, sk);
		reason = WARDER_REASON_NO_RULE;
	}
	return actor_end(&actor, reason, -EACCES);
}

/* Options that make the kernel tell the network of a group; no rule can grant them yet. */
static __always_inline int is_membership(int level, int option)
{
	if (level == IPPROTO_IP)
		return option >= IP_ADD_MEMBERSHIP && option <= MCAST_MSFILTER;
	if (level == IPPROTO_IPV6)
		return option == IPV6_ADD_MEMBERSHIP || option == IPV6_DROP_MEMBERSHIP ||
		       option == IPV6_JOIN_ANYCAST || option == IPV6_LEAVE_ANYCAST ||
		       (option >= MCAST_JOIN_GROUP && option <= MCAST_MSFILTER);
	return 0;
}

SEC("lsm/socket_setsockopt")
int BPF_PROG(hook_socket_setsockopt, struct socket *sock, int level, int option)
{
	HOOK_BEGIN(actor, SOCKET_SETSOCKOPT);
	if (!reason && is_membership(level, option)) {
		event_socket(&actor.task->event, sock->sk);
		reason = WARDER_REASON_NO_RULE;
	}
	return actor_end(&actor, reason, -EACCES);
}

/* An abstract name, "@" and its bytes, fed to the image of `binding`. */
__noinline int abstract_state(struct warder_task *t, __u64 address, __u64 binding)
{
	struct warder_subject *subject = subject_find(binding);
	struct unix_address *unix_address = (void *)address;
	const union warder_page *first;
	int length = 0;
	__u32 size;

	if (!t || !subject)
		return -PATH_GONE;
	if (!image_find(subject, &first))
		return -PATH_GONE;
	t->image_slot = subject->image_slot;
	t->generation = subject->generation;
	if (READ(length, unix_address->len))
		return -PATH_UNREADABLE;
	length -= 2; /* the family */
	if (length < 1 || length > 108)
		return -PATH_UNREADABLE;
	size = length;
	size &= 127;
	if (bpf_probe_read_kernel(t->text, size, &unix_address->name[0].sun_path))
		return -PATH_UNREADABLE;
	if (t->text[0])
		return -PATH_UNREADABLE; /* a path after all, without an inode: cannot tell */
	t->text[0] = '@';
	t->event.text_length = size;
	t->filled = size;
	return feed_text(t, first->head.start);
}

/* Judge the peer whose struct sock is at t->peer. */
__noinline int judge_unix_peer(struct warder_task *t, __u64 binding)
{
	struct unix_sock *unix_other;
	struct dentry *dentry;
	__u64 address = 0, id;
	struct sock *other;
	int state;

	if (!t)
		return WARDER_REASON_NO_MEMORY;
	other = (void *)t->peer;
	unix_other = (void *)t->peer;
	state = subject_state(subject_find(binding));
	if (state)
		return state < 0 ? 0 : state;
	t->event.object = WARDER_OBJECT_UNIX;
	t->event.family = AF_UNIX;
	t->event.rights = WARDER_CONNECT;
	id = BPF_CORE_READ(other, sk_cgrp_data.cgroup, kn, id);
	if (cgroup_is_member(id, binding))
		return 0;
	if (READ(t->object.dentry, unix_other->path.dentry) ||
	    READ(t->object.mnt, unix_other->path.mnt) || READ(address, unix_other->addr))
		return WARDER_REASON_UNKNOWN;
	if (t->object.dentry) {
		state = judge_object(t, binding, WARDER_CONNECT);
		/* Its name is gone, or another file's by now: it says nothing about this peer. */
		dentry = (void *)t->object.dentry;
		if (!state && !BPF_CORE_READ(dentry, d_hash.pprev)) {
			t->event.missing = WARDER_CONNECT;
			return WARDER_REASON_UNFINISHED;
		}
		return state;
	}
	t->event.missing = WARDER_CONNECT;
	if (!address)
		return WARDER_REASON_NOT_MEMBER; /* unnamed, and not ours */
	state = abstract_state(t, address, binding);
	if (state < 0)
		return path_reason(-state);
	t->event.missing = 0;
	return judge_state(t, binding, state, WARDER_CONNECT);
}

SEC("lsm/unix_stream_connect")
int BPF_PROG(hook_unix_stream_connect, struct sock *sock, struct sock *other, struct sock *newsk)
{
	HOOK_BEGIN(actor, UNIX_STREAM_CONNECT);
	actor.task->peer = (__u64)other;
	if (!reason)
		reason = JUDGE_BOTH(&actor, judge_unix_peer(actor.task, binding));
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/unix_may_send")
int BPF_PROG(hook_unix_may_send, struct socket *sock, struct socket *other)
{
	HOOK_BEGIN(actor, UNIX_MAY_SEND);
	actor.task->peer = (__u64)other->sk;
	if (!reason)
		reason = JUDGE_BOTH(&actor, judge_unix_peer(actor.task, binding));
	return actor_end(&actor, reason, -EACCES);
}

/* What a program of the second net refuses: counted, and sent without a task's room to work. */
static __always_inline int net_refuse(__u64 binding, struct warder_event *event)
{
	struct warder_stats *counters = stats_of(binding);
	__u32 slot = WARDER_SLOT(binding);
	void *ring;

	if (!counters)
		return 0;
	__sync_fetch_and_add(&counters->denied, 1);
	event->sequence = __sync_fetch_and_add(&counters->sequence, 1) + 1;
	event->time = bpf_ktime_get_boot_ns();
	event->binding = binding;
	if (!event->judge)
		event->judge = binding;
	event->error = -EPERM;
	event->object = WARDER_OBJECT_ADDRESS;
	event->flags = WARDER_EVENT_SECOND_NET;
	ring = bpf_map_lookup_elem(&rings, &slot);
	if (ring && !bpf_ringbuf_output(ring, event, sizeof(*event), 0))
		__sync_fetch_and_add(&counters->events, 1);
	else
		__sync_fetch_and_add(&counters->dropped, 1);
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
	struct warder_subject *subject;
	__u64 binding;
	__u32 i;

	binding = leaf_binding(bpf_get_current_cgroup_id());
	if (!binding)
		return 1; /* a socket of the subject's, used by somebody outside */
	end->port = bpf_ntohs(ctx->user_port);
	end->proto = ctx->protocol;
	event.judge = binding;
	event.reason = judge_endpoint(end, binding);
	subject = subject_find(binding);
	for (i = 0; i < WARDER_NESTING_MAX - 1; i++) {
		if (event.reason || !subject || !subject->above[i])
			break;
		event.judge = subject->above[i];
		event.reason = judge_endpoint(end, event.judge);
	}
	if (!event.reason)
		return 1;
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
