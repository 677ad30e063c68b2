/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * access_reading.h - an access that is being read: what access_text.c and access_object.c share.
 */
#ifndef WARDER_POLICY_ACCESS_READING_H
#define WARDER_POLICY_ACCESS_READING_H

#include "policy/access_text.h"

struct warder_access_reading {
	const char *text; /* NUL-terminated copy */
	size_t length;
	struct warder_access *access;
	struct warder_access_error *error;
};

/* Set the error at byte `offset`; `hint` may be NULL. Returns -EINVAL. */
int warder_access_fail(struct warder_access_reading *reading, size_t offset, const char *hint,
		       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Read the path or abstract name at `at`, up to the end of the text. -EINVAL, -ENOMEM. */
int warder_access_read_path(struct warder_access_reading *reading, size_t at);

/* Read PROTO:ADDRESS:PORT at `at`, up to the end of the text. -EINVAL. */
int warder_access_read_address(struct warder_access_reading *reading, size_t at);

#endif
