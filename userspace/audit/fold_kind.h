/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * fold_kind.h - by what paths are put together; for fold.c.
 */
#ifndef WARDER_AUDIT_FOLD_KIND_H
#define WARDER_AUDIT_FOLD_KIND_H

#include "audit/fold.h"

/* A path that is still alone; paths with the same key make a run. */
struct warder_fold_candidate {
	struct warder_fold *path;
	char *key; /* room for the path and WARDER_FOLD_KEY_MORE */
	size_t key_length;
};

#define WARDER_FOLD_KEY_MORE sizeof(size_t)

struct warder_fold_kind {
	/* What a path has in common with others of the kind; false when it is none. */
	bool (*key)(const struct warder_fold *path, char *key, size_t *ret_length);
	/* Fold a run, first ones first, when it is long enough. -ENOMEM. */
	int (*fold)(struct warder_fold_candidate *run, size_t count);
};

/* In the order they are tried. */
#define WARDER_FOLD_KINDS 3
extern const struct warder_fold_kind warder_fold_kinds[WARDER_FOLD_KINDS];

#endif
