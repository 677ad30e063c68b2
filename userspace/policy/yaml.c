// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * yaml.c - the YAML text as a tree with places; the part of YAML that policies use.
 */
#include "policy/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "base/vector.h"

#define QUOTE_HINT "YAML gives this character a meaning of its own: put the value in double quotes"

/* Values of one text: five for each of a hundred thousand rules. Together they fill no memory. */
#define NODES_MAX (1u << 19)

struct builder {
	const struct warder_source *source;
	struct warder_diagnostics *diagnostics;
	yaml_parser_t parser;
	struct warder_yaml *root;
	struct warder_yaml *open[WARDER_YAML_DEPTH_MAX]; /* collections not closed yet */
	unsigned int depth;
	unsigned int nodes;
};

const char *warder_yaml_type_name(enum warder_yaml_type type)
{
	static const char *const names[] = {"text", "a list", "a mapping"};

	return names[type];
}

void warder_yaml_free(struct warder_yaml **node)
{
	struct warder_yaml *n = node ? *node : NULL;
	size_t i;

	if (!n)
		return;
	for (i = 0; i < n->count; i++)
		warder_yaml_free(&n->items[i]);
	free(n->items);
	free(n->text);
	free(n);
	*node = NULL;
}

static struct warder_span span_of(const yaml_mark_t *mark, unsigned int width)
{
	return (struct warder_span){.line = (unsigned int)mark->line + 1,
				    .column = (unsigned int)mark->column + 1,
				    .width = width};
}

static int fail(struct builder *builder, struct warder_span span, const char *hint,
		const char *message)
{
	warder_diagnostics_add(builder->diagnostics, WARDER_ERROR, builder->source, span, hint,
			       "%s", message);
	return -EINVAL;
}

/* Does the line hold a value that begins with one of these? */
static bool begins_value(const char *line, size_t size, const char *characters)
{
	size_t i;

	for (i = 1; i < size; i++) {
		if (strchr(" ,[", line[i - 1]) && strchr(characters, line[i]))
			return true;
	}
	return false;
}

/* A value with characters that are YAML's own: which hint helps? */
static const char *hint_at(const struct builder *builder, const yaml_mark_t *mark)
{
	size_t size, column = mark->column;
	const char *line = warder_source_line(builder->source, (unsigned int)mark->line + 1, &size);
	const char *tab = memchr(line, '\t', size);

	if (tab && (size_t)(tab - line) == strspn(line, " "))
		return "indent with spaces: YAML refuses tabs";
	if (memmem(line, size, "tcp:[", 5) || memmem(line, size, "udp:[", 5) ||
	    memmem(line, size, "[::", 3))
		return "an endpoint with brackets needs double quotes: \"tcp:[::1]:443\"";
	if (column < size && strchr("*&!@`%|>[{", line[column]))
		return QUOTE_HINT;
	if (memmem(line, size, "\"", 1) && memmem(line, size, "\\", 1))
		return "in double quotes a backslash starts an escape: use single quotes";
	if (begins_value(line, size, "*@"))
		return "put patterns that start with * or @ in double quotes";
	return NULL;
}

/* A list or mapping in brackets that was begun in an earlier line. */
static bool hint_unclosed(const struct builder *builder, char *hint, size_t size)
{
	const struct warder_yaml *open = builder->depth ? builder->open[builder->depth - 1] : NULL;

	if (!open || !open->flow || open->span.line == builder->parser.problem_mark.line + 1)
		return false;
	snprintf(hint, size, "is the bracket or brace of line %u closed?", open->span.line);
	return true;
}

static bool says(const char *words, const char *word)
{
	return words && strstr(words, word);
}

/* libyaml's words for what it met, with the place where it met it. */
static int fail_parser(struct builder *builder)
{
	const yaml_parser_t *p = &builder->parser;
	yaml_mark_t mark = p->problem_mark;
	char message[256], hint[80];

	if (p->error == YAML_MEMORY_ERROR)
		return -ENOMEM;
	if (p->error == YAML_READER_ERROR) {
		struct warder_span span = {.width = 1};

		warder_source_locate(builder->source, p->problem_offset, &span.line, &span.column);
		snprintf(message, sizeof(message), "not YAML: %s",
			 p->problem ? p->problem : "unreadable text");
		return fail(builder, span, NULL, message);
	}
	if (says(p->problem, "alias"))
		mark = p->context_mark;
	/* The end of the text is no place to look for a quote. */
	if (says(p->problem, "end of stream") && says(p->context, "quoted"))
		return fail(builder, span_of(&p->context_mark, 1), "is this quote closed?",
			    "not YAML: the text ends inside a quoted value");
	snprintf(message, sizeof(message), "not YAML: %s%s%s", p->problem ? p->problem : "error",
		 p->context ? ", " : "", p->context ? p->context : "");
	return fail(builder, span_of(&mark, 1),
		    hint_unclosed(builder, hint, sizeof(hint)) ? hint : hint_at(builder, &mark),
		    message);
}

static int node_new(enum warder_yaml_type type, const yaml_event_t *event,
		    struct warder_yaml **ret_node)
{
	struct warder_yaml *node = calloc(1, sizeof(*node));
	unsigned int width = 1;

	if (!node)
		return -ENOMEM;
	if (event->start_mark.line == event->end_mark.line &&
	    event->end_mark.column > event->start_mark.column)
		width = (unsigned int)(event->end_mark.column - event->start_mark.column);
	node->type = type;
	node->span = span_of(&event->start_mark, width);
	node->offset = event->start_mark.index;
	*ret_node = node;
	return 0;
}

/* Hang a node below the innermost open collection. Takes ownership, on failure too. */
static int attach(struct builder *builder, struct warder_yaml *node)
{
	struct warder_yaml *parent = builder->depth ? builder->open[builder->depth - 1] : NULL;

	if (!parent) {
		builder->root = node;
		return 0;
	}
	if (++builder->nodes > NODES_MAX) {
		struct warder_span span = node->span;

		warder_yaml_free(&node);
		return fail(builder, span, "split the policy", "more than 524288 values");
	}
	if (!VECTOR_ROOM(parent->items, parent->count, parent->capacity)) {
		warder_yaml_free(&node);
		return -ENOMEM;
	}
	parent->items[parent->count++] = node;
	return 0;
}

static int refuse_properties(struct builder *builder, const yaml_event_t *event,
			     const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor)
		return fail(builder, span_of(&event->start_mark, 1),
			    "write the value out; or quote it when the & belongs to it",
			    "YAML anchors are not part of the policy language");
	if (tag)
		return fail(builder, span_of(&event->start_mark, 1),
			    "quote the value when the ! belongs to it",
			    "YAML tags are not part of the policy language");
	return 0;
}

/* YAML joins lines with a space: two rules with a dash forgotten are one that matches nothing. */
static int refuse_lines(struct builder *builder, const yaml_event_t *event)
{
	const struct warder_yaml *open = builder->depth ? builder->open[builder->depth - 1] : NULL;
	char hint[128] = "write it in one line; in double quotes \\n is a newline";

	if (event->start_mark.line == event->end_mark.line)
		return 0;
	if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && open && open->flow)
		snprintf(hint, sizeof(hint),
			 "YAML joins it with the next line: is a comma missing, or the bracket or "
			 "brace of line %u not closed?",
			 open->span.line);
	else if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
		snprintf(hint, sizeof(hint),
			 "YAML joins it with the next line: is a dash missing?");
	return fail(builder, span_of(&event->start_mark, 1), hint, "a value of more than one line");
}

/*
 * "/srv/key #" with a no-break space is no comment but a name that nothing has. Between double
 * quotes it may be an escape, and is meant.
 */
static int refuse_spaces(struct builder *builder, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t size = event->data.scalar.length, i, length;
	char message[64], hint[96];

	if (event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
		return 0;
	for (i = 0; i < size; i += length) {
		unsigned int point;

		length = warder_utf8_length(text + i, size - i);
		if (!length)
			return 0;
		point = warder_utf8_point(text + i, length);
		if (!warder_utf8_spaces(point))
			continue;
		snprintf(message, sizeof(message), "U+%04X looks like a space and is none", point);
		snprintf(hint, sizeof(hint),
			 "write a space; where it is meant, \"\\u%04X\" in double quotes", point);
		return fail(builder, span_of(&event->start_mark, 1), hint, message);
	}
	return 0;
}

static int on_scalar(struct builder *builder, const yaml_event_t *event)
{
	struct warder_yaml *node;
	int r = refuse_properties(builder, event, event->data.scalar.anchor,
				  event->data.scalar.tag);

	if (r == 0)
		r = refuse_lines(builder, event);
	if (r == 0)
		r = refuse_spaces(builder, event);
	if (r < 0)
		return r;
	r = node_new(WARDER_YAML_SCALAR, event, &node);
	if (r < 0)
		return r;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	node->length = event->data.scalar.length;
	node->text = malloc(node->length + 1);
	if (!node->text) {
		warder_yaml_free(&node);
		return -ENOMEM;
	}
	memcpy(node->text, event->data.scalar.value, node->length);
	node->text[node->length] = 0;
	return attach(builder, node);
}

static int on_open(struct builder *builder, const yaml_event_t *event)
{
	bool sequence = event->type == YAML_SEQUENCE_START_EVENT;
	struct warder_yaml *node;
	int r;

	r = sequence ? refuse_properties(builder, event, event->data.sequence_start.anchor,
					 event->data.sequence_start.tag)
		     : refuse_properties(builder, event, event->data.mapping_start.anchor,
					 event->data.mapping_start.tag);
	if (r < 0)
		return r;
	if (builder->depth >= WARDER_YAML_DEPTH_MAX)
		return fail(builder, span_of(&event->start_mark, 1), NULL, "nested too deeply");
	r = node_new(sequence ? WARDER_YAML_SEQUENCE : WARDER_YAML_MAPPING, event, &node);
	if (r < 0)
		return r;
	node->flow = sequence ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
			      : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
	r = attach(builder, node);
	if (r == 0)
		builder->open[builder->depth++] = node;
	return r;
}

static int on_alias(struct builder *builder, const yaml_event_t *event)
{
	unsigned int width = 1 + (unsigned int)strlen((const char *)event->data.alias.anchor);

	return fail(builder, span_of(&event->start_mark, width),
		    "a pattern that starts with * needs double quotes",
		    "YAML aliases are not part of the policy language");
}

static int on_document(struct builder *builder, const yaml_event_t *event)
{
	if (builder->root)
		return fail(builder, span_of(&event->start_mark, 3), "one policy a file",
			    "a second YAML document");
	if (event->data.document_start.version_directive ||
	    event->data.document_start.tag_directives.start !=
		    event->data.document_start.tag_directives.end)
		return fail(builder, span_of(&event->start_mark, 1), NULL,
			    "YAML directives are not part of the policy language");
	return 0;
}

static int on_event(struct builder *builder, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return on_document(builder, event);
	case YAML_SCALAR_EVENT:
		return on_scalar(builder, event);
	case YAML_ALIAS_EVENT:
		return on_alias(builder, event);
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		return on_open(builder, event);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		builder->depth--;
		return 0;
	default:
		return 0;
	}
}

static int build(struct builder *builder)
{
	bool done = false;
	yaml_event_t event;
	int r;

	while (!done) {
		if (!yaml_parser_parse(&builder->parser, &event))
			return fail_parser(builder);
		r = on_event(builder, &event);
		done = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
		if (r < 0)
			return r;
	}
	if (!builder->root)
		return fail(builder, (struct warder_span){0}, "warder-policy(5) has an example",
			    "the policy is empty");
	return 0;
}

/* --- the text as such: what libyaml would read in its own way, or not read at all --- */

static int fail_at(struct builder *builder, size_t offset, const char *hint, const char *message)
{
	struct warder_span span = {.width = 1};

	warder_source_locate(builder->source, offset, &span.line, &span.column);
	return fail(builder, span, hint, message);
}

static int check_encoding(struct builder *builder)
{
	const struct warder_source *source = builder->source;
	const char *nul = memchr(source->text, 0, source->size);
	size_t bad = warder_utf8_check(source->text, source->size);

	if (source->size >= 2 &&
	    (!memcmp(source->text, "\xff\xfe", 2) || !memcmp(source->text, "\xfe\xff", 2)))
		return fail_at(builder, 0, "save it as UTF-8", "the text is UTF-16");
	if (nul)
		return fail_at(builder, (size_t)(nul - source->text),
			       "is this a policy, and saved as UTF-8?", "NUL byte");
	if (bad < source->size)
		return fail_at(builder, bad,
			       "policies are UTF-8; in double quotes \"\\xE4\" is the "
			       "character U+00E4",
			       "not UTF-8");
	if (source->size >= 3 && !memcmp(source->text, "\xef\xbb\xbf", 3))
		return fail_at(builder, 0, "save it as UTF-8 without one", "byte order mark");
	return 0;
}

static int fail_hidden(struct builder *builder, size_t offset, unsigned int point)
{
	char message[64], hint[96];

	if (point == '\r')
		return fail_at(builder, offset, "lines end with a newline, or with both",
			       "carriage return without a newline");
	snprintf(message, sizeof(message), "the character U+%04X does not show", point);
	snprintf(hint, sizeof(hint),
		 "in double quotes it is written \"\\%c%0*X\"; elsewhere leave it out",
		 point > 0xffff ? 'U' : 'u', point > 0xffff ? 8 : 4, point);
	return fail_at(builder, offset, hint, message);
}

/*
 * YAML takes U+2028 and its like for the end of a line and a comment; an editor need not, and
 * a rule would hide behind the comment. Others turn the order of a line round.
 */
static int check_hidden(struct builder *builder)
{
	const char *text = builder->source->text;
	size_t size = builder->source->size, i, length;

	for (i = 0; i < size; i += length) {
		unsigned int point;

		length = warder_utf8_length(text + i, size - i);
		point = warder_utf8_point(text + i, length);
		if (point == '\n' || point == '\t' ||
		    (point == '\r' && i + 1 < size && text[i + 1] == '\n'))
			continue;
		if (warder_utf8_hides(point))
			return fail_hidden(builder, i, point);
	}
	return 0;
}

static int check_text(struct builder *builder)
{
	int r;

	if (builder->source->size > WARDER_SOURCE_MAX)
		return fail(builder, (struct warder_span){0}, NULL,
			    "the policy is larger than 8 MiB");
	r = check_encoding(builder);
	return r < 0 ? r : check_hidden(builder);
}

int warder_yaml_parse(const struct warder_source *source, struct warder_diagnostics *diagnostics,
		      struct warder_yaml **ret_root)
{
	struct builder builder = {.source = source, .diagnostics = diagnostics};
	int r = check_text(&builder);

	if (r < 0)
		return r;
	if (!yaml_parser_initialize(&builder.parser))
		return -ENOMEM;
	/* Declared: libyaml does not guess. */
	yaml_parser_set_encoding(&builder.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&builder.parser, (const unsigned char *)source->text,
				     source->size);
	r = build(&builder);
	yaml_parser_delete(&builder.parser);
	if (r < 0) {
		warder_yaml_free(&builder.root);
		return r;
	}
	*ret_root = builder.root;
	return 0;
}
