// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * wish.c - which access is tried next: one that comes to a verdict, or that a hook refuses.
 */
#include "wish.h"

#include "random.h"

/* How many accesses are drawn until one comes to what is wished for. */
#define DRAWS_MAX 60

const int wish_hooks[WISH_HOOKS] = {
	WARDER_HOOK_FILE_OPEN,	    WARDER_HOOK_MMAP_FILE,	WARDER_HOOK_FILE_MPROTECT,
	WARDER_HOOK_PATH_TRUNCATE,  WARDER_HOOK_PATH_UNLINK,	WARDER_HOOK_PATH_RMDIR,
	WARDER_HOOK_PATH_MKDIR,	    WARDER_HOOK_PATH_MKNOD,	WARDER_HOOK_PATH_SYMLINK,
	WARDER_HOOK_PATH_LINK,	    WARDER_HOOK_PATH_RENAME,	WARDER_HOOK_PATH_CHMOD,
	WARDER_HOOK_PATH_CHOWN,	    WARDER_HOOK_PATH_NOTIFY,	WARDER_HOOK_BPRM_CHECK_SECURITY,
	WARDER_HOOK_SOCKET_CONNECT, WARDER_HOOK_SOCKET_SENDMSG, WARDER_HOOK_UNIX_STREAM_CONNECT,
	WARDER_HOOK_UNIX_MAY_SEND,
};

/* What an access is drawn for: to come to a verdict, or to be refused by a hook. */
struct wish {
	enum verdict verdict;
	int hook; /* -1: any */
};

static struct wish make_wish(void)
{
	/* What comes by itself less often is wanted more often. */
	static const enum verdict verdicts[] = {
		VERDICT_ALLOWED,  VERDICT_DENIED,   VERDICT_DENIED,   VERDICT_NO_RULE,
		VERDICT_RESERVED, VERDICT_RESERVED, VERDICT_RESERVED, VERDICT_WIDENS};

	if (random_percent(15))
		return (struct wish){.hook = wish_hooks[random_below(WISH_HOOKS)]};
	return (struct wish){RANDOM_OF(verdicts), -1};
}

static bool fulfils(const struct expectation *e, const struct wish *wish)
{
	if (wish->hook < 0)
		return e->verdict == wish->verdict;
	return e->verdict != VERDICT_ALLOWED && e->asks.list[e->passed].hook == wish->hook;
}

void wish_draw(struct holder *holder, const struct world *world, struct access *access,
	       struct expectation *ret)
{
	const struct wish wish = make_wish();
	unsigned int draws = random_percent(70) ? DRAWS_MAX : 1;

	do {
		access_choose(access, world);
		expect(holder, world, access, ret);
	} while (!fulfils(ret, &wish) && --draws);
}
