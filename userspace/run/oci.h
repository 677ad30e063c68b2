/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * oci.h - the filter of a set as the seccomp profile of a container runtime.
 */
#ifndef WARDER_RUN_OCI_H
#define WARDER_RUN_OCI_H

#include <jansson.h>

#include "policy/policy.h"

/*
 * `linux.seccomp` of the OCI runtime specification: it allows and refuses what the filters of
 * run/filter.h do, with the same errno, but for what it has no words for: numbers without a name
 * get EPERM (or what the runtime makes of them), and a call of another ABI ends the process.
 * NULL when memory is short.
 */
json_t *warder_oci_seccomp(const struct warder_policy *policy, unsigned int set);

#endif
