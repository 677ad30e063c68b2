// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * check.c - `warder check FILE...`: parse and compile, say what is wrong; no root, no kernel.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "cli/operand.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/variables.h"
#include "cli/verb.h"
#include "compile/advice.h"
#include "compile/compile.h"
#include "compile/expect.h"
#include "policy/schema.h"

struct check {
	struct warder_policy_options options;
	struct warder_variables variables;
	bool json, print, schema, strict;
};

static json_t *diagnostic_json(const struct warder_diagnostic *d)
{
	json_t *object = json_pack("{s:s, s:s}", "severity", warder_severity_name(d->severity),
				   "message", d->message);

	if (d->file)
		json_object_set_new(object, "file", json_string(d->file));
	if (d->line) {
		json_object_set_new(object, "line", json_integer(d->line));
		json_object_set_new(object, "column", json_integer(d->column));
	}
	if (d->hint)
		json_object_set_new(object, "hint", json_string(d->hint));
	return object;
}

/* Is it good enough? With --strict, a warning is too much. */
static bool is_good(const struct check *check, bool loads, const struct warder_diagnostics *found)
{
	return loads && !(check->strict && found->warnings);
}

static void print_json(const struct check *check, const char *path, bool loads,
		       const struct warder_policy *policy, const struct warder_image *image,
		       const struct warder_diagnostics *found)
{
	json_t *root = json_pack("{s:b}", "ok", is_good(check, loads, found));
	json_t *list = json_array();
	json_t *name = json_string(path);
	size_t i;

	/* A path that is not UTF-8 has no JSON form. */
	json_object_set_new(root, "file", name ? name : json_null());
	for (i = 0; i < found->count; i++)
		json_array_append_new(list, diagnostic_json(&found->list[i]));
	json_object_set_new(root, "diagnostics", list);
	json_object_set_new(root, "loadable", json_boolean(loads && !policy->unenforced));
	if (image) {
		json_object_set_new(root, "policy", json_string(policy->name));
		json_object_set_new(root, "instance", json_string(policy->instance));
		json_object_set_new(root, "model", json_string(warder_model_name(policy->model)));
		json_object_set_new(root, "keys", json_integer(image->key_count));
		json_object_set_new(root, "states", json_integer(warder_image_states(image)));
		json_object_set_new(root, "rows", json_integer(image->row_count));
		json_object_set_new(root, "ranges", json_integer(image->range_count));
		json_object_set_new(root, "bytes",
				    json_integer((json_int_t)warder_image_kernel_size(image)));
	}
	json_dumpf(root, stdout, JSON_COMPACT | JSON_SORT_KEYS);
	putchar('\n');
	json_decref(root);
}

static int print_text(const struct check *check, const char *path,
		      const struct warder_policy *policy, const struct warder_image *image)
{
	int error = 0;

	warder_message_print(
		stdout,
		"%s: ok: policy %s, model %s, %u keys, %u states, %u rows, %u address ranges, "
		"%zu KiB\n",
		path, policy->instance, warder_model_name(policy->model), image->key_count,
		warder_image_states(image), image->row_count, image->range_count,
		warder_image_kernel_size(image) / 1024);
	if (policy->unenforced)
		warder_message_print(stdout,
				     "%s: `warder run` refuses it: it needs what this version does "
				     "not enforce (%u notes)\n",
				     path, policy->unenforced);
	if (check->print)
		error = warder_image_print(image, policy, stdout);
	if (error < 0)
		warder_say("check: cannot print the image of \"%s\": %s", path, strerror(-error));
	return error;
}

/* Check one file. Is it good? */
static bool check_file(const struct check *check, const char *path)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	int r = warder_policy_load(path, &check->options, &found, &policy);
	bool good;

	if (r == 0)
		r = warder_compile(policy, &found, &image);
	if (r == 0)
		r = warder_expect_run(policy, image, &check->options, &found);
	if (r == 0)
		r = warder_advise(policy, image, &check->options, &found);
	good = is_good(check, r == 0, &found);
	if (check->json) {
		print_json(check, path, r == 0, policy, image, &found);
	} else {
		warder_diagnostics_print(&found, stderr);
		if (good)
			good = print_text(check, path, policy, image) == 0;
		else if (r == 0)
			warder_message_print(stderr, "%s: not good enough for --strict: %u %s\n",
					     path, found.warnings,
					     found.warnings == 1 ? "warning" : "warnings");
	}
	fflush(stdout);
	return good;
}

/* Negative: go on; else the exit code. */
static int read_options(struct check *check, int argc, char **argv, char ***ret_files)
{
	const struct warder_option options[] = {
		{0, "var", "NAME=VALUE", "the value of a variable of the policies; may be repeated",
		 .take = warder_variables_take, .context = &check->variables},
		{0, "root", "DIR", "symbolic links in patterns are those below DIR (default /)",
		 .take = warder_operand_take_root, .context = &check->options},
		{0, "no-links", .text = "leave symbolic links in patterns alone",
		 .flag = &check->options.keep_links},
		{0, "print", .text = "print the compiled image as text", .flag = &check->print},
		{0, "strict", .text = "a warning is as bad as an error: exit 1, for CI",
		 .flag = &check->strict},
		{'j', "json", .text = "print one JSON object a file", .flag = &check->json},
		{0, "schema", .text = "print the JSON Schema of policies, for editors, and no more",
		 .flag = &check->schema},
		{},
	};
	const struct warder_usage usage = {
		.verb = "check",
		.options = options,
		.more = "Exit status: 0 all are good, 1 one is not (with --strict: or has a "
			"warning),\n"
			"2 usage.\n",
		.most = -1,
	};

	return warder_options_read(&usage, argc, argv, ret_files);
}

static int check_files(struct check *check, char **files)
{
	int result = WARDER_EXIT_OK;

	warder_variables_give(&check->variables, &check->options);
	for (; *files; files++) {
		if (!check_file(check, *files))
			result = WARDER_EXIT_FAILED;
	}
	return result;
}

static int print_schema(void)
{
	_cleanup_free_ char *text = warder_schema_text();

	if (!text) {
		warder_say("check: out of memory");
		return WARDER_EXIT_FAILED;
	}
	puts(text);
	return WARDER_EXIT_OK;
}

int verb_check(int argc, char **argv)
{
	struct check check = {.options = {.accept_unenforced = true}};
	char **files;
	int result = read_options(&check, argc, argv, &files);

	if (result < 0 && check.schema)
		result = print_schema();
	else if (result < 0 && !*files)
		result = warder_say_usage("check", "check: no file; name a policy");
	else if (result < 0)
		result = check_files(&check, files);
	warder_variables_release(&check.variables);
	return result;
}
