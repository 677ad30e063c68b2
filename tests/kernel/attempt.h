/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * attempt.h - one access of a trial: done inside the subject and, where that tells something,
 * by a control outside in the same world.
 *
 * An allowed one has to do inside just what it does outside; a refused one nothing. The events
 * have to be the expected ones, no more and no fewer, each with its rule.
 */
#ifndef WARDER_TESTS_KERNEL_ATTEMPT_H
#define WARDER_TESTS_KERNEL_ATTEMPT_H

#include "trial.h"

/* Draw one and try it. False: the worker is lost, and nothing can be tried any more. */
bool attempt(struct trial *trial, struct tally *tally);

/* Connections and datagrams that came to the sockets outside since the last call. */
unsigned int attempt_arrivals(struct trial *trial);

#endif
