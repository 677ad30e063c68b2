/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * graph.h - the automaton of an image as a graph: what can be reached, and by which text.
 *
 * Slow, and by search alone: nothing of how the compiler found it out.
 */
#ifndef TESTS_COMPILE_GRAPH_H
#define TESTS_COMPILE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warder/decide.h>

#include "base/cleanup.h"

#define STATES_MAX 20000
#define SLOTS	   65536
#define BYTES_MAX  64
#define TEXT_MAX   512

/*
 * The automaton as a graph of places. A place is a state and where in a path it is: after a
 * slash (where no path ends but the root), or inside a name.
 */
struct place {
	__u32 state;
	bool slash;
	__u32 next[BYTES_MAX]; /* place by byte; NOWHERE: no such path */
	size_t verdict;	       /* number of what a path that ends here gives and takes */
	__u32 from;	       /* the place it was met from, by `byte`: a text leads there */
	unsigned char byte;
};

#define NOWHERE UINT32_MAX

static struct graph {
	const struct warder_image *image;
	unsigned char bytes[BYTES_MAX];
	size_t byte_count;
	struct place *places;
	__u32 count;
	__u32 slots[SLOTS]; /* place + 1 by hash of its state */
	__u32 verdicts[STATES_MAX];
	size_t verdict_count;
} g;

/* --- the graph --- */

static void want(bool wanted[256], const char *text)
{
	for (; *text; text++)
		wanted[(unsigned char)*text] |= *text != '\n';
}

/* Bytes that can make a difference: those of the policy, inside ranges, and two of no pattern. */
static void choose_bytes(const char *policy, const char *guard)
{
	bool wanted[256] = {['/'] = true, ['b'] = true, ['c'] = true, [1] = true, [0xff] = true};
	unsigned int b;

	want(wanted, guard);
	want(wanted, strstr(policy, "model:"));
	g.byte_count = 0;
	for (b = 0; b < 256; b++) {
		assert_true(g.byte_count < BYTES_MAX);
		if (wanted[b])
			g.bytes[g.byte_count++] = (unsigned char)b;
	}
}

static __u32 place_of(__u32 state, bool slash, __u32 from, unsigned char byte)
{
	__u32 slot = (state * 2654435761u + slash) % SLOTS;

	for (; g.slots[slot]; slot = (slot + 1) % SLOTS) {
		const struct place *p = &g.places[g.slots[slot] - 1];

		if (p->state == state && p->slash == slash)
			return g.slots[slot] - 1;
	}
	assert_true(g.count < STATES_MAX);
	g.places[g.count] =
		(struct place){.state = state, .slash = slash, .from = from, .byte = byte};
	g.slots[slot] = ++g.count;
	return g.count - 1;
}

/* Everything that is met from the start of a path on. */
static void explore(const struct warder_image *image)
{
	__u32 at;
	size_t b;

	g.image = image;
	g.count = 0;
	memset(g.slots, 0, sizeof(g.slots));
	place_of(warder_step(image, image->start, '/'), true, NOWHERE, '/');
	for (at = 0; at < g.count; at++) {
		for (b = 0; b < g.byte_count; b++) {
			struct place *p = &g.places[at];
			bool slash = g.bytes[b] == '/';
			__u32 state = warder_step(image, p->state, g.bytes[b]);

			if (slash && p->slash)
				p->next[b] = NOWHERE;
			else
				p->next[b] = place_of(state, slash, at, g.bytes[b]);
		}
	}
}

/* The text that leads to a place. */
static void text_of(__u32 at, char *out)
{
	char reversed[TEXT_MAX];
	size_t used = 0;

	for (; at != NOWHERE; at = g.places[at].from) {
		assert_true(used < TEXT_MAX - 1);
		reversed[used++] = (char)g.places[at].byte;
	}
	while (used)
		*out++ = reversed[--used];
	*out = 0;
}

static const struct warder_row *row_at(__u32 at)
{
	return warder_row(g.image, warder_row_number(g.image, g.places[at].state));
}

/* Do two rows give and take the same? `below` is another matter. */
static bool same_verdict(const struct warder_row *a, const struct warder_row *b)
{
	return !memcmp(a->allow, b->allow, sizeof(a->allow)) &&
	       !memcmp(a->deny, b->deny, sizeof(a->deny));
}

/* Number what paths can end in. */
static void number_verdicts(void)
{
	size_t i;
	__u32 at;

	g.verdict_count = 0;
	for (at = 0; at < g.count; at++) {
		for (i = 0; i < g.verdict_count; i++) {
			if (same_verdict(row_at(g.verdicts[i]), row_at(at)))
				break;
		}
		g.places[at].verdict = i;
		if (i == g.verdict_count)
			g.verdicts[g.verdict_count++] = at;
	}
}

/* --- search --- */

/* For each place: can a path that goes on from it end in this verdict? */
static void reach_backwards(size_t verdict, bool *reaches)
{
	bool changed = true;
	__u32 at;
	size_t b;

	memset(reaches, 0, g.count * sizeof(*reaches));
	while (changed) {
		changed = false;
		for (at = g.count; at-- > 0;) {
			const struct place *p = &g.places[at];

			for (b = 0; b < g.byte_count && !reaches[at]; b++) {
				__u32 to = p->next[b];

				if (to == NOWHERE)
					continue;
				reaches[at] = reaches[to] || (!g.places[to].slash &&
							      g.places[to].verdict == verdict);
				changed |= reaches[at];
			}
		}
	}
}

/* The place after a slash from a name; what goes on from there lies below. */
static __u32 inside(__u32 at)
{
	size_t b = 0;

	while (g.bytes[b] != '/')
		b++;
	return g.places[at].next[b];
}

/* A shortest text from `at` to a name with this verdict. */
static void find_text(__u32 at, size_t verdict, char *out)
{
	_cleanup_free_ __u32 *queue = malloc(g.count * sizeof(*queue));
	_cleanup_free_ __u32 *from = malloc(g.count * sizeof(*from));
	_cleanup_free_ unsigned char *by = malloc(g.count);
	char reversed[TEXT_MAX];
	size_t used = 0, done = 0, met = 0, b;
	__u32 goal = NOWHERE;

	memset(from, 0xff, g.count * sizeof(*from));
	queue[met++] = at;
	while (goal == NOWHERE) {
		__u32 here = queue[done++];

		assert_true(done <= met);
		for (b = 0; b < g.byte_count && goal == NOWHERE; b++) {
			__u32 to = g.places[here].next[b];

			if (to == NOWHERE || from[to] != NOWHERE)
				continue;
			from[to] = here;
			by[to] = g.bytes[b];
			queue[met++] = to;
			if (!g.places[to].slash && g.places[to].verdict == verdict)
				goal = to;
		}
	}
	do {
		assert_true(used < TEXT_MAX - 1);
		reversed[used++] = (char)by[goal];
		goal = from[goal];
	} while (goal != at);
	while (used)
		*out++ = reversed[--used];
	*out = 0;
}

#endif
