// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * validate.c - is an image what the compiler promises?
 */
#include "compile/validate.h"

#include <stdbool.h>
#include <stddef.h>

/* Byte classes and the cell of the row. */
#define STRIDE_MAX 257u

static const char *head_fault(const struct warder_image *image)
{
	if (image->magic != WARDER_IMAGE_MAGIC)
		return "it is no image";
	if (image->abi != WARDER_ABI)
		return "it has another layout";
	if (image->stride < 2 || image->stride > STRIDE_MAX)
		return "no such number of byte classes";
	if (!image->cell_count || image->cell_count > WARDER_CELLS_MAX ||
	    image->cell_count % image->stride)
		return "no such number of cells";
	if (!image->row_count || image->row_count > WARDER_ROWS_MAX)
		return "no such number of rows";
	if (image->range_count > WARDER_RANGES_MAX || image->port_count > WARDER_PORTS_MAX)
		return "no such number of address ranges or ports";
	if (!image->key_count || image->key_count > WARDER_KEYS_MAX)
		return "no such number of keys";
	return NULL;
}

static bool is_state(const struct warder_image *image, __u32 cell)
{
	return cell < image->cell_count && cell % image->stride == 0;
}

static const char *automaton_fault(const struct warder_image *image)
{
	__u32 i;

	for (i = 0; i < 256; i++) {
		if (!image->classes[i] || image->classes[i] >= image->stride)
			return "a byte of no class";
	}
	if (!is_state(image, image->start))
		return "the automaton starts outside";
	for (i = 0; i < image->stride; i++) {
		if (image->cells[i])
			return "the dead state lives";
	}
	for (; i < image->cell_count; i++) {
		if (i % image->stride == 0 && image->cells[i] >= image->row_count)
			return "a state of no row";
		if (i % image->stride && !is_state(image, image->cells[i]))
			return "a cell leads out of the automaton";
	}
	return NULL;
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
		const struct warder_row *row = &image->rows[i];

		if (row->below != WARDER_ROW_NONE && row->below >= image->row_count)
			return "a row above no row";
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

static const char *segments_fault(const struct warder_image *image,
				  const struct warder_range *range)
{
	const struct warder_port *port = &image->ports[range->first];
	__u32 i;

	for (i = 0; i < range->count; i++) {
		if (port[i].low > port[i].high ||
		    (port[i].proto != WARDER_PROTO_TCP && port[i].proto != WARDER_PROTO_UDP))
			return "no such ports";
		if (i && !is_after_port(&port[i], &port[i - 1]))
			return "ports out of order";
		if ((port[i].allow[WARDER_NET_CONNECT] | port[i].deny[WARDER_NET_CONNECT]) &
		    no_keys(image))
			return "ports of a key that does not exist";
	}
	return NULL;
}

static const char *ranges_fault(const struct warder_image *image)
{
	const char *fault = NULL;
	__u32 i;

	for (i = 0; i < image->range_count && !fault; i++) {
		const struct warder_range *range = &image->ranges[i];

		if (!i && (range->hi || range->lo))
			return "addresses below the first range";
		if (i && !is_after(range, range - 1))
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
