// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * random_pattern.c - patterns about the places of a world: written as they are, or with a part
 * of a name, a name, or several names left open.
 */
#include "random_policy.h"

#include <ctype.h>

#include "random.h"

#define COMPONENTS_MAX 8

static void add_byte(FILE *out, char byte)
{
	if (strchr("*?[]{},-!\\", byte))
		fputc('\\', out);
	fputc(byte, out);
}

static void add_literal(FILE *out, const char *name)
{
	while (*name)
		add_byte(out, *name++);
}

/* One byte as a class that holds it. */
static void add_class(FILE *out, char byte)
{
	if (isalpha((unsigned char)byte) && random_percent(50)) {
		fprintf(out, "[a-%c]", byte);
	} else if (random_percent(50)) {
		fputs("[!", out);
		add_byte(out, byte == 'z' ? 'y' : 'z');
		fputc(']', out);
	} else {
		fputs("[q", out);
		add_byte(out, byte);
		fputc(']', out);
	}
}

/* The name with one of its bytes left open. */
static void add_opened(FILE *out, const char *name)
{
	size_t length = strlen(name), open = random_below(length), i;

	for (i = 0; i < length; i++) {
		if (i != open)
			add_byte(out, name[i]);
		else if (name[i] == '/' || random_percent(50))
			fputc('?', out);
		else
			add_class(out, name[i]);
	}
}

static void add_braces(FILE *out, const char *name)
{
	bool first = random_percent(50);

	fputc('{', out);
	add_literal(out, first ? name : "q");
	fputc(',', out);
	add_literal(out, first ? "a" : name);
	fputc('}', out);
}

/* A star in place of what comes after, or before, some bytes of the name. */
static void add_star(FILE *out, const char *name)
{
	size_t length = strlen(name), kept = random_below(length + 1);

	if (random_percent(60)) {
		while (kept--)
			add_byte(out, *name++);
		fputc('*', out);
	} else {
		fputc('*', out);
		add_literal(out, name + kept);
	}
}

static bool is_ascii(const char *name)
{
	while (*name > 0)
		name++;
	return !*name;
}

static void add_component(FILE *out, const char *name)
{
	unsigned int how = random_below(100);

	/* A byte of a longer character is no text by itself. */
	if (how < 60 || (!is_ascii(name) && how < 90))
		add_literal(out, name);
	else if (how < 70 || !is_ascii(name))
		fputc('*', out);
	else if (how < 80)
		add_star(out, name);
	/* Neither do braces hold a slash, which an abstract name has. */
	else if (how < 92 || strchr(name, '/'))
		add_opened(out, name);
	else
		add_braces(out, name);
}

/* Components `first` .. `count` - 1, some of them as two stars. */
static void add_components(FILE *out, char *const *names, size_t first, size_t count, bool after)
{
	size_t i;

	for (i = first; i < count; i++) {
		bool cross = !after && count > 1 && i + 1 < count && random_percent(12);

		fputc('/', out);
		if (cross)
			fputs("**", out);
		else
			add_component(out, names[i]);
		after = cross;
	}
}

static size_t split(char *path, char *names[COMPONENTS_MAX])
{
	size_t count = 0;
	char *rest = NULL, *name;

	for (name = strtok_r(path, "/", &rest); name && count < COMPONENTS_MAX;
	     name = strtok_r(NULL, "/", &rest))
		names[count++] = name;
	return count;
}

/* At any depth: two stars, and the last names. */
static void add_floating(FILE *out, char *const *names, size_t count)
{
	fputs("**", out);
	add_components(out, names, count - 1 - random_below(count > 1 ? 2 : 1), count, true);
}

static void add_path(FILE *out, const struct place *place)
{
	char path[WORLD_PATH_MAX], *names[COMPONENTS_MAX];
	size_t count;

	strcpy(path, place->path);
	count = split(path, names);
	if (random_percent(15)) {
		add_floating(out, names, count);
	} else {
		fputs(random_percent(8) ? "/tmp/*" : "{DIR}", out);
		/* A directory above it. */
		if (count > 1 && random_percent(35)) {
			add_components(out, names, 0, 1 + random_below(count - 1), false);
			fputs("/**", out);
			return;
		}
		add_components(out, names, 0, count, false);
	}
	if (place->kind == PLACE_DIRECTORY && random_percent(60))
		fputs("/**", out);
}

void random_pattern(FILE *out, const struct world *world, unsigned int kinds)
{
	const struct place *place = world_pick(world, kinds);

	fputc('\'', out);
	if (!place || random_percent(8)) {
		fputs("{DIR}/**", out);
	} else if (place->path[0] == '@') {
		fputc('@', out);
		add_component(out, place->path + 1);
	} else {
		add_path(out, place);
	}
	fputc('\'', out);
}
