/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * right.h - the words for file rights in a policy, and what each gives or denies.
 */
#ifndef WARDER_POLICY_RIGHT_H
#define WARDER_POLICY_RIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include <warder/access.h>

struct warder_right_word {
	const char *name;
	__u32 allow;		   /* what `files: NAME` gives; 0: not written there */
	__u32 deny;		   /* what `deny: NAME` takes */
	const char *allow_section; /* "files.read" */
	const char *deny_section;  /* "files.deny.read" */
	const char *elsewhere;	   /* how it is given, when not by `files: NAME` */
};

/* Ends in a NULL name. */
extern const struct warder_right_word warder_right_words[];

/* NULL when there is no such word. */
const struct warder_right_word *warder_right_find(const char *name);

/* The rights that some hook of this version asks for: of the others no rule says anything. */
__u32 warder_rights_judged(void);

/* Names of the rights in a mask, separated by commas. Returns `out`. */
char *warder_rights_text(__u32 rights, char *out, size_t size);

#endif
