/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * policies.h - the policies that compiling is measured with; the same in every run.
 */
#ifndef WARDER_BENCH_POLICIES_H
#define WARDER_BENCH_POLICIES_H

#include <stdio.h>

/*
 * In a template, @ is a letter that differs from one use to the next, # a number that counts
 * from 0, and % four letters.
 */
struct bench_policy {
	const char *name;
	void (*write)(FILE *out, const struct bench_policy *policy);
	unsigned int count;
	const char *template;
};

/* Directories with names that share little, three levels deep; with `template`, those denied. */
void bench_directories(FILE *out, const struct bench_policy *policy);

/* Twelve trees, and fifteen names that are denied at any depth. */
void bench_usual(FILE *out, const struct bench_policy *policy);

/* A set of its own for each of `count` agents, with presets. */
void bench_sets(FILE *out, const struct bench_policy *policy);

/* `count` patterns by the template: allowed, denied, or every other one. */
void bench_allows(FILE *out, const struct bench_policy *policy);
void bench_denies(FILE *out, const struct bench_policy *policy);
void bench_crossing(FILE *out, const struct bench_policy *policy);

/* One deny with `count` exceptions; `count` denies with two exceptions each. */
void bench_exceptions(FILE *out, const struct bench_policy *policy);
void bench_excepting(FILE *out, const struct bench_policy *policy);

/* `count` sets that each deny the template. */
void bench_keys(FILE *out, const struct bench_policy *policy);

/* `count` endpoints by the template; with 32 ports each. */
void bench_endpoints(FILE *out, const struct bench_policy *policy);
void bench_ports(FILE *out, const struct bench_policy *policy);

/* Make the directories that bench_directories names, below `root`. 0 or negative errno. */
int bench_make_directories(const char *root, unsigned int count);

#endif
