/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * naming.h - which subject an operator means.
 */
#ifndef WARDER_LOAD_NAMING_H
#define WARDER_LOAD_NAMING_H

#include <stdbool.h>
#include <stddef.h>

#include <warder/subject.h>

#include "base/error.h"

/*
 * The subject of a list that `text` names: by its name, its binding or, unless that is to be the
 * whole name, a beginning of the name that no other one has. *ret_subject points into the list.
 * -ESRCH none, the nearest is named; -ENOTUNIQ several, all are named.
 */
int warder_naming_choose(const struct warder_subject *list, size_t count, const char *text,
			 bool whole, const struct warder_subject **ret_subject,
			 struct warder_error *reterr);

#endif
