// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * reader_value.c - the schema walk: single values, text, names, words, true and false.
 */
#include <string.h>

#include "base/identifier.h"
#include "base/nearest.h"
#include "policy/reader.h"

bool warder_reader_is(const struct warder_yaml *node, const char *word)
{
	return node->type == WARDER_YAML_SCALAR && node->length == strlen(word) &&
	       !memcmp(node->text, word, node->length);
}

/* A variable is recognised everywhere, also where it may not stand, and not taken for text. */
static bool refuse_variable(struct warder_reader *reader, const struct warder_yaml *node)
{
	const char *variable = memmem(node->text, node->length, "${", 2);

	if (!variable)
		return false;
	warder_reader_error_at(reader, node, (size_t)(variable - node->text),
			       "write it out: variables stand in paths, endpoints, values of env, "
			       "cgroups, annotations and accesses",
			       "a variable cannot stand here");
	return true;
}

bool warder_reader_scalar(struct warder_reader *reader, const struct warder_yaml *node,
			  const char *what)
{
	if (!warder_reader_type(reader, node, WARDER_YAML_SCALAR, what))
		return false;
	if (!node->length || warder_reader_is_nothing(node)) {
		warder_reader_error(reader, node, NULL, "expected %s, found nothing", what);
		return false;
	}
	/* Only the name of an abstract socket may hold one. */
	if (node->text[0] != '@' && memchr(node->text, 0, node->length)) {
		warder_reader_error(reader, node, NULL, "NUL byte in %s", what);
		return false;
	}
	return true;
}

bool warder_reader_text(struct warder_reader *reader, const struct warder_yaml *node,
			const char *what)
{
	return warder_reader_scalar(reader, node, what) && !refuse_variable(reader, node);
}

bool warder_reader_name(struct warder_reader *reader, const struct warder_yaml *node,
			const char *what, char out[WARDER_NAME_MAX])
{
	char quoted[WARDER_QUOTED_MAX];
	size_t good;

	if (!warder_reader_text(reader, node, what))
		return false;
	good = strspn(node->text, WARDER_IDENTIFIER_LETTERS);
	if (good != node->length) {
		warder_reader_error_at(reader, node, good, "small letters, digits and - only",
				       "%s is not %s",
				       warder_reader_quote(node->text, node->length, quoted), what);
		return false;
	}
	if (node->text[0] == '-' || node->length >= WARDER_NAME_MAX) {
		warder_reader_error(reader, node, NULL, "%s is not %s: it %s",
				    warder_reader_quote(node->text, node->length, quoted), what,
				    node->text[0] == '-' ? "starts with -"
							 : "is longer than 63 characters");
		return false;
	}
	memcpy(out, node->text, node->length + 1);
	return true;
}

size_t warder_reader_word(struct warder_reader *reader, const struct warder_yaml *node,
			  const char *what, const char *const *words, size_t count)
{
	char quoted[WARDER_QUOTED_MAX], hint[256] = "";
	struct warder_nearest nearest;
	size_t used = 0, i;

	if (!warder_reader_text(reader, node, what))
		return count;
	warder_nearest_begin(&nearest, node->text, node->length);
	for (i = 0; i < count; i++) {
		if (warder_reader_is(node, words[i]))
			return i;
		warder_nearest_offer(&nearest, words[i]);
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, "%s%s",
					 !i		 ? ""
					 : i + 1 < count ? ", "
							 : " or ",
					 words[i]);
	}
	if (nearest.best)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest.best);
	warder_reader_error(reader, node, hint, "%s is not %s",
			    warder_reader_quote(node->text, node->length, quoted), what);
	return count;
}

bool warder_reader_bool(struct warder_reader *reader, const struct warder_yaml *node,
			bool *ret_value)
{
	bool yes = warder_reader_is(node, "true");

	if (node->type != WARDER_YAML_SCALAR || !node->plain ||
	    (!yes && !warder_reader_is(node, "false"))) {
		warder_reader_error(reader, node, "without quotes", "expected true or false");
		return false;
	}
	*ret_value = yes;
	return true;
}
