// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice_file.c - path rules beside the files that are there: directories that were named alone,
 * and symbolic links in a glob that lead out of what is allowed.
 *
 * Looked at is the file system that the links of the patterns were followed in, and only where
 * those are followed at all. Both looks are bounded; what is not there says nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "compile/advising.h"
#include "compile/side.h"
#include "policy/reader.h"
#include "policy/right.h"

/* Rules that are looked at, and entries of one directory. */
#define RULES_MAX   1000u
#define ENTRIES_MAX 4096u

/* What a directory has no use for, but what is below it has. */
#define OF_FILES (WARDER_READ | WARDER_WRITE | WARDER_COARSE_EXEC)

struct files {
	const struct warder_advising *a;
	int root_fd;
	char root[PATH_MAX]; /* without a slash at the end */
	__u32 judged;
};

/* Open below the root, as a subject whose "/" it is would. */
static int open_below(const struct files *f, const char *path, __u64 flags)
{
	struct open_how how = {.flags = flags | O_CLOEXEC,
			       .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};

	return (int)syscall(SYS_openat2, f->root_fd, path, &how, sizeof(how));
}

/* --- a directory that was named alone --- */

/* Is there a rule of the same kind for all that is below? Then both were meant. */
static bool has_tree(const struct files *f, const struct warder_path_rule *rule)
{
	const struct warder_policy *policy = f->a->policy;
	size_t i;

	for (i = 0; i < policy->path_count; i++) {
		const struct warder_path_rule *other = &policy->path_rules[i];

		if (other->key == rule->key && other->deny == rule->deny &&
		    !(rule->rights & ~other->rights) && other->path.pattern->tree &&
		    other->path.pattern->literal &&
		    !strcmp(other->path.pattern->prefix, rule->path.pattern->prefix))
			return true;
	}
	return false;
}

static void advise_directory(const struct files *f, const struct warder_path_rule *rule)
{
	const struct warder_pattern *pattern = rule->path.pattern;
	_cleanup_close_ int fd = -1;
	char quoted[WARDER_QUOTED_MAX], hint[WARDER_QUOTED_MAX + 64];
	struct stat st;

	if (!pattern->literal || pattern->tree || pattern->abstract || !(rule->rights & OF_FILES) ||
	    has_tree(f, rule))
		return;
	fd = open_below(f, pattern->prefix, O_PATH);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISDIR(st.st_mode))
		return;
	warder_reader_quote(rule->path.text, strlen(rule->path.text), quoted);
	snprintf(hint, sizeof(hint), "%.*s/** is what is below it; `list` is for names alone",
		 (int)(strcmp(rule->path.text, "/") ? strlen(rule->path.text) : 0),
		 rule->path.text);
	/* An allow that is too narrow shows; a deny that is too narrow does not. */
	warder_advising_say(f->a, rule->deny ? WARDER_WARNING : WARDER_NOTE, &rule->place, hint,
			    rule->deny ? "%s is a directory here, and the rule denies nothing of "
					 "what is below it"
				       : "%s is a directory here, and the rule is about nothing "
					 "below it",
			    quoted);
}

/* --- links in a glob --- */

/* Keys that somebody who uses the rule can hold. */
static __u64 keys_beside(const struct files *f, const struct warder_path_rule *rule)
{
	const struct warder_policy *policy = f->a->policy;
	bool tool = policy->keys[rule->key].tool;
	__u64 keys = 1ull << rule->key;
	size_t i;

	for (i = 0; i < policy->set_count; i++) {
		if (tool || policy->sets[i].key == rule->key)
			keys |= 1ull << policy->sets[i].key | policy->sets[i].tools;
	}
	return keys;
}

/* Can such a rule be about such a file at all? */
static bool is_about(const struct warder_path_rule *rule, const struct stat *st)
{
	if (rule->rights & WARDER_CONNECT)
		return S_ISSOCK(st->st_mode);
	if (!(rule->rights & ~(__u32)WARDER_COARSE_EXEC))
		return S_ISREG(st->st_mode) && st->st_mode & 0111;
	return true;
}

/*
 * Where a link of a glob ends, as a subject sees it. False: nowhere, in another root, in /proc or
 * in something that the rule is not about.
 */
static bool find_target(const struct files *f, const struct warder_path_rule *rule,
			const char *path, char out[PATH_MAX])
{
	_cleanup_close_ int fd = open_below(f, path, O_PATH);
	size_t root = strlen(f->root);
	char name[64], target[PATH_MAX];
	ssize_t length;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !is_about(rule, &st))
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	length = readlink(name, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = 0;
	if (strncmp(target, f->root, root) || target[root] != '/' ||
	    !strncmp(target + root, "/proc/", 6))
		return false;
	strcpy(out, target + root);
	return true;
}

/* Is something that the rule gives in the glob also given where the link leads? */
static bool is_given(const struct files *f, const struct warder_path_rule *rule, const char *target)
{
	__u64 held = keys_beside(f, rule);
	const struct warder_side side = {
		.policy = f->a->policy, .image = f->a->image, .held = held, .base = held};
	__u32 wanted = rule->rights & f->judged;
	__u32 given = warder_side_rights(&side, warder_side_state(&side, target, strlen(target)));

	return !wanted || given & wanted;
}

static void say_link(const struct files *f, const struct warder_path_rule *rule, const char *link,
		     const char *target, unsigned int count)
{
	char from[WARDER_QUOTED_MAX], to[WARDER_QUOTED_MAX], more[48] = "";

	if (count > 1)
		snprintf(more, sizeof(more), "; so do %u more links there", count - 1);
	warder_advising_say(f->a, WARDER_WARNING, &rule->place,
			    "the kernel judges where a link leads: name that too, if it is meant",
			    "%s is a link that leads out of what is allowed, to %s%s",
			    warder_reader_quote(link, strlen(link), from),
			    warder_reader_quote(target, strlen(target), to), more);
}

static void look_through(const struct files *f, const struct warder_path_rule *rule, DIR *directory)
{
	const char *prefix = rule->path.pattern->prefix;
	char link[PATH_MAX], target[PATH_MAX], first[PATH_MAX], first_target[PATH_MAX];
	unsigned int seen = 0, count = 0;
	struct dirent *entry;

	while (seen++ < ENTRIES_MAX && (entry = readdir(directory))) {
		if (entry->d_type != DT_LNK ||
		    snprintf(link, sizeof(link), "%s/%s", strcmp(prefix, "/") ? prefix : "",
			     entry->d_name) >= (int)sizeof(link) ||
		    !find_target(f, rule, link, target) || is_given(f, rule, target))
			continue;
		/* The order of a directory is its own affair. */
		if (!count || strcmp(link, first) < 0) {
			strcpy(first, link);
			strcpy(first_target, target);
		}
		count++;
	}
	if (count)
		say_link(f, rule, first, first_target, count);
}

static void advise_links(const struct files *f, const struct warder_path_rule *rule)
{
	const struct warder_pattern *pattern = rule->path.pattern;
	const char *rest = pattern->text + pattern->rest;
	DIR *directory;
	int fd;

	if (rule->deny || pattern->abstract || !pattern->prefix[0] ||
	    (strcmp(rest, "/**") && strcmp(rest, "/*")) || !strncmp(pattern->prefix, "/proc", 5))
		return;
	fd = open_below(f, pattern->prefix, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return;
	directory = fdopendir(fd);
	if (!directory) {
		close(fd);
		return;
	}
	look_through(f, rule, directory);
	closedir(directory);
}

/* --- all of them --- */

static int open_root(struct files *f)
{
	char name[64];
	ssize_t length;

	f->root_fd = open(f->a->options->root ? f->a->options->root : "/",
			  O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (f->root_fd < 0)
		return -errno;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", f->root_fd);
	length = readlink(name, f->root, sizeof(f->root) - 1);
	if (length < 0)
		return -errno;
	f->root[length] = 0;
	if (!strcmp(f->root, "/"))
		f->root[0] = 0;
	return 0;
}

int warder_advise_files(const struct warder_advising *a)
{
	struct files f = {.a = a, .root_fd = -1, .judged = warder_rights_judged()};
	unsigned int looked = 0;
	bool opened;
	size_t i;

	if (a->options->keep_links)
		return 0;
	/* Without a root, or without /proc to name what was opened, nothing can be said. */
	opened = open_root(&f) == 0;
	for (i = 0; opened && i < a->policy->path_count && looked < RULES_MAX; i++) {
		const struct warder_path_rule *rule = &a->policy->path_rules[i];

		if (!warder_advising_own(a, &rule->place) || rule->all)
			continue;
		looked++;
		advise_directory(&f, rule);
		advise_links(&f, rule);
	}
	if (f.root_fd >= 0)
		close(f.root_fd);
	return 0;
}
