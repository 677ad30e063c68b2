/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * family.h - "netlink:route", "vsock": socket families beside IPv4, IPv6 and unix, by name.
 */
#ifndef WARDER_POLICY_FAMILY_H
#define WARDER_POLICY_FAMILY_H

#include <stddef.h>

/* Why a text is no family. */
struct warder_family_error {
	size_t offset;
	char message[160];
	char hint[256]; /* "" when there is none */
};

/*
 * Parse. *ret_protocol is that of netlink; -1: the family has none to choose. -EINVAL: *reterr
 * says why.
 */
int warder_family_parse(const char *text, size_t length, int *ret_family, int *ret_protocol,
			struct warder_family_error *reterr);

/* Room for the longest name of a family. */
#define WARDER_FAMILY_NAME_MAX 40

/* What `families` may name, one by one from 0: "alg", "netlink:route". -ENOENT: no more. */
int warder_family_name(size_t index, char ret_name[WARDER_FAMILY_NAME_MAX]);

#endif
