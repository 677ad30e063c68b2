/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * nets.h - take parts of the enforcement away, by the pins that keep them.
 */
#ifndef WARDER_TESTS_KERNEL_NETS_H
#define WARDER_TESTS_KERNEL_NETS_H

#include "harness.h"

/*
 * Take away all links of a kind ("global", "twin", "net"), whose programs' names begin with
 * `beginning`, and wait until they judge nobody.
 */
void nets_take(const char *kind, const char *beginning);

/* Wait until no program with such a name is loaded. */
void nets_wait(const char *beginning);

#endif
