// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* cells_test.c - random automata as cells: every state leads where it did, on few pages. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/cells.h"
#include "compile/layout.h"
#include "compile/validate.h"

static uint64_t random_seed = 1;

static uint32_t random_below(uint32_t limit)
{
	random_seed = random_seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random_seed >> 33) % limit;
}

/* Classes of one byte each, the last one of all that are left. */
static void make_classes(struct warder_classes *classes, uint32_t count)
{
	uint32_t b;

	classes->count = count;
	for (b = 0; b < 256; b++)
		classes->of[b] = (uint16_t)(b < count ? b : count - 1);
}

/*
 * An automaton whose states can all be reached, each from the one before; of the others,
 * so many percent lead anywhere, and the rest to one state.
 */
static struct warder_dfa *make_dfa(const struct warder_classes *classes, uint32_t states,
				   uint32_t percent)
{
	struct warder_dfa *dfa = warder_dfa_new(classes);
	uint32_t s, c, most, ignored;

	assert_non_null(dfa);
	for (s = 1; s < states; s++)
		assert_int_equal(warder_dfa_add(dfa, 0, &ignored), 0);
	dfa->start = states > 1;
	for (s = 1; s < states; s++) {
		most = random_below(4) ? 0 : random_below(states);
		for (c = 0; c < classes->count; c++)
			warder_dfa_row(dfa, s)[c] =
				random_below(100) < percent ? random_below(states) : most;
		warder_dfa_row(dfa, s)[random_below(classes->count)] = (s + 1) % states;
	}
	return dfa;
}

static struct warder_image *make_image(const struct warder_dfa *dfa,
				       const struct warder_merged *merged,
				       const struct warder_placement *placement)
{
	struct warder_image head = {
		.magic = WARDER_IMAGE_MAGIC,
		.abi = WARDER_ABI,
		.cell_pages = placement->pages,
		.state_count = dfa->count,
		.class_count = merged->count,
		.start = placement->place[dfa->start],
		.row_count = WARDER_ROWS_MAX,
		.key_count = 1,
	};
	_cleanup_free_ uint32_t *rows = calloc(dfa->count, sizeof(*rows));
	struct warder_image *image;
	uint32_t s;

	warder_layout(&head);
	image = calloc(1, warder_image_size(&head));
	assert_true(image && rows);
	*image = head;
	for (s = 1; s < dfa->count; s++)
		rows[s] = s % WARDER_ROWS_MAX;
	warder_placement_write(placement, rows, image);
	return image;
}

static void check_steps(const struct warder_dfa *dfa, const struct warder_placement *placement,
			const struct warder_image *image)
{
	uint32_t s, b;

	for (s = 0; s < dfa->count; s++) {
		uint32_t state = placement->place[s];

		assert_int_equal(warder_row_number(image, state), s % WARDER_ROWS_MAX);
		for (b = 0; b < 256; b += 1 + random_below(3)) {
			uint32_t to = warder_dfa_row(dfa, s)[dfa->classes->of[b]];

			assert_int_equal(warder_step(image, state, (__u8)b), placement->place[to]);
		}
	}
}

static void check_automaton(uint32_t class_count, uint32_t states, uint32_t percent)
{
	struct warder_classes classes;
	struct warder_merged merged;
	struct warder_placement placement, again;
	_cleanup_free_ struct warder_image *image = NULL;
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;

	make_classes(&classes, class_count);
	dfa = make_dfa(&classes, states, percent);
	warder_classes_merge(dfa, &merged);
	assert_int_equal(warder_placement_build(dfa, &merged, &placement), 0);
	assert_int_equal(placement.place[0], 0);
	image = make_image(dfa, &merged, &placement);
	assert_null(warder_image_fault(image));
	check_steps(dfa, &placement, image);
	assert_int_equal(warder_placement_build(dfa, &merged, &again), 0);
	assert_memory_equal(placement.place, again.place, states * sizeof(uint32_t));
	warder_placement_release(&placement);
	warder_placement_release(&again);
}

static void leads_where_it_did(void **state)
{
	static const uint32_t classes[] = {1, 2, 30, 64, 255};
	static const uint32_t states[] = {1, 2, 3, 200, 5000};
	static const uint32_t percents[] = {0, 3, 50, 100};
	size_t i, j, k;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		for (j = 0; j < sizeof(states) / sizeof(states[0]); j++) {
			for (k = 0; k < sizeof(percents) / sizeof(percents[0]); k++) {
				if ((uint64_t)classes[i] * states[j] * percents[k] < 60000000)
					check_automaton(classes[i], states[j], percents[k]);
			}
		}
	}
}

/* A long chain, what literal paths are: two cells a state and hardly a gap. */
static void a_chain_takes_two_cells_a_state(void **state)
{
	enum {
		STATES = 100000
	};
	struct warder_classes classes;
	struct warder_merged merged;
	struct warder_placement placement;
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	uint32_t s, ignored, crossings = 0;

	make_classes(&classes, 40);
	dfa = warder_dfa_new(&classes);
	for (s = 1; s < STATES; s++)
		assert_int_equal(warder_dfa_add(dfa, 0, &ignored), 0);
	dfa->start = 1;
	for (s = 1; s < STATES - 1; s++)
		warder_dfa_row(dfa, s)[random_below(40)] = s + 1;
	warder_classes_merge(dfa, &merged);
	assert_int_equal(warder_placement_build(dfa, &merged, &placement), 0);
	for (s = 1; s < STATES - 1; s++)
		crossings += placement.place[s] >> WARDER_STATE_SHIFT !=
			     placement.place[s + 1] >> WARDER_STATE_SHIFT;
	printf("figure a chain of %u states: %u pages, left %u times\n", STATES, placement.pages,
	       crossings);
	assert_true(placement.pages < 2.2 * STATES / WARDER_PAGE_CELLS);
	assert_true(crossings < 4 * placement.pages);
	warder_placement_release(&placement);
}

/* Each class of each state leads elsewhere: more cells than there can be. */
static void too_many_cells_are_refused(void **state)
{
	struct warder_classes classes;
	struct warder_merged merged;
	struct warder_placement placement = {0};
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;

	make_classes(&classes, 255);
	dfa = make_dfa(&classes, WARDER_CELL_PAGES_MAX * (WARDER_PAGE_CELLS / 250), 100);
	warder_classes_merge(dfa, &merged);
	assert_int_equal(merged.count, 255);
	assert_int_equal(warder_placement_build(dfa, &merged, &placement), -E2BIG);
	assert_null(placement.place);
}

/* Classes that nothing tells apart are one. */
static void equal_classes_are_one(void **state)
{
	struct warder_classes classes;
	struct warder_merged merged;
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	uint32_t ignored;

	make_classes(&classes, 256);
	dfa = warder_dfa_new(&classes);
	assert_int_equal(warder_dfa_add(dfa, 0, &ignored), 0);
	dfa->start = 1;
	warder_dfa_row(dfa, 1)['a'] = warder_dfa_row(dfa, 1)['c'] = 1;
	warder_classes_merge(dfa, &merged);
	assert_int_equal(merged.count, 2);
	assert_int_equal(merged.of[0], 1);
	assert_int_equal(merged.of['a'], 2);
	assert_int_equal(merged.of['b'], 1);
	assert_int_equal(merged.of['c'], 2);
	assert_int_equal(merged.example[1], 'a');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leads_where_it_did),
		cmocka_unit_test(a_chain_takes_two_cells_a_state),
		cmocka_unit_test(too_many_cells_are_refused),
		cmocka_unit_test(equal_classes_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
