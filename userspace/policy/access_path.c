// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_path.c - the path of an access: one object, spelt as the kernel feeds it.
 *
 * Metacharacters are escaped as in a pattern; one that is not is a mistake, because a pattern
 * is no object.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warder/limits.h>

#include "base/cleanup.h"
#include "policy/access_reading.h"
#include "policy/rule_path.h"

int warder_access_fail(struct warder_access_reading *reading, size_t offset, const char *hint,
		       const char *format, ...)
{
	struct warder_access_error *error = reading->error;
	va_list arguments;

	error->offset = offset;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	snprintf(error->hint, sizeof(error->hint), "%s", hint ? hint : "");
	return -EINVAL;
}

/* Names that the kernel never sees, or refuses whatever a policy says. */
static int check_name(struct warder_access_reading *r, size_t offset, const char *name,
		      size_t length, bool last)
{
	if (!length && last)
		return warder_access_fail(r, offset - 1, "a directory is written without it",
					  "slash at the end");
	if (!length)
		return warder_access_fail(r, offset - 1, "write one slash", "two slashes in a row");
	if ((length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.'))
		return warder_access_fail(r, offset, "write the path they lead to",
					  "'.' or '..' as a component");
	if (length > WARDER_COMPONENT_MAX)
		return warder_access_fail(r, offset, "the kernel refuses it under every policy",
					  "name longer than %u bytes", WARDER_COMPONENT_MAX);
	return 0;
}

static int unescape(struct warder_access_reading *r, size_t *at, bool abstract)
{
	struct warder_access *access = r->access;
	char c = r->text[*at];

	if (c == '\\') {
		(*at)++;
		c = r->text[*at];
		if (!c || !strchr("*?[]{},-!\\", c))
			return warder_access_fail(r, *at - 1, "a backslash itself is written \\\\",
						  "backslash before a character that needs none");
	} else if (c && strchr("*?[]{}", c)) {
		return warder_access_fail(r, *at,
					  "an access names one object; with a backslash before it "
					  "the character means itself",
					  "pattern where one object is expected");
	} else if (!c && !abstract) {
		return warder_access_fail(r, *at, NULL, "NUL byte in a path");
	}
	access->path[access->length++] = c;
	(*at)++;
	return 0;
}

static int check_start(struct warder_access_reading *r, size_t at)
{
	const char *text = r->text + at;

	if (*text == '@' && r->access->rights != WARDER_CONNECT)
		return warder_access_fail(r, at, "abstract names are connected to: connect @NAME",
					  "abstract socket name where a path is expected");
	if (*text == '/' || *text == '@')
		return 0;
	if (!strncmp(text, "tcp:", 4) || !strncmp(text, "udp:", 4))
		return warder_access_fail(r, at, "addresses go with connect, send, bind and accept",
					  "address where a path is expected");
	return warder_access_fail(r, at, "a path starts with /", "relative path");
}

static int read_names(struct warder_access_reading *r, size_t at)
{
	struct warder_access *access = r->access;
	size_t first = at, name = 1, start = at + 1, names = 0;
	int error;

	access->path[access->length++] = r->text[at++];
	while (at < r->length) {
		error = unescape(r, &at, false);
		if (!error && access->path[access->length - 1] == '/') {
			error = check_name(r, start, access->path + name, access->length - 1 - name,
					   false);
			name = access->length;
			start = at;
			names++;
		}
		if (error < 0)
			return error;
	}
	if (access->length == 1)
		return 0;
	if (++names > WARDER_DEPTH_MAX)
		return warder_access_fail(r, first, "the kernel refuses it under every policy",
					  "more than %u components", WARDER_DEPTH_MAX);
	return check_name(r, start, access->path + name, access->length - name, true);
}

static int read_abstract(struct warder_access_reading *r, size_t at)
{
	struct warder_access *access = r->access;
	size_t first = at;
	int error = 0;

	access->path[access->length++] = r->text[at++];
	while (!error && at < r->length)
		error = unescape(r, &at, true);
	if (error < 0)
		return error;
	access->path[access->length] = 0;
	if (access->length > WARDER_ABSTRACT_MAX)
		return warder_access_fail(r, first, NULL, "abstract name longer than %u bytes",
					  WARDER_ABSTRACT_MAX - 1);
	return 0;
}

/* What stands for /dev/fd and its like in rules stands for them here. */
static int replace_alias(struct warder_access_reading *r, size_t at)
{
	struct warder_access *access = r->access;
	char *place;
	int error = warder_rule_path_place(access->path, &place);

	if (error == -EINVAL)
		return warder_access_fail(r, at, "name one of them: /proc/self/task/NUMBER",
					  "another directory for each thread");
	if (error < 0)
		return error;
	access->elsewhere = strcmp(place, access->path) != 0;
	free(access->path);
	access->path = place;
	access->length = strlen(place);
	return 0;
}

int warder_access_read_path(struct warder_access_reading *r, size_t at)
{
	int error = check_start(r, at);

	r->access->kind = WARDER_ACCESS_PATH;
	if (error < 0)
		return error;
	if (r->text[at] == '@')
		return read_abstract(r, at);
	error = read_names(r, at);
	if (error < 0)
		return error;
	r->access->path[r->access->length] = 0;
	return replace_alias(r, at);
}

/* --- links --- */

/* Does the act follow a link that its path ends in? */
static bool follows_last(__u32 rights)
{
	return rights & ~(__u32)(WARDER_CREATE | WARDER_DELETE | WARDER_RENAME | WARDER_LINK);
}

int warder_access_follow(struct warder_access *access, int root_fd, uid_t trusted_uid,
			 struct warder_link_error *reterr)
{
	_cleanup_free_ char *head = NULL, *resolved = NULL;
	_cleanup_free_ char *joined = NULL;
	const char *tail = "";
	char *place;
	int r;

	if (access->kind != WARDER_ACCESS_PATH || access->path[0] != '/' || access->length == 1)
		return 0;
	head = strdup(access->path);
	if (!head)
		return -ENOMEM;
	if (!follows_last(access->rights)) {
		tail = strrchr(access->path, '/');
		head[tail - access->path] = 0;
	}
	if (!*head)
		return 0;
	r = warder_link_resolve(root_fd, trusted_uid, head, &resolved, reterr);
	if (r < 0 || !resolved)
		return r;
	/* Below the root directory, the tail brings the slash. */
	if (asprintf(&joined, "%s%s", *tail && !strcmp(resolved, "/") ? "" : resolved, tail) < 0) {
		joined = NULL;
		return -ENOMEM;
	}
	r = warder_rule_path_place(joined, &place);
	if (r == -EINVAL) {
		snprintf(reterr->link, sizeof(reterr->link), "%s", access->path);
		snprintf(reterr->reason, sizeof(reterr->reason),
			 "it leads to another directory for each thread");
		return -EPERM;
	}
	if (r < 0)
		return r;
	free(access->path);
	access->path = place;
	access->length = strlen(place);
	access->elsewhere = true;
	return 0;
}
