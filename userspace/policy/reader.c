// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * reader.c - the schema walk: which keys a mapping may have, and what reads each value.
 */
#include "policy/reader.h"

#include <string.h>

#include "base/utf8.h"
#include "policy/unknown.h"

char *warder_reader_quote(const char *text, size_t length, char out[WARDER_QUOTED_MAX])
{
	char *end = warder_utf8_escape(out + 1, 240, text, length < 60 ? length : 60);

	out[0] = '"';
	strcat(end, length > 60 ? "...\"" : "\"");
	return out;
}

static void report(struct warder_reader *reader, enum warder_severity severity,
		   struct warder_span span, const char *hint, const char *format, va_list arguments)
	__attribute__((format(printf, 5, 0)));

static void report(struct warder_reader *reader, enum warder_severity severity,
		   struct warder_span span, const char *hint, const char *format, va_list arguments)
{
	warder_diagnostics_addv(reader->diagnostics, severity, reader->source, span, hint, format,
				arguments);
}

void warder_reader_error(struct warder_reader *reader, const struct warder_yaml *node,
			 const char *hint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report(reader, WARDER_ERROR, node->span, hint, format, arguments);
	va_end(arguments);
}

void warder_reader_warn(struct warder_reader *reader, enum warder_severity severity,
			const struct warder_yaml *node, const char *hint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report(reader, severity, node->span, hint, format, arguments);
	va_end(arguments);
}

/* The span of the text from byte `offset` on; the whole node where escapes hide the place. */
static struct warder_span span_inside(const struct warder_reader *reader,
				      const struct warder_yaml *node, size_t offset)
{
	struct warder_span span = node->span;
	size_t size, skip;
	const char *line = warder_source_line(reader->source, span.line, &size);
	size_t at = 0;
	unsigned int column;

	for (column = 1; column < span.column && at < size; column++) {
		size_t length = warder_utf8_length(line + at, size - at);

		at += length ? length : 1;
	}
	if (!node->plain)
		at++;
	if (at + node->length > size || memcmp(line + at, node->text, node->length) ||
	    offset > node->length)
		return span;
	skip = warder_utf8_count(node->text, offset);
	span.column += (unsigned int)skip + !node->plain;
	span.width = 1;
	return span;
}

void warder_reader_error_at(struct warder_reader *reader, const struct warder_yaml *node,
			    size_t offset, const char *hint, const char *format, ...)
{
	struct warder_span span = node->span;
	va_list arguments;

	/* Finding the line takes time in its number: a large file full of errors would hang. */
	if (!warder_diagnostics_full(reader->diagnostics))
		span = span_inside(reader, node, offset);
	va_start(arguments, format);
	report(reader, WARDER_ERROR, span, hint, format, arguments);
	va_end(arguments);
}

void warder_reader_unenforced(struct warder_reader *reader, const struct warder_yaml *node,
			      enum warder_construct construct, const char *hint, const char *format,
			      ...)
{
	bool accept = reader->options->accept_unenforced;
	char what[WARDER_QUOTED_MAX + 64];
	va_list arguments;

	if (warder_construct_enforced(construct))
		return;
	reader->policy->unenforced++;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	if (!hint)
		hint = accept ? "`warder run` refuses it"
			      : "remove it: what is accepted is enforced";
	warder_reader_warn(reader, accept ? WARDER_NOTE : WARDER_ERROR, node, hint,
			   "%s is not enforced by this version", what);
}

void warder_reader_construct(struct warder_reader *reader, const struct warder_yaml *node,
			     enum warder_construct construct)
{
	warder_reader_unenforced(reader, node, construct, NULL, "%s",
				 warder_construct_text(construct));
}

struct warder_set *warder_reader_current_set(const struct warder_reader *reader)
{
	struct warder_policy *policy = reader->policy;

	return reader->in_set ? &policy->sets[policy->set_count - 1] : NULL;
}

struct warder_place warder_reader_place(const struct warder_reader *reader,
					const struct warder_yaml *node)
{
	return (struct warder_place){
		.file = reader->file, .line = node->span.line, .column = node->span.column};
}

/* What YAML calls null. */
bool warder_reader_is_nothing(const struct warder_yaml *node)
{
	return node->type == WARDER_YAML_SCALAR && node->plain &&
	       (!node->length || warder_reader_is(node, "~") || warder_reader_is(node, "null"));
}

bool warder_reader_type(struct warder_reader *reader, const struct warder_yaml *node,
			enum warder_yaml_type type, const char *what)
{
	const char *hint = NULL;

	if (node->type == type)
		return true;
	if (warder_reader_is_nothing(node)) {
		warder_reader_error(reader, node, NULL, "expected %s, found nothing", what);
		return false;
	}
	if (type == WARDER_YAML_SCALAR && node->flow)
		hint = "brackets and braces are YAML's own: put the value in double quotes";
	if (type == WARDER_YAML_SEQUENCE && node->type == WARDER_YAML_SCALAR)
		hint = "write a list: [VALUE, VALUE]";
	warder_reader_error(reader, node, hint, "expected %s, found %s", what,
			    warder_yaml_type_name(node->type));
	return false;
}

/* The search for duplicates is quadratic; no honest mapping comes near. */
#define ENTRIES_MAX 1024u

static bool check_size(struct warder_reader *reader, const struct warder_yaml *node)
{
	if (node->count <= 2 * ENTRIES_MAX)
		return true;
	warder_reader_error(reader, node, NULL, "mapping with more than %u entries", ENTRIES_MAX);
	return false;
}

/* Is the key (item `index`) text, and not there already? */
static bool check_key(struct warder_reader *reader, const struct warder_yaml *node, size_t index)
{
	const struct warder_yaml *key = node->items[index];
	char quoted[WARDER_QUOTED_MAX], hint[64];
	size_t i;

	if (key->type != WARDER_YAML_SCALAR) {
		warder_reader_error(
			reader, key, "a value that starts with { or [ needs double quotes",
			"expected a word as key, found %s", warder_yaml_type_name(key->type));
		return false;
	}
	for (i = 0; i < index; i += 2) {
		const struct warder_yaml *other = node->items[i];

		if (other->type != WARDER_YAML_SCALAR || other->length != key->length ||
		    memcmp(other->text, key->text, key->length))
			continue;
		snprintf(hint, sizeof(hint), "the first one is in line %u", other->span.line);
		warder_reader_error(reader, key, hint, "%s is there twice",
				    warder_reader_quote(key->text, key->length, quoted));
		return false;
	}
	return true;
}

static void read_field(struct warder_reader *reader, const struct warder_yaml *key,
		       const struct warder_yaml *value, const char *what,
		       const struct warder_field *fields, void *context)
{
	const struct warder_field *f;

	for (f = fields; f->name; f++) {
		if (warder_reader_is(key, f->name))
			break;
	}
	if (!f->name) {
		warder_unknown_report(reader, key, what, fields);
		return;
	}
	warder_reader_construct(reader, key, f->construct);
	f->read(reader, key, value, context);
}

static void check_required(struct warder_reader *reader, const struct warder_yaml *node,
			   const char *what, const struct warder_field *fields)
{
	const struct warder_field *f;
	size_t i;

	for (f = fields; f->name; f++) {
		if (!f->required)
			continue;
		for (i = 0; i < node->count; i += 2) {
			if (warder_reader_is(node->items[i], f->name))
				break;
		}
		if (i >= node->count)
			warder_reader_error(reader, node, NULL, "%s needs \"%s\"", what, f->name);
	}
}

bool warder_reader_mapping(struct warder_reader *reader, const struct warder_yaml *node,
			   const char *what, const struct warder_field *fields, void *context)
{
	char expected[96];
	size_t i;

	snprintf(expected, sizeof(expected), "a mapping for %s", what);
	if (!warder_reader_type(reader, node, WARDER_YAML_MAPPING, expected))
		return false;
	if (!check_size(reader, node))
		return false;
	check_required(reader, node, what, fields);
	for (i = 0; i + 1 < node->count; i += 2) {
		if (check_key(reader, node, i))
			read_field(reader, node->items[i], node->items[i + 1], what, fields,
				   context);
	}
	return true;
}

bool warder_reader_names(struct warder_reader *reader, const struct warder_yaml *node,
			 const char *what,
			 void (*read)(struct warder_reader *reader, const struct warder_yaml *key,
				      const struct warder_yaml *value, void *context),
			 void *context)
{
	char expected[96];
	size_t i;

	snprintf(expected, sizeof(expected), "a mapping of %s", what);
	if (!warder_reader_type(reader, node, WARDER_YAML_MAPPING, expected))
		return false;
	if (!check_size(reader, node))
		return false;
	if (!node->count)
		warder_reader_error(reader, node, NULL, "empty mapping of %s", what);
	for (i = 0; i + 1 < node->count; i += 2) {
		if (check_key(reader, node, i))
			read(reader, node->items[i], node->items[i + 1], context);
	}
	return true;
}

bool warder_reader_list(struct warder_reader *reader, const struct warder_yaml *node,
			const char *what,
			void (*read)(struct warder_reader *reader, const struct warder_yaml *item,
				     void *context),
			void *context)
{
	char expected[96];
	size_t i;

	snprintf(expected, sizeof(expected), "a list of %s", what);
	if (!warder_reader_type(reader, node, WARDER_YAML_SEQUENCE, expected))
		return false;
	if (!node->count)
		warder_reader_error(reader, node,
				    "leave the key out: what is not named is not given",
				    "empty list of %s", what);
	for (i = 0; i < node->count; i++)
		read(reader, node->items[i], context);
	return true;
}
