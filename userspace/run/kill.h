/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * kill.h - end a subject: kill all its processes, and unbind it.
 */
#ifndef WARDER_RUN_KILL_H
#define WARDER_RUN_KILL_H

#include "load/subject.h"

/*
 * Of the subject, and of those that are nested in it: kill what lives in its cgroup, and what
 * somebody outside moved to another one, and wait until none of it lives; seconds at most. While
 * any does the subject has to stay bound: unbound, it would be free. -EBUSY: some do not die.
 */
int warder_kill_processes(const struct warder_session *session,
			  const struct warder_subject *subject, struct warder_error *reterr);

/*
 * End the subject `name` (the whole name, or a binding), whoever serves it: a runner that
 * lives cleans up by itself and is waited for; without one it is done here. `reason` (may be
 * NULL) goes to the audit log; *ret_recorded tells whether it got there, once the subject was
 * found. -ENOENT warder is not loaded; -ESRCH no such subject; -EBUSY
 * a process does not die; -ETIMEDOUT the runner does not clean up.
 */
int warder_kill(const char *name, const char *reason, bool *ret_recorded,
		struct warder_error *reterr);

#endif
