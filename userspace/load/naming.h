/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * naming.h - what subjects are called, and which one an operator means.
 */
#ifndef WARDER_LOAD_NAMING_H
#define WARDER_LOAD_NAMING_H

#include <stdbool.h>
#include <stddef.h>

#include <warder/subject.h>

#include "base/error.h"

/* For messages. */
#define WARDER_NAMING_RULE \
	"small letters, digits and -, 63 at most, a letter first (a number is a binding)"

/* May a subject be called so? */
bool warder_naming_check(const char *name);

/* Is it a decimal number, and so a binding? */
bool warder_naming_is_binding(const char *text);

/* Does `text` mean it: its binding, its name or, unless `whole`, the begin of its name? */
bool warder_naming_means(const char *text, const char *name, __u64 binding, bool whole);

/*
 * The subject of a list that `text` means. A whole name beats the begin of others; unless `whole`,
 * a begin does that no other one has. *ret_subject points into the list. -ESRCH none, the nearest
 * is named; -ENOTUNIQ several, all are named.
 */
int warder_naming_choose(const struct warder_subject *list, size_t count, const char *text,
			 bool whole, const struct warder_subject **ret_subject,
			 struct warder_error *reterr);

#endif
