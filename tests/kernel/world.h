/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * world.h - a small random tree of real files and sockets, which can be put back as it was.
 *
 * Choosing draws names and kinds; building makes them below a directory. Names are few and
 * alike, so that patterns about one place meet others. At the root lies a link "loop" to the
 * root itself: every path can be spelt in many ways.
 */
#ifndef WARDER_TESTS_KERNEL_WORLD_H
#define WARDER_TESTS_KERNEL_WORLD_H

#include "harness.h"

#define WORLD_PLACES_MAX 32
#define WORLD_PATH_MAX	 64

/* Bits: a choice among several kinds is their sum. */
enum place_kind {
	PLACE_DIRECTORY = 1,
	PLACE_FILE = 2,
	PLACE_PROGRAM = 4, /* exits with a status of its own */
	PLACE_SCRIPT = 8,  /* of the program `of` */
	PLACE_FIFO = 16,
	PLACE_LINK = 32, /* to the place `of` */
	PLACE_STREAM = 64,
	PLACE_DATAGRAM = 128,
	PLACE_ABSTRACT_STREAM = 256, /* no file: its path is "@name" */
	PLACE_ABSTRACT_DATAGRAM = 512,
};

#define PLACE_RUNS    (PLACE_PROGRAM | PLACE_SCRIPT)
#define PLACE_REGULAR (PLACE_FILE | PLACE_RUNS)
#define PLACE_STREAMS (PLACE_STREAM | PLACE_ABSTRACT_STREAM)
#define PLACE_SENDS   (PLACE_DATAGRAM | PLACE_ABSTRACT_DATAGRAM)
/* Whatever has a name in the tree. */
#define PLACE_LEAF  (PLACE_REGULAR | PLACE_FIFO | PLACE_LINK | PLACE_STREAM | PLACE_DATAGRAM)
#define PLACE_NAMED (PLACE_LEAF | PLACE_DIRECTORY)

struct place {
	unsigned int kind;
	char path[WORLD_PATH_MAX]; /* from the root, without a slash at its begin */
	const struct place *of;
	bool empty; /* a directory in which nothing is */
};

struct world {
	const char *dir; /* the root */
	struct place places[WORLD_PLACES_MAX];
	size_t count;
	int sockets[WORLD_PLACES_MAX]; /* of places that are some; else -1 */
	__u64 digest;		       /* as built */
};

/* Draw a world that is to lie in `dir`, a directory that stays. */
void world_choose(struct world *world, const char *dir);

/* Make it, in place of whatever is there. */
void world_build(struct world *world);

/* Close its sockets. */
void world_close(struct world *world);

/* Connections and datagrams that came to its sockets since the last call. */
unsigned int world_arrived(struct world *world);

/* A place of one of these kinds; NULL when there is none. */
const struct place *world_pick(const struct world *world, unsigned int kinds);

/* A link to this place, or NULL. */
const struct place *world_link_to(const struct world *world, const struct place *place);

/* The path of a name that does not exist, in a directory that does. */
void world_free_name(const struct world *world, char out[WORLD_PATH_MAX]);

#endif
