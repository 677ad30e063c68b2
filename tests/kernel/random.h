/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * random.h - numbers that a seed decides, the same on every machine.
 */
#ifndef WARDER_TESTS_KERNEL_RANDOM_H
#define WARDER_TESTS_KERNEL_RANDOM_H

#include <stdbool.h>

#include <linux/types.h>

void random_seed(__u64 seed);

/* 0 .. below - 1; 0 when `below` is 0. */
unsigned int random_below(unsigned int below);

bool random_percent(unsigned int percent);

/* One element of an array. */
#define RANDOM_OF(list) ((list)[random_below(sizeof(list) / sizeof((list)[0]))])

#endif
