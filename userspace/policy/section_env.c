// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_env.c - `env:`: which variables a program starts with.
 */
#include <string.h>

#include "base/vector.h"
#include "policy/section.h"
#include "policy/variable.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS	"0123456789"

/* Where a text stops being the name of a variable; its length when all is. */
static size_t name_length(const struct warder_yaml *node, const char *letters)
{
	size_t good = strspn(node->text, letters);

	return node->text[0] >= '0' && node->text[0] <= '9' ? 0 : good;
}

static char *copy_variable(const char *name, const char *value)
{
	char *text;

	if (!value)
		return strdup(name);
	return asprintf(&text, "%s=%s", name, value) < 0 ? NULL : text;
}

/* Append to a list of strings. */
static void add(struct warder_reader *reader, char ***list, size_t *count, char *text)
{
	size_t capacity = *count; /* of a list so short that it may grow every time */

	if (!text || !VECTOR_ROOM(*list, *count, capacity)) {
		free(text);
		reader->out_of_memory = true;
		return;
	}
	(*list)[(*count)++] = text;
}

static void read_pass_item(struct warder_reader *reader, const struct warder_yaml *item,
			   void *context)
{
	struct warder_env *env = context;
	char quoted[WARDER_QUOTED_MAX];
	size_t good;

	if (!warder_reader_text(reader, item, "the name of a variable"))
		return;
	good = name_length(item, LETTERS DIGITS "*?");
	if (good != item->length) {
		warder_reader_error_at(reader, item, good,
				       "letters, digits and _; * and ? stand for any of them",
				       "%s is not the name of a variable",
				       warder_reader_quote(item->text, item->length, quoted));
		return;
	}
	add(reader, &env->pass, &env->pass_count, copy_variable(item->text, NULL));
}

static void read_pass(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "variables", read_pass_item, context);
}

static void read_set_entry(struct warder_reader *reader, const struct warder_yaml *key,
			   const struct warder_yaml *value, void *context)
{
	_cleanup_filled_ struct warder_filled filled = {0};
	struct warder_env *env = context;
	char quoted[WARDER_QUOTED_MAX];
	size_t good = name_length(key, LETTERS DIGITS);

	if (!key->length || good != key->length) {
		warder_reader_error_at(reader, key, good, "letters, digits and _",
				       "%s is not the name of a variable",
				       warder_reader_quote(key->text, key->length, quoted));
		return;
	}
	/* Only quotes can mean an empty value. */
	if (value->type == WARDER_YAML_SCALAR && !value->plain && !value->length) {
		add(reader, &env->set, &env->set_count, copy_variable(key->text, ""));
		return;
	}
	if (!warder_variable_fill(reader, value, "the value of a variable", WARDER_FILL_TEXT,
				  &filled))
		return;
	if (memchr(filled.text, 0, filled.length))
		warder_reader_error(reader, value, NULL, "NUL byte in the value of a variable");
	else
		add(reader, &env->set, &env->set_count, copy_variable(key->text, filled.text));
}

static void read_set(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context)
{
	warder_reader_names(reader, value, "variables", read_set_entry, context);
}

static const struct warder_field fields[] = {
	{"pass", read_pass, false, 0},
	{"set", read_set, false, 0},
	{0},
};

void warder_section_env(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	struct warder_env *env = context;

	/* It is built anew for every program: all of it passes. */
	if (warder_reader_is(value, "ungoverned")) {
		warder_reader_construct(reader, value, WARDER_CONSTRUCT_ENV_UNGOVERNED);
		add(reader, &env->pass, &env->pass_count, copy_variable("*", NULL));
		return;
	}
	if (warder_reader_mapping(reader, value, "env", fields, context) && !value->count)
		warder_reader_error(reader, value, "leave it out: then nothing passes",
				    "empty env");
}
