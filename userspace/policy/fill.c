// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * fill.c - ${NAME} in a text: the value in its place, and where each byte came from.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "base/vector.h"
#include "policy/variable.h"

/* One text that is being filled. */
struct filling {
	struct warder_reader *reader;
	const struct warder_yaml *node;
	enum warder_fill fill;
	struct warder_filled filled;
	/* Where in a pattern the end of the text is; values are escaped, so only texts move it. */
	bool in_class, in_braces, after_backslash;
};

void warder_filled_release(struct warder_filled *filled)
{
	free(filled->text);
	free(filled->pieces);
	*filled = (struct warder_filled){0};
}

/* Append; `node_at` is where it comes from. */
static bool append(struct filling *f, const char *text, size_t length, size_t node_at,
		   const struct warder_variable *variable)
{
	struct warder_filled *filled = &f->filled;
	char *grown = NULL;

	if (VECTOR_ROOM(filled->pieces, filled->count, filled->capacity))
		grown = realloc(filled->text, filled->length + length + 1);
	if (!grown) {
		f->reader->out_of_memory = true;
		return false;
	}
	filled->pieces[filled->count++] = (struct warder_fill_piece){
		.at = filled->length, .node_at = node_at, .variable = variable};
	filled->text = grown;
	memcpy(grown + filled->length, text, length);
	filled->length += length;
	grown[filled->length] = 0;
	return true;
}

/* The variable of that name; NULL: there is none, reported. */
static struct warder_variable *find(struct filling *f, size_t at, const char *name, size_t length)
{
	struct warder_policy *policy = f->reader->policy;
	char quoted[WARDER_QUOTED_MAX], hint[128] = "variables are declared under `vars:`";
	struct warder_nearest nearest;
	size_t i;

	warder_nearest_begin(&nearest, name, length);
	for (i = 0; i < policy->variable_count; i++) {
		struct warder_variable *variable = &policy->variables[i];

		if (strlen(variable->name) == length && !memcmp(variable->name, name, length))
			return variable;
		warder_nearest_offer(&nearest, variable->name);
	}
	if (nearest.best)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest.best);
	warder_reader_error_at(f->reader, f->node, at, hint, "there is no variable %s",
			       warder_reader_quote(name, length, quoted));
	return NULL;
}

/* --- patterns --- */

/* A stretch of the pattern itself. */
static void follow_pattern(struct filling *f, const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (f->after_backslash || text[i] == '\\')
			f->after_backslash = !f->after_backslash;
		else if (f->in_class)
			f->in_class = text[i] != ']';
		else if (text[i] == '[')
			f->in_class = true;
		else if (text[i] == '{' || text[i] == '}')
			f->in_braces = text[i] == '{';
	}
}

/* Where a value would be more than a literal. */
static bool check_pattern(struct filling *f, size_t at)
{
	if (f->after_backslash)
		warder_reader_error_at(f->reader, f->node, at - 1,
				       "a value is a literal as it is; \\\\ is a backslash in a "
				       "name",
				       "backslash before a variable");
	else if (f->in_class)
		warder_reader_error_at(f->reader, f->node, at,
				       "a class stands for one character; write alternatives: "
				       "{${NAME},other}",
				       "a variable cannot stand in a class");
	return !f->after_backslash && !f->in_class;
}

/* Between braces a comma would end the alternative. Takes the text over; NULL: no memory. */
static char *escape_commas(char *text)
{
	_cleanup_free_ __attribute__((unused)) char *old = text;
	char *copy = text ? malloc(2 * strlen(text) + 1) : NULL, *out = copy;

	if (!copy)
		return NULL;
	for (; *text; text++) {
		if (*text == ',')
			*out++ = '\\';
		*out++ = *text;
	}
	*out = 0;
	return copy;
}

static bool append_value(struct filling *f, size_t at, const struct warder_variable *variable)
{
	_cleanup_free_ char *escaped = NULL;
	const char *value = variable->value;

	if (f->fill == WARDER_FILL_ENDPOINT && strchr(value, '*')) {
		warder_reader_error_at(f->reader, f->node, at,
				       "a value is a literal: write the star into the endpoint",
				       "the value of the variable \"%s\" holds a star",
				       variable->name);
		return false;
	}
	if (f->fill == WARDER_FILL_PATTERN && !check_pattern(f, at))
		return false;
	if (f->fill == WARDER_FILL_PATTERN || f->fill == WARDER_FILL_ACCESS) {
		escaped = warder_pattern_escape(value);
		if (f->in_braces)
			escaped = escape_commas(TAKE_PTR(escaped));
		value = escaped;
		if (!escaped) {
			f->reader->out_of_memory = true;
			return false;
		}
	}
	if (f->filled.length + strlen(value) > WARDER_FILLED_MAX) {
		warder_reader_error_at(f->reader, f->node, at, NULL,
				       "with its variables the text is longer than %u bytes",
				       WARDER_FILLED_MAX);
		return false;
	}
	return append(f, value, strlen(value), at, variable);
}

/* "${NAME}" at `at`. *ret_end: what follows it. */
static bool fill_variable(struct filling *f, size_t at, size_t *ret_end)
{
	const char *name = f->node->text + at + 2;
	const char *end = memchr(name, '}', f->node->length - at - 2);
	struct warder_variable *variable;

	if (f->reader->literal) {
		warder_reader_error_at(f->reader, f->node, at,
				       f->reader->preset ? "a preset has no variables"
							 : "variables do not refer to each other",
				       "a variable cannot stand here");
		return false;
	}
	if (!end) {
		warder_reader_error_at(f->reader, f->node, at, "write ${NAME}", "'${' without '}'");
		return false;
	}
	*ret_end = (size_t)(end + 1 - f->node->text);
	variable = find(f, at, name, (size_t)(end - name));
	if (variable)
		variable->used = true;
	/* Without a value it was reported where it is declared. */
	return variable && variable->value && append_value(f, at, variable);
}

static bool fill_all(struct filling *f)
{
	const struct warder_yaml *node = f->node;
	size_t at = 0, next;
	bool filled = true;

	while (filled && at < node->length) {
		const char *variable = memmem(node->text + at, node->length - at, "${", 2);

		next = variable ? (size_t)(variable - node->text) : node->length;
		if (next > at)
			filled = append(f, node->text + at, next - at, at, NULL);
		if (f->fill == WARDER_FILL_PATTERN)
			follow_pattern(f, node->text + at, next - at);
		at = next;
		if (filled && variable)
			filled = fill_variable(f, next, &at);
	}
	return filled;
}

bool warder_variable_fill(struct warder_reader *reader, const struct warder_yaml *node,
			  const char *what, enum warder_fill fill, struct warder_filled *ret_filled)
{
	struct filling f = {.reader = reader, .node = node, .fill = fill};

	if (!warder_reader_scalar(reader, node, what))
		return false;
	if (!fill_all(&f)) {
		warder_filled_release(&f.filled);
		return false;
	}
	*ret_filled = f.filled;
	return true;
}

void warder_filled_error(struct warder_reader *reader, const struct warder_yaml *node,
			 const struct warder_filled *filled, size_t offset, const char *hint,
			 const char *message)
{
	const struct warder_fill_piece *piece = filled->pieces;
	const struct warder_variable *variable;
	char quoted[WARDER_QUOTED_MAX];
	size_t i;

	for (i = 1; i < filled->count && filled->pieces[i].at <= offset; i++)
		piece = &filled->pieces[i];
	variable = piece->variable;
	if (variable)
		warder_reader_error_at(
			reader, node, piece->node_at, hint, "%s, in the value %s of \"%s\"",
			message,
			warder_reader_quote(variable->value, strlen(variable->value), quoted),
			variable->name);
	else
		warder_reader_error_at(reader, node, piece->node_at + (offset - piece->at), hint,
				       "%s", message);
}
