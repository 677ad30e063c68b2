// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * golden_test.c - every policy of tests/policy: wrong ones and what is said about them, good
 * ones and their image.
 *
 * Leading lines "# --var NAME=VALUE" of a policy are its arguments.
 * Runs at the top of the tree. WARDER_GOLDEN_WRITE=1 writes what is expected from now on: read
 * the difference before it is committed.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/advice.h"
#include "compile/compile.h"
#include "compile/expect.h"
#include "compile/validate.h"
#include "later.h"

#define BAD "tests/policy/bad"
#define OK  "tests/policy/ok"

/* Policies in which a file that is there was forgotten would pass in silence. */
#define BAD_LEAST 120
#define OK_LEAST  40

static int is_policy(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".yaml");
}

/* Arguments of one policy at most. */
#define ARGUMENTS_MAX 8

static char *read_file(const char *path)
{
	_cleanup_fclose_ FILE *in = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (getdelim(&text, &size, 0, in) < 0) {
		free(text);
		return strdup("");
	}
	return text;
}

/* The arguments in the head of a policy; they point into `text`, which is changed. */
static size_t read_arguments(char *text, const char *arguments[ARGUMENTS_MAX])
{
	static const char mark[] = "# --var ";
	size_t count = 0;

	while (!strncmp(text, mark, sizeof(mark) - 1)) {
		char *end = strchr(text, '\n');

		assert_non_null(end);
		assert_true(count < ARGUMENTS_MAX);
		*end = 0;
		arguments[count++] = text + sizeof(mark) - 1;
		text = end + 1;
	}
	return count;
}

/* As `run` reads a policy: what is not enforced is an error. */
static bool is_refused_by_run(const char *path, const struct warder_policy_options *as_check)
{
	struct warder_policy_options options = *as_check;
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	int result;

	options.accept_unenforced = false;
	result = warder_policy_load(path, &options, &found, &policy);
	assert_int_equal(result < 0, warder_diagnostics_failed(&found));
	if (policy)
		assert_int_equal(policy->unenforced, 0);
	return result < 0;
}

/* What `warder check` would print, and with an image, what `--print` would. */
static char *judge(const char *path, int *ret_result)
{
	_cleanup_free_ char *head = read_file(path);
	const char *arguments[ARGUMENTS_MAX];
	const struct warder_policy_options options = {
		.keep_links = true,
		/* Of these, the words that `run` has for what `check` only notes. */
		.accept_unenforced = !strstr(path, "/not-enforced"),
		.variables = arguments,
		.variable_count = read_arguments(head, arguments),
	};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	*ret_result = warder_policy_load(path, &options, &found, &policy);
	if (*ret_result == 0)
		*ret_result = warder_compile(policy, &found, &image);
	if (image)
		*ret_result = warder_expect_run(policy, image, &options, &found);
	if (image && *ret_result == 0)
		*ret_result = warder_advise(policy, image, &options, &found);
	warder_diagnostics_print(&found, out);
	if (image && *ret_result == 0) {
		/* `check` accepts nothing that `run` does, or refuses, for another reason. */
		assert_int_equal(is_refused_by_run(path, &options), policy->unenforced != 0);
		assert_null(warder_image_fault(image));
		print_later(policy, out);
		warder_image_print(image, policy, out);
	}
	fclose(out);
	/* A failure without a word helps nobody, and neither does an error that is no failure. */
	assert_int_equal(*ret_result < 0, warder_diagnostics_failed(&found));
	return text;
}

static void write_file(const char *path, const char *text)
{
	_cleanup_fclose_ FILE *out = fopen(path, "we");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
}

/* False and a message when a policy is not judged as its file says. */
static bool judged_as_before(const char *directory, const char *name, const char *extension)
{
	char path[512], expected_path[512];
	_cleanup_free_ char *found = NULL, *expected = NULL;
	bool bad = !strcmp(directory, BAD);
	int result;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	snprintf(expected_path, sizeof(expected_path), "%s/%.*s%s", directory,
		 (int)strlen(name) - 5, name, extension);
	found = judge(path, &result);
	if (bad != (result < 0)) {
		print_error("%s: %s\n%s", path, bad ? "accepted" : "refused", found);
		return false;
	}
	if (getenv("WARDER_GOLDEN_WRITE"))
		write_file(expected_path, found);
	expected = read_file(expected_path);
	if (expected && !strcmp(expected, found))
		return true;
	print_error("%s differs from %s:\n%s", path, expected_path, found);
	return false;
}

static void check_directory(const char *directory, const char *extension, int least)
{
	struct dirent **list;
	int count = scandir(directory, &list, is_policy, alphasort), wrong = 0, i;

	assert_true(count >= least);
	for (i = 0; i < count; i++) {
		wrong += !judged_as_before(directory, list[i]->d_name, extension);
		free(list[i]);
	}
	free(list);
	assert_int_equal(wrong, 0);
}

static void wrong_policies_are_refused_with_reason(void **state)
{
	check_directory(BAD, ".err", BAD_LEAST);
}

static void good_policies_give_their_image(void **state)
{
	check_directory(OK, ".image", OK_LEAST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_policies_are_refused_with_reason),
		cmocka_unit_test(good_policies_give_their_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
