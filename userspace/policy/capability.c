// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * capability.c - capabilities by name: "sys_admin", or "CAP_SYS_ADMIN" as the manuals write it.
 */
#include "policy/capability.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"

/* In the order of linux/capability.h. */
static const char *const names[] = {
	"chown",
	"dac_override",
	"dac_read_search",
	"fowner",
	"fsetid",
	"kill",
	"setgid",
	"setuid",
	"setpcap",
	"linux_immutable",
	"net_bind_service",
	"net_broadcast",
	"net_admin",
	"net_raw",
	"ipc_lock",
	"ipc_owner",
	"sys_module",
	"sys_rawio",
	"sys_chroot",
	"sys_ptrace",
	"sys_pacct",
	"sys_admin",
	"sys_boot",
	"sys_nice",
	"sys_resource",
	"sys_time",
	"sys_tty_config",
	"mknod",
	"lease",
	"audit_write",
	"audit_control",
	"setfcap",
	"mac_override",
	"mac_admin",
	"syslog",
	"wake_alarm",
	"block_suspend",
	"audit_read",
	"perfmon",
	"bpf",
	"checkpoint_restore",
};

#define COUNT (sizeof(names) / sizeof(names[0]))

/* Behind "CAP_", in whatever case. */
static const char *bare(const char *name)
{
	return strncasecmp(name, "cap_", 4) ? name : name + 4;
}

const char *warder_capability_name(unsigned int number)
{
	return number < COUNT ? names[number] : NULL;
}

int warder_capability_number(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (!strcasecmp(names[i], bare(name)))
			return (int)i;
	}
	return -ENOENT;
}

const char *warder_capability_nearest(const char *name)
{
	struct warder_nearest nearest;
	char small[64];
	size_t i;

	for (i = 0, name = bare(name); name[i] && i + 1 < sizeof(small); i++)
		small[i] = (char)tolower((unsigned char)name[i]);
	warder_nearest_begin(&nearest, small, i);
	for (i = 0; i < COUNT; i++)
		warder_nearest_offer(&nearest, names[i]);
	return nearest.best;
}
