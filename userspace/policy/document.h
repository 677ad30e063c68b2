/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * document.h - the top of a policy: names and keys first, then what each tool and set says.
 */
#ifndef WARDER_POLICY_DOCUMENT_H
#define WARDER_POLICY_DOCUMENT_H

#include "policy/reader.h"

/* The preset that every set includes by itself, as places name it. */
#define WARDER_GUARD	  "guard"
#define WARDER_GUARD_FILE "preset " WARDER_GUARD

/* Read the whole tree into reader->policy. Reports into the diagnostics. */
void warder_document_read(struct warder_reader *reader, const struct warder_yaml *root);

/* Read one tool or set, whose key is declared. Each has the shape of warder_reader_names' reader.
 */
void warder_tool_read(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context);
void warder_set_read(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context);

/* Read `expect:`, of a policy whose sets are read or of the preset that is being included. */
void warder_expect_read(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context);

/* Read `bind:`, once the sets are read. */
void warder_bindings_read(struct warder_reader *reader, const struct warder_yaml *value);
void warder_bindings_free(struct warder_policy *policy);

/* Index of the key of that name, or -1. */
int warder_document_key(const struct warder_policy *policy, const char *name);

#endif
