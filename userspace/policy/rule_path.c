// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * rule_path.c - from the path text of a rule to what the kernel will see.
 */
#include "policy/rule_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/link.h"
#include "policy/variable.h"

/*
 * Names that mean something else to each process. The kernel walks to the directory they lead
 * to and feeds the caller's own as "self", so that is what they are compiled as.
 */
static const struct alias {
	const char *name;    /* literal components */
	const char *pattern; /* what they are, as a pattern */
} aliases[] = {
	{"/dev/fd", "/proc/self/fd"},
	{"/dev/stdin", "/proc/self/fd/0"},
	{"/dev/stdout", "/proc/self/fd/1"},
	{"/dev/stderr", "/proc/self/fd/2"},
	{"/proc/thread-self", "/proc/self/task/*"},
	{"/proc/mounts", "/proc/self/mounts"},
	{"/proc/net", "/proc/self/net"},
};

void warder_rule_path_release(struct warder_rule_path *path)
{
	warder_pattern_free(&path->pattern);
	warder_pattern_free(&path->resolved);
	free(path->text);
	*path = (struct warder_rule_path){0};
}

/* Does `path` begin with the components of `name`? Returns what follows, or NULL. */
static const char *after_components(const char *path, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(path, name, length) || (path[length] && path[length] != '/'))
		return NULL;
	return path + length;
}

/* The pattern "head" (a pattern) + "literal" (to be escaped) + the rest of `old`. */
static int pattern_join(const char *head, const char *literal, const struct warder_pattern *old,
			struct warder_pattern **ret_pattern)
{
	_cleanup_free_ char *escaped = warder_pattern_escape(literal), *text = NULL;
	const char *rest = old->text + old->rest;
	struct warder_pattern_error error;
	int length;

	if (!escaped)
		return -ENOMEM;
	/* Below the root directory, the rest brings its own slash. */
	if (*rest == '/' && !strcmp(escaped, "/"))
		escaped[0] = 0;
	length = asprintf(&text, "%s%s%s", head, escaped, rest);
	if (length < 0) {
		text = NULL;
		return -ENOMEM;
	}
	return warder_pattern_parse(text, (size_t)length, false, ret_pattern, &error);
}

const char *warder_rule_path_alias(const char *path, const char **ret_rest)
{
	const char *rest;
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		rest = after_components(path, aliases[i].name);
		if (!rest)
			continue;
		*ret_rest = rest;
		return aliases[i].pattern;
	}
	return NULL;
}

int warder_rule_path_place(const char *path, char **ret_place)
{
	const char *rest, *head = warder_rule_path_alias(path, &rest);
	char *place;

	if (head && strchr(head, '*'))
		return -EINVAL;
	if (asprintf(&place, "%s%s", head ? head : "", head ? rest : path) < 0)
		return -ENOMEM;
	*ret_place = place;
	return 0;
}

static int replace_alias(struct warder_rule_path *path)
{
	struct warder_pattern *replaced;
	const char *rest, *head = warder_rule_path_alias(path->pattern->prefix, &rest);
	int r;

	if (!head)
		return 0;
	r = pattern_join(head, rest, path->pattern, &replaced);
	if (r < 0)
		return r;
	warder_pattern_free(&path->pattern);
	path->pattern = replaced;
	return 0;
}

static int resolve(struct warder_reader *reader, const struct warder_yaml *node,
		   struct warder_rule_path *path)
{
	_cleanup_free_ struct warder_link_error *error = malloc(sizeof(*error));
	_cleanup_free_ char *resolved = NULL;
	char from[WARDER_QUOTED_MAX], to[WARDER_QUOTED_MAX];
	const char *head, *rest;
	int r;

	if (!error)
		return -ENOMEM;
	r = warder_link_resolve(reader->root_fd, reader->options->trusted_uid,
				path->pattern->prefix, &resolved, error);
	if (r == -EPERM) {
		warder_reader_error(
			reader, node, "name the place the link leads to, or protect the link",
			"the path leads through the symbolic link %s, but %s",
			warder_reader_quote(error->link, strlen(error->link), from), error->reason);
		return 0;
	}
	if (r < 0 || !resolved)
		return r;
	head = warder_rule_path_alias(resolved, &rest);
	r = pattern_join(head ? head : "", head ? rest : resolved, path->pattern, &path->resolved);
	/* A target whose name no pattern can hold (too long) is no target. */
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (!reader->preset)
		warder_reader_warn(
			reader, WARDER_NOTE, node, NULL,
			"symbolic link: %s is enforced as %s as well",
			warder_reader_quote(path->text, strlen(path->text), from),
			warder_reader_quote(path->resolved->text, path->resolved->length, to));
	return 0;
}

static bool wants_links(const struct warder_reader *reader, const struct warder_pattern *pattern)
{
	return reader->root_fd >= 0 && !pattern->abstract && pattern->prefix[0] &&
	       !after_components(pattern->prefix, "/proc");
}

bool warder_rule_path_read(struct warder_reader *reader, const struct warder_yaml *node,
			   bool abstract, struct warder_rule_path *ret_path)
{
	_cleanup_filled_ struct warder_filled filled = {0};
	struct warder_rule_path path = {0};
	struct warder_pattern_error error;
	int r;

	if (!warder_variable_fill(reader, node, "a path", WARDER_FILL_PATTERN, &filled))
		return false;
	r = warder_pattern_parse(filled.text, filled.length, abstract, &path.pattern, &error);
	if (r == -EINVAL) {
		warder_filled_error(reader, node, &filled, error.offset, error.hint, error.message);
		return false;
	}
	if (r == 0)
		path.text = TAKE_PTR(filled.text);
	if (r == 0)
		r = replace_alias(&path);
	if (r == 0 && wants_links(reader, path.pattern))
		r = resolve(reader, node, &path);
	if (r < 0) {
		reader->out_of_memory = true;
		warder_rule_path_release(&path);
		return false;
	}
	*ret_path = path;
	return true;
}

int warder_rule_path_match(const struct warder_rule_path *rule, const char *path, size_t length)
{
	int match = warder_pattern_match(rule->pattern, path, length), more = 0;

	if (match >= 0 && rule->resolved)
		more = warder_pattern_match(rule->resolved, path, length);
	return match < 0 ? match : more < 0 ? more : match | more;
}
