/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * verdict.h - what the enforcer answers to an access, why, and what would open it.
 *
 * The answer is that of decide.h over the image; the policy is only asked which rule it was.
 * Where the two disagree, the verdict says so: the answer of decide.h is what is enforced.
 */
#ifndef WARDER_COMPILE_VERDICT_H
#define WARDER_COMPILE_VERDICT_H

#include <jansson.h>
#include <stdio.h>

#include "compile/explain.h"
#include "compile/side.h"
#include "compile/unenforced.h"
#include "policy/opening.h"
#include "policy/access_text.h"

/* What holds the verdict about a system call. */
enum warder_layer {
	WARDER_LAYER_NONE,   /* nothing refuses it */
	WARDER_LAYER_FILTER, /* the seccomp filter of `run`, and hooks where the call passes one */
	WARDER_LAYER_HOOKS,  /* hooks, live, for any task however started */
	WARDER_LAYER_BOTH,
};

struct warder_verdict {
	bool allowed;
	__u32 right;	   /* of a path: the first right that is missing, or that was asked */
	bool denied;	   /* of a path or address: a deny of a held key is why */
	const char *fixed; /* no rule decides this, and why; NULL: rules do. Static */
	__u64 granted;	   /* keys outside `base` without which it would have been refused */
	bool explained;	   /* `why` is there */
	bool agrees;	   /* ... and says the same as decide.h */
	struct warder_explanation why;
	bool nailed; /* allowed to rename, but not where it is a directory: `below` denies that */
	struct warder_explanation below;
	/* What the policy says in words that no image holds; where that differs: refused, `fixed`.
	 */
	struct warder_unenforced unenforced;
	enum warder_layer layer; /* of a system call that is refused; else NONE */
	/*
	 * Of a system call: what no held key names, and opens it; of one that is allowed, what most
	 * of its uses take. NULL. Static.
	 */
	const struct warder_opening *wants;
	__u64 openers;	     /* of a refusal: tools that are not held, each of which opens it */
	bool opens_together; /* none does alone, and all together do */
};

/* -EINVAL: no rule can be asked about the object (the parser makes none such). -ENOMEM. */
int warder_verdict_find(const struct warder_side *side, const struct warder_access *access,
			struct warder_verdict *ret_verdict);

/* "filter", "hooks", "filter and hooks"; NULL for none. Static. */
const char *warder_layer_name(enum warder_layer layer);

/*
 * "it takes kernel: [keys]", "most of its uses take ..."; "" when it wants nothing. Returns `out`.
 */
char *warder_verdict_wants_text(const struct warder_verdict *verdict, char *out, size_t size);

/*
 * `fixed` and what the policy says beside it: "this version refuses it to every subject,
 * whatever the policy grants; p.yaml:9: network.bind "tcp:*:80" would grant it". Cut to fit; not
 * escaped. Returns `out`.
 */
char *warder_verdict_fixed_text(const struct warder_verdict *verdict, char *out, size_t size);

/*
 * Lines for people, each after `indent`: right, rule, and for a refusal what would open it.
 * Untrusted text is escaped.
 */
void warder_verdict_print(const struct warder_verdict *verdict, const struct warder_side *side,
			  const char *indent, FILE *out);

/* The same as a new object; NULL when memory is short. */
json_t *warder_verdict_json(const struct warder_verdict *verdict, const struct warder_side *side);

/* A rule as a new object: cause, key, section, rule, file, line; NULL when memory is short. */
json_t *warder_explanation_json(const struct warder_explanation *explanation);

#endif
