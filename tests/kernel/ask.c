// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ask.c - what an access asks for, one hook after the other.
 */
#include "ask.h"

#include <stdlib.h>

static void add(struct asks *asks, const struct ask *ask)
{
	if (asks->count == ASKS_MAX)
		abort();
	asks->list[asks->count++] = *ask;
}

void asks_call(struct asks *asks, int call, int hook)
{
	add(asks, &(const struct ask){.kind = ASK_CALL, .call = call, .hook = hook});
}

void asks_path(struct asks *asks, int call, int hook, __u32 rights, const char *path)
{
	add(asks,
	    &(const struct ask){
		    .kind = ASK_PATH, .call = call, .hook = hook, .rights = rights, .text = path});
}

void asks_net(struct asks *asks, int call, int hook)
{
	add(asks, &(const struct ask){.kind = ASK_NET, .call = call, .hook = hook});
}

/* A further ask, in the pass of the last one. */
static struct ask joined(const struct asks *asks, enum ask_kind kind, const char *text)
{
	const struct ask *last = &asks->list[asks->count - 1];

	return (struct ask){.kind = kind,
			    .call = last->call,
			    .hook = last->hook,
			    .joined = true,
			    .rights = last->rights,
			    .text = text};
}

void asks_path_too(struct asks *asks, __u32 rights, const char *path)
{
	struct ask ask = joined(asks, ASK_PATH, path);

	ask.rights = rights;
	add(asks, &ask);
}

void asks_nailed(struct asks *asks, const char *path)
{
	struct ask ask = joined(asks, ASK_NAILED, path);

	add(asks, &ask);
}

void asks_move(struct asks *asks, const char *from, const char *to)
{
	struct ask ask = joined(asks, ASK_MOVE, to);

	ask.from = from;
	add(asks, &ask);
}
