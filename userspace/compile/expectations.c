// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * expectations.c - the tests that a policy carries, one after the other.
 *
 * What the engine does not enforce yet is in no image, so the matcher cannot answer for it: such
 * a test is neither passed nor failed, and said to be so.
 */
#include "compile/expect.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"

struct run {
	const struct warder_policy *policy;
	const struct warder_image *image;
	const struct warder_policy_options *options;
	struct warder_diagnostics *diagnostics;
	int root_fd; /* -1: links are left alone */
};

/* The place of a test; `offset` is a byte of its access, where that was written as it is. */
static struct warder_span span_of(const struct warder_expect *expect, size_t offset)
{
	return (struct warder_span){expect->place.line, expect->place.column + (unsigned int)offset,
				    1};
}

static void report(const struct run *run, const struct warder_expect *expect, size_t offset,
		   enum warder_severity severity, const char *hint, const char *message)
{
	warder_diagnostics_add(run->diagnostics, severity, &run->policy->source,
			       span_of(expect, offset), hint, "%s: %s", expect->access, message);
}

/* Rests the answer on what this version does not enforce? Then why; NULL: it does not. */
static const char *why_untested(const struct warder_unenforced *unenforced)
{
	static const char *const why[] = {
		[WARDER_UNENFORCED_UNGOVERNED] = "a class that is ungoverned",
	};

	return unenforced->differs ? why[unenforced->cause] : NULL;
}

static void report_untested(const struct run *run, const struct warder_expect *expect,
			    const struct warder_unenforced *unenforced)
{
	char message[128], text[1200];

	snprintf(message, sizeof(message), "not tested: this version does not enforce %s",
		 why_untested(unenforced));
	report(run, expect, 0, WARDER_NOTE, warder_unenforced_text(unenforced, text, sizeof(text)),
	       message);
}

/* --- one test --- */

static int follow(const struct run *run, const struct warder_expect *expect,
		  struct warder_access *access)
{
	_cleanup_free_ struct warder_link_error *error = malloc(sizeof(*error));
	char message[512];
	int r;

	if (!error)
		return -ENOMEM;
	if (run->root_fd < 0)
		return 0;
	r = warder_access_follow(access, run->root_fd, run->options->trusted_uid, error);
	if (r != -EPERM)
		return r;
	snprintf(message, sizeof(message), "it leads through the symbolic link %.200s, but %.200s",
		 error->link, error->reason);
	report(run, expect, 0, WARDER_ERROR, "name the place that the link leads to", message);
	return -EINVAL;
}

/* -EINVAL: reported. */
static int read_access(const struct run *run, const struct warder_expect *expect,
		       struct warder_access *access)
{
	struct warder_access_error error = {0};
	int r = warder_access_parse(expect->access, strlen(expect->access), access, &error);

	if (r == -EINVAL)
		report(run, expect, 0, WARDER_ERROR, error.hint[0] ? error.hint : NULL,
		       error.message);
	return r < 0 ? r : follow(run, expect, access);
}

/* -EINVAL: it does not hold, reported. */
static int run_one(const struct run *run, const struct warder_expect *expect)
{
	_cleanup_access_ struct warder_access access = {0};
	struct warder_expectation expectation = {.set = expect->set,
						 .with = expect->tools,
						 .allow = expect->allow,
						 .access = &access};
	struct warder_verdict verdict;
	char text[2048];
	bool holds;
	int r = read_access(run, expect, &access);

	if (r < 0)
		return r;
	r = warder_expect_check(run->policy, run->image, &expectation, &verdict, &holds);
	if (r == 0 && verdict.unenforced.differs) {
		report_untested(run, expect, &verdict.unenforced);
		return 0;
	}
	if (r < 0 || holds)
		return r;
	report(run, expect, 0, WARDER_ERROR,
	       "`warder explain` shows more; change the rule or the test",
	       warder_expect_text(&expectation, &verdict, text, sizeof(text)));
	return -EINVAL;
}

int warder_expect_run(const struct warder_policy *policy, const struct warder_image *image,
		      const struct warder_policy_options *options,
		      struct warder_diagnostics *diagnostics)
{
	struct run run = {policy, image, options, diagnostics, -1};
	_cleanup_close_ int root_fd = -1;
	int result = 0, r;
	size_t i;

	if (!options->keep_links) {
		root_fd =
			open(options->root ? options->root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (root_fd < 0)
			return -errno;
		run.root_fd = root_fd;
	}
	for (i = 0; i < policy->expect_count; i++) {
		if (policy->expects[i].preset)
			continue;
		r = run_one(&run, &policy->expects[i]);
		if (r < 0 && r != -EINVAL)
			return r;
		if (r < 0)
			result = r;
	}
	return result;
}
