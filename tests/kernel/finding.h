/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * finding.h - what the policy says about one ask: by `explain`, right by right, and by decide.h.
 *
 * Where the two do not agree there is a fault before any kernel was asked.
 */
#ifndef WARDER_TESTS_KERNEL_FINDING_H
#define WARDER_TESTS_KERNEL_FINDING_H

#include <warder/image.h>

#include "access.h"
#include "compile/explain.h"

/* Who asks. */
struct holder {
	const struct warder_policy *policy;
	const struct warder_image *image;
	__u64 base, granted; /* keys */
	char fault[512];     /* the first one; "" */
};

struct finding {
	struct warder_explanation why;
	__u32 missing; /* rights; 1 where there are none */
	__u64 denied;  /* keys that deny */
	__u64 keys;    /* keys outside the base without which it would be refused */
};

struct finding finding_call(struct holder *holder, int call);
struct finding finding_path(struct holder *holder, __u32 rights, const char *path);
struct finding finding_net(struct holder *holder, const struct access *access);

/*
 * For which of the rights are these keys needed, and by which rule? False: for none of them.
 */
bool finding_use(struct holder *holder, __u32 rights, const char *path, __u64 keys,
		 struct warder_explanation *ret);

/* Where an access goes, as events and rules have it. */
struct warder_address finding_address(const struct access *access);

/* May a directory leave its name with all below? */
struct finding finding_nailed(struct holder *holder, const char *path);

/*
 * May `from` become `to`? For a directory also what lies below, or could by the names that
 * there are in the world.
 */
bool finding_move(struct holder *holder, const struct world *world, const char *from,
		  const char *to, bool directory);

#endif
