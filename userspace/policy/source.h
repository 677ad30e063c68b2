/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * source.h - the text of a policy, and its lines.
 */
#ifndef WARDER_POLICY_SOURCE_H
#define WARDER_POLICY_SOURCE_H

#include <stddef.h>

/* Largest policy file: a hundred thousand rules. */
#define WARDER_SOURCE_MAX (8u * 1024u * 1024u)

struct warder_source {
	char *name;  /* as it is printed: a file name, "preset base" */
	char *text;  /* NUL-terminated copy; may hold NUL bytes until it was checked */
	size_t size; /* bytes, without the NUL */
};

/* Copy a text. -ENOMEM. */
int warder_source_copy(const char *name, const char *text, size_t size,
		       struct warder_source *ret_source);

/*
 * Read a file, at most one byte more than WARDER_SOURCE_MAX (so that the size check sees
 * that it is too long). Only regular files and pipes: -EISDIR, -EINVAL, -EPIPE (nobody
 * writes), or what open() says.
 */
int warder_source_read(const char *path, struct warder_source *ret_source);

/* Release the contents, not the struct. */
void warder_source_release(struct warder_source *source);

/* Line `line` (from 1) without its newline. *ret_size is 0 beyond the end. Never NULL. */
const char *warder_source_line(const struct warder_source *source, unsigned int line,
			       size_t *ret_size);

/* Line and column (both from 1; the column counts characters) of byte `offset`. */
void warder_source_locate(const struct warder_source *source, size_t offset, unsigned int *ret_line,
			  unsigned int *ret_column);

#endif
