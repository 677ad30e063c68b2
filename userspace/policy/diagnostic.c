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

/* Characters of a line that are shown; a longer one is cut around the place. */
#define EXCERPT_MAX 160u

const char *warder_severity_name(enum warder_severity severity)
{
	static const char *const names[] = {"error", "warning", "note"};

	return names[severity];
}

/*
 * Append the character at `text`. Tabs stay (the caret line repeats them); what would not show as
 * one character, or would change how the line reads, becomes '?'. Returns the bytes used.
 */
static size_t copy_character(char **out, const char *text, size_t size)
{
	size_t length = warder_utf8_length(text, size);
	char shown[20];

	if (*text == '\t' || !length || length > size) {
		*(*out)++ = *text == '\t' ? '\t' : '?';
		return 1;
	}
	warder_utf8_escape(shown, sizeof(shown), text, length);
	if (memcmp(shown, text, length)) {
		*(*out)++ = '?';
		return length;
	}
	memcpy(*out, text, length);
	*out += length;
	return length;
}

/* The part of the line around the place, and where in it the caret stands. */
static bool fill_excerpt(struct warder_diagnostic *d, const struct warder_source *source)
{
	size_t size, at = 0, used;
	const char *line = warder_source_line(source, d->line, &size);
	unsigned int first = 1, column;
	char *out = malloc(size + 8), *dropped = out;

	if (!out)
		return false;
	if (warder_utf8_count(line, size) > EXCERPT_MAX && d->column > EXCERPT_MAX / 2)
		first = d->column - EXCERPT_MAX / 2;
	d->excerpt = out;
	d->caret = d->column - first + 1;
	if (first > 1) {
		out = stpcpy(out, "...");
		d->caret += 3;
	}
	for (column = 1; at < size && column < first + EXCERPT_MAX; column++) {
		dropped = out;
		used = copy_character(&out, line + at, size - at);
		if (column < first)
			out = dropped;
		at += used;
	}
	strcpy(out, at < size ? "..." : "");
	return true;
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
	if (source && d->line && !fill_excerpt(d, source))
		return false;
	return !hint || !*hint || (d->hint = copy_escaped(hint));
}

bool warder_diagnostics_full(const struct warder_diagnostics *diagnostics)
{
	return diagnostics->errors >= WARDER_DIAGNOSTICS_MAX;
}

/* Room for one more: an error takes the place of the last warning or note. */
static bool make_room(struct warder_diagnostics *diagnostics, enum warder_severity severity)
{
	struct warder_diagnostic *list = diagnostics->list;
	size_t i = diagnostics->count;

	if (i < WARDER_DIAGNOSTICS_MAX)
		return VECTOR_ROOM(diagnostics->list, diagnostics->count, diagnostics->capacity);
	while (i && (severity != WARDER_ERROR || list[i - 1].severity == WARDER_ERROR))
		i--;
	if (!i)
		return false;
	diagnostic_release(&list[i - 1]);
	memmove(&list[i - 1], &list[i], (diagnostics->count - i) * sizeof(*list));
	diagnostics->count--;
	return true;
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
	if (!make_room(diagnostics, severity)) {
		diagnostics->out_of_memory |= diagnostics->count < WARDER_DIAGNOSTICS_MAX;
		return;
	}
	if (!diagnostic_fill(&d, source, hint, format, arguments)) {
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
	while (column < d->caret && i < size) {
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
