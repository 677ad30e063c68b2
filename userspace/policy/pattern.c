// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pattern.c - one path pattern: read its text, component by component.
 */
#include "policy/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/glob.h"
#include "policy/program.h"

/* The pattern that is being read. */
struct reading {
	struct warder_pattern *pattern;
	struct warder_program_writer writer;
	struct warder_glob glob;
	bool in_prefix; /* no metacharacter so far */
	bool after_cross;
	size_t components;
};

static int reading_fail(struct reading *reading, size_t at, const char *message, const char *hint)
{
	reading->glob.at = at;
	return warder_glob_fail(&reading->glob, message, hint);
}

static bool is_component(const char *text, size_t at, size_t end, const char *name)
{
	return end - at == strlen(name) && !memcmp(text + at, name, end - at);
}

static int check_component(struct reading *reading, size_t at, size_t end)
{
	const char *text = reading->pattern->text;

	if (at == end && end == reading->pattern->length)
		return reading_fail(reading, at - 1, "slash at the end",
				    "a directory is written without it; /dir/** is all below it");
	if (at == end)
		return reading_fail(reading, at - 1, "two slashes in a row",
				    "the kernel never sees an empty component: write one slash");
	if (is_component(text, at, end, ".") || is_component(text, at, end, ".."))
		return reading_fail(reading, at, "'.' or '..' as a component",
				    "the kernel never sees them: write the path they lead to");
	return 0;
}

/* A component that is two stars: `last` when nothing follows. */
static int read_stars(struct reading *reading, size_t at, bool last)
{
	struct warder_pattern *pattern = reading->pattern;

	if (reading->after_cross)
		return reading_fail(reading, at, "** after **",
				    "one ** crosses any number of levels");
	if (last) {
		pattern->tree = true;
		pattern->literal = reading->in_prefix;
		if (!reading->components)
			pattern->root = WARDER_MATCH_ROOT;
		warder_program_tree(&reading->writer, reading->components > 0);
	} else {
		warder_program_cross(&reading->writer);
	}
	reading->after_cross = true;
	return 0;
}

static int read_name(struct reading *reading, size_t at, size_t end, bool plain)
{
	struct warder_pattern *pattern = reading->pattern;

	if (plain && reading->in_prefix) {
		strcat(pattern->prefix, "/");
		warder_glob_unescape(pattern->text, at, end, pattern->prefix);
		pattern->rest = end;
	}
	reading->in_prefix = reading->in_prefix && plain;
	reading->after_cross = false;
	warder_program_emit(&reading->writer, WARDER_OP_BYTE, '/', 0);
	reading->glob.at = at;
	reading->glob.end = end;
	return warder_glob_emit(&reading->glob);
}

/* `at` is the first byte after a slash. */
static int read_component(struct reading *reading, size_t at, size_t *ret_end)
{
	struct warder_pattern *pattern = reading->pattern;
	bool plain;
	size_t end = warder_glob_component_end(pattern->text, at, pattern->length, &plain);
	int r;

	r = check_component(reading, at, end);
	if (r < 0)
		return r;
	if (is_component(pattern->text, at, end, "**")) {
		r = read_stars(reading, at, end == pattern->length);
		reading->in_prefix = false;
	} else {
		r = read_name(reading, at, end, plain);
	}
	if (r < 0)
		return r;
	reading->components++;
	*ret_end = end;
	return 0;
}

static int read_path(struct reading *reading)
{
	struct warder_pattern *pattern = reading->pattern;
	/* A leading two stars and slash is the same as one with a slash before it. */
	size_t at = pattern->text[0] == '/' ? 1 : 0, end;
	int r;

	reading->glob.any = warder_byteset_name();
	if (pattern->length == 1) {
		pattern->root = WARDER_MATCH_WHOLE;
		pattern->literal = true;
		pattern->rest = 1;
		warder_program_emit(&reading->writer, WARDER_OP_BYTE, '/', 0);
		warder_program_emit(&reading->writer, WARDER_OP_WHOLE, 0, 0);
		return 0;
	}
	do {
		r = read_component(reading, at, &end);
		if (r < 0)
			return r;
		at = end + 1;
	} while (end < pattern->length);
	if (!pattern->tree)
		pattern->literal = reading->in_prefix;
	warder_program_emit(&reading->writer, WARDER_OP_WHOLE, 0, 0);
	return 0;
}

static int read_abstract(struct reading *reading)
{
	struct warder_pattern *pattern = reading->pattern;
	int r;

	pattern->abstract = true;
	reading->glob.any = warder_byteset_all();
	warder_program_emit(&reading->writer, WARDER_OP_BYTE, '@', 0);
	reading->glob.at = 1;
	reading->glob.end = pattern->length;
	if (pattern->length == 1)
		return reading_fail(reading, 0, "abstract socket without a name", NULL);
	r = warder_glob_emit(&reading->glob);
	if (r < 0)
		return r;
	warder_program_emit(&reading->writer, WARDER_OP_WHOLE, 0, 0);
	return 0;
}

/* What can be told from the first bytes. */
static int check_start(struct reading *reading, bool abstract)
{
	const char *text = reading->pattern->text;
	size_t length = reading->pattern->length;

	if (!length)
		return reading_fail(reading, 0, "empty path", NULL);
	if (length > WARDER_PATTERN_MAX)
		return reading_fail(reading, 0, "path longer than 4096 bytes", NULL);
	if (text[0] == '@' && !abstract)
		return reading_fail(reading, 0, "abstract socket name where a path is expected",
				    "abstract names stand under unix: {connect: [\"@name\"]}");
	if (text[0] != '@' && memchr(text, 0, length))
		return reading_fail(reading, strlen(text), "NUL byte in a path", NULL);
	if (text[0] == '@' || text[0] == '/' || !strncmp(text, "**/", 3))
		return 0;
	if (text[0] == '~')
		return reading_fail(reading, 0, "'~' is not expanded",
				    "write the directory: /home/NAME/...");
	if (!strcmp(text, "**"))
		return reading_fail(reading, 0, "relative path", "everything is written /**");
	return reading_fail(reading, 0, "relative path",
			    "a path starts with /, or with **/ to match at any depth");
}

static int pattern_read(struct warder_pattern *pattern, bool abstract,
			struct warder_pattern_error *error)
{
	struct reading reading = {.pattern = pattern, .in_prefix = true};
	int r;

	reading.writer.pattern = pattern;
	reading.glob = (struct warder_glob){
		.text = pattern->text, .writer = &reading.writer, .error = error};
	r = check_start(&reading, abstract);
	if (r < 0)
		return r;
	r = pattern->text[0] == '@' ? read_abstract(&reading) : read_path(&reading);
	if (r < 0)
		return r;
	return reading.writer.failed ? -ENOMEM : 0;
}

int warder_pattern_parse(const char *text, size_t length, bool abstract,
			 struct warder_pattern **ret_pattern, struct warder_pattern_error *reterr)
{
	_cleanup_pattern_ struct warder_pattern *pattern = calloc(1, sizeof(*pattern));
	int r;

	if (!pattern)
		return -ENOMEM;
	pattern->text = malloc(length + 1);
	pattern->prefix = calloc(1, length + 2);
	if (!pattern->text || !pattern->prefix)
		return -ENOMEM;
	memcpy(pattern->text, text, length);
	pattern->text[length] = 0;
	pattern->length = length;
	r = pattern_read(pattern, abstract, reterr);
	if (r < 0)
		return r;
	*ret_pattern = TAKE_PTR(pattern);
	return 0;
}

void warder_pattern_free(struct warder_pattern **pattern)
{
	struct warder_pattern *p = pattern ? *pattern : NULL;

	if (!p)
		return;
	free(p->text);
	free(p->prefix);
	free(p->program);
	free(p->sets);
	free(p);
	*pattern = NULL;
}

char *warder_pattern_escape(const char *path)
{
	char *copy = malloc(2 * strlen(path) + 1), *out = copy;

	if (!copy)
		return NULL;
	for (; *path; path++) {
		if (strchr("*?[]{}\\", *path))
			*out++ = '\\';
		*out++ = *path;
	}
	*out = 0;
	return copy;
}
