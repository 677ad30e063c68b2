/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * name.h - numbers of an event as people know them. All strings are static.
 */
#ifndef WARDER_AUDIT_NAME_H
#define WARDER_AUDIT_NAME_H

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

/* "netlink"; NULL for a number without a name. */
const char *warder_name_family(unsigned int family);

/* "tcp", "udp", ...; NULL for a number without a name. */
const char *warder_name_protocol(unsigned int protocol);

/* "openat" by the x86-64 table to the buffer, or "#N"; returns it. */
const char *warder_name_syscall(int number, char *buffer, size_t size);

#endif
