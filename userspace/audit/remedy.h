/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * remedy.h - what would allow what was refused, in the words of a policy.
 *
 * Nothing is said about what a deny rule refuses, nor where warder cannot tell.
 */
#ifndef WARDER_AUDIT_REMEDY_H
#define WARDER_AUDIT_REMEDY_H

#include <warder/event.h>
#include <warder/limits.h>

#include "compile/explain.h"

/* Bytes of the longest name that is written into a rule; there is no remedy for longer ones. */
#define WARDER_REMEDY_ITEM_MAX 512
/* Bytes of the longest remedy as text. */
#define WARDER_REMEDY_TEXT_MAX (WARDER_REMEDY_ITEM_MAX + 256)

enum warder_remedy_kind {
	WARDER_REMEDY_NONE,	  /* nothing to say */
	WARDER_REMEDY_RULE,	  /* a rule in the set */
	WARDER_REMEDY_GRANT,	  /* the key of the tool that the object is reserved for */
	WARDER_REMEDY_IMPOSSIBLE, /* no rule of this version */
};

struct warder_remedy {
	enum warder_remedy_kind kind;
	const char *section; /* RULE: "exec", "files", "network", "unix"; static */
	const char *word;    /* RULE: "read", "connect"; NULL where the section is a list; static */
	char set[WARDER_NAME_MAX];	   /* RULE: whose rule it would be */
	char tool[WARDER_NAME_MAX];	   /* GRANT */
	char item[WARDER_REMEDY_ITEM_MAX]; /* RULE: the object, as it is written in a policy */
};

/*
 * The remedy for a refusal. `explanation` is what the policy says (warder_event_explain), NULL
 * when that is not known; `set` is the subject's.
 */
void warder_remedy_find(const struct warder_event *event, const char *text, const char *set,
			const struct warder_explanation *explanation,
			struct warder_remedy *ret_remedy);

/*
 * Write a path into remedy->item; each NUL in `bytes` becomes `wild`, a piece of a pattern (NULL:
 * there are none). What does not fit leaves no remedy.
 */
void warder_remedy_set_path(struct warder_remedy *remedy, const char *bytes, size_t length,
			    const char *wild);

/* Would one rule for both be the same but for the object? */
bool warder_remedy_alike(const struct warder_remedy *a, const struct warder_remedy *b);

/* One line, "" when there is nothing to say. Printable; returns `buffer`. */
const char *warder_remedy_text(const struct warder_remedy *remedy, char *buffer, size_t size);

/*
 * The rule alone, as it stands in a set: "files: {read: [/etc/hosts]}"; "" when it is no
 * RULE. Returns `buffer`.
 */
const char *warder_remedy_rule(const struct warder_remedy *remedy, char *buffer, size_t size);

#endif
