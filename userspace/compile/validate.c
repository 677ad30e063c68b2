// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * validate.c - is an image what the compiler promises?
 */
#include "compile/validate.h"

#include <stdbool.h>
#include <stddef.h>

#include <warder/decide.h>

#include "compile/layout.h"

static const char *head_fault(const struct warder_image *image)
{
	struct warder_image other = *image;

	if (image->magic != WARDER_IMAGE_MAGIC)
		return "it is no image";
	if (image->abi != WARDER_ABI)
		return "it has another layout";
	if (!image->class_count || image->class_count > WARDER_CLASSES_MAX)
		return "no such number of byte classes";
	if (!image->cell_pages || image->cell_pages > WARDER_CELL_PAGES_MAX)
		return "no such number of pages of cells";
	if (!image->row_count || image->row_count > WARDER_ROWS_MAX)
		return "no such number of rows";
	if (image->range_count > WARDER_RANGES_MAX || image->port_count > WARDER_PORTS_MAX)
		return "no such number of address ranges or ports";
	if (!image->key_count || image->key_count > WARDER_KEYS_MAX)
		return "no such number of keys";
	warder_layout(&other);
	if (other.page_count != image->page_count || other.range_first != image->range_first ||
	    other.port_first != image->port_first)
		return "its tables are elsewhere";
	return NULL;
}

static bool is_state(const struct warder_image *image, __u32 state)
{
	__u32 page = state >> WARDER_STATE_SHIFT, place = state & WARDER_STATE_PLACE;

	return page < image->cell_pages && place < WARDER_PAGE_STATES &&
	       warder_image_cells(image, page)->cells[place].owner & WARDER_CELL_HEAD;
}

/* What is wrong with the cell that would be the head of `state`. Unused ones are the dead one's. */
static const char *cell_fault(const struct warder_image *image, const struct warder_cell *cell,
			      __u32 state)
{
	if (cell->owner & WARDER_CELL_HEAD) {
		if ((cell->owner & ~WARDER_CELL_HEAD) >= image->row_count)
			return "a state of no row";
		if (!is_state(image, state))
			return "a state that may leave its page";
	} else if (!cell->owner) {
		if (cell->next)
			return "the dead state lives";
	} else if (!is_state(image, cell->owner) || cell->owner >= state ||
		   state - cell->owner > image->class_count ||
		   (state ^ cell->owner) >> WARDER_STATE_SHIFT) {
		return "a cell of no state";
	}
	return is_state(image, cell->next) ? NULL : "a cell leads out of the automaton";
}

static const char *page_fault(const struct warder_image *image, __u32 number, __u32 *states)
{
	const struct warder_cell_page *page = warder_image_cells(image, number);
	const char *fault = NULL;
	__u32 i;

	if (page->generation != image->generation)
		return "pages of several generations";
	for (i = 0; i < 256; i++) {
		if (!page->classes[i] || page->classes[i] > image->class_count)
			return "a byte of no class";
		if (page->classes[i] != warder_image_cells(image, 0)->classes[i])
			return "pages of several classes";
	}
	for (i = 0; i < WARDER_PAGE_CELLS && !fault; i++) {
		fault = cell_fault(image, &page->cells[i], WARDER_STATE(number, i));
		*states += page->cells[i].owner >> 31;
	}
	return fault;
}

static const char *automaton_fault(const struct warder_image *image)
{
	const struct warder_cell *dead = &warder_image_cells(image, 0)->cells[0];
	const char *fault = NULL;
	__u32 i, states = 0;

	if (dead->owner != WARDER_CELL_HEAD || dead->next)
		return "the dead state lives";
	if (!is_state(image, image->start))
		return "the automaton starts outside";
	for (i = 0; i < image->cell_pages && !fault; i++)
		fault = page_fault(image, i, &states);
	if (!fault && states != image->state_count)
		return "no such number of states";
	return fault;
}

/* Bits of keys that do not exist. */
static __u64 no_keys(const struct warder_image *image)
{
	return image->key_count == 64 ? 0 : ~0ull << image->key_count;
}

static const char *rows_fault(const struct warder_image *image)
{
	__u64 strangers = no_keys(image);
	__u32 i, r;

	for (i = 0; i < image->row_count; i++) {
		const struct warder_row *row = warder_row(image, i);

		if (row->below != WARDER_ROW_NONE && row->below >= image->row_count)
			return "a row above no row";
		if (row->nailed & strangers)
			return "a row of a key that does not exist";
		for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
			if ((row->allow[r] | row->deny[r]) & strangers)
				return "a row of a key that does not exist";
			if (!i && (row->allow[r] | row->deny[r]))
				return "the first row grants something";
		}
	}
	return NULL;
}

static bool is_after(const struct warder_range *a, const struct warder_range *b)
{
	return a->hi > b->hi || (a->hi == b->hi && a->lo > b->lo);
}

static bool is_after_port(const struct warder_port *a, const struct warder_port *b)
{
	return a->proto > b->proto || (a->proto == b->proto && a->low > b->high);
}

static __u64 port_keys(const struct warder_port *port)
{
	__u64 keys = 0;
	int op;

	for (op = 0; op < WARDER_NET_OP_COUNT; op++)
		keys |= port->allow[op] | port->deny[op];
	return keys;
}

static const char *segments_fault(const struct warder_image *image,
				  const struct warder_range *range)
{
	const union warder_page *first = warder_page(image, 0);
	const struct warder_port *port, *before = NULL;
	__u32 i;

	for (i = 0; i < range->count; i++, before = port) {
		port = warder_port(image, first, range->first + i);
		if (port->low > port->high ||
		    (port->proto != WARDER_PROTO_TCP && port->proto != WARDER_PROTO_UDP))
			return "no such ports";
		if (before && !is_after_port(port, before))
			return "ports out of order";
		if (port_keys(port) & no_keys(image))
			return "ports of a key that does not exist";
	}
	return NULL;
}

static const char *ranges_fault(const struct warder_image *image)
{
	const union warder_page *first = warder_page(image, 0);
	const struct warder_range *range, *before = NULL;
	const char *fault = NULL;
	__u32 i;

	for (i = 0; i < image->range_count && !fault; i++, before = range) {
		range = warder_range(image, first, i);
		if (!before && (range->hi || range->lo))
			return "addresses below the first range";
		if (before && !is_after(range, before))
			return "address ranges out of order";
		if (range->count > WARDER_SEGMENTS_MAX || range->first > image->port_count ||
		    range->count > image->port_count - range->first)
			return "an address range with ports that are not there";
		fault = segments_fault(image, range);
	}
	return fault;
}

static const char *syscalls_fault(const struct warder_image *image)
{
	__u64 any = 0;
	__u32 i;

	for (i = 0; i < WARDER_SYSCALLS_MAX; i++)
		any |= image->syscall_deny[i];
	if (any & no_keys(image))
		return "system calls of a key that does not exist";
	if (image->has_syscalls != (any != 0))
		return "system calls that are not looked at";
	return NULL;
}

const char *warder_image_fault(const struct warder_image *image)
{
	static const char *(*const parts[])(const struct warder_image *) = {
		head_fault, automaton_fault, rows_fault, ranges_fault, syscalls_fault,
	};
	const char *fault = NULL;
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]) && !fault; i++)
		fault = parts[i](image);
	return fault;
}
