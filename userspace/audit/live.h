/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * live.h - the verdict on a running subject, from what is loaded in the kernel.
 *
 * Image and keyring are read back from the maps and judged by decide.h; the text that was kept
 * when the policy was loaded only tells which rule it was.
 */
#ifndef WARDER_AUDIT_LIVE_H
#define WARDER_AUDIT_LIVE_H

#include "compile/verdict.h"
#include "load/subject.h"

/* One subject that has to allow. */
struct warder_live {
	struct warder_subject subject;
	struct warder_image *image;   /* NULL: it has none */
	struct warder_policy *policy; /* as kept; NULL: rules cannot be named */
	struct warder_side side;      /* what it holds now; without `image` nothing */
	__u64 now;		      /* CLOCK_BOOTTIME ns */
	bool judged;		      /* false: released, so everything is allowed */
	struct warder_verdict verdict;
};

/* Who has to allow, the subject that was asked for first: what one of them refuses is refused. */
struct warder_chain {
	struct warder_live list[WARDER_NESTING_MAX];
	size_t count;
};

/* Judge. The maps are read under the lock, so what is read belongs together. */
int warder_chain_judge(struct warder_session *session, const char *subject,
		       const struct warder_access *access, struct warder_chain *ret_chain,
		       struct warder_error *reterr);

/* Release the contents, not the struct. */
void warder_chain_release(struct warder_chain *chain);

/* Do all allow? Does each agree with its kept text? */
bool warder_chain_allows(const struct warder_chain *chain);
bool warder_chain_agrees(const struct warder_chain *chain);

#define _cleanup_chain_ __attribute__((cleanup(warder_chain_release)))

#endif
