// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * diagnostic.c - what is wrong with a policy: place, message, the line with a caret, a hint.
 */
#include "policy/diagnostic.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "base/vector.h"

/* Longer lines are cut around the place; a policy line is rarely over 100 characters. */
#define EXCERPT_MAX 160

const char *warder_severity_name(enum warder_severity severity)
{
	static const char *const names[] = {"error", "warning", "note"};

	return names[severity];
}

/* Tabs stay (the caret line repeats them); other control characters become '?'. */
static void clean_line(char *line)
{
	char *p;

	for (p = line; *p; p++) {
		if (((unsigned char)*p < 0x20 && *p != '\t') || *p == 0x7f)
			*p = '?';
	}
}

static char *copy_excerpt(const struct warder_source *source, unsigned int line)
{
	size_t size;
	const char *text = warder_source_line(source, line, &size);
	char *copy;

	if (size > EXCERPT_MAX) {
		size = EXCERPT_MAX;
		while (size && ((unsigned char)text[size] & 0xc0) == 0x80)
			size--;
	}
	copy = strndup(text, size);
	if (copy)
		clean_line(copy);
	return copy;
}

static char *copy_escaped(const char *text)
{
	size_t size = strlen(text);
	char *copy = malloc(4 * size + 1);

	return copy ? warder_utf8_escape(copy, 4 * size + 1, text, size) : NULL;
}

static void diagnostic_release(struct warder_diagnostic *diagnostic)
{
	free(diagnostic->file);
	free(diagnostic->message);
	free(diagnostic->excerpt);
	free(diagnostic->hint);
}

static bool diagnostic_fill(struct warder_diagnostic *d, const struct warder_source *source,
			    const char *hint, const char *format, va_list arguments)
{
	_cleanup_free_ char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0) {
		text = NULL;
		return false;
	}
	d->message = copy_escaped(text);
	if (!d->message)
		return false;
	if (source && !(d->file = copy_escaped(source->name)))
		return false;
	if (source && d->line && !(d->excerpt = copy_excerpt(source, d->line)))
		return false;
	return !hint || !*hint || (d->hint = copy_escaped(hint));
}

void warder_diagnostics_addv(struct warder_diagnostics *diagnostics, enum warder_severity severity,
			     const struct warder_source *source, struct warder_span span,
			     const char *hint, const char *format, va_list arguments)
{
	struct warder_diagnostic d = {.severity = severity,
				      .line = span.line,
				      .column = span.column,
				      .width = span.width ? span.width : 1};

	if (severity == WARDER_ERROR)
		diagnostics->errors++;
	else if (severity == WARDER_WARNING)
		diagnostics->warnings++;
	else
		diagnostics->notes++;
	if (diagnostics->count >= WARDER_DIAGNOSTICS_MAX)
		return;
	if (!diagnostic_fill(&d, source, hint, format, arguments) ||
	    !VECTOR_ROOM(diagnostics->list, diagnostics->count, diagnostics->capacity)) {
		diagnostic_release(&d);
		diagnostics->out_of_memory = true;
		return;
	}
	diagnostics->list[diagnostics->count++] = d;
}

void warder_diagnostics_add(struct warder_diagnostics *diagnostics, enum warder_severity severity,
			    const struct warder_source *source, struct warder_span span,
			    const char *hint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	warder_diagnostics_addv(diagnostics, severity, source, span, hint, format, arguments);
	va_end(arguments);
}

bool warder_diagnostics_failed(const struct warder_diagnostics *diagnostics)
{
	return diagnostics->errors || diagnostics->out_of_memory;
}

static void print_caret(const struct warder_diagnostic *d, FILE *out)
{
	size_t size = strlen(d->excerpt), i = 0, length;
	unsigned int column = 1, left = d->width;

	fputs("      | ", out);
	while (column < d->column && i < size) {
		fputc(d->excerpt[i] == '\t' ? '\t' : ' ', out);
		length = warder_utf8_length(d->excerpt + i, size - i);
		i += length ? length : 1;
		column++;
	}
	fputc('^', out);
	/* The tilde stops at the end of the line that is shown. */
	for (; --left && i + 1 < size; i++)
		fputc('~', out);
	fputc('\n', out);
}

void warder_diagnostic_print(const struct warder_diagnostic *d, FILE *out)
{
	if (d->file)
		fprintf(out, "%s:", d->file);
	if (d->file && d->line)
		fprintf(out, "%u:%u:", d->line, d->column);
	fprintf(out, "%s%s: %s\n", d->file ? " " : "", warder_severity_name(d->severity),
		d->message);
	if (d->excerpt) {
		fprintf(out, "%5u | %s\n", d->line, d->excerpt);
		print_caret(d, out);
	}
	if (d->hint)
		fprintf(out, "  hint: %s\n", d->hint);
}

void warder_diagnostics_print(const struct warder_diagnostics *diagnostics, FILE *out)
{
	unsigned int total = diagnostics->errors + diagnostics->warnings + diagnostics->notes;
	size_t i;

	for (i = 0; i < diagnostics->count; i++)
		warder_diagnostic_print(&diagnostics->list[i], out);
	if (total > diagnostics->count)
		fprintf(out, "and %u more (the first %zu are shown)\n",
			total - (unsigned int)diagnostics->count, diagnostics->count);
	if (diagnostics->out_of_memory)
		fputs("error: out of memory\n", out);
}

void warder_diagnostics_release(struct warder_diagnostics *diagnostics)
{
	size_t i;

	for (i = 0; i < diagnostics->count; i++)
		diagnostic_release(&diagnostics->list[i]);
	free(diagnostics->list);
	*diagnostics = (struct warder_diagnostics){0};
}
