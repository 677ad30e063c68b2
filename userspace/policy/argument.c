// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * argument.c - "NAME=VALUE": values of variables from outside, and back to text.
 */
#include "policy/argument.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"

/* The value that an option "NAME=VALUE" gives to a variable of this name, or NULL. */
static const char *option_value(const char *option, const char *name)
{
	size_t length = strlen(name);

	return strncmp(option, name, length) || option[length] != '=' ? NULL : option + length + 1;
}

const char *warder_argument_find(const struct warder_reader *reader, const char *name)
{
	const char *value = NULL;
	size_t i;

	for (i = 0; !value && i < reader->options->variable_count; i++)
		value = option_value(reader->options->variables[i], name);
	return value;
}

static void report_option(struct warder_reader *reader, const char *hint, const char *option,
			  const char *format)
{
	struct warder_span whole = {0};
	char quoted[WARDER_QUOTED_MAX];

	warder_reader_quote(option, strcspn(option, "="), quoted);
	warder_diagnostics_add(reader->diagnostics, WARDER_ERROR, reader->source, whole, hint,
			       format, quoted);
}

static void report_unknown_option(struct warder_reader *reader, const char *option)
{
	const struct warder_policy *policy = reader->policy;
	char hint[512] = "the policy has no variables";
	struct warder_nearest nearest;
	size_t used, i;

	warder_nearest_begin(&nearest, option, strcspn(option, "="));
	for (i = 0; i < policy->variable_count; i++)
		warder_nearest_offer(&nearest, policy->variables[i].name);
	if (nearest.best) {
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest.best);
	} else if (policy->variable_count) {
		used = (size_t)snprintf(hint, sizeof(hint), "the policy has:");
		for (i = 0; i < policy->variable_count && used < sizeof(hint); i++)
			used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s",
						 policy->variables[i].name);
	}
	report_option(reader, hint, option, "--var: there is no variable %s");
}

/* Every option names a variable, and no two the same one. */
void warder_arguments_check(struct warder_reader *reader)
{
	const struct warder_policy *policy = reader->policy;
	const char *const *options = reader->options->variables;
	size_t count = reader->options->variable_count, i, k;

	for (i = 0; i < count; i++) {
		size_t length = strcspn(options[i], "=");

		for (k = 0; k < policy->variable_count; k++) {
			if (option_value(options[i], policy->variables[k].name))
				break;
		}
		if (!options[i][length])
			report_option(reader, "write --var NAME=VALUE", options[i],
				      "--var %s has no value");
		else if (k == policy->variable_count)
			report_unknown_option(reader, options[i]);
		for (k = 0; k < i; k++) {
			if (options[i][length] && !strncmp(options[i], options[k], length + 1))
				break;
		}
		if (k < i)
			report_option(reader, NULL, options[i], "--var %s is there twice");
	}
}

int warder_policy_arguments(const struct warder_policy *policy, char **ret_text, size_t *ret_size)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return -ENOMEM;
	for (i = 0; i < policy->variable_count; i++) {
		const struct warder_variable *variable = &policy->variables[i];

		if (variable->given)
			fprintf(out, "%s=%s%c", variable->name, variable->value, 0);
	}
	if (fclose(out))
		return -ENOMEM;
	*ret_text = TAKE_PTR(text);
	*ret_size = size;
	return 0;
}
