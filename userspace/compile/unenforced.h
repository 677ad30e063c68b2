/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * unenforced.h - what a policy says about an access in words that this version does not enforce.
 *
 * An image holds none of it, so the matcher answers as if it were not there. Where the policy
 * itself would answer otherwise, the matcher's answer is not the policy's, and whoever asks has
 * to be told. Only a policy that was read with accept_unenforced can hold any.
 */
#ifndef WARDER_COMPILE_UNENFORCED_H
#define WARDER_COMPILE_UNENFORCED_H

#include "compile/side.h"
#include "policy/access_text.h"

enum warder_unenforced_cause {
	WARDER_UNENFORCED_NONE,	      /* nothing is said about it, or nothing that matters */
	WARDER_UNENFORCED_UNGOVERNED, /* the set leaves it unjudged */
};

struct warder_unenforced {
	enum warder_unenforced_cause cause;
	bool differs;		   /* the policy's answer is another one, or cannot be told */
	struct warder_place place; /* of the rule, or of the set; file is NULL when there is none */
	const char *key_name;	   /* whose rule, or which set; NULL */
};

/* `allowed` is the matcher's answer. The side has a policy. */
struct warder_unenforced warder_unenforced_find(const struct warder_side *side,
						const struct warder_access *access, bool allowed);

/* "p.yaml:9: set agent leaves it ungoverned"; "" when nothing is to be said. Cut to fit; not
 * escaped. Returns `out`. */
char *warder_unenforced_text(const struct warder_unenforced *unenforced, char *out, size_t size);

#endif
