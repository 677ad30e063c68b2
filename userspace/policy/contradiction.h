/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * contradiction.h - system calls of which two places of a policy say what does not go together.
 */
#ifndef WARDER_POLICY_CONTRADICTION_H
#define WARDER_POLICY_CONTRADICTION_H

#include "policy/reader.h"

/* Report them, when all sets and tools have been read. */
void warder_contradictions_report(struct warder_reader *reader);

#endif
