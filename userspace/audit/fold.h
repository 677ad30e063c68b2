/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * fold.h - many paths that differ in one place, as one pattern.
 *
 *	/proc/17/stat, /proc/204/stat, ...	whole numbers: three of a kind
 *	/tmp/tmpx81_qz3a, /tmp/tmp0c4kf_2e, ...	names a program made up: four of one length
 *	ten names in one directory, whatever they are
 *
 * Only paths of one class are put together.
 */
#ifndef WARDER_AUDIT_FOLD_H
#define WARDER_AUDIT_FOLD_H

#include <stdbool.h>
#include <stddef.h>

/* One path, and what became of it. */
struct warder_fold {
	const char *path; /* bytes without NUL */
	size_t length;
	size_t class;
	/* Filled by warder_fold(): */
	size_t leader;	/* index of the first path of its group; its own when it is alone */
	size_t members; /* of the group; set where it leads */
	char *pattern;	/* where it leads more than itself: a NUL for each star, or ... */
	size_t pattern_length;
	bool made_up; /* ... of names that a program made up: for each byte that differs, "?" */
	/*
	 * ... and a rule with the pattern would give no more than such names: enough of it is
	 * fixed, and no well-known secret can have such a name.
	 */
	bool narrow;
};

/* Group `count` paths. -ENOMEM: none is grouped. */
int warder_fold(struct warder_fold *paths, size_t count);

/* Free what warder_fold() made. */
void warder_fold_release(struct warder_fold *paths, size_t count);

#endif
