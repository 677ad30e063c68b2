/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * layout.h - what is on which page of an image (warder/image.h).
 *
 * The layout follows from the sizes, so an image that has another one is damaged.
 */
#ifndef WARDER_COMPILE_LAYOUT_H
#define WARDER_COMPILE_LAYOUT_H

#include <stddef.h>

#include <warder/image.h>

/* Fill page_count, range_first and port_first from cell_pages and the counts of the tables. */
void warder_layout(struct warder_image *image);

/* Bytes of an image in memory: its pages. */
size_t warder_image_size(const struct warder_image *image);

/* Bytes that an image takes in the kernel, at most. */
size_t warder_image_kernel_size(const struct warder_image *image);

/* Write the generation everywhere it stands. */
void warder_image_assign(struct warder_image *image, __u64 generation);

/* Items of the tables, to be written; `image` has been laid out and has its whole size. */
struct warder_row *warder_layout_row(struct warder_image *image, __u32 number);
struct warder_range *warder_layout_range(struct warder_image *image, __u32 number);
struct warder_port *warder_layout_port(struct warder_image *image, __u32 number);

/* Items of the tables, to be read; `number` is below the table's count. */
const struct warder_range *warder_image_range(const struct warder_image *image, __u32 number);
const struct warder_port *warder_image_port(const struct warder_image *image, __u32 number);

/* Page `number` of the cells, from 0 on. */
struct warder_cell_page *warder_layout_cells(struct warder_image *image, __u32 number);
const struct warder_cell_page *warder_image_cells(const struct warder_image *image, __u32 number);

#endif
