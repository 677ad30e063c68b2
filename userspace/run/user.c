// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * user.c - whom a command runs as.
 */
#include "run/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
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

int warder_user_find(const char *name, struct warder_user *ret_user, struct warder_error *reterr)
{
	const struct passwd *entry = find_entry(name);
	_cleanup_free_ gid_t *groups = NULL;
	int count = 64, room;

	if (!entry)
		return warder_error_set(reterr, -ENOENT, "there is no user \"%s\"", name);
	/* The second try has the room that the first one asked for. */
	do {
		gid_t *more = reallocarray(groups, count, sizeof(*groups));

		if (!more)
			return -ENOMEM;
		groups = more;
		room = count;
	} while (getgrouplist(entry->pw_name, entry->pw_gid, groups, &count) < 0 && count > room);
	*ret_user = (struct warder_user){
		.uid = entry->pw_uid,
		.gid = entry->pw_gid,
		.groups = TAKE_PTR(groups),
		.group_count = count,
	};
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
	free(user->groups);
	user->groups = NULL;
}
