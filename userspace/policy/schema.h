/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * schema.h - the policy language as a JSON Schema, for editors.
 *
 * It cannot say everything: names that must exist, addresses with host bits, rules that
 * contradict each other. The parser is the authority; a test holds the two together.
 */
#ifndef WARDER_POLICY_SCHEMA_H
#define WARDER_POLICY_SCHEMA_H

/* The schema (draft 2020-12) as text, malloc'ed (free()). NULL: no memory. */
char *warder_schema_text(void);

#endif
