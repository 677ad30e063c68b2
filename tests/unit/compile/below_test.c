// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * below_test.c - what the compiler says about everything below a directory is exact.
 *
 * Renames of directories rest on it: a row names the one row that all below ends in, or none. Here
 * each state of random policies is asked by search, backwards from each thing that a path can end
 * in. Where two are found, a text to each is, and the naive matcher has to tell them apart.
 *
 * WARDER_SEED=N replays, WARDER_POLICIES=N changes how many policies are made.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "graph.h"
#include "random_policy.h"

#define POLICIES 1000

static struct {
	unsigned long policies, states, uniform, nailed, witnesses;
} seen;

static uint64_t first_seed;

/* What every set denies by itself: the preset guard (warder-policy(5)). */
static const char guard[] = "/run/warder/**";

/* --- the naive matcher agrees --- */

static void add_guard(struct naive_policy *naive)
{
	static const __u32 rights = WARDER_COARSE_READ | WARDER_WRITE | CREATE_TO_CHATTR |
				    WARDER_COARSE_EXEC | WARDER_CONNECT;
	unsigned int key;

	for (key = 0; key < naive->key_count; key++) {
		struct naive_rule *rule;

		if (naive->tool[key])
			continue;
		rule = rule_new(naive, key, rights);
		rule->deny = true;
		strcpy(rule->pattern, guard);
	}
}

/* Masks of the naive matcher that are the row's. */
static void check_verdict(const struct naive_policy *naive, const char *path,
			  const struct warder_row *row)
{
	struct naive_finding all[WARDER_RIGHT_COUNT];
	int r;

	naive_path(naive, path, strlen(path), ~0ull, all);
	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		assert_int_equal(all[r].allow, row->allow[r]);
		assert_int_equal(all[r].deny, row->deny[r]);
	}
}

/* Two names below the place, with verdicts that differ. */
static void check_witnesses(const struct naive_policy *naive, __u32 at, const size_t verdicts[2])
{
	char path[3 * TEXT_MAX], *end;
	int i;

	text_of(at, path);
	end = path + strlen(path);
	*end++ = '/';
	for (i = 0; i < 2; i++) {
		find_text(inside(at), verdicts[i], end);
		check_verdict(naive, path, row_at(g.verdicts[verdicts[i]]));
		seen.witnesses++;
	}
}

static void check_place(const struct naive_policy *naive, __u32 at, unsigned int count,
			const size_t verdicts[2], __u64 nailed)
{
	__u32 below = row_at(at)->below;

	assert_true(count > 0);
	assert_int_equal(row_at(at)->nailed, nailed);
	seen.nailed += nailed != 0;
	assert_int_equal(below == WARDER_ROW_NONE, count > 1);
	seen.states++;
	if (count == 1) {
		seen.uniform++;
		assert_true(
			same_verdict(warder_row(g.image, below), row_at(g.verdicts[verdicts[0]])));
	} else if (random_percent(20)) {
		check_witnesses(naive, at, verdicts);
	}
}

static void check_places(const struct naive_policy *naive)
{
	_cleanup_free_ size_t(*found)[2] = calloc(g.count, sizeof(*found));
	_cleanup_free_ __u64 *nailed = calloc(g.count, sizeof(*nailed));
	_cleanup_free_ unsigned int *count = calloc(g.count, sizeof(*count));
	_cleanup_free_ bool *reaches = malloc(g.count * sizeof(*reaches));
	size_t verdict;
	__u32 at;

	for (verdict = 0; verdict < g.verdict_count; verdict++) {
		reach_backwards(verdict, reaches);
		/* No name ends in a slash; and the root directory has no other name. */
		for (at = 0; at < g.count; at++) {
			if (g.places[at].slash || !reaches[inside(at)])
				continue;
			nailed[at] |= row_at(g.verdicts[verdict])->deny[WARDER_RIGHT_RENAME];
			if (count[at] < 2)
				found[at][count[at]++] = verdict;
		}
	}
	for (at = 0; at < g.count; at++) {
		if (!g.places[at].slash)
			check_place(naive, at, count[at], found[at], nailed[at]);
	}
}

static void what_lies_below_is_exact(void **state)
{
	const struct warder_policy_options options = {.keep_links = true};
	const char *number = getenv("WARDER_POLICIES");
	unsigned long policies = number ? strtoul(number, NULL, 0) : POLICIES, i;
	static struct naive_policy naive;
	static struct text text;

	g.places = calloc(STATES_MAX, sizeof(*g.places));
	assert_non_null(g.places);
	printf("seed %llu\n", (unsigned long long)first_seed);
	for (i = 0; i < policies; i++) {
		_cleanup_diagnostics_ struct warder_diagnostics found = {0};
		_cleanup_policy_ struct warder_policy *policy = NULL;
		_cleanup_free_ struct warder_image *image = NULL;

		random_state = first_seed + i;
		random_policy(&text, &naive);
		add_guard(&naive);
		assert_int_equal(warder_policy_parse("random", text.at, text.used, &options, &found,
						     &policy),
				 0);
		if (warder_compile(policy, &found, &image) < 0)
			continue;
		/* Searching takes the square of it. */
		if (warder_image_states(image) > 1500)
			continue;
		choose_bytes(text.at, guard);
		explore(image);
		number_verdicts();
		check_places(&naive);
		seen.policies++;
	}
	free(g.places);
	printf("figure policies %lu, states %lu: uniform below %lu, not %lu; nailed below %lu; "
	       "witnesses %lu\n",
	       seen.policies, seen.states, seen.uniform, seen.states - seen.uniform, seen.nailed,
	       seen.witnesses);
	if (number)
		return;
	assert_true(10 * seen.policies > 9 * policies);
	assert_true(20 * seen.uniform > seen.states && 20 * seen.uniform < 19 * seen.states);
	assert_true(20 * seen.nailed > seen.states && 20 * seen.nailed < 19 * seen.states);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_below_is_exact),
	};
	const char *seed = getenv("WARDER_SEED");

	first_seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL) * 1000003;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
