// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * name_socket.c - families, types and protocols of sockets as people know them.
 */
#include "audit/name.h"

#include <linux/if_ether.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const families[] = {
	[AF_UNSPEC] = "unspec",
	[AF_UNIX] = "unix",
	[AF_INET] = "inet",
	[AF_AX25] = "ax25",
	[AF_IPX] = "ipx",
	[AF_APPLETALK] = "appletalk",
	[AF_NETROM] = "netrom",
	[AF_BRIDGE] = "bridge",
	[AF_ATMPVC] = "atmpvc",
	[AF_X25] = "x25",
	[AF_INET6] = "inet6",
	[AF_ROSE] = "rose",
	[AF_DECnet] = "decnet",
	[AF_NETBEUI] = "netbeui",
	[AF_SECURITY] = "security",
	[AF_KEY] = "key",
	[AF_NETLINK] = "netlink",
	[AF_PACKET] = "packet",
	[AF_ASH] = "ash",
	[AF_ECONET] = "econet",
	[AF_ATMSVC] = "atmsvc",
	[AF_RDS] = "rds",
	[AF_SNA] = "sna",
	[AF_IRDA] = "irda",
	[AF_PPPOX] = "pppox",
	[AF_WANPIPE] = "wanpipe",
	[AF_LLC] = "llc",
	[AF_IB] = "ib",
	[AF_MPLS] = "mpls",
	[AF_CAN] = "can",
	[AF_TIPC] = "tipc",
	[AF_BLUETOOTH] = "bluetooth",
	[AF_IUCV] = "iucv",
	[AF_RXRPC] = "rxrpc",
	[AF_ISDN] = "isdn",
	[AF_PHONET] = "phonet",
	[AF_IEEE802154] = "ieee802154",
	[AF_CAIF] = "caif",
	[AF_ALG] = "alg",
	[AF_NFC] = "nfc",
	[AF_VSOCK] = "vsock",
	[AF_KCM] = "kcm",
	[AF_QIPCRTR] = "qipcrtr",
	[AF_SMC] = "smc",
	[AF_XDP] = "xdp",
	[45] = "mctp",
};

static const char *const types[] = {
	[SOCK_STREAM] = "stream",
	[SOCK_DGRAM] = "datagram",
	[SOCK_RAW] = "raw",
	[SOCK_RDM] = "rdm",
	[SOCK_SEQPACKET] = "sequential packet",
	[SOCK_DCCP] = "dccp",
	[SOCK_PACKET] = "packet",
};

/* IPPROTO_*: up to 255 those of the internet, above the kernel's own. */
static const char *const protocols[] = {
	[IPPROTO_ICMP] = "icmp",   [IPPROTO_IGMP] = "igmp",
	[IPPROTO_IPIP] = "ipip",   [IPPROTO_TCP] = "tcp",
	[IPPROTO_EGP] = "egp",	   [IPPROTO_PUP] = "pup",
	[IPPROTO_UDP] = "udp",	   [IPPROTO_IDP] = "idp",
	[IPPROTO_TP] = "tp",	   [IPPROTO_DCCP] = "dccp",
	[IPPROTO_IPV6] = "ipv6",   [IPPROTO_RSVP] = "rsvp",
	[IPPROTO_GRE] = "gre",	   [IPPROTO_ESP] = "esp",
	[IPPROTO_AH] = "ah",	   [IPPROTO_ICMPV6] = "icmpv6",
	[IPPROTO_MTP] = "mtp",	   [IPPROTO_BEETPH] = "beetph",
	[IPPROTO_ENCAP] = "encap", [IPPROTO_PIM] = "pim",
	[IPPROTO_COMP] = "comp",   [115] = "l2tp",
	[IPPROTO_SCTP] = "sctp",   [IPPROTO_UDPLITE] = "udplite",
	[IPPROTO_MPLS] = "mpls",   [143] = "ethernet",
	[IPPROTO_RAW] = "raw",	   [256] = "smc",
	[262] = "mptcp",
};

static const char *const netlinks[] = {
	[NETLINK_ROUTE] = "route",
	[NETLINK_USERSOCK] = "usersock",
	[NETLINK_FIREWALL] = "firewall",
	[NETLINK_SOCK_DIAG] = "sock_diag",
	[NETLINK_NFLOG] = "nflog",
	[NETLINK_XFRM] = "xfrm",
	[NETLINK_SELINUX] = "selinux",
	[NETLINK_ISCSI] = "iscsi",
	[NETLINK_AUDIT] = "audit",
	[NETLINK_FIB_LOOKUP] = "fib_lookup",
	[NETLINK_CONNECTOR] = "connector",
	[NETLINK_NETFILTER] = "netfilter",
	[NETLINK_IP6_FW] = "ip6_fw",
	[NETLINK_DNRTMSG] = "dnrtmsg",
	[NETLINK_KOBJECT_UEVENT] = "kobject_uevent",
	[NETLINK_GENERIC] = "generic",
	[NETLINK_SCSITRANSPORT] = "scsitransport",
	[NETLINK_ECRYPTFS] = "ecryptfs",
	[NETLINK_RDMA] = "rdma",
	[NETLINK_CRYPTO] = "crypto",
	[NETLINK_SMC] = "smc",
};

/* A packet socket's protocol is an EtherType, in network byte order. */
static const char *packet_protocol(unsigned int protocol)
{
	switch (ntohs(protocol)) {
	case ETH_P_ALL:
		return "all";
	case ETH_P_IP:
		return "ip";
	case ETH_P_ARP:
		return "arp";
	case ETH_P_8021Q:
		return "vlan";
	case ETH_P_IPV6:
		return "ipv6";
	case ETH_P_PAE:
		return "eapol";
	case ETH_P_LLDP:
		return "lldp";
	default:
		return NULL;
	}
}

static const char *lookup(const char *const *names, size_t count, unsigned int number)
{
	return number < count ? names[number] : NULL;
}

const char *warder_name_family(unsigned int family)
{
	return lookup(families, COUNT(families), family);
}

const char *warder_name_socket_type(unsigned int type)
{
	return lookup(types, COUNT(types), type);
}

const char *warder_name_protocol(unsigned int family, unsigned int type, unsigned int protocol)
{
	if (family == AF_NETLINK)
		return lookup(netlinks, COUNT(netlinks), protocol);
	if (family == AF_PACKET)
		return packet_protocol(protocol);
	/* Other families number their protocols themselves; an event of an address may have none.
	 */
	if (family != AF_INET && family != AF_INET6 && family != AF_UNSPEC)
		return NULL;
	if (!protocol && type == SOCK_STREAM)
		return "tcp";
	if (!protocol && type == SOCK_DGRAM)
		return "udp";
	return lookup(protocols, COUNT(protocols), protocol);
}
