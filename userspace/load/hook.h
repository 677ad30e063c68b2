/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * hook.h - which hooks the running kernel has.
 */
#ifndef WARDER_LOAD_HOOK_H
#define WARDER_LOAD_HOOK_H

#include <stdbool.h>

/*
 * Is this one of the hooks that only newer kernels have, and does the running one lack it?
 * Then there is nothing to attach to, and another hook sees the same acts (warder/hook.h).
 * Cannot tell is no: attaching then fails, and says so.
 */
bool warder_hook_is_newer(const char *name);

#endif
