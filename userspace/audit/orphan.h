/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * orphan.h - read the rings that nobody reads: of subjects whose runner died.
 */
#ifndef WARDER_AUDIT_ORPHAN_H
#define WARDER_AUDIT_ORPHAN_H

#include "load/session.h"

/*
 * Become the runner of each subject that has none for a moment, and append what its ring
 * holds to the audit log; the deny-all subject of unbound cgroups included. Returns the number
 * of events, or a negative errno.
 */
int warder_orphans_drain(struct warder_session *session);

#endif
