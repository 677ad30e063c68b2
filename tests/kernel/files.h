/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * files.h - files in places of all kinds, and the policy about them.
 */
#ifndef WARDER_TESTS_KERNEL_FILES_H
#define WARDER_TESTS_KERNEL_FILES_H

#include "acts.h"

extern const char files_policy[];

/* Write them below the subject's directory. */
void files_build(struct kt_subject *s);

/* Open for writing, and create what is not there, as creat(2). */
kt_act act_creat;

#define READ_REFUSED(name, act, argument)                                         \
	KT_REFUSED(name, act, argument, -EACCES, FILE_OPEN, NO_RULE, WARDER_READ, \
		   "{DIR}/closed/file"),                                          \
		.key = "all", .quiet = true
#define WRITE_REFUSED(name, act, argument, object) \
	KT_REFUSED(name, act, argument, -EACCES, FILE_OPEN, NO_RULE, WARDER_WRITE, object)

#endif
