/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * programs.h - programs in places of all kinds, and the policy about them.
 */
#ifndef WARDER_TESTS_KERNEL_PROGRAMS_H
#define WARDER_TESTS_KERNEL_PROGRAMS_H

#include "acts.h"

extern const char programs_policy[];

/* Write them below the subject's directory. */
void programs_build(struct kt_subject *s);

#endif
