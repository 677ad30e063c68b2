// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * family.c - "netlink:route", "vsock": socket families beside IPv4, IPv6 and unix, by name.
 */
#include "policy/family.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/netlink.h>

#include "base/nearest.h"
#include "policy/reader.h"

struct word {
	const char *name;
	int number;
};

static const struct word families[] = {
	{"alg", AF_ALG},	 {"appletalk", AF_APPLETALK},
	{"ax25", AF_AX25},	 {"bluetooth", AF_BLUETOOTH},
	{"can", AF_CAN},	 {"ieee802154", AF_IEEE802154},
	{"kcm", AF_KCM},	 {"key", AF_KEY},
	{"llc", AF_LLC},	 {"mctp", AF_MCTP},
	{"netlink", AF_NETLINK}, {"nfc", AF_NFC},
	{"packet", AF_PACKET},	 {"phonet", AF_PHONET},
	{"pppox", AF_PPPOX},	 {"qipcrtr", AF_QIPCRTR},
	{"rds", AF_RDS},	 {"rxrpc", AF_RXRPC},
	{"smc", AF_SMC},	 {"tipc", AF_TIPC},
	{"vsock", AF_VSOCK},	 {"x25", AF_X25},
	{"xdp", AF_XDP},	 {0},
};

static const struct word netlink[] = {
	{"route", NETLINK_ROUTE},
	{"usersock", NETLINK_USERSOCK},
	{"sock-diag", NETLINK_SOCK_DIAG},
	{"nflog", NETLINK_NFLOG},
	{"xfrm", NETLINK_XFRM},
	{"selinux", NETLINK_SELINUX},
	{"iscsi", NETLINK_ISCSI},
	{"audit", NETLINK_AUDIT},
	{"fib-lookup", NETLINK_FIB_LOOKUP},
	{"connector", NETLINK_CONNECTOR},
	{"netfilter", NETLINK_NETFILTER},
	{"kobject-uevent", NETLINK_KOBJECT_UEVENT},
	{"generic", NETLINK_GENERIC},
	{"scsitransport", NETLINK_SCSITRANSPORT},
	{"rdma", NETLINK_RDMA},
	{"crypto", NETLINK_CRYPTO},
	{0},
};

static int fail(struct warder_family_error *error, size_t offset, const char *message,
		const char *hint)
{
	error->offset = offset;
	snprintf(error->message, sizeof(error->message), "%s", message);
	snprintf(error->hint, sizeof(error->hint), "%s", hint);
	return -EINVAL;
}

static const struct word *find(const struct word *words, const char *text, size_t length)
{
	for (; words->name; words++) {
		if (strlen(words->name) == length && !memcmp(words->name, text, length))
			return words;
	}
	return NULL;
}

static int fail_unknown(struct warder_family_error *error, const struct word *words,
			const char *text, size_t offset, size_t length, const char *what)
{
	char message[sizeof(error->message)], hint[sizeof(error->hint)] = "",
					      quoted[WARDER_QUOTED_MAX];
	struct warder_nearest nearest;
	size_t used;

	warder_reader_quote(text + offset, length < 24 ? length : 24, quoted);
	snprintf(message, sizeof(message), "%.100s is no %s", quoted, what);
	warder_nearest_begin(&nearest, text + offset, length);
	used = (size_t)snprintf(hint, sizeof(hint), "known:");
	for (; words->name; words++) {
		warder_nearest_offer(&nearest, words->name);
		if (used < sizeof(hint))
			used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s",
						 words->name);
	}
	if (nearest.best)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest.best);
	return fail(error, offset, message, hint);
}

/* What has rules of its own. */
static bool is_elsewhere(const char *text, size_t length)
{
	static const struct word judged[] = {{"inet", 0}, {"inet6", 0}, {"unix", 0}, {0}};

	return find(judged, text, length);
}

int warder_family_parse(const char *text, size_t length, int *ret_family, int *ret_protocol,
			struct warder_family_error *reterr)
{
	const char *colon = memchr(text, ':', length);
	size_t name = colon ? (size_t)(colon - text) : length;
	const struct word *family, *protocol;

	if (is_elsewhere(text, name))
		return fail(reterr, 0, "this family is judged by address",
			    "write endpoints under connect, bind and accept, sockets under unix");
	family = find(families, text, name);
	if (!family)
		return fail_unknown(reterr, families, text, 0, name, "socket family");
	if (family->number != AF_NETLINK) {
		if (colon)
			return fail(reterr, name, "only netlink has protocols",
				    "write the name alone");
		*ret_family = family->number;
		*ret_protocol = -1;
		return 0;
	}
	if (!colon)
		return fail(reterr, 0, "netlink without a protocol",
			    "each is a door of its own: netlink:route, netlink:audit, ...");
	protocol = find(netlink, colon + 1, length - name - 1);
	if (!protocol)
		return fail_unknown(reterr, netlink, text, name + 1, length - name - 1,
				    "protocol of netlink");
	*ret_family = family->number;
	*ret_protocol = protocol->number;
	return 0;
}

int warder_family_name(size_t index, char ret_name[WARDER_FAMILY_NAME_MAX])
{
	const struct word *word;

	for (word = families; word->name; word++) {
		/* Its protocols stand for it, behind all others. */
		if (word->number != AF_NETLINK && !index--)
			break;
	}
	if (word->name) {
		snprintf(ret_name, WARDER_FAMILY_NAME_MAX, "%s", word->name);
		return 0;
	}
	for (word = netlink; word->name; word++) {
		if (!index--) {
			snprintf(ret_name, WARDER_FAMILY_NAME_MAX, "netlink:%s", word->name);
			return 0;
		}
	}
	return -ENOENT;
}
