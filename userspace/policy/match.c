// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * match.c - runs the program of one pattern over one path: all ways at once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/pattern.h"

/* A set of instructions without duplicates, and the stack that closes it over jumps. */
struct threads {
	uint32_t *list, *mark;
	uint32_t count, generation;
};

static void threads_add(struct threads *threads, const struct warder_pattern *pattern,
			uint32_t *stack, uint32_t start)
{
	size_t depth = 0;

	stack[depth++] = start;
	while (depth) {
		uint32_t at = stack[--depth];
		const struct warder_instruction *i = &pattern->program[at];

		if (threads->mark[at] == threads->generation)
			continue;
		threads->mark[at] = threads->generation;
		if (i->op == WARDER_OP_SPLIT) {
			stack[depth++] = i->x;
			stack[depth++] = i->y;
		} else if (i->op == WARDER_OP_JUMP) {
			stack[depth++] = i->x;
		} else {
			threads->list[threads->count++] = at;
		}
	}
}

static bool consumes(const struct warder_pattern *pattern, const struct warder_instruction *i,
		     unsigned char byte)
{
	if (i->op == WARDER_OP_BYTE)
		return i->x == byte;
	return i->op == WARDER_OP_SET && warder_byteset_has(&pattern->sets[i->x], byte);
}

static int result(const struct threads *threads, const struct warder_pattern *pattern)
{
	int match = 0;
	uint32_t k;

	for (k = 0; k < threads->count; k++) {
		enum warder_op op = pattern->program[threads->list[k]].op;

		if (op == WARDER_OP_WHOLE)
			match |= WARDER_MATCH_WHOLE;
		else if (op == WARDER_OP_ROOT)
			match |= WARDER_MATCH_ROOT;
	}
	return match;
}

int warder_pattern_match(const struct warder_pattern *pattern, const char *path, size_t length)
{
	size_t size = pattern->program_size, i;
	/* A step pushes at most two entries for each instruction it has not seen. */
	_cleanup_free_ uint32_t *room = calloc(5 * size + 2, sizeof(*room));
	struct threads now = {.list = room, .mark = room + 2 * size, .generation = 1};
	uint32_t *other = room + size, *stack = room + 3 * size, k;

	if (!room)
		return -ENOMEM;
	if (length == 1 && path[0] == '/')
		return pattern->root;
	threads_add(&now, pattern, stack, 0);
	for (i = 0; i < length && now.count; i++) {
		uint32_t *from = now.list, count = now.count;

		now.list = other;
		other = from;
		now.count = 0;
		now.generation++;
		for (k = 0; k < count; k++) {
			if (consumes(pattern, &pattern->program[from[k]], (unsigned char)path[i]))
				threads_add(&now, pattern, stack, from[k] + 1);
		}
	}
	return result(&now, pattern);
}
