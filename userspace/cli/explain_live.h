/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * explain_live.h - `warder explain --live SUBJECT ACCESS`: the verdict of what is loaded.
 */
#ifndef WARDER_CLI_EXPLAIN_LIVE_H
#define WARDER_CLI_EXPLAIN_LIVE_H

#include <stdbool.h>

#include "policy/access_text.h"

/* Judge and print. The exit code. */
int warder_explain_live(const char *subject, const struct warder_access *access, bool json);

#endif
