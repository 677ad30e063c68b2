// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * automaton_test.c - the automaton of random policies is the smallest, whatever the order of the
 * rules; and it is built within its budget.
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

#include "base/cleanup.h"
#include "compile/automaton.h"
#include "compile/compile.h"
#include "random_policy.h"

#define POLICIES 300

static uint64_t first_seed;

static unsigned long policies(void)
{
	const char *number = getenv("WARDER_POLICIES");

	return number ? strtoul(number, NULL, 0) : POLICIES;
}

static struct warder_policy *make_policy(uint64_t seed)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	static struct naive_policy naive;
	struct warder_policy *policy;
	static struct text text;

	random_state = seed;
	random_policy(&text, &naive);
	assert_int_equal(
		warder_policy_parse("random", text.at, text.used, &options, &found, &policy), 0);
	return policy;
}

/* --- order --- */

/* Every field of the image; NULL when the patterns blow up. */
static char *image_text(const struct warder_policy *policy)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ struct warder_image *image = NULL;
	size_t size;
	char *text;
	FILE *out;

	if (warder_compile(policy, &found, &image) < 0)
		return NULL;
	out = open_memstream(&text, &size);
	warder_image_print(image, policy, out);
	fclose(out);
	return text;
}

#define SHUFFLE(list, count)                                               \
	do {                                                               \
		size_t left_;                                              \
		for (left_ = (count); left_ > 1; left_--) {                \
			size_t other_ = random_below((unsigned int)left_); \
			__typeof__(*(list)) moved_ = (list)[left_ - 1];    \
			(list)[left_ - 1] = (list)[other_];                \
			(list)[other_] = moved_;                           \
		}                                                          \
	} while (0)

static void shuffle(struct warder_policy *policy)
{
	size_t i;

	SHUFFLE(policy->path_rules, policy->path_count);
	SHUFFLE(policy->net_rules, policy->net_count);
	SHUFFLE(policy->syscall_rules, policy->syscall_count);
	for (i = 0; i < policy->path_count; i++)
		SHUFFLE(policy->path_rules[i].except, policy->path_rules[i].except_count);
}

static void the_order_of_rules_does_not_matter(void **state)
{
	unsigned long i, k, same = 0;

	printf("seed %llu\n", (unsigned long long)first_seed);
	for (i = 0; i < policies(); i++) {
		_cleanup_policy_ struct warder_policy *policy = make_policy(first_seed + i);
		_cleanup_free_ char *before = image_text(policy);

		for (k = 0; k < 3; k++) {
			_cleanup_free_ char *after = NULL;

			shuffle(policy);
			after = image_text(policy);
			/* Also whether it can be compiled at all. */
			assert_int_equal(before != NULL, after != NULL);
			if (!before)
				continue;
			assert_string_equal(before, after);
			same++;
		}
	}
	printf("figure %lu policies in another order: the same image\n", same);
	assert_true(same > 2 * policies());
}

/* --- the smallest --- */

/* Which group the states belong to, and where they lead: what tells two of them apart. */
static const struct warder_dfa *sorted_dfa;
static const uint32_t *sorted_group;

static int compare_states(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, c;

	if (sorted_group[x] != sorted_group[y])
		return sorted_group[x] < sorted_group[y] ? -1 : 1;
	for (c = 0; c < sorted_dfa->classes->count; c++) {
		uint32_t to_x = sorted_group[warder_dfa_row(sorted_dfa, x)[c]];
		uint32_t to_y = sorted_group[warder_dfa_row(sorted_dfa, y)[c]];

		if (to_x != to_y)
			return to_x < to_y ? -1 : 1;
	}
	return 0;
}

/* Moore: tell states apart by their labels, then by where they lead, until nothing changes. */
static uint32_t count_meanings(const struct warder_dfa *dfa)
{
	_cleanup_free_ uint32_t *group = malloc(dfa->count * sizeof(*group));
	_cleanup_free_ uint32_t *fresh = malloc(dfa->count * sizeof(*fresh));
	_cleanup_free_ uint32_t *order = malloc(dfa->count * sizeof(*order));
	uint32_t count = 0, before, i;

	memcpy(group, dfa->label, dfa->count * sizeof(*group));
	do {
		before = count;
		for (i = 0; i < dfa->count; i++)
			order[i] = i;
		sorted_dfa = dfa;
		sorted_group = group;
		qsort(order, dfa->count, sizeof(*order), compare_states);
		for (count = 0, i = 0; i < dfa->count; i++) {
			count += !i || compare_states(&order[i - 1], &order[i]);
			fresh[order[i]] = count;
		}
		memcpy(group, fresh, dfa->count * sizeof(*group));
	} while (count != before);
	return count;
}

/* States that a walk from the start meets. */
static uint32_t count_met(const struct warder_dfa *dfa)
{
	_cleanup_free_ bool *met = calloc(dfa->count, sizeof(*met));
	_cleanup_free_ uint32_t *list = malloc(dfa->count * sizeof(*list));
	uint32_t count = 0, done, c;

	list[count++] = dfa->start;
	met[dfa->start] = true;
	for (done = 0; done < count; done++) {
		for (c = 0; c < dfa->classes->count; c++) {
			uint32_t to = warder_dfa_row(dfa, list[done])[c];

			if (met[to])
				continue;
			met[to] = true;
			list[count++] = to;
		}
	}
	return count;
}

static void no_two_states_mean_the_same(void **state)
{
	unsigned long i, states = 0;

	for (i = 0; i < policies(); i++) {
		_cleanup_policy_ struct warder_policy *policy = make_policy(first_seed + i);
		struct warder_automaton automaton;

		if (warder_automaton_build(policy, &automaton) == 0) {
			const struct warder_dfa *dfa = automaton.dfa;

			states += dfa->count;
			assert_int_equal(count_meanings(dfa), dfa->count);
			/* All of them are needed; the dead one is there in any case. */
			assert_true(count_met(dfa) >= dfa->count - 1);
			assert_int_equal(dfa->label[0], 0);
			/* The automata on the way are gone. */
			assert_int_equal(automaton.budget.cells,
					 (size_t)dfa->count * dfa->classes->count);
		}
		warder_automaton_release(&automaton);
	}
	printf("figure %lu states, each with a meaning of its own\n", states);
	assert_true(states > 10 * policies());
}

/* --- the smallest, of automata that no policy has --- */

/* Any automaton at all: cycles, states that are not reached or lead to nothing, twins. */
static struct warder_dfa *random_dfa(const struct warder_classes *classes)
{
	struct warder_dfa *dfa = warder_dfa_new(classes);
	uint32_t count = 1 + random_below(40), s, c, at;

	for (s = 1; s < count; s++)
		assert_int_equal(
			warder_dfa_add(dfa, random_percent(30) ? 1 + random_below(2) : 0, &at), 0);
	for (s = 1; s < count; s++) {
		for (c = 0; c < classes->count; c++) {
			/* Half of them lead on, so that some states lie on no cycle. */
			uint32_t to = random_percent(50) ? random_below(count)
							 : s + random_below(count - s);

			warder_dfa_row(dfa, s)[c] = random_percent(30) ? 0 : to;
		}
	}
	dfa->start = random_below(count);
	return dfa;
}

static uint32_t label_after(const struct warder_dfa *dfa, const uint32_t *text, size_t length)
{
	uint32_t state = dfa->start;
	size_t i;

	for (i = 0; i < length; i++)
		state = warder_dfa_row(dfa, state)[text[i]];
	return dfa->label[state];
}

static void any_automaton_is_minimised(void **state)
{
	const struct warder_byteset a = {{1ull << 10}}, b = {{1ull << 20}};
	struct warder_classes classes;
	unsigned long i, k;

	warder_classes_init(&classes);
	warder_classes_split(&classes, &a);
	warder_classes_split(&classes, &b);
	random_state = first_seed;
	for (i = 0; i < 10 * policies(); i++) {
		_cleanup_dfa_ struct warder_dfa *dfa = random_dfa(&classes);
		uint32_t texts[50][20], labels[50];
		size_t lengths[50];

		for (k = 0; k < 50; k++) {
			for (lengths[k] = 0; lengths[k] < 20 && random_percent(90); lengths[k]++)
				texts[k][lengths[k]] = random_below(classes.count);
			labels[k] = label_after(dfa, texts[k], lengths[k]);
		}
		assert_int_equal(warder_dfa_minimise(&dfa), 0);
		for (k = 0; k < 50; k++)
			assert_int_equal(label_after(dfa, texts[k], lengths[k]), labels[k]);
		assert_int_equal(count_meanings(dfa), dfa->count);
		assert_true(count_met(dfa) >= dfa->count - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_rules_does_not_matter),
		cmocka_unit_test(no_two_states_mean_the_same),
		cmocka_unit_test(any_automaton_is_minimised),
	};
	const char *seed = getenv("WARDER_SEED");

	first_seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL) * 1000003;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
