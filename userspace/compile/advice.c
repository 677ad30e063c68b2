// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice.c - what is right in a policy and probably not meant: one subject after the other.
 */
#include "compile/advice.h"

#include <string.h>

#include "base/utf8.h"
#include "compile/advising.h"

bool warder_advising_own(const struct warder_advising *a, const struct warder_place *place)
{
	return place->file && !strcmp(place->file, a->policy->source.name);
}

/* Bytes of the scalar that `text` begins with: to the closing quote, or to what ends a plain one */
static size_t scalar_size(const char *text, size_t size)
{
	size_t i;

	if (size && (*text == '"' || *text == '\'')) {
		const char *end = memchr(text + 1, *text, size - 1);

		return end ? (size_t)(end - text) + 1 : size;
	}
	for (i = 0; i < size && !strchr(",]} \t", text[i]); i++)
		;
	return i;
}

const char *warder_advising_text(const struct warder_advising *a, const struct warder_place *place,
				 size_t *ret_size)
{
	size_t size, at = 0;
	const char *line = warder_source_line(&a->policy->source, place->line, &size);
	unsigned int column;

	for (column = 1; column < place->column && at < size; column++) {
		size_t length = warder_utf8_length(line + at, size - at);

		at += length ? length : 1;
	}
	*ret_size = size - at;
	return line + at;
}

bool warder_advising_is_as_written(const struct warder_advising *a,
				   const struct warder_place *place, const char *rule)
{
	size_t size, length = strlen(rule);
	const char *text = warder_advising_text(a, place, &size);

	if (size && (*text == '"' || *text == '\'')) {
		text++;
		size--;
	}
	return size >= length && !memcmp(text, rule, length);
}

static struct warder_span span_of(const struct warder_advising *a, const struct warder_place *place)
{
	struct warder_span span = {place->line, place->column, 1};
	size_t size;
	const char *text = warder_advising_text(a, place, &size);

	if (size)
		span.width = (unsigned int)warder_utf8_count(text, scalar_size(text, size));
	return span;
}

void warder_advising_say(const struct warder_advising *a, enum warder_severity severity,
			 const struct warder_place *place, const char *hint, const char *format,
			 ...)
{
	va_list arguments;

	va_start(arguments, format);
	warder_diagnostics_addv(a->diagnostics, severity, &a->policy->source, span_of(a, place),
				hint, format, arguments);
	va_end(arguments);
}

int warder_advise(const struct warder_policy *policy, const struct warder_image *image,
		  const struct warder_policy_options *options,
		  struct warder_diagnostics *diagnostics)
{
	static int (*const advices[])(const struct warder_advising *) = {
		warder_advise_sets,    warder_advise_wider, warder_advise_rules,
		warder_advise_network, warder_advise_tools, warder_advise_files,
	};
	const struct warder_advising a = {policy, image, options, diagnostics};
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < sizeof(advices) / sizeof(advices[0]); i++)
		r = advices[i](&a);
	if (r < 0)
		diagnostics->out_of_memory = true;
	return r;
}
