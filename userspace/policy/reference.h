/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * reference.h - a text that names a tool or a set of the policy.
 */
#ifndef WARDER_POLICY_REFERENCE_H
#define WARDER_POLICY_REFERENCE_H

#include "policy/reader.h"

/*
 * Add the key of the tool, or the base key of the set, that a text names to *keys. False when
 * there is none or it is there already; reported. Keys are declared before anything is read.
 */
bool warder_reference_tool(struct warder_reader *reader, const struct warder_yaml *node,
			   __u64 *keys);
bool warder_reference_set_key(struct warder_reader *reader, const struct warder_yaml *node,
			      __u64 *keys);

/* Index of the set that a text names; only once all sets were read. Reports. */
bool warder_reference_set(struct warder_reader *reader, const struct warder_yaml *node,
			  unsigned int *ret_set);

#endif
