// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_address.c - "tcp:192.0.2.1:443": the one address and port of an access.
 *
 * Not an endpoint of a rule: 0.0.0.0 and a mapped address are things that programs do.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/access_reading.h"

#define FORM "write tcp:ADDRESS:PORT or udp:..., an IPv6 address in brackets"

/* Reads "tcp:" or "udp:". */
static int read_proto(struct warder_access_reading *r, size_t *at)
{
	const char *text = r->text + *at;

	if (!strncmp(text, "tcp:", 4))
		r->access->proto = WARDER_PROTO_TCP;
	else if (!strncmp(text, "udp:", 4))
		r->access->proto = WARDER_PROTO_UDP;
	else if (strstr(text, "://"))
		return warder_access_fail(r, *at, FORM, "URL where an address is expected");
	else
		return warder_access_fail(r, *at, FORM, "address does not start with tcp: or udp:");
	*at += 4;
	return 0;
}

static int read_v6(struct warder_access_reading *r, size_t *at)
{
	const char *text = r->text + *at;
	size_t length = strcspn(text + 1, "]");
	char copy[INET6_ADDRSTRLEN + 1] = "";
	struct in6_addr in6;

	if (!text[1 + length])
		return warder_access_fail(r, *at, FORM, "'[' without ']'");
	if (length < sizeof(copy))
		memcpy(copy, text + 1, length);
	if (!*copy || inet_pton(AF_INET6, copy, &in6) != 1)
		return warder_access_fail(r, *at + 1, NULL, "not an IPv6 address");
	r->access->address = warder_address_v6(in6.s6_addr);
	*at += length + 2;
	return 0;
}

static int read_v4(struct warder_access_reading *r, size_t *at)
{
	const char *text = r->text + *at;
	size_t length = strspn(text, "0123456789.");
	char copy[INET_ADDRSTRLEN + 1] = "";
	struct in_addr in;

	if (length < sizeof(copy))
		memcpy(copy, text, length);
	if (!*copy || inet_pton(AF_INET, copy, &in) != 1) {
		if (isalpha((unsigned char)*text) && !strchr(text, ':'))
			return warder_access_fail(r, *at, FORM, "not an address");
		if (isalpha((unsigned char)*text))
			return warder_access_fail(
				r, *at, "names are not resolved: write an address", "host name");
		return warder_access_fail(r, *at, FORM, "not an IPv4 address");
	}
	r->access->address = warder_address_v4(ntohl(in.s_addr));
	*at += length;
	return 0;
}

static int read_port(struct warder_access_reading *r, size_t at)
{
	const char *text = r->text + at;
	size_t digits = strspn(text, "0123456789");
	unsigned long port = strtoul(text, NULL, 10);
	/* Port 0 asks for any free one. */
	unsigned long least = r->access->verb == WARDER_VERB_BIND ? 0 : 1;

	if (digits && digits <= 5 && text[digits] && strchr(",-", text[digits]))
		return warder_access_fail(r, at + digits, "an access names one port",
					  "several ports");
	if (!digits || digits > 5 || (digits > 1 && text[0] == '0') || port < least ||
	    port > 65535 || at + digits != r->length)
		return warder_access_fail(r, at, "a port is 1 to 65535", "not a port");
	r->access->port = (__u16)port;
	return 0;
}

int warder_access_read_address(struct warder_access_reading *r, size_t at)
{
	int error;

	r->access->kind = WARDER_ACCESS_ADDRESS;
	if (memchr(r->text + at, 0, r->length - at))
		return warder_access_fail(r, at, NULL, "NUL byte in an address");
	error = read_proto(r, &at);
	if (!error && r->text[at] == '*')
		return warder_access_fail(r, at, "an access names one address", "any address");
	if (!error)
		error = r->text[at] == '[' ? read_v6(r, &at) : read_v4(r, &at);
	if (error < 0)
		return error;
	if (r->text[at] == '/')
		return warder_access_fail(r, at, "an access names one address", "network");
	if (r->text[at] != ':')
		return warder_access_fail(r, at, "write ADDRESS:PORT", "%s",
					  r->text[at] ? "unexpected text after the address"
						      : "address without a port");
	return read_port(r, at + 1);
}

char *warder_address_text(unsigned int proto, struct warder_address address, __u16 port,
			  char out[WARDER_ADDRESS_TEXT_MAX])
{
	const char *name = proto == WARDER_PROTO_TCP ? "tcp" : "udp";
	bool v4 = !address.hi && address.lo >> 32 == 0xffff;
	char shown[INET6_ADDRSTRLEN];
	unsigned char bytes[16];
	int i;

	for (i = 0; i < 8; i++) {
		bytes[i] = (unsigned char)(address.hi >> (56 - 8 * i));
		bytes[8 + i] = (unsigned char)(address.lo >> (56 - 8 * i));
	}
	inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? bytes + 12 : bytes, shown, sizeof(shown));
	snprintf(out, WARDER_ADDRESS_TEXT_MAX, v4 ? "%s:%s:%u" : "%s:[%s]:%u", name, shown, port);
	return out;
}
