/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * glob.h - what stands inside one component of a pattern: star, question mark, class, braces.
 */
#ifndef WARDER_POLICY_GLOB_H
#define WARDER_POLICY_GLOB_H

#include "policy/program.h"

/* A component that is being read. */
struct warder_glob {
	const char *text;	   /* the whole pattern */
	size_t at, end;		   /* the part to read; `at` is where an error is */
	struct warder_byteset any; /* what a wildcard stands for: not the slash, in a path */
	struct warder_program_writer *writer;
	struct warder_pattern_error *error;
};

/* Set the error at glob->at. Returns -EINVAL. */
int warder_glob_fail(struct warder_glob *glob, const char *message, const char *hint);

/*
 * Where the component at `at` ends: at the next slash or at `end`. Escapes are honoured.
 * *ret_plain: it holds no metacharacter (an escaped one is none).
 */
size_t warder_glob_component_end(const char *text, size_t at, size_t end, bool *ret_plain);

/* Emit the program of text[at..end). -EINVAL. */
int warder_glob_emit(struct warder_glob *glob);

/* Append the unescaped text[at..end) to a NUL-terminated string that has room. */
void warder_glob_unescape(const char *text, size_t at, size_t end, char *out);

#endif
