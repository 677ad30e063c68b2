// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * listen.bpf.c - sockets that others can reach.
 *
 *   socket_bind		the own address and port
 *   socket_listen		the same, as the socket has them
 *   socket_accept		only on what a member made listen
 *   inet_conn_request	whom a connection comes from, before anybody can accept it
 */

/*
 * The address that is asked for, as the protocol will read it: inet_bind takes AF_UNSPEC for
 * AF_INET; a v6 socket takes only AF_INET6. 0, or the reason for a refusal.
 */
static __always_inline int bind_read(struct endpoint *end, struct sock *sk, const void *address,
				     int length)
{
	__u16 socket_family = sk->__sk_common.skc_family, family = 0;
	__u32 words[4];
	__be16 port = 0;

	end->proto = sk->sk_protocol;
	end->op = WARDER_NET_BIND;
	if (sk->sk_type != SOCK_STREAM && sk->sk_type != SOCK_DGRAM)
		return WARDER_REASON_FAMILY;
	if (length < 8 || bpf_probe_read_kernel(&family, sizeof(family), address) ||
	    bpf_probe_read_kernel(&port, sizeof(port), address + 2))
		return WARDER_REASON_UNKNOWN;
	if (socket_family == AF_INET) {
		if (family != AF_INET && family != AF_UNSPEC)
			return WARDER_REASON_FAMILY;
		if (bpf_probe_read_kernel(words, 4, address + 4))
			return WARDER_REASON_UNKNOWN;
		endpoint_set4(end, words[0]);
	} else {
		/* (An IPv6 socket that became one of IPv4 has its family, too.) */
		if (family != AF_INET6)
			return WARDER_REASON_FAMILY;
		if (length < 24 || bpf_probe_read_kernel(words, 16, address + 8))
			return WARDER_REASON_UNKNOWN;
		endpoint_set6(end, words);
	}
	end->port = bpf_ntohs(port);
	return 0;
}

static __always_inline void event_endpoint(struct warder_event *event, const struct endpoint *end,
					   int reason)
{
	event->object = WARDER_OBJECT_ADDRESS;
	event->address_hi = end->hi;
	event->address_lo = end->lo;
	event->port = end->port;
	event->keys = end->keys;
	/* A refusal's judge is written down already. */
	if (!reason) {
		event->judge = end->judge;
		event->generation = end->generation;
	}
}

/*
 * A port that others can reach is a way in and out. A TCP socket that lets the kernel pick one
 * (port 0) is reached by nobody before it listens, and clients do so to choose a source address:
 * that is judged when it listens.
 */
static __noinline int body_socket_bind(struct socket *sock, struct sockaddr *address, int length,
				       __u8 flags)
{
	struct sock *sk = sock->sk;
	struct endpoint end = {};
	__u16 family = 0;

	HOOK_BEGIN(actor, SOCKET_BIND);
	actor.flags = flags;
	if (sk)
		family = sk->__sk_common.skc_family;
	if (reason || family == AF_UNIX)
		goto out; /* a path is created (path_mknod); an abstract name is no way out */
	event_socket(&actor.task->event, sk);
	if (!sk || (family != AF_INET && family != AF_INET6)) {
		reason = WARDER_REASON_FAMILY;
		goto out;
	}
	reason = bind_read(&end, sk, address, length);
	if (!reason && (end.port || end.proto != IPPROTO_TCP))
		reason = JUDGE_BOTH(&actor, judge_endpoint(&end, binding));
	if (reason != WARDER_REASON_FAMILY)
		event_endpoint(&actor.task->event, &end, reason);
out:
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/socket_bind")
int BPF_PROG(hook_socket_bind, struct socket *sock, struct sockaddr *address, int length)
{
	return body_socket_bind(sock, address, length, 0);
}

SEC("lsm_cgroup/socket_bind")
int BPF_PROG(twin_socket_bind, struct socket *sock, struct sockaddr *address, int length)
{
	return twin_return(body_socket_bind(sock, address, length, WARDER_EVENT_SECOND_NET));
}

/* The address and port that a socket has. */
static __always_inline void endpoint_own(struct endpoint *end, struct sock *sk)
{
	__u32 words[4] = {};

	if (sk->__sk_common.skc_family == AF_INET) {
		endpoint_set4(end, sk->__sk_common.skc_rcv_saddr);
	} else {
		BPF_CORE_READ_INTO(&words, sk, __sk_common.skc_v6_rcv_saddr);
		endpoint_set6(end, words);
	}
	end->port = sk->__sk_common.skc_num;
	end->proto = sk->sk_protocol;
	end->op = WARDER_NET_BIND;
}

/* The right to bind to `end`; where the kernel picked the port, also by port 0. */
__noinline int judge_own(struct endpoint *end, __u64 binding)
{
	struct endpoint picked;
	int reason, other;

	if (!end)
		return WARDER_REASON_UNKNOWN;
	picked = *end;
	reason = judge_endpoint(end, binding);
	if (!picked.picked)
		return reason;
	picked.port = 0;
	other = judge_endpoint(&picked, binding);
	/* Only what no rule says can be said by the other one; a deny of either refuses. */
	if (reason != WARDER_REASON_NO_RULE && (reason || other != WARDER_REASON_DENY_RULE))
		return reason;
	end->keys = picked.keys;
	end->judge = picked.judge;
	end->generation = picked.generation;
	return other;
}

/* To listen is to be reached: the right to bind to the address and the port that the socket has. */
static __always_inline int judge_listen(struct actor *actor, struct sock *sk, struct endpoint *end)
{
	endpoint_own(end, sk);
	/* The kernel would pick a port, which is known too late. */
	if (!end->port)
		return WARDER_REASON_UNBOUND;
	end->picked = !(BPF_CORE_READ_BITFIELD(sk, sk_userlocks) & SOCK_BINDPORT_LOCK);
	return JUDGE_BOTH(actor, judge_own(end, binding));
}

/* Its connections are judged by whom they are remembered for. */
static __always_inline int listener_note(struct sock *sk, const struct actor *actor)
{
	struct warder_listener *listener;

	listener = bpf_sk_storage_get(&listeners, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!listener)
		return WARDER_REASON_NO_MEMORY;
	listener->label = actor->label;
	listener->leaf = actor->leaf;
	return 0;
}

SEC("lsm/socket_listen")
int BPF_PROG(hook_socket_listen, struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	struct endpoint end = {};
	__u16 family = 0;

	HOOK_BEGIN(actor, SOCKET_LISTEN);
	if (sk)
		family = sk->__sk_common.skc_family;
	if (reason || family == AF_UNIX)
		goto out;
	event_socket(&actor.task->event, sk);
	if (!sk || (family != AF_INET && family != AF_INET6) || sk->sk_protocol != IPPROTO_TCP) {
		reason = WARDER_REASON_FAMILY;
		goto out;
	}
	reason = judge_listen(&actor, sk, &end);
	event_endpoint(&actor.task->event, &end, reason);
	if (!reason)
		reason = listener_note(sk, &actor);
out:
	return actor_end(&actor, reason, -EACCES);
}

static __always_inline int judge_listener(__u64 label, __u64 leaf, __u64 cgroup, __u64 binding)
{
	int state = subject_state(subject_find(binding));

	if (state)
		return state < 0 ? 0 : state;
	if ((label && binding_is_within(label, binding)) ||
	    (leaf && binding_is_within(leaf, binding)) || cgroup_is_member(cgroup, binding))
		return 0;
	return WARDER_REASON_NOT_MEMBER;
}

/*
 * A listening socket that came from elsewhere: its connections were not judged by what this
 * subject may. (Unix sockets are judged where somebody connects to them.)
 */
SEC("lsm/socket_accept")
int BPF_PROG(hook_socket_accept, struct socket *sock, struct socket *newsock)
{
	struct warder_listener *listener;
	struct sock *sk = sock->sk;
	__u64 cgroup, label = 0, leaf = 0;
	__u16 family = 0;

	HOOK_BEGIN(actor, SOCKET_ACCEPT);
	if (sk)
		family = sk->__sk_common.skc_family;
	if (reason || family == AF_UNIX)
		goto out;
	event_socket(&actor.task->event, sk);
	if (!sk || (family != AF_INET && family != AF_INET6)) {
		reason = WARDER_REASON_FAMILY;
		goto out;
	}
	listener = bpf_sk_storage_get(&listeners, sk, 0, 0);
	if (listener) {
		label = listener->label;
		leaf = listener->leaf;
	}
	cgroup = BPF_CORE_READ(sk, sk_cgrp_data.cgroup, kn, id);
	reason = JUDGE_BOTH(&actor, judge_listener(label, leaf, cgroup, binding));
out:
	return actor_end(&actor, reason, -EACCES);
}

/*
 * A connection that wants in, judged for one binding. The peer's address is the packet's; this
 * runs in the network's own time, when the current task is anybody.
 */
__noinline int judge_request(struct endpoint *end, __u64 binding, __u64 cgroup, int family)
{
	struct warder_event event = {};

	if (!end || !binding)
		return 0;
	end->keys = 0;
	event.reason = judge_endpoint_up(end, binding);
	if (!event.reason && !end->keys)
		return 0;
	if (event.reason)
		event.error = -EACCES;
	event.judge = end->judge;
	event.generation = end->generation;
	event.keys = end->keys;
	event.cgroup = cgroup;
	event.address_hi = end->hi;
	event.address_lo = end->lo;
	event.port = end->port;
	event.proto = end->proto;
	event.family = family;
	event.socket_type = SOCK_STREAM;
	event.hook = WARDER_HOOK_INET_CONN_REQUEST;
	report_bare(binding, &event);
	return event.error;
}

/*
 * For whom a socket listens: who made it listen, and, when that is somebody else or nobody we
 * know, whose cgroup it was made in. A refused connection is never there: the peer hears nothing.
 */
SEC("lsm/inet_conn_request")
int BPF_PROG(hook_inet_conn_request, const struct sock *sk, struct sk_buff *skb,
	     struct request_sock *req)
{
	/* Plain loads: every connection that comes to the machine passes here. */
	__u64 cgroup = sk->sk_cgrp_data.cgroup->kn->id, label = 0, leaf = 0, made = 0;
	struct endpoint end = {.op = WARDER_NET_ACCEPT, .proto = IPPROTO_TCP};
	struct warder_listener *listener;
	struct warder_cgroup *entry;
	__u32 words[4] = {};
	__u16 family;
	int error;

	if (!sk->sk_bpf_storage && !gate_open(cgroup))
		return 0;
	listener = bpf_sk_storage_get(&listeners, (void *)sk, 0, 0);
	if (listener) {
		label = listener->label;
		leaf = listener->leaf;
	}
	if (gate_open(cgroup)) {
		entry = bpf_map_lookup_elem(&cgroups, &cgroup);
		if (entry && entry->binding != label && entry->binding != leaf)
			made = entry->binding;
	}
	if (!label && !leaf && !made)
		return 0;
	/* By the packet: a socket of IPv6 is asked by IPv4, too. */
	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		family = AF_INET;
		BPF_CORE_READ_INTO(&words[0], req, __req_common.skc_daddr);
		endpoint_set4(&end, words[0]);
	} else {
		family = AF_INET6;
		BPF_CORE_READ_INTO(&words, req, __req_common.skc_v6_daddr);
		endpoint_set6(&end, words);
	}
	end.port = bpf_ntohs(BPF_CORE_READ(req, __req_common.skc_dport));
	error = judge_request(&end, label, cgroup, family);
	if (!error)
		error = judge_request(&end, leaf, cgroup, family);
	if (!error)
		error = judge_request(&end, made, cgroup, family);
	return error ? -EACCES : 0;
}
