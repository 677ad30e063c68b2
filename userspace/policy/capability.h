/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * capability.h - capabilities by name: "sys_admin", or "CAP_SYS_ADMIN" as the manuals write it.
 */
#ifndef WARDER_POLICY_CAPABILITY_H
#define WARDER_POLICY_CAPABILITY_H

/* "sys_admin"; NULL for a number without a name. Static. */
const char *warder_capability_name(unsigned int number);

/* The number; -ENOENT: there is no such capability. */
int warder_capability_number(const char *name);

/* The known name nearest to a misspelt one; NULL. Static. */
const char *warder_capability_nearest(const char *name);

#endif
