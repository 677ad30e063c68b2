/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * program.h - writes the matching program of a pattern, piece by piece.
 */
#ifndef WARDER_POLICY_PROGRAM_H
#define WARDER_POLICY_PROGRAM_H

#include "policy/pattern.h"

struct warder_program_writer {
	struct warder_pattern *pattern; /* receives program and sets */
	size_t program_capacity, set_capacity;
	bool failed; /* out of memory; everything after it is ignored */
};

/* Append one instruction; returns its index. */
uint32_t warder_program_emit(struct warder_program_writer *writer, enum warder_op op, uint32_t x,
			     uint32_t y);

/* The index the next instruction will get. */
uint32_t warder_program_here(const struct warder_program_writer *writer);

/* Change the targets of an instruction that was emitted. */
void warder_program_patch(struct warder_program_writer *writer, uint32_t at, uint32_t x,
			  uint32_t y);

/* Index of an equal set; adds it when it is new. */
uint32_t warder_program_set(struct warder_program_writer *writer, const struct warder_byteset *set);

/* Consume one byte of the set / any bytes of it, none included. */
void warder_program_one(struct warder_program_writer *writer, const struct warder_byteset *set);
void warder_program_many(struct warder_program_writer *writer, const struct warder_byteset *set);

/*
 * Two stars. In the middle: any number of components, none included. At the end: at
 * least one component below, and WARDER_OP_ROOT for none, unless nothing stands before.
 */
void warder_program_cross(struct warder_program_writer *writer);
void warder_program_tree(struct warder_program_writer *writer, bool has_root);

/* Every byte, and every byte but the slash. */
struct warder_byteset warder_byteset_all(void);
struct warder_byteset warder_byteset_name(void);

#endif
