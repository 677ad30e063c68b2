// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * right.c - the words for file rights in a policy, and what each gives or denies.
 */
#include "policy/right.h"

#include <stdio.h>
#include <string.h>

#include "policy/construct.h"

/*
 * Giving `write` gives reading as well, because programs open lock files read-write.
 * Denying it must not: who denies writing to a hook script wants it read. And no deny of
 * writing hides the attributes of a file.
 */
#define DENY_WRITE (WARDER_COARSE_WRITE_ONLY & ~WARDER_STAT)

#define WORD(name, allow, deny)                                            \
	{                                                                  \
		name, allow, deny, "files." name, "files.deny." name, NULL \
	}

const struct warder_right_word warder_right_words[] = {
	WORD("read", WARDER_COARSE_READ, WARDER_COARSE_READ),
	WORD("write", WARDER_COARSE_WRITE, DENY_WRITE),
	WORD("write-only", WARDER_COARSE_WRITE_ONLY, DENY_WRITE),
	WORD("list", WARDER_LIST, WARDER_LIST),
	WORD("create", WARDER_CREATE, WARDER_CREATE),
	WORD("delete", WARDER_DELETE, WARDER_DELETE),
	WORD("rename", WARDER_RENAME, WARDER_RENAME),
	WORD("link", WARDER_LINK, WARDER_LINK),
	WORD("chattr", WARDER_CHATTR, WARDER_CHATTR),
	WORD("map-exec", WARDER_MAP_EXEC, WARDER_MAP_EXEC),
	{"exec", 0, WARDER_COARSE_EXEC, NULL, "files.deny.exec",
	 "write `exec: [PATH]` beside `files`"},
	{"connect", 0, WARDER_CONNECT, NULL, "files.deny.connect",
	 "write `unix: {connect: [PATH]}` beside `files`"},
	WORD("stat", WARDER_STAT, WARDER_STAT),
	WORD("ioctl", WARDER_IOCTL, WARDER_IOCTL),
	{0},
};

const struct warder_right_word *warder_right_find(const char *name)
{
	const struct warder_right_word *word;

	for (word = warder_right_words; word->name; word++) {
		if (!strcmp(word->name, name))
			return word;
	}
	return NULL;
}

__u32 warder_rights_judged(void)
{
	__u32 judged = WARDER_RIGHTS_ALL;

	if (!warder_construct_enforced(WARDER_CONSTRUCT_STAT))
		judged &= ~(__u32)WARDER_STAT;
	if (!warder_construct_enforced(WARDER_CONSTRUCT_IOCTL))
		judged &= ~(__u32)WARDER_IOCTL;
	return judged;
}

static const char *const names[] = {
#define X(name, text, doc) text,
	WARDER_RIGHTS(X)
#undef X
};

_Static_assert(sizeof(names) / sizeof(names[0]) == WARDER_RIGHT_COUNT, "a name for each right");

char *warder_rights_text(__u32 rights, char *out, size_t size)
{
	size_t used = 0;
	int r;

	out[0] = 0;
	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		if (!(rights >> r & 1))
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "," : "",
					 names[r]);
		if (used >= size)
			break;
	}
	return out;
}
