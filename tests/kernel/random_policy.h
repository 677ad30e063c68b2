/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * random_policy.h - the text of a random policy about the places of a world.
 *
 * Every rule stands on a line of its own, so that a line tells the rule. The root of the
 * world is written {DIR}, as kt_subject_open() takes it.
 */
#ifndef WARDER_TESTS_KERNEL_RANDOM_POLICY_H
#define WARDER_TESTS_KERNEL_RANDOM_POLICY_H

#include "world.h"

/* The set that the subject is bound to. */
#define RANDOM_POLICY_SET "code"

/* `tools:` and `sets:`; malloc'ed. */
char *random_policy(const struct world *world);

/*
 * Write a quoted pattern that speaks about some place of these kinds, or about all that lies
 * in a directory above it.
 */
void random_pattern(FILE *out, const struct world *world, unsigned int kinds);

/* Write a quoted endpoint. */
void random_endpoint(FILE *out);

/* What endpoints and accesses choose from: loopback addresses, all of which answer. */
extern const char *const random_addresses4[4], *const random_addresses6[3];
/* Makes those that a fresh guest lacks. */
bool random_addresses_make(void);
extern const unsigned short random_ports[3];

#endif
