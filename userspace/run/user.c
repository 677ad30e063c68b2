// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * user.c - whom a command runs as.
 */
#include "run/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

static const struct passwd *find_entry(const char *name)
{
	char *end;
	unsigned long uid = strtoul(name, &end, 10);

	if (*name >= '0' && *name <= '9' && !*end)
		return getpwuid(uid);
	return getpwnam(name);
}

static int set_variables(const struct passwd *entry, struct warder_user *user)
{
	/* What a login would take for an empty field. */
	const char *home = entry->pw_dir && *entry->pw_dir ? entry->pw_dir : "/";
	const char *shell = entry->pw_shell && *entry->pw_shell ? entry->pw_shell : "/bin/sh";
	const struct {
		const char *name, *value;
	} values[WARDER_USER_VARIABLES] = {
		{"HOME", home},
		{"SHELL", shell},
		{"USER", entry->pw_name},
		{"LOGNAME", entry->pw_name},
	};
	size_t i;

	for (i = 0; i < WARDER_USER_VARIABLES; i++) {
		if (asprintf(&user->variables[i], "%s=%s", values[i].name, values[i].value) < 0) {
			user->variables[i] = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}

static int set_groups(const struct passwd *entry, struct warder_user *user)
{
	int count = 64, room;

	/* The second try has the room that the first one asked for. */
	do {
		gid_t *more = reallocarray(user->groups, count, sizeof(*more));

		if (!more)
			return -ENOMEM;
		user->groups = more;
		room = count;
	} while (getgrouplist(entry->pw_name, entry->pw_gid, user->groups, &count) < 0 &&
		 count > room);
	user->group_count = count;
	return 0;
}

int warder_user_find(const char *name, struct warder_user *ret_user, struct warder_error *reterr)
{
	const struct passwd *entry = find_entry(name);
	_cleanup_user_ struct warder_user user = {};
	int error;

	if (!entry)
		return warder_error_set(reterr, -ENOENT, "there is no user \"%s\"", name);
	user.uid = entry->pw_uid;
	user.gid = entry->pw_gid;
	/* First: looking up groups may use the buffer of the entry. */
	error = set_variables(entry, &user);
	if (!error)
		error = set_groups(entry, &user);
	if (error < 0)
		return error;
	*ret_user = user;
	user = (struct warder_user){};
	return 0;
}

/* Does the user's entry give this variable a value? */
static bool is_users(const struct warder_user *user, const char *variable)
{
	size_t i;

	for (i = 0; i < WARDER_USER_VARIABLES; i++) {
		size_t length = strcspn(user->variables[i], "=") + 1;

		if (!strncmp(variable, user->variables[i], length))
			return true;
	}
	return false;
}

int warder_user_environment(const struct warder_user *user, char *const *environment,
			    char ***ret_environment)
{
	size_t size = WARDER_USER_VARIABLES + 1, count = 0, i;
	char **list;

	for (i = 0; environment[i]; i++)
		size++;
	list = calloc(size, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; environment[i]; i++) {
		if (!is_users(user, environment[i]))
			list[count++] = environment[i];
	}
	for (i = 0; i < WARDER_USER_VARIABLES; i++)
		list[count++] = user->variables[i];
	*ret_environment = list;
	return 0;
}

int warder_user_become(const struct warder_user *user)
{
	if (setgroups(user->group_count, user->groups) < 0 ||
	    setresgid(user->gid, user->gid, user->gid) < 0 ||
	    setresuid(user->uid, user->uid, user->uid) < 0)
		return -errno;
	/* Whoever left root must not be able to come back. */
	if (user->uid && setuid(0) == 0)
		return -EPERM;
	return 0;
}

void warder_user_release(struct warder_user *user)
{
	size_t i;

	for (i = 0; i < WARDER_USER_VARIABLES; i++)
		free(user->variables[i]);
	free(user->groups);
	*user = (struct warder_user){};
}
