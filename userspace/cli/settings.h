/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * settings.h - what two policies say otherwise beside their rights, for people and as JSON.
 */
#ifndef WARDER_CLI_SETTINGS_H
#define WARDER_CLI_SETTINGS_H

#include <jansson.h>
#include <stdio.h>

#include "policy/setting.h"

/* Does anything change? */
bool warder_settings_differ(const struct warder_settings *a, const struct warder_settings *b);

/* "model: agent-in-sandbox -> sandbox-as-tool", "env of set x: passes API_* now", escaped. */
void warder_settings_print(const struct warder_settings *a, const struct warder_settings *b,
			   FILE *out);

/*
 * All changes, as an array of objects with "a" and "b" (null where an item is not there); NULL when
 * memory is short.
 */
json_t *warder_settings_json(const struct warder_settings *a, const struct warder_settings *b);

#endif
