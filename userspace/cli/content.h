/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * content.h - what the pinned maps hold, in words, each with the command that prints the same.
 */
#ifndef WARDER_CLI_CONTENT_H
#define WARDER_CLI_CONTENT_H

#include <jansson.h>

#include "load/session.h"

/*
 * An array with an object a map: "map", "holds", "id", "room" (null: no fixed size), "command",
 * and "entries", each with "text" and, where there is one, "slot", "id" of the inner map, and a
 * "command" of its own. NULL: the subjects cannot be read; *ret_error says why.
 */
json_t *warder_content_json(const struct warder_session *session, int *ret_error);

#endif
