/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * unknown.h - a key that a mapping does not have: which one was meant, or where it stands.
 */
#ifndef WARDER_POLICY_UNKNOWN_H
#define WARDER_POLICY_UNKNOWN_H

#include "policy/reader.h"

/* Report it. `what` names the mapping ("a set"), `fields` are the keys that it has. */
void warder_unknown_report(struct warder_reader *reader, const struct warder_yaml *key,
			   const char *what, const struct warder_field *fields);

#endif
