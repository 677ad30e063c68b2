// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * glob.c - what stands inside one component of a pattern: star, question mark, class, braces.
 */
#include "policy/glob.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char metacharacters[] = "*?[]{}\\";

int warder_glob_fail(struct warder_glob *glob, const char *message, const char *hint)
{
	struct warder_pattern_error *error = glob->error;

	error->offset = glob->at;
	snprintf(error->message, sizeof(error->message), "%s", message);
	snprintf(error->hint, sizeof(error->hint), "%s", hint ? hint : "");
	return -EINVAL;
}

static bool is_meta(char c)
{
	return c && strchr(metacharacters, c);
}

size_t warder_glob_component_end(const char *text, size_t at, size_t end, bool *ret_plain)
{
	*ret_plain = true;
	for (; at < end && text[at] != '/'; at++) {
		if (text[at] == '\\' && at + 1 < end && text[at + 1] != '/')
			at++;
		else if (is_meta(text[at]))
			*ret_plain = false;
	}
	return at;
}

void warder_glob_unescape(const char *text, size_t at, size_t end, char *out)
{
	out += strlen(out);
	for (; at < end; at++) {
		if (text[at] == '\\' && at + 1 < end)
			at++;
		*out++ = text[at];
	}
	*out = 0;
}

static void emit_byte(struct warder_glob *glob, char c)
{
	warder_program_emit(glob->writer, WARDER_OP_BYTE, (unsigned char)c, 0);
}

/* The byte after a backslash. */
static int read_escaped(struct warder_glob *glob, size_t end, char *ret_byte)
{
	if (glob->at + 1 >= end)
		return warder_glob_fail(glob, "backslash at the end",
					"write \\\\ for a backslash in a name");
	if (!is_meta(glob->text[glob->at + 1]) && glob->text[glob->at + 1] != ',' &&
	    glob->text[glob->at + 1] != '-' && glob->text[glob->at + 1] != '!')
		return warder_glob_fail(glob, "backslash before an ordinary character",
					"a backslash stands only before * ? [ ] { } , - ! and \\");
	*ret_byte = glob->text[glob->at + 1];
	glob->at += 2;
	return 0;
}

/* One member of a class. */
static int read_member(struct warder_glob *glob, char *ret_byte)
{
	char c = glob->text[glob->at];

	if (c == '\\')
		return read_escaped(glob, glob->end, ret_byte);
	if (c == '/')
		return warder_glob_fail(glob, "slash in a class", NULL);
	if (c == '[')
		return warder_glob_fail(glob, "'[' in a class",
					"write \\[ for the character itself");
	if ((unsigned char)c >= 0x80)
		return warder_glob_fail(glob, "character outside ASCII in a class",
					"patterns match bytes: write alternatives, {ä,ö}");
	*ret_byte = c;
	glob->at++;
	return 0;
}

static void add_range(struct warder_byteset *set, unsigned char low, unsigned char high)
{
	unsigned int c;

	for (c = low; c <= high; c++)
		set->bits[c >> 6] |= 1ull << (c & 63);
}

/* A member or a range of them. */
static int read_range(struct warder_glob *glob, struct warder_byteset *set)
{
	char low, high;
	int r;

	r = read_member(glob, &low);
	if (r < 0)
		return r;
	high = low;
	if (glob->at + 1 < glob->end && glob->text[glob->at] == '-' &&
	    glob->text[glob->at + 1] != ']') {
		glob->at++;
		r = read_member(glob, &high);
		if (r < 0)
			return r;
	}
	if ((unsigned char)high < (unsigned char)low)
		return warder_glob_fail(glob, "range that ends before it begins", NULL);
	add_range(set, (unsigned char)low, (unsigned char)high);
	return 0;
}

static int emit_class(struct warder_glob *glob)
{
	struct warder_byteset set = {0};
	size_t start = glob->at++, first;
	bool negated = glob->at < glob->end && glob->text[glob->at] == '!';
	int r, i;

	if (glob->at < glob->end && glob->text[glob->at] == '^')
		return warder_glob_fail(
			glob, "'^' at the start of a class",
			"write [!...] for \"none of these\", \\^ is not needed later");
	if (negated)
		glob->at++;
	first = glob->at;
	while (glob->at < glob->end && glob->text[glob->at] != ']') {
		r = read_range(glob, &set);
		if (r < 0)
			return r;
	}
	if (glob->at >= glob->end || glob->at == first) {
		bool empty = glob->at < glob->end;

		glob->at = start;
		return warder_glob_fail(glob, empty ? "empty class" : "'[' without ']'",
					"write \\[ for the character itself");
	}
	glob->at++;
	for (i = 0; negated && i < 4; i++)
		set.bits[i] = ~set.bits[i] & glob->any.bits[i];
	warder_program_one(glob->writer, &set);
	return 0;
}

static int emit_piece(struct warder_glob *glob, size_t end)
{
	char c = glob->text[glob->at], byte;
	int r;

	switch (c) {
	case '*':
		if (glob->at + 1 < end && glob->text[glob->at + 1] == '*')
			return warder_glob_fail(glob, "** beside other characters",
						"** is a whole component: /dir/**/name, /dir/**");
		warder_program_many(glob->writer, &glob->any);
		break;
	case '?':
		warder_program_one(glob->writer, &glob->any);
		break;
	case '[':
		return emit_class(glob);
	case '\\':
		r = read_escaped(glob, end, &byte);
		if (r < 0)
			return r;
		emit_byte(glob, byte);
		return 0;
	case ']':
	case '}':
		return warder_glob_fail(glob, c == ']' ? "']' without '['" : "'}' without '{'",
					"write a backslash before it for the character itself");
	case '{':
		return warder_glob_fail(glob, "braces inside braces", NULL);
	default:
		emit_byte(glob, c);
	}
	glob->at++;
	return 0;
}

/* Where the alternative at `at` ends: at a comma, a brace or the end of the component. */
static size_t alternative_end(const struct warder_glob *glob, size_t at)
{
	bool in_class = false;

	for (; at < glob->end; at++) {
		char c = glob->text[at];

		if (c == '\\' && at + 1 < glob->end)
			at++;
		else if (c == '[')
			in_class = true;
		else if (c == ']')
			in_class = false;
		else if (!in_class && (c == ',' || c == '}' || c == '{'))
			break;
	}
	return at;
}

static int emit_alternative(struct warder_glob *glob, size_t end)
{
	int r;

	while (glob->at < end) {
		r = emit_piece(glob, end);
		if (r < 0)
			return r;
	}
	return 0;
}

/* split(first, split(second, ...)); each alternative jumps to what follows the brace. */
static int emit_braces(struct warder_glob *glob)
{
	size_t start = glob->at++, end, count = 0;
	uint32_t split, last_jump = 0, next;
	struct warder_program_writer *w = glob->writer;
	int r;

	for (;;) {
		end = alternative_end(glob, glob->at);
		if (end >= glob->end) {
			glob->at = start;
			return warder_glob_fail(glob, "'{' without '}'",
						"alternatives are names, without a slash: {a,b}");
		}
		split = warder_program_emit(w, WARDER_OP_SPLIT, 0, 0);
		r = emit_alternative(glob, end);
		if (r < 0)
			return r;
		if (glob->text[end] == '{')
			return warder_glob_fail(glob, "braces inside braces", NULL);
		/* Jumps are chained through their target until the end is known. */
		last_jump = warder_program_emit(w, WARDER_OP_JUMP, last_jump, 0);
		count++;
		glob->at = end + 1;
		warder_program_patch(w, split, split + 1, warder_program_here(w));
		if (glob->text[end] == '}')
			break;
	}
	if (count < 2) {
		glob->at = start;
		return warder_glob_fail(glob, "braces with one alternative", "write {a,b}");
	}
	if (w->failed)
		return 0;
	/* The last split has no second way. */
	warder_program_patch(w, split, split + 1, split + 1);
	for (; last_jump; last_jump = next) {
		next = w->pattern->program[last_jump].x;
		warder_program_patch(w, last_jump, warder_program_here(w), 0);
	}
	return 0;
}

/* A component of stars alone would match an empty name: the root directory is fed so. */
static bool is_all_stars(const struct warder_glob *glob)
{
	return glob->end - glob->at == 1 && glob->text[glob->at] == '*';
}

int warder_glob_emit(struct warder_glob *glob)
{
	int r;

	if (is_all_stars(glob))
		warder_program_one(glob->writer, &glob->any);
	while (glob->at < glob->end) {
		r = glob->text[glob->at] == '{' ? emit_braces(glob) : emit_piece(glob, glob->end);
		if (r < 0)
			return r;
	}
	return 0;
}
