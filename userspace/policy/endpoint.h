/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * endpoint.h - "tcp:10.0.0.0/8:443": protocol, addresses, ports.
 */
#ifndef WARDER_POLICY_ENDPOINT_H
#define WARDER_POLICY_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include <warder/access.h>

/* Ranges of ports that one endpoint can list. */
#define WARDER_ENDPOINT_PORTS_MAX 32u

/* An address as struct warder_range has it: 128 bits, IPv4 as ::ffff:a.b.c.d. */
struct warder_address {
	__u64 hi, lo;
};

struct warder_address_range {
	struct warder_address first, last; /* inclusive */
};

struct warder_port_range {
	__u16 low, high; /* inclusive; 0 only to bind */
};

/*
 * What an endpoint is written for: whose address it is, and what may be left out. The same numbers
 * as enum warder_net_op.
 */
enum warder_net_act {
	WARDER_ACT_CONNECT, /* connect and send: the peer's address and port */
	WARDER_ACT_BIND,    /* bind and listen: the own ones; port 0 is one that the kernel picks */
	WARDER_ACT_ACCEPT,  /* the peer's address, any port; TCP only */
};

struct warder_endpoint {
	enum warder_net_act act;
	enum warder_proto proto;
	/* An IPv6 prefix that contains ::ffff:0:0/96 leaves it out: two ranges. */
	struct warder_address_range ranges[2];
	size_t range_count;
	struct warder_port_range ports[WARDER_ENDPOINT_PORTS_MAX];
	size_t port_count;
};

/* Why a text is no endpoint. */
struct warder_endpoint_error {
	size_t offset;
	char message[160];
	char hint[256]; /* "" when there is none */
};

/* An endpoint for an act. -EINVAL: *reterr says why. */
int warder_endpoint_parse_for(enum warder_net_act act, const char *text, size_t length,
			      struct warder_endpoint *ret_endpoint,
			      struct warder_endpoint_error *reterr);

/* The same to connect to. */
int warder_endpoint_parse(const char *text, size_t length, struct warder_endpoint *ret_endpoint,
			  struct warder_endpoint_error *reterr);

/* Does the endpoint name this address (normalised as in decide.h) and port? */
int warder_endpoint_contains(const struct warder_endpoint *endpoint, __u8 proto,
			     struct warder_address address, __u16 port);

/* Compare two addresses: negative, 0, positive. */
int warder_address_compare(struct warder_address a, struct warder_address b);

/* Does it name this address? And this port? */
bool warder_endpoint_names(const struct warder_endpoint *endpoint, struct warder_address address);
bool warder_endpoint_has_port(const struct warder_endpoint *endpoint, __u16 port);

/* :: */
#define warder_address_any6 ((struct warder_address){0, 0})

/* The IPv4-mapped form of four bytes in host order, and the sixteen bytes of an IPv6 address. */
struct warder_address warder_address_v4(__u32 address);
struct warder_address warder_address_v6(const unsigned char bytes[16]);

#endif
