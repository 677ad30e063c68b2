// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * construct.c - what of the language this version enforces: one table.
 */
#include "policy/construct.h"

#include <stddef.h>

static const struct row {
	const char *text;
	bool enforced;
} rows[WARDER_CONSTRUCT_COUNT] = {[WARDER_CONSTRUCT_NONE] = {NULL, true},
#define X(name, text, enforced) [WARDER_CONSTRUCT_##name] = {text, enforced},
				  WARDER_CONSTRUCTS(X)
#undef X
};

bool warder_construct_enforced(enum warder_construct construct)
{
	return rows[construct].enforced;
}

const char *warder_construct_text(enum warder_construct construct)
{
	return rows[construct].text;
}
