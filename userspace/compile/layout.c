// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * layout.c - what is on which page of an image.
 */
#include "compile/layout.h"

/* What a map takes besides its values, rounded up to a page of memory (and its own struct). */
#define MAP_OVERHEAD 4096u

/* A table: its items begin behind `*bytes` of tables' pages, and end at the new `*bytes`. */
static __u32 begin(size_t *bytes, size_t size, __u32 items, __u32 count)
{
	size_t page = *bytes / WARDER_PAGE_SIZE;
	size_t index = (*bytes % WARDER_PAGE_SIZE + size - 1) / size;
	size_t first = index < items ? page * items + index : (page + 1) * items;
	size_t last = first + count - 1;

	if (count)
		*bytes = last / items * WARDER_PAGE_SIZE + (last % items + 1) * size;
	return (__u32)first;
}

#define BEGIN(bytes, type, count) begin(bytes, sizeof(struct type), WARDER_PAGE_ITEMS(type), count)

void warder_layout(struct warder_image *image)
{
	size_t bytes = sizeof(struct warder_image);

	BEGIN(&bytes, warder_row, image->row_count);
	image->range_first = BEGIN(&bytes, warder_range, image->range_count);
	image->port_first = BEGIN(&bytes, warder_port, image->port_count);
	image->page_count =
		image->cell_pages + (__u32)((bytes + WARDER_PAGE_SIZE - 1) / WARDER_PAGE_SIZE);
}

size_t warder_image_size(const struct warder_image *image)
{
	return (size_t)image->page_count * WARDER_PAGE_SIZE;
}

size_t warder_image_kernel_size(const struct warder_image *image)
{
	return warder_image_size(image) + MAP_OVERHEAD;
}

void warder_image_assign(struct warder_image *image, __u64 generation)
{
	__u32 i;

	image->generation = generation;
	for (i = 0; i < image->cell_pages; i++)
		warder_layout_cells(image, i)->generation = generation;
}

static void *item(struct warder_image *image, size_t number, __u32 items, size_t size)
{
	size_t page = number / items;

	if (page)
		page += image->cell_pages;
	return (char *)image + page * WARDER_PAGE_SIZE + number % items * size;
}

#define ITEM(image, type, number) item(image, number, WARDER_PAGE_ITEMS(type), sizeof(struct type))

struct warder_row *warder_layout_row(struct warder_image *image, __u32 number)
{
	return ITEM(image, warder_row, (size_t)WARDER_ROW_FIRST + number);
}

struct warder_range *warder_layout_range(struct warder_image *image, __u32 number)
{
	return ITEM(image, warder_range, (size_t)image->range_first + number);
}

struct warder_port *warder_layout_port(struct warder_image *image, __u32 number)
{
	return ITEM(image, warder_port, (size_t)image->port_first + number);
}

const struct warder_range *warder_image_range(const struct warder_image *image, __u32 number)
{
	return ITEM((struct warder_image *)image, warder_range,
		    (size_t)image->range_first + number);
}

const struct warder_port *warder_image_port(const struct warder_image *image, __u32 number)
{
	return ITEM((struct warder_image *)image, warder_port, (size_t)image->port_first + number);
}

struct warder_cell_page *warder_layout_cells(struct warder_image *image, __u32 number)
{
	return &((union warder_page *)image)[1 + number].cells;
}

const struct warder_cell_page *warder_image_cells(const struct warder_image *image, __u32 number)
{
	return &((const union warder_page *)image)[1 + number].cells;
}
