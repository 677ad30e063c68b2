// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * net.bpf.c - sockets.
 *
 *   socket_create		only TCP, UDP and unix sockets exist for a subject
 *   socket_connect		IPv4, IPv6, v4-mapped; by the socket's family, not the address's
 *   socket_sendmsg		whatever names a destination: UDP, TCP fast open
 *   socket_setsockopt	no membership of groups: the kernel sends the group's and the
 *				sources' addresses, which are the caller's words, to the network;
 *				what reroutes or attaches a program only where a key names it
 *   unix_stream_connect	by the path or abstract name of the peer
 *   unix_may_send		the same for datagrams
 *
 * IPv4 is ::ffff:a.b.c.d throughout.
 */

/* Where to: the input and output of one network decision; fits sockets with and without task. */
struct endpoint {
	__u64 hi, lo;
	__u64 keys, judge, generation; /* see struct warder_event */
	__u16 port;
	__u16 proto;  /* IPPROTO_* */
	__u16 op;     /* enum warder_net_op */
	__u16 picked; /* of a bind: the kernel picked the port; a rule for port 0 says it, too */
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
	/* Only a peer of one's own choice becomes loopback: to bind to no address is to bind to
	 * all. */
	if (end->op == WARDER_NET_CONNECT)
		warder_address_normalise(&hi, &lo);
	held = keys_held(subject);
	if (warder_decide_net(image, end->op, proto, hi, lo, end->port, held, subject->base,
			      &denied, &keys)) {
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

/* The same where there is no task whose judges are known: for `binding` and all above it. */
__noinline int judge_endpoint_up(struct endpoint *end, __u64 binding)
{
	struct warder_subject *subject = subject_find(binding);
	__u64 judge = binding;
	int reason;
	__u32 i;

	if (!end)
		return WARDER_REASON_UNKNOWN;
	reason = judge_endpoint(end, binding);
	for (i = 0; i < WARDER_NESTING_MAX - 1; i++) {
		if (reason || !subject || !subject->above[i])
			break;
		judge = subject->above[i];
		reason = judge_endpoint(end, judge);
	}
	if (reason) {
		end->judge = judge;
		if (reason != WARDER_REASON_DENY_RULE)
			end->keys = 0;
	}
	return reason;
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

/*
 * Is it a kind of socket that rules can speak of? The protocol 0 is what the kernel then chooses:
 * TCP or UDP.
 */
static __always_inline int socket_is_known(int family, int type, int protocol)
{
	if (family == AF_UNIX)
		return type == SOCK_STREAM || type == SOCK_DGRAM || type == SOCK_SEQPACKET;
	if (family != AF_INET && family != AF_INET6)
		return 0;
	return (type == SOCK_STREAM && (protocol == IPPROTO_IP || protocol == IPPROTO_TCP)) ||
	       (type == SOCK_DGRAM && (protocol == IPPROTO_IP || protocol == IPPROTO_UDP));
}

static __noinline int body_socket_create(int family, int type, int protocol, int kern, __u8 flags)
{
	struct warder_event *event;

	if (kern)
		return 0;
	HOOK_BEGIN(actor, SOCKET_CREATE);
	actor.flags = flags;
	event = &actor.task->event;
	if (!reason) {
		event->object = WARDER_OBJECT_SOCKET;
		event->family = family;
		event->socket_type = type;
		event->proto = protocol;
		if (!socket_is_known(family, type, protocol))
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

/*
 * Options of sockets of any family that choose the device, the route or another owner of packets,
 * or attach a program. (A classic filter too: the kernel compiles it.)
 */
static __always_inline int is_weighty_of_socket(int option)
{
	return option == SO_DONTROUTE || option == SO_BINDTODEVICE || option == SO_ATTACH_FILTER ||
	       option == SO_MARK || option == SO_ATTACH_BPF || option == SO_ATTACH_REUSEPORT_CBPF ||
	       option == SO_ATTACH_REUSEPORT_EBPF || option == SO_BINDTOIFINDEX;
}

/*
 * Of IPv4, on sockets of IPv6 too: headers and routes of one's own, ports of one's own choice
 * where the kernel's is allowed, IPsec. From 64 on, all are tables of netfilter, of the router
 * and of IPVS.
 */
static __always_inline int is_weighty_of_ip4(int option)
{
	return option == IP_OPTIONS || option == IP_HDRINCL || option == IP_IPSEC_POLICY ||
	       option == IP_XFRM_POLICY || option == IP_TRANSPARENT || option == IP_UNICAST_IF ||
	       option == IP_LOCAL_PORT_RANGE || option >= IP_TABLES_FIRST;
}

/* Of IPv6: extension headers, and what makes the socket one of IPv4. */
static __always_inline int is_weighty_of_ip6(int option)
{
	return option == IPV6_ADDRFORM || option == IPV6_2292PKTOPTIONS ||
	       option == IPV6_IPSEC_POLICY || option == IPV6_XFRM_POLICY ||
	       option == IPV6_HDRINCL || option == IPV6_PKTINFO || option == IPV6_HOPOPTS ||
	       option == IPV6_RTHDRDSTOPTS || option == IPV6_RTHDR || option == IPV6_DSTOPTS ||
	       option == IP6T_SET_REPLACE || option == IP6T_SET_ADD_COUNTERS ||
	       option == IPV6_TRANSPARENT || option == IPV6_UNICAST_IF ||
	       option >= IPV6_TABLES_FIRST;
}

static __always_inline int is_weighty(int level, int option)
{
	switch (level) {
	case SOL_SOCKET:
		return is_weighty_of_socket(option);
	case IPPROTO_IP:
		return is_weighty_of_ip4(option);
	case IPPROTO_IPV6:
		return is_weighty_of_ip6(option);
	case IPPROTO_TCP:
		return (option >= TCP_REPAIR && option <= TCP_REPAIR_OPTIONS) ||
		       option == TCP_REPAIR_WINDOW || option == TCP_ULP;
	case IPPROTO_UDP:
		return option == UDP_ENCAP;
	default:
		return 0;
	}
}

SEC("lsm/socket_setsockopt")
int BPF_PROG(hook_socket_setsockopt, struct socket *sock, int level, int option)
{
	HOOK_BEGIN(actor, SOCKET_SETSOCKOPT);
	if (!reason && is_membership(level, option)) {
		event_socket(&actor.task->event, sock->sk);
		reason = WARDER_REASON_NO_RULE;
	}
	if (!reason && is_weighty(level, option))
		return surface_judge(&actor, reason, WARDER_SURFACE_SOCKET_OPTIONS);
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

/* Inline: what it calls uses all the depth of calls that Linux 6.1 has. */
static __always_inline int body_unix_stream_connect(struct sock *other, __u8 flags)
{
	HOOK_BEGIN(actor, UNIX_STREAM_CONNECT);
	actor.flags = flags;
	actor.task->peer = (__u64)other;
	if (!reason)
		reason = JUDGE_BOTH(&actor, judge_unix_peer(actor.task, binding));
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/unix_stream_connect")
int BPF_PROG(hook_unix_stream_connect, struct sock *sock, struct sock *other, struct sock *newsk)
{
	return body_unix_stream_connect(other, 0);
}

SEC("lsm_cgroup/unix_stream_connect")
int BPF_PROG(twin_unix_stream_connect, struct sock *sock, struct sock *other, struct sock *newsk)
{
	return twin_return(body_unix_stream_connect(other, WARDER_EVENT_SECOND_NET));
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
