// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * cells.c - an automaton as the cells of an image: where each state goes.
 *
 * A state takes a cell for itself and one for each class that leads elsewhere than most do;
 * those of several states are laid into one another's gaps (row displacement). States are
 * placed in the order of a walk that goes deep first, and near the end of what is placed, so
 * that the states of a path lie together: the kernel looks up a page whenever it leaves one.
 */
#include "compile/cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/layout.h"

/* Cells of a page in the bitmap: a few more than there are, so that words are whole. */
#define PAGE_BITS (WARDER_STATE_PLACE + 1)
/* How far back a gap is looked for; whole words of the bitmap. */
#define WINDOW PAGE_BITS

/* What is known while states are placed. Cells are numbered like states. */
struct search {
	struct warder_placement *placement;
	uint32_t *votes;       /* by state: classes that lead there, while one is looked at */
	uint64_t *free;	       /* a bit a cell, and a word more */
	uint32_t size, end;    /* cells with a bit; behind the last one in use */
	uint32_t offsets[256]; /* cells that the state at hand needs, from its head on */
	uint32_t offset_count;
};

/* --- classes --- */

static bool classes_agree(const struct warder_dfa *dfa, uint32_t a, uint32_t b)
{
	uint32_t s;

	for (s = 0; s < dfa->count; s++) {
		const uint32_t *row = warder_dfa_row(dfa, s);

		if (row[a] != row[b])
			return false;
	}
	return true;
}

void warder_classes_merge(const struct warder_dfa *dfa, struct warder_merged *ret_merged)
{
	uint32_t number[256], count = 0, c, d, b;

	for (c = 0; c < dfa->classes->count; c++) {
		for (d = 0; d < count && !classes_agree(dfa, c, ret_merged->example[d]); d++)
			;
		if (d == count)
			ret_merged->example[count++] = c;
		number[c] = d + 1;
	}
	ret_merged->count = count;
	for (b = 0; b < 256; b++)
		ret_merged->of[b] = (__u8)number[dfa->classes->of[b]];
}

/* --- places --- */

static uint32_t leads_to(const struct warder_placement *p, uint32_t state, uint32_t class)
{
	return warder_dfa_row(p->dfa, state)[p->classes->example[class - 1]];
}

/* Where most classes lead; of several the state with the lowest number. */
static uint32_t find_most(struct search *s, uint32_t state)
{
	const struct warder_placement *p = s->placement;
	uint32_t best = leads_to(p, state, 1), c;

	for (c = 1; c <= p->classes->count; c++) {
		uint32_t to = leads_to(p, state, c), votes = ++s->votes[to];

		if (votes > s->votes[best] || (votes == s->votes[best] && to < best))
			best = to;
	}
	for (c = 1; c <= p->classes->count; c++)
		s->votes[leads_to(p, state, c)] = 0;
	return best;
}

/* One page more. */
static int extend(struct search *s)
{
	uint32_t words = s->size / 64, i;
	uint64_t *more;

	if (s->placement->pages == WARDER_CELL_PAGES_MAX)
		return -E2BIG;
	more = realloc(s->free, (words + PAGE_BITS / 64 + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(&more[words], 0, (PAGE_BITS / 64 + 1) * sizeof(*more));
	for (i = 0; i < WARDER_PAGE_CELLS; i++)
		more[words + i / 64] |= 1ull << i % 64;
	s->free = more;
	s->size += PAGE_BITS;
	s->placement->pages++;
	return 0;
}

/* The bits of 64 cells from `cell` on; `cell` < size. */
static uint64_t free_from(const struct search *s, uint32_t cell)
{
	uint32_t word = cell / 64, shift = cell % 64;

	return shift ? s->free[word] >> shift | s->free[word + 1] << (64 - shift) : s->free[word];
}

/* The first of the 64 cells from `cell` on where the state fits, or -1. */
static int fit_among(const struct search *s, uint32_t cell)
{
	uint32_t place = cell % PAGE_BITS, i;
	uint64_t fits = ~0ull;

	if (place >= WARDER_PAGE_STATES)
		return -1;
	if (WARDER_PAGE_STATES - place < 64)
		fits >>= 64 - (WARDER_PAGE_STATES - place);
	for (i = 0; i < s->offset_count && fits; i++)
		fits &= free_from(s, cell + s->offsets[i]);
	return fits ? __builtin_ctzll(fits) : -1;
}

static void take(struct search *s, uint32_t head)
{
	uint32_t i;

	for (i = 0; i < s->offset_count; i++) {
		uint32_t cell = head + s->offsets[i];

		s->free[cell / 64] &= ~(1ull << cell % 64);
		if (cell >= s->end)
			s->end = cell + 1;
	}
}

/* Find cells for a state and take them. */
static int place(struct search *s, uint32_t state)
{
	struct warder_placement *p = s->placement;
	uint32_t from = s->end > WINDOW ? (s->end - WINDOW) / 64 * 64 : 0, c;
	int found, r;

	p->most[state] = find_most(s, state);
	s->offset_count = 1;
	for (c = 1; c <= p->classes->count; c++) {
		if (leads_to(p, state, c) != p->most[state])
			s->offsets[s->offset_count++] = c;
	}
	for (;; from += 64) {
		if (from == s->size && (r = extend(s)) < 0)
			return r;
		found = fit_among(s, from);
		if (found >= 0)
			break;
	}
	p->place[state] = from + (uint32_t)found;
	take(s, p->place[state]);
	return 0;
}

/* --- the order --- */

struct walk {
	unsigned char *met; /* by state */
	struct {
		uint32_t state, class;
	} * stack; /* the states that the walk is in, and the class it looks at next */
	uint32_t depth;
};

static int enter(struct walk *walk, struct search *s, uint32_t state)
{
	walk->met[state] = 1;
	walk->stack[walk->depth].state = state;
	walk->stack[walk->depth++].class = 1;
	return place(s, state);
}

/* The dead state first, and then what a walk meets, deep first. */
static int place_all(struct search *s, struct walk *walk)
{
	const struct warder_placement *p = s->placement;
	int r = enter(walk, s, 0);

	walk->depth = 0;
	if (r == 0 && p->dfa->start)
		r = enter(walk, s, p->dfa->start);
	while (r == 0 && walk->depth) {
		uint32_t state = walk->stack[walk->depth - 1].state;
		uint32_t *class = &walk->stack[walk->depth - 1].class;

		while (*class <= p->classes->count && walk->met[leads_to(p, state, *class)])
			(*class)++;
		if (*class > p->classes->count)
			walk->depth--;
		else
			r = enter(walk, s, leads_to(p, state, *class));
	}
	return r;
}

static int search(struct search *s)
{
	uint32_t count = s->placement->dfa->count;
	struct walk walk = {.met = calloc(count, 1), .stack = calloc(count, sizeof(*walk.stack))};
	int r = -ENOMEM;

	s->votes = calloc(count, sizeof(*s->votes));
	if (walk.met && walk.stack && s->votes)
		r = place_all(s, &walk);
	free(walk.met);
	free(walk.stack);
	free(s->votes);
	free(s->free);
	return r;
}

int warder_placement_build(const struct warder_dfa *dfa, const struct warder_merged *merged,
			   struct warder_placement *ret_placement)
{
	struct warder_placement p = {
		.dfa = dfa,
		.classes = merged,
		.place = calloc(dfa->count, sizeof(*p.place)),
		.most = calloc(dfa->count, sizeof(*p.most)),
	};
	struct search s = {.placement = &p};
	int r = p.place && p.most ? search(&s) : -ENOMEM;

	if (r < 0)
		warder_placement_release(&p);
	else
		*ret_placement = p;
	return r;
}

void warder_placement_release(struct warder_placement *placement)
{
	free(placement->place);
	free(placement->most);
	*placement = (struct warder_placement){0};
}

/* --- the cells --- */

static struct warder_cell *cell_of(struct warder_image *image, uint32_t state)
{
	return &warder_layout_cells(image, state >> WARDER_STATE_SHIFT)
			->cells[state & WARDER_STATE_PLACE];
}

void warder_placement_write(const struct warder_placement *placement, const uint32_t *rows,
			    struct warder_image *image)
{
	uint32_t i, c;

	for (i = 0; i < placement->pages; i++)
		memcpy(warder_layout_cells(image, i)->classes, placement->classes->of, 256);
	for (i = 0; i < placement->dfa->count; i++) {
		struct warder_cell *head = cell_of(image, placement->place[i]);

		head->owner = WARDER_CELL_HEAD | rows[i];
		head->next = placement->place[placement->most[i]];
		for (c = 1; c <= placement->classes->count; c++) {
			uint32_t to = leads_to(placement, i, c);

			if (to == placement->most[i])
				continue;
			head[c].owner = placement->place[i];
			head[c].next = placement->place[to];
		}
	}
}
