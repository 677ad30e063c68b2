// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * program.c - writes the matching program of a pattern, piece by piece.
 */
#include "policy/program.h"

#include <string.h>

#include "base/vector.h"

uint32_t warder_program_here(const struct warder_program_writer *writer)
{
	return (uint32_t)writer->pattern->program_size;
}

uint32_t warder_program_emit(struct warder_program_writer *writer, enum warder_op op, uint32_t x,
			     uint32_t y)
{
	struct warder_pattern *p = writer->pattern;

	if (writer->failed)
		return 0;
	if (!VECTOR_ROOM(p->program, p->program_size, writer->program_capacity)) {
		writer->failed = true;
		return 0;
	}
	p->program[p->program_size] = (struct warder_instruction){.op = op, .x = x, .y = y};
	return (uint32_t)p->program_size++;
}

void warder_program_patch(struct warder_program_writer *writer, uint32_t at, uint32_t x, uint32_t y)
{
	if (writer->failed)
		return;
	writer->pattern->program[at].x = x;
	writer->pattern->program[at].y = y;
}

uint32_t warder_program_set(struct warder_program_writer *writer, const struct warder_byteset *set)
{
	struct warder_pattern *p = writer->pattern;
	size_t i;

	for (i = 0; i < p->set_count; i++) {
		if (!memcmp(&p->sets[i], set, sizeof(*set)))
			return (uint32_t)i;
	}
	if (writer->failed || !VECTOR_ROOM(p->sets, p->set_count, writer->set_capacity)) {
		writer->failed = true;
		return 0;
	}
	p->sets[p->set_count] = *set;
	return (uint32_t)p->set_count++;
}

void warder_program_one(struct warder_program_writer *writer, const struct warder_byteset *set)
{
	warder_program_emit(writer, WARDER_OP_SET, warder_program_set(writer, set), 0);
}

void warder_program_many(struct warder_program_writer *writer, const struct warder_byteset *set)
{
	uint32_t split = warder_program_emit(writer, WARDER_OP_SPLIT, 0, 0);

	warder_program_one(writer, set);
	warder_program_emit(writer, WARDER_OP_JUMP, split, 0);
	warder_program_patch(writer, split, split + 1, warder_program_here(writer));
}

/* "/" and a name of at least one byte; at the end, `again` or what follows. */
static void emit_component(struct warder_program_writer *writer)
{
	struct warder_byteset name = warder_byteset_name();
	uint32_t split;

	warder_program_emit(writer, WARDER_OP_BYTE, '/', 0);
	warder_program_one(writer, &name);
	split = warder_program_emit(writer, WARDER_OP_SPLIT, 0, 0);
	warder_program_patch(writer, split, split - 1, split + 1);
}

void warder_program_cross(struct warder_program_writer *writer)
{
	uint32_t split = warder_program_emit(writer, WARDER_OP_SPLIT, 0, 0);

	emit_component(writer);
	warder_program_emit(writer, WARDER_OP_JUMP, split, 0);
	warder_program_patch(writer, split, split + 1, warder_program_here(writer));
}

void warder_program_tree(struct warder_program_writer *writer, bool has_root)
{
	uint32_t split, start;

	if (has_root) {
		split = warder_program_emit(writer, WARDER_OP_SPLIT, 0, 0);
		warder_program_emit(writer, WARDER_OP_ROOT, 0, 0);
		warder_program_patch(writer, split, split + 1, split + 2);
	}
	start = warder_program_here(writer);
	emit_component(writer);
	split = warder_program_emit(writer, WARDER_OP_SPLIT, 0, 0);
	warder_program_patch(writer, split, start, split + 1);
}

struct warder_byteset warder_byteset_all(void)
{
	struct warder_byteset set;

	memset(&set, 0xff, sizeof(set));
	return set;
}

struct warder_byteset warder_byteset_name(void)
{
	struct warder_byteset set = warder_byteset_all();

	set.bits['/' >> 6] &= ~(1ull << ('/' & 63));
	return set;
}
