// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * refine.c - which states of an automaton mean the same, by refining partitions.
 *
 * Valmari's algorithm (Fast brief practical DFA minimization, 2012): blocks of states and
 * cords of transitions split one another, in time transitions * log(states). Transitions to
 * the dead state do not exist for it.
 */
#include "compile/refine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Transitions that can be told apart in the time and memory that a policy may take. */
#define TRANSITIONS_MAX (4u << 20)

/* Of the budget, for each transition: in the caches of a processor, and beyond. */
#define STEPS_NEAR	 60u
#define STEPS_FAR	 350u
#define TRANSITIONS_NEAR (1u << 18)

/* Elements 0..size-1 in sets; the marked elements of a set stand at its front. */
struct partition {
	uint32_t sets;
	uint32_t *element, *location, *set_of, *first, *past;
};

struct refinement {
	const struct warder_dfa *dfa;
	const unsigned char *member;	   /* by state */
	uint32_t states;		   /* of dfa, the dead one included */
	uint32_t transitions;		   /* that do not lead to the dead state */
	uint32_t *tail, *class, *head;	   /* of each transition */
	uint32_t *incoming, *incoming_end; /* transitions by head; ends of the runs */
	unsigned char *useful;		   /* by state: can a label be reached? */
	struct partition blocks, cords;
	/* Marks of the partition that is being split; only one is at a time. */
	uint32_t *marked, *touched, touched_count;
	uint32_t *memory;
};

/* --- partitions --- */

static void partition_init(struct partition *p, uint32_t size, uint32_t **memory)
{
	uint32_t i;

	p->element = *memory;
	p->location = p->element + size;
	p->set_of = p->location + size;
	p->first = p->set_of + size;
	p->past = p->first + size;
	*memory = p->past + size;
	p->sets = 1;
	for (i = 0; i < size; i++) {
		p->element[i] = p->location[i] = i;
		p->set_of[i] = 0;
	}
	p->first[0] = 0;
	p->past[0] = size;
}

static void mark(struct refinement *r, struct partition *p, uint32_t element)
{
	uint32_t set = p->set_of[element], at = p->location[element];
	uint32_t front = p->first[set] + r->marked[set];

	p->element[at] = p->element[front];
	p->location[p->element[at]] = at;
	p->element[front] = element;
	p->location[element] = front;
	if (!r->marked[set]++)
		r->touched[r->touched_count++] = set;
}

/* Every set with marked and unmarked elements becomes two; the smaller half is the new one. */
static void split(struct refinement *r, struct partition *p)
{
	while (r->touched_count) {
		uint32_t set = r->touched[--r->touched_count];
		uint32_t middle = p->first[set] + r->marked[set], fresh = p->sets, i;
		bool front_is_small = r->marked[set] <= p->past[set] - middle;

		r->marked[set] = 0;
		if (middle == p->past[set])
			continue;
		if (front_is_small) {
			p->first[fresh] = p->first[set];
			p->past[fresh] = p->first[set] = middle;
		} else {
			p->past[fresh] = p->past[set];
			p->first[fresh] = p->past[set] = middle;
		}
		for (i = p->first[fresh]; i < p->past[fresh]; i++)
			p->set_of[p->element[i]] = fresh;
		p->sets++;
	}
}

/* --- transitions --- */

static size_t count_transitions(const struct refinement *r)
{
	size_t count = 0;
	uint32_t s, c;

	for (s = 1; s < r->states; s++) {
		const uint32_t *row = warder_dfa_row(r->dfa, s);

		for (c = 0; r->member[s] && c < r->dfa->classes->count; c++)
			count += row[c] != 0;
	}
	return count;
}

static void list_transitions(struct refinement *r)
{
	uint32_t s, c, t = 0;

	for (s = 1; s < r->states; s++) {
		for (c = 0; r->member[s] && c < r->dfa->classes->count; c++) {
			uint32_t to = warder_dfa_row(r->dfa, s)[c];

			if (!to)
				continue;
			r->tail[t] = s;
			r->class[t] = c;
			r->head[t++] = to;
		}
	}
}

/* Sort transitions by head: those into state s are incoming[end[s-1] .. end[s]). */
static void sort_incoming(struct refinement *r)
{
	uint32_t i, s, sum = 0, count;

	memset(r->incoming_end, 0, r->states * sizeof(*r->incoming_end));
	for (i = 0; i < r->transitions; i++)
		r->incoming_end[r->head[i]]++;
	for (s = 0; s < r->states; s++) {
		count = r->incoming_end[s];
		r->incoming_end[s] = sum;
		sum += count;
	}
	for (i = 0; i < r->transitions; i++)
		r->incoming[r->incoming_end[r->head[i]]++] = i;
}

static uint32_t incoming_begin(const struct refinement *r, uint32_t state)
{
	return state ? r->incoming_end[state - 1] : 0;
}

/* Backwards from the labelled states. What reaches none is dead in all but number. */
static void find_useful(struct refinement *r, uint32_t *stack)
{
	uint32_t top = 0, s, i;

	for (s = 1; s < r->states; s++) {
		if (!r->member[s] || !r->dfa->label[s])
			continue;
		r->useful[s] = 1;
		stack[top++] = s;
	}
	while (top) {
		s = stack[--top];
		for (i = incoming_begin(r, s); i < r->incoming_end[s]; i++) {
			uint32_t from = r->tail[r->incoming[i]];

			if (r->useful[from])
				continue;
			r->useful[from] = 1;
			stack[top++] = from;
		}
	}
}

static void drop_useless(struct refinement *r)
{
	uint32_t i, kept = 0;

	for (i = 0; i < r->transitions; i++) {
		if (!r->useful[r->head[i]])
			continue;
		r->tail[kept] = r->tail[i];
		r->class[kept] = r->class[i];
		r->head[kept++] = r->head[i];
	}
	r->transitions = kept;
	sort_incoming(r);
}

/* --- refinement --- */

/* States of one label, and the useless ones among themselves, begin in one block each. */
static int block_by_label(struct refinement *r)
{
	uint32_t labels = 1, s, i, sum = 0, count;
	_cleanup_free_ uint32_t *end = NULL;

	for (s = 0; s < r->states; s++)
		labels = r->dfa->label[s] + 2 > labels ? r->dfa->label[s] + 2 : labels;
	end = calloc((size_t)labels + 1, sizeof(*end));
	if (!end)
		return -ENOMEM;
#define GROUP(s) (r->useful[s] ? r->dfa->label[s] + 1 : 0)
	for (s = 0; s < r->states; s++)
		end[GROUP(s)]++;
	r->blocks.sets = 0;
	for (i = 0; i < labels; i++) {
		count = end[i];
		end[i] = sum;
		if (count) {
			r->blocks.first[r->blocks.sets] = sum;
			r->blocks.past[r->blocks.sets++] = sum + count;
		}
		sum += count;
	}
	for (s = 0; s < r->states; s++) {
		i = end[GROUP(s)]++;
		r->blocks.element[i] = s;
		r->blocks.location[s] = i;
	}
#undef GROUP
	for (i = 0; i < r->blocks.sets; i++) {
		for (s = r->blocks.first[i]; s < r->blocks.past[i]; s++)
			r->blocks.set_of[r->blocks.element[s]] = i;
	}
	return 0;
}

/* Transitions of one class begin in one cord each. */
static void cord_by_class(struct refinement *r)
{
	uint32_t end[257] = {0}, i, c, sum = 0, count, k = r->dfa->classes->count;
	struct partition *p = &r->cords;

	for (i = 0; i < r->transitions; i++)
		end[r->class[i]]++;
	p->sets = 0;
	for (c = 0; c < k; c++) {
		count = end[c];
		end[c] = sum;
		if (count) {
			p->first[p->sets] = sum;
			p->past[p->sets++] = sum + count;
		}
		sum += count;
	}
	for (i = 0; i < r->transitions; i++) {
		c = end[r->class[i]]++;
		p->element[c] = i;
		p->location[i] = c;
	}
	for (c = 0; c < p->sets; c++) {
		for (i = p->first[c]; i < p->past[c]; i++)
			p->set_of[p->element[i]] = c;
	}
}

static void split_cords_by(struct refinement *r, uint32_t block)
{
	uint32_t i, k;

	for (i = r->blocks.first[block]; i < r->blocks.past[block]; i++) {
		uint32_t state = r->blocks.element[i];

		for (k = incoming_begin(r, state); k < r->incoming_end[state]; k++)
			mark(r, &r->cords, r->incoming[k]);
	}
	split(r, &r->cords);
}

static void refine(struct refinement *r)
{
	/* The first block needs no turn: the others tell its incoming transitions apart. */
	uint32_t block = 1, cord = 0, i;

	for (; cord < r->cords.sets; cord++) {
		for (i = r->cords.first[cord]; i < r->cords.past[cord]; i++)
			mark(r, &r->blocks, r->tail[r->cords.element[i]]);
		split(r, &r->blocks);
		for (; block < r->blocks.sets; block++)
			split_cords_by(r, block);
	}
}

/* --- the result --- */

/* Blocks as they are numbered outside: 0 for what leads to no label. */
static uint32_t number_blocks(const struct refinement *r, uint32_t *ret_block)
{
	uint32_t fresh = 0, s, i;

	for (i = 0; i < r->blocks.sets; i++) {
		bool useful = r->useful[r->blocks.element[r->blocks.first[i]]];

		for (s = r->blocks.first[i]; s < r->blocks.past[i]; s++)
			ret_block[r->blocks.element[s]] = useful ? fresh + 1 : 0;
		fresh += useful;
	}
	return fresh;
}

/* One allocation for everything whose size is known: n per state, m per transition. */
static int allocate(struct refinement *r)
{
	size_t n = r->states, m = (size_t)r->transitions + 1, most = n > m ? n : m;
	uint32_t *at = malloc((4 * m + n + 5 * n + 5 * m + 2 * (most + 1)) * sizeof(*at));

	r->useful = calloc(n, 1);
	r->memory = at;
	if (!at || !r->useful)
		return -ENOMEM;
	r->tail = at;
	r->class = r->tail + m;
	r->head = r->class + m;
	r->incoming = r->head + m;
	r->incoming_end = r->incoming + m;
	at = r->incoming_end + n;
	partition_init(&r->blocks, (uint32_t)n, &at);
	partition_init(&r->cords, (uint32_t)m, &at);
	r->marked = at;
	r->touched = r->marked + most + 1;
	memset(r->marked, 0, (most + 1) * sizeof(*r->marked));
	return 0;
}

static int run(struct refinement *r)
{
	int e;

	list_transitions(r);
	sort_incoming(r);
	find_useful(r, r->blocks.element);
	drop_useless(r);
	e = block_by_label(r);
	if (e < 0)
		return e;
	cord_by_class(r);
	refine(r);
	return 0;
}

int warder_dfa_refine(const struct warder_dfa *dfa, const unsigned char *member,
		      uint32_t *ret_block, uint32_t *ret_count)
{
	struct refinement r = {.dfa = dfa, .member = member, .states = dfa->count};
	size_t transitions = count_transitions(&r);
	int e;

	if (transitions > TRANSITIONS_MAX)
		return -E2BIG;
	e = warder_dfa_spend(dfa->classes,
			     transitions *
				     (transitions < TRANSITIONS_NEAR ? STEPS_NEAR : STEPS_FAR));
	if (e < 0)
		return e;
	r.transitions = (uint32_t)transitions;
	e = allocate(&r);
	if (e == 0)
		e = run(&r);
	if (e == 0)
		*ret_count = number_blocks(&r, ret_block);
	free(r.memory);
	free(r.useful);
	return e;
}
