/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pattern.h - one path pattern: its text, and the small program that matches it.
 *
 * The compiler turns the program into an automaton, `explain` runs it as it is; so there
 * is one reading of a pattern. What is matched is what the kernel feeds: "/" and the name
 * for every component, "/" alone for the root directory, "@" and the name for an abstract
 * socket (grammar: warder-policy(5)).
 */
#ifndef WARDER_POLICY_PATTERN_H
#define WARDER_POLICY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest pattern. */
#define WARDER_PATTERN_MAX 4096u

enum warder_match {
	WARDER_MATCH_NONE = 0,
	WARDER_MATCH_WHOLE = 1, /* the object itself, or something below a tree */
	WARDER_MATCH_ROOT = 2,	/* the directory "/dir" of a tree pattern (two stars at the end) */
};

enum warder_op {
	WARDER_OP_BYTE,	 /* consume the byte x */
	WARDER_OP_SET,	 /* consume a byte of sets[x] */
	WARDER_OP_SPLIT, /* go on at x and at y */
	WARDER_OP_JUMP,	 /* go on at x */
	WARDER_OP_WHOLE, /* at the end of the text: WARDER_MATCH_WHOLE */
	WARDER_OP_ROOT,	 /* at the end of the text: WARDER_MATCH_ROOT */
};

struct warder_instruction {
	enum warder_op op;
	uint32_t x, y;
};

struct warder_byteset {
	uint64_t bits[4];
};

static inline bool warder_byteset_has(const struct warder_byteset *set, unsigned char byte)
{
	return set->bits[byte >> 6] >> (byte & 63) & 1;
}

struct warder_pattern {
	char *text;    /* as written, or as resolved; NUL-terminated */
	size_t length; /* bytes of text (an abstract name may hold NUL) */
	char *prefix;  /* the leading components without a metacharacter, unescaped; "" when none */
	size_t rest;   /* offset in text of what follows the prefix */
	bool tree;     /* ends in two stars */
	bool abstract; /* "@name" */
	bool literal;  /* nothing but the prefix, and two stars where it is a tree */
	uint8_t root;  /* enum warder_match for the root directory "/" itself */
	struct warder_instruction *program;
	size_t program_size;
	struct warder_byteset *sets;
	size_t set_count;
};

/* Why a text is no pattern. */
struct warder_pattern_error {
	size_t offset;	   /* byte in the text */
	char message[160]; /* "relative path" */
	char hint[256];	   /* "" when there is none */
};

/*
 * `abstract`: may it be an abstract socket name? -EINVAL: *reterr says why. -ENOMEM.
 */
int warder_pattern_parse(const char *text, size_t length, bool abstract,
			 struct warder_pattern **ret_pattern, struct warder_pattern_error *reterr);

/* Accepts NULL and *pattern == NULL. */
void warder_pattern_free(struct warder_pattern **pattern);

/*
 * How a path (as the kernel feeds it) is matched: bits of enum warder_match. -ENOMEM.
 */
int warder_pattern_match(const struct warder_pattern *pattern, const char *path, size_t length);

/* Put a backslash before every metacharacter. Malloc'ed; NULL when there is no memory. */
char *warder_pattern_escape(const char *path);

#define _cleanup_pattern_ __attribute__((cleanup(warder_pattern_free)))

#endif
