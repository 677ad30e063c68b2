/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * compile.h - from a policy to the image that the kernel reads.
 */
#ifndef WARDER_COMPILE_COMPILE_H
#define WARDER_COMPILE_COMPILE_H

#include <stdio.h>

#include "compile/layout.h"
#include "policy/policy.h"

/*
 * Compile. *ret_image is malloc'ed (free()), warder_image_size() bytes; equal policies give
 * equal bytes.
 * -E2BIG: a limit of warder/limits.h is exceeded or the automaton grows out of bounds; a
 * diagnostic names what and the costliest patterns. -ENOMEM.
 */
int warder_compile(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
		   struct warder_image **ret_image);

/*
 * Print an image without a fault (compile/validate.h) as text: every number that a verdict
 * depends on, but not where it is stored; images with the same text decide alike. `policy`
 * gives names to the keys; NULL prints their numbers. -ENOMEM.
 */
int warder_image_print(const struct warder_image *image, const struct warder_policy *policy,
		       FILE *out);

/* States of the automaton, the dead one included. */
unsigned int warder_image_states(const struct warder_image *image);

#endif
