/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * name.h - numbers of an event as people know them. All strings are static.
 */
#ifndef WARDER_AUDIT_NAME_H
#define WARDER_AUDIT_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include <warder/event.h>

/* "file_open", "twin" or not; "?" for a number that this build does not know. */
const char *warder_name_hook(unsigned int hook);

/* What the hook judges, as a verb: "open", "connect", "change mounts". */
const char *warder_name_act(unsigned int hook);

/* "no-rule", and the sentence that goes with it. */
const char *warder_name_reason(unsigned int reason);
const char *warder_text_reason(unsigned int reason);

/* "read+write" to the buffer; returns it. */
const char *warder_name_rights(__u32 rights, char *buffer, size_t size);

/* "sys_admin"; NULL for a number without a name. */
const char *warder_name_capability(unsigned int capability);

/* "perf", or "?". Static. */
const char *warder_name_surface(unsigned int surface);

/* "netlink"; NULL for a number without a name. */
const char *warder_name_family(unsigned int family);

/* "stream", "raw"; NULL for a number without a name. */
const char *warder_name_socket_type(unsigned int type);

/*
 * "tcp", "udp", "icmp", of netlink "route", ...; NULL for a number without a name. 0 leaves it
 * to the kernel: it is what a socket of the type then is; NULL where that has no name.
 */
const char *warder_name_protocol(unsigned int family, unsigned int type, unsigned int protocol);

/*
 * "openat" by the x86-64 table, or, of a foreign ABI, "getpid (i386)", to the buffer; "#N" for a
 * number without a name. Returns it.
 */
const char *warder_name_syscall(int number, bool foreign, char *buffer, size_t size);

#endif
