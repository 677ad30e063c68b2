// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * endpoint.c - "tcp:10.0.0.0/8:443": protocol, addresses, ports.
 */
#include "policy/endpoint.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FORM	    "write tcp:ADDRESS[/LENGTH]:PORTS or udp:..., an IPv6 address in brackets"
#define FORM_ACCEPT "write tcp:ADDRESS[/LENGTH], the peer's, an IPv6 address in brackets"

/* ::ffff:0:0/96 as the upper half of the low word. */
#define MAPPED 0xffff00000000ull

static int fail(struct warder_endpoint_error *error, size_t offset, const char *hint,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

static int fail(struct warder_endpoint_error *error, size_t offset, const char *hint,
		const char *format, ...)
{
	va_list arguments;

	error->offset = offset;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	snprintf(error->hint, sizeof(error->hint), "%s", hint ? hint : "");
	return -EINVAL;
}

static const char *form(const struct warder_endpoint *endpoint)
{
	return endpoint->act == WARDER_ACT_ACCEPT ? FORM_ACCEPT : FORM;
}

int warder_address_compare(struct warder_address a, struct warder_address b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	if (a.lo != b.lo)
		return a.lo < b.lo ? -1 : 1;
	return 0;
}

struct warder_address warder_address_v4(__u32 address)
{
	return (struct warder_address){.hi = 0, .lo = MAPPED | address};
}

struct warder_address warder_address_v6(const unsigned char bytes[16])
{
	struct warder_address address = {0};
	int i;

	for (i = 0; i < 8; i++) {
		address.hi = address.hi << 8 | bytes[i];
		address.lo = address.lo << 8 | bytes[8 + i];
	}
	return address;
}

/* Ones in the last `bits` bits. */
static struct warder_address host_mask(unsigned int bits)
{
	struct warder_address mask = {0};

	mask.lo = bits >= 64 ? ~0ull : (1ull << bits) - 1;
	if (bits > 64)
		mask.hi = bits >= 128 ? ~0ull : (1ull << (bits - 64)) - 1;
	return mask;
}

/* A decimal number without sign and leading zeros. Bytes used, or 0. */
static size_t read_number(const char *text, unsigned int *ret_number)
{
	unsigned int number = 0;
	size_t i;

	for (i = 0; isdigit((unsigned char)text[i]); i++) {
		if (i >= 6)
			return 0;
		number = number * 10 + (unsigned int)(text[i] - '0');
	}
	if (i > 1 && text[0] == '0')
		return 0;
	*ret_number = number;
	return i;
}

static void set_range(struct warder_endpoint *endpoint, struct warder_address first,
		      unsigned int host_bits)
{
	struct warder_address mask = host_mask(host_bits);

	endpoint->range_count = 1;
	endpoint->ranges[0].first = first;
	endpoint->ranges[0].last = (struct warder_address){first.hi | mask.hi, first.lo | mask.lo};
}

/* IPv4 has rules of its own: an IPv6 prefix around the mapped addresses does not mean them. */
static void leave_out_mapped(struct warder_endpoint *endpoint)
{
	struct warder_address first = {0, MAPPED}, last = {0, MAPPED | 0xffffffffull};

	if (warder_address_compare(endpoint->ranges[0].first, first) > 0 ||
	    warder_address_compare(endpoint->ranges[0].last, last) < 0)
		return;
	/* ::fffe:0:0/95 ends with them: nothing is left behind. */
	if (warder_address_compare(endpoint->ranges[0].last, last) > 0) {
		endpoint->ranges[1] =
			(struct warder_address_range){{0, last.lo + 1}, endpoint->ranges[0].last};
		endpoint->range_count = 2;
	}
	endpoint->ranges[0].last = (struct warder_address){0, first.lo - 1};
}

static int check_host_bits(struct warder_endpoint_error *error, size_t offset,
			   struct warder_address address, unsigned int host_bits, int family)
{
	struct warder_address mask = host_mask(host_bits);
	char hint[128], text[INET6_ADDRSTRLEN];
	unsigned char bytes[16];
	int i;

	if (!(address.hi & mask.hi) && !(address.lo & mask.lo))
		return 0;
	address.hi &= ~mask.hi;
	address.lo &= ~mask.lo;
	for (i = 0; i < 8; i++) {
		bytes[i] = (unsigned char)(address.hi >> (56 - 8 * i));
		bytes[8 + i] = (unsigned char)(address.lo >> (56 - 8 * i));
	}
	inet_ntop(family, family == AF_INET ? bytes + 12 : bytes, text, sizeof(text));
	snprintf(hint, sizeof(hint),
		 family == AF_INET ? "the network is %s/%u" : "the network is [%s]/%u", text,
		 (family == AF_INET ? 32 : 128) - host_bits);
	return fail(error, offset, hint, "address has bits beyond its prefix length");
}

/* "/LENGTH", or nothing for a single host. Returns the bytes used or -EINVAL. */
static int read_prefix(const char *text, size_t offset, unsigned int width,
		       unsigned int *ret_host_bits, struct warder_endpoint_error *error)
{
	unsigned int length;
	size_t used;

	*ret_host_bits = 0;
	if (text[offset] != '/')
		return 0;
	used = read_number(text + offset + 1, &length);
	if (!used || length > width)
		return fail(error, offset + 1, NULL, "prefix length is not between 0 and %u",
			    width);
	*ret_host_bits = width - length;
	return (int)used + 1;
}

static int read_v6(const char *text, size_t *at, struct warder_endpoint *endpoint,
		   struct warder_endpoint_error *error)
{
	size_t start = *at, length = strcspn(text + start + 1, "]");
	char copy[INET6_ADDRSTRLEN + 1] = "";
	struct in6_addr in6;
	struct warder_address address;
	unsigned int host_bits;
	int used, r;

	if (!text[start + 1 + length])
		return fail(error, start, form(endpoint), "'[' without ']'");
	if (length < sizeof(copy))
		memcpy(copy, text + start + 1, length);
	if (strchr(copy, '/'))
		return fail(error, start, "the length stands behind the bracket: [2001:db8::]/32",
			    "prefix length inside the brackets");
	if (!*copy || inet_pton(AF_INET6, copy, &in6) != 1)
		return fail(error, start + 1, NULL, "not an IPv6 address");
	address = warder_address_v6(in6.s6_addr);
	*at = start + length + 2;
	used = read_prefix(text, *at, 128, &host_bits, error);
	if (used < 0)
		return used;
	*at += (size_t)used;
	r = check_host_bits(error, start, address, host_bits, AF_INET6);
	if (r < 0)
		return r;
	if (!address.hi && address.lo >> 32 == 0xffff && host_bits <= 32)
		return fail(error, start, "write it as an IPv4 address", "IPv4-mapped address");
	if (!address.hi && !address.lo && !host_bits && endpoint->act != WARDER_ACT_BIND)
		return fail(error, start,
			    endpoint->act == WARDER_ACT_ACCEPT
				    ? "nobody has it: write [::]/0 for every IPv6 address"
				    : "the kernel sends it to loopback: write [::1], or [::]/0 "
				      "for every IPv6 address",
			    "unspecified address");
	set_range(endpoint, address, host_bits);
	leave_out_mapped(endpoint);
	return 0;
}

static int read_v4(const char *text, size_t *at, struct warder_endpoint *endpoint,
		   struct warder_endpoint_error *error)
{
	size_t start = *at, length = strspn(text + start, "0123456789.");
	char copy[INET_ADDRSTRLEN + 1] = "";
	struct in_addr in;
	unsigned int host_bits;
	int used, r;

	if (length < sizeof(copy))
		memcpy(copy, text + start, length);
	if (!*copy || inet_pton(AF_INET, copy, &in) != 1)
		return fail(error, start, "four numbers: 192.0.2.1", "not an IPv4 address");
	*at = start + length;
	used = read_prefix(text, *at, 32, &host_bits, error);
	if (used < 0)
		return used;
	*at += (size_t)used;
	r = check_host_bits(error, start, warder_address_v4(ntohl(in.s_addr)), host_bits, AF_INET);
	if (r < 0)
		return r;
	if (!in.s_addr && !host_bits && endpoint->act != WARDER_ACT_BIND)
		return fail(error, start,
			    endpoint->act == WARDER_ACT_ACCEPT
				    ? "nobody has it: write 0.0.0.0/0 for every IPv4 address"
				    : "the kernel sends it to loopback: write 127.0.0.1, or "
				      "0.0.0.0/0 for every IPv4 address",
			    "unspecified address");
	set_range(endpoint, warder_address_v4(ntohl(in.s_addr)), host_bits);
	return 0;
}

/* Where the address may end. */
static bool ends_address(const struct warder_endpoint *endpoint, char c)
{
	return c == ':' || (!c && endpoint->act == WARDER_ACT_ACCEPT);
}

/* What stands there is no address: what was meant? */
static int fail_address(const char *text, size_t at, const struct warder_endpoint *endpoint,
			struct warder_endpoint_error *error)
{
	const char *rest = text + at;
	char hint[128];

	if (*rest && strspn(rest, "0123456789,-*") == strlen(rest) && strlen(rest) < 64 &&
	    endpoint->act != WARDER_ACT_ACCEPT) {
		snprintf(hint, sizeof(hint), "every address is written too: %.4s*:%s", text, rest);
		return fail(error, at, hint, "endpoint without an address");
	}
	if (strchr(rest, ':') != strrchr(rest, ':'))
		return fail(error, at, "an IPv6 address stands in brackets: tcp:[2001:db8::1]:443",
			    "not an IPv4 address");
	if (isalpha((unsigned char)*rest))
		return fail(error, at,
			    "names are not resolved: a policy that depends on DNS is "
			    "decided by who answers; write addresses",
			    "host name");
	return fail(error, at, form(endpoint), "not an address");
}

static int read_address(const char *text, size_t *at, struct warder_endpoint *endpoint,
			struct warder_endpoint_error *error)
{
	size_t length;
	char next;

	if (text[*at] == '*' && ends_address(endpoint, text[*at + 1])) {
		set_range(endpoint, (struct warder_address){0, 0}, 128);
		*at += 1;
		return 0;
	}
	if (text[*at] == '[')
		return read_v6(text, at, endpoint, error);
	length = strspn(text + *at, "0123456789.");
	next = text[*at + length];
	/* What ends here lacks a port, and that is what is said. */
	if (length && (!next || next == '/' || next == ':') && memchr(text + *at, '.', length))
		return read_v4(text, at, endpoint, error);
	return fail_address(text, *at, endpoint, error);
}

static int read_port(const char *text, size_t *at, const struct warder_endpoint *endpoint,
		     __u16 *ret_port, struct warder_endpoint_error *error)
{
	bool zero = endpoint->act == WARDER_ACT_BIND;
	unsigned int port;
	size_t used = read_number(text + *at, &port);

	if (!used || (!port && !zero) || port > 65535)
		return fail(error, *at,
			    zero ? "a port is 1 to 65535, or 0 for one that the kernel picks; "
				   "also 8000-8100, 80,443 and *"
				 : "a port is 1 to 65535; also 8000-8100, 80,443 and *",
			    "not a port");
	*ret_port = (__u16)port;
	*at += used;
	return 0;
}

static int read_port_range(const char *text, size_t *at, struct warder_endpoint *endpoint,
			   struct warder_endpoint_error *error)
{
	struct warder_port_range range;
	size_t start = *at;
	int r = read_port(text, at, endpoint, &range.low, error);

	if (r < 0)
		return r;
	range.high = range.low;
	if (text[*at] == '-') {
		(*at)++;
		r = read_port(text, at, endpoint, &range.high, error);
		if (r < 0)
			return r;
	}
	if (range.high < range.low)
		return fail(error, start, NULL, "port range that ends before it begins");
	if (endpoint->port_count >= WARDER_ENDPOINT_PORTS_MAX)
		return fail(error, start, NULL, "more than %u ports or ranges in one endpoint",
			    WARDER_ENDPOINT_PORTS_MAX);
	endpoint->ports[endpoint->port_count++] = range;
	return 0;
}

static void every_port(struct warder_endpoint *endpoint)
{
	endpoint->ports[0].low = endpoint->act != WARDER_ACT_BIND;
	endpoint->ports[0].high = 65535;
	endpoint->port_count = 1;
}

static int read_ports(const char *text, size_t *at, struct warder_endpoint *endpoint,
		      struct warder_endpoint_error *error)
{
	int r;

	if (!strcmp(text + *at, "*")) {
		every_port(endpoint);
		return 0;
	}
	for (;;) {
		r = read_port_range(text, at, endpoint, error);
		if (r < 0)
			return r;
		if (!text[*at])
			return 0;
		if (text[*at] != ',')
			return fail(error, *at, "ports are 443, 8000-8100, 80,443 or *",
				    "unexpected text after the port");
		(*at)++;
	}
}

static int read_proto(const char *text, size_t *at, struct warder_endpoint *endpoint,
		      struct warder_endpoint_error *error)
{
	if (!strncmp(text, "tcp:", 4))
		endpoint->proto = WARDER_PROTO_TCP;
	else if (!strncmp(text, "udp:", 4))
		endpoint->proto = WARDER_PROTO_UDP;
	else if (strstr(text, "://"))
		return fail(error, 0, form(endpoint), "URL where an endpoint is expected");
	else
		return fail(error, 0, form(endpoint), "endpoint does not start with %s",
			    endpoint->act == WARDER_ACT_ACCEPT ? "tcp:" : "tcp: or udp:");
	if (endpoint->act == WARDER_ACT_ACCEPT && endpoint->proto != WARDER_PROTO_TCP)
		return fail(error, 0, "bind judges who receives, connect who sends",
			    "UDP has no connections to accept");
	*at = 4;
	return 0;
}

/* What follows the address, up to the end. */
static int read_rest(const char *text, size_t at, struct warder_endpoint *endpoint,
		     struct warder_endpoint_error *error)
{
	if (endpoint->act == WARDER_ACT_ACCEPT && text[at] == ':')
		return fail(error, at,
			    "accept says from whom; which port is listened on, bind says",
			    "port in an endpoint to accept from");
	if (endpoint->act == WARDER_ACT_ACCEPT && !text[at]) {
		every_port(endpoint);
		return 0;
	}
	if (text[at] != ':')
		return fail(error, at,
			    endpoint->act == WARDER_ACT_ACCEPT
				    ? FORM_ACCEPT
				    : "write :443, :8000-8100, :80,443 or :*",
			    "%s",
			    text[at] ? "unexpected text after the address"
				     : "endpoint without a port");
	at++;
	return read_ports(text, &at, endpoint, error);
}

int warder_endpoint_parse_for(enum warder_net_act act, const char *text, size_t length,
			      struct warder_endpoint *ret_endpoint,
			      struct warder_endpoint_error *reterr)
{
	struct warder_endpoint endpoint = {.act = act};
	size_t at = 0;
	int r;

	if (memchr(text, 0, length))
		return fail(reterr, 0, NULL, "NUL byte in an endpoint");
	r = read_proto(text, &at, &endpoint, reterr);
	if (r == 0)
		r = read_address(text, &at, &endpoint, reterr);
	if (r == 0)
		r = read_rest(text, at, &endpoint, reterr);
	if (r == 0)
		*ret_endpoint = endpoint;
	return r;
}

int warder_endpoint_parse(const char *text, size_t length, struct warder_endpoint *ret_endpoint,
			  struct warder_endpoint_error *reterr)
{
	return warder_endpoint_parse_for(WARDER_ACT_CONNECT, text, length, ret_endpoint, reterr);
}

bool warder_endpoint_names(const struct warder_endpoint *endpoint, struct warder_address address)
{
	size_t i;

	for (i = 0; i < endpoint->range_count; i++) {
		if (warder_address_compare(endpoint->ranges[i].first, address) <= 0 &&
		    warder_address_compare(address, endpoint->ranges[i].last) <= 0)
			return true;
	}
	return false;
}

bool warder_endpoint_has_port(const struct warder_endpoint *endpoint, __u16 port)
{
	size_t i;

	for (i = 0; i < endpoint->port_count; i++) {
		if (endpoint->ports[i].low <= port && port <= endpoint->ports[i].high)
			return true;
	}
	return false;
}

int warder_endpoint_contains(const struct warder_endpoint *endpoint, __u8 proto,
			     struct warder_address address, __u16 port)
{
	return endpoint->proto == proto && warder_endpoint_names(endpoint, address) &&
	       warder_endpoint_has_port(endpoint, port);
}
