/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * wish.h - which access is tried next.
 *
 * Most random accesses come to the same two or three verdicts. So a verdict, or a hook that
 * refuses, is drawn first, and then accesses until one comes to it.
 */
#ifndef WARDER_TESTS_KERNEL_WISH_H
#define WARDER_TESTS_KERNEL_WISH_H

#include "expect.h"

/* Hooks that judge an object: each has to allow and to refuse now and then. */
#define WISH_HOOKS 19
extern const int wish_hooks[WISH_HOOKS];

/* Draw an access, and what it has to come to. */
void wish_draw(struct holder *holder, const struct world *world, struct access *access,
	       struct expectation *ret);

#endif
