/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * table.h - rows of text in aligned columns.
 */
#ifndef WARDER_CLI_TABLE_H
#define WARDER_CLI_TABLE_H

#include <stddef.h>
#include <stdio.h>

#define WARDER_COLUMNS_MAX 12

struct warder_table {
	char **cells; /* row after row */
	size_t count, capacity;
	size_t columns;
};

/* Append one cell, strings escaped (base/message.h); the first `columns` are the heading. Out of
 * memory leaves it empty. */
void warder_table_add(struct warder_table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Print all; the last column is not padded. */
void warder_table_print(const struct warder_table *table, FILE *out);

void warder_table_release(struct warder_table *table);

#define _cleanup_table_ __attribute__((cleanup(warder_table_release)))

#endif
