// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * table.c - rows of text in aligned columns.
 */
#include "cli/table.h"

#include <stdarg.h>
#include <string.h>

#include "base/message.h"
#include "base/utf8.h"
#include "base/vector.h"

void warder_table_add(struct warder_table *table, const char *format, ...)
{
	char text[WARDER_MESSAGE_MAX];
	va_list arguments;

	if (!VECTOR_ROOM(table->cells, table->count, table->capacity))
		return;
	va_start(arguments, format);
	table->cells[table->count++] =
		strdup(warder_message_format(text, sizeof(text), format, arguments));
	va_end(arguments);
}

static const char *cell_text(const struct warder_table *table, size_t i)
{
	return table->cells[i] ? table->cells[i] : "";
}

static size_t cell_width(const struct warder_table *table, size_t i)
{
	const char *text = cell_text(table, i);

	return warder_utf8_count(text, strlen(text));
}

void warder_table_print(const struct warder_table *table, FILE *out)
{
	size_t widths[WARDER_COLUMNS_MAX] = {}, i, column;

	for (i = 0; i < table->count; i++) {
		column = i % table->columns;
		if (cell_width(table, i) > widths[column])
			widths[column] = cell_width(table, i);
	}
	for (i = 0; i < table->count; i++) {
		column = i % table->columns;
		fputs(cell_text(table, i), out);
		if (column + 1 == table->columns)
			fputc('\n', out);
		else
			fprintf(out, "%*s", (int)(widths[column] - cell_width(table, i)) + 2, "");
	}
}

void warder_table_release(struct warder_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	*table = (struct warder_table){};
}
