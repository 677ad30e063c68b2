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

/* --- what no image can answer --- */

/* enum warder_class: of a path, those of all its rights. */
static unsigned int classes_of(const struct warder_access *access)
{
	unsigned int classes = 0;

	switch (access->kind) {
	case WARDER_ACCESS_ADDRESS:
		return WARDER_CLASS_NETWORK;
	case WARDER_ACCESS_SYSCALL:
		return WARDER_CLASS_SYSCALLS;
	case WARDER_ACCESS_CAPABILITY:
		return WARDER_CLASS_CAPABILITIES;
	case WARDER_ACCESS_PATH:
		break;
	}
	if (access->rights & WARDER_CONNECT)
		classes |= WARDER_CLASS_UNIX;
	if (access->rights & WARDER_COARSE_EXEC)
		classes |= WARDER_CLASS_EXEC;
	if (access->rights & ~(__u32)(WARDER_CONNECT | WARDER_COARSE_EXEC))
		classes |= WARDER_CLASS_FILES;
	return classes;
}

static bool has_net_rule(const struct run *run, __u64 held, enum warder_net_act act, bool deny)
{
	size_t i;

	for (i = 0; i < run->policy->later_net_count; i++) {
		const struct warder_net_rule *rule = &run->policy->later_net_rules[i];

		if (held >> rule->key & 1 && rule->endpoint.act == act && rule->deny == deny)
			return true;
	}
	return false;
}

static bool address_is_open(const struct run *run, __u64 held, const struct warder_access *access)
{
	enum warder_net_act act = WARDER_ACT_CONNECT;

	if (access->verb == WARDER_VERB_BIND)
		act = WARDER_ACT_BIND;
	if (access->verb == WARDER_VERB_ACCEPT)
		act = WARDER_ACT_ACCEPT;
	return has_net_rule(run, held, act, true) ||
	       (act != WARDER_ACT_CONNECT && has_net_rule(run, held, act, false));
}

/* Rests the answer on what this version does not enforce? Then why; NULL: it does not. */
static const char *why_untested(const struct run *run, const struct warder_set *set, __u64 held,
				const struct warder_access *access)
{
	size_t i;

	if (set->ungoverned & classes_of(access))
		return "not tested: this version does not enforce a class that is ungoverned";
	if (access->kind == WARDER_ACCESS_ADDRESS && address_is_open(run, held, access))
		return "not tested: this version does not enforce the rules about it";
	if (access->kind == WARDER_ACCESS_CAPABILITY && set->capabilities)
		return "not tested: this version does not enforce a list of capabilities";
	if (access->kind != WARDER_ACCESS_SYSCALL)
		return NULL;
	if (set->profile != WARDER_PROFILE_NONE)
		return "not tested: this version does not enforce a profile of system calls";
	for (i = 0; i < run->policy->filter_count; i++) {
		const struct warder_syscall_rule *rule = &run->policy->filter_rules[i];

		if (held >> rule->key & 1 && (int)rule->number == access->number)
			return "not tested: this version does not enforce the rule about it";
	}
	return NULL;
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
	const struct warder_set *set = &run->policy->sets[expect->set];
	_cleanup_access_ struct warder_access access = {0};
	struct warder_expectation expectation = {.set = expect->set,
						 .with = expect->tools,
						 .allow = expect->allow,
						 .access = &access};
	__u64 held = warder_policy_keyring(run->policy, expect->set) | expect->tools;
	struct warder_verdict verdict;
	const char *untested;
	char text[2048];
	bool holds;
	int r = read_access(run, expect, &access);

	if (r < 0)
		return r;
	untested = why_untested(run, set, held, &access);
	if (untested) {
		report(run, expect, 0, WARDER_NOTE, NULL, untested);
		return 0;
	}
	r = warder_expect_check(run->policy, run->image, &expectation, &verdict, &holds);
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
