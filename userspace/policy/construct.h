/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * construct.h - what of the language this version enforces: one table.
 *
 * The parser reads all of the language. What the engine does not enforce is refused by `run`,
 * by name, and `check` accepts it with a note. A version that begins to enforce something
 * turns its `false` into `true`; nothing else in the parser changes.
 */
#ifndef WARDER_POLICY_CONSTRUCT_H
#define WARDER_POLICY_CONSTRUCT_H

#include <stdbool.h>

/* X(NAME, "what a message calls it", is it enforced?) */
/* clang-format off */
#define WARDER_CONSTRUCTS(X)                                             \
	/* of a policy */                                                \
	X(VARS, "\"vars\" of a policy", true)                            \
	X(BIND, "\"bind\" of a policy", false)                           \
	X(EXPECT, "\"expect\" of a policy", true)                        \
	X(USERS, "\"allow-users\" of a policy", false)                   \
	/* of a set */                                                   \
	X(SET_USERS, "\"allow-users\" of a set", false)                  \
	X(MAY_RUN, "\"may-run\" of a set", false)                        \
	X(LIMITS, "\"limits\" of a set", true)                           \
	X(KILL, "\"on-violation: kill\"", true)                          \
	X(SEPARATE, "\"separate: true\"", true)                          \
	/* files */                                                      \
	X(STAT, "\"stat\" of files", false)                              \
	X(IOCTL, "\"ioctl\" of files", true)                             \
	X(DENY_STAT, "\"stat\" of files.deny", false)                    \
	X(DENY_IOCTL, "\"ioctl\" of files.deny", true)                   \
	X(HIDE, "\"hide\" of files", false)                              \
	/* network, unix */                                              \
	X(NET_BIND, "\"bind\" of network", true)                         \
	X(NET_ACCEPT, "\"accept\" of network", true)                     \
	X(NET_FAMILIES, "\"families\" of network", false)                \
	X(NET_DENY, "\"deny\" of network", true)                         \
	X(UNIX_BIND, "\"bind\" of unix", false)                          \
	/* syscalls, capabilities */                                     \
	X(PROFILE, "a profile of system calls", true)                    \
	X(SYSCALL_ALLOW, "\"allow\" of syscalls", true)                  \
	X(SYSCALL_FILTER, "denying a call that passes no hook", true)    \
	X(CAPABILITIES, "a list of capabilities", true)                  \
	/* in place of a section */                                      \
	X(FILES_UNGOVERNED, "\"files: ungoverned\"", true)              \
	X(EXEC_UNGOVERNED, "\"exec: ungoverned\"", true)                \
	X(NETWORK_UNGOVERNED, "\"network: ungoverned\"", false)          \
	X(UNIX_UNGOVERNED, "\"unix: ungoverned\"", true)                \
	X(ENV_UNGOVERNED, "\"env: ungoverned\"", true)                   \
	X(SYSCALLS_UNGOVERNED, "\"syscalls: ungoverned\"", true)        \
	X(CAPABILITIES_UNGOVERNED, "\"capabilities: ungoverned\"", true)
/* clang-format on */

enum warder_construct {
	WARDER_CONSTRUCT_NONE, /* always enforced: not in the table */
#define X(name, text, enforced) WARDER_CONSTRUCT_##name,
	WARDER_CONSTRUCTS(X)
#undef X
	WARDER_CONSTRUCT_COUNT,
};

bool warder_construct_enforced(enum warder_construct construct);

/* "\"hide\" of files". Static; NULL for WARDER_CONSTRUCT_NONE. */
const char *warder_construct_text(enum warder_construct construct);

#endif
