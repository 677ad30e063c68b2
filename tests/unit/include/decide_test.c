// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* decide_test.c - the pure decision on images made by hand, and on damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "compile/layout.h"

static uint64_t random_state = 42;

static uint64_t random_word(void)
{
	uint64_t x = random_state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* --- keyrings --- */

static __u64 naive_held(const struct warder_subject *subject, __u64 now)
{
	__u64 held = subject->base;
	unsigned int key;

	for (key = 0; key < WARDER_KEYS_MAX; key++) {
		if (subject->granted >> key & 1 && now < subject->deadline[key])
			held |= 1ull << key;
	}
	return held;
}

static void set_soonest(struct warder_subject *subject)
{
	unsigned int key;

	subject->soonest = WARDER_FOREVER;
	for (key = 0; key < WARDER_KEYS_MAX; key++) {
		if (subject->granted >> key & 1 && subject->deadline[key] < subject->soonest)
			subject->soonest = subject->deadline[key];
	}
}

static void grants_end_at_their_deadline(void **state)
{
	static const __u64 times[] = {0, 1, 999, 1000, 1001, 1ull << 62, WARDER_FOREVER - 1};
	struct warder_subject subject = {0};
	unsigned int round, key;
	size_t i;

	for (round = 0; round < 2000; round++) {
		subject.base = random_word() & random_word();
		subject.granted = random_word();
		for (key = 0; key < WARDER_KEYS_MAX; key++)
			subject.deadline[key] = random_word() & 1 ? WARDER_FOREVER
								  : 990 + random_word() % 20;
		set_soonest(&subject);
		for (i = 0; i < sizeof(times) / sizeof(times[0]); i++)
			assert_true(warder_held(&subject, times[i]) ==
				    naive_held(&subject, times[i]));
	}
}

/* `soonest` only says when to look; what it is never adds a key. */
static void a_deadline_is_exclusive(void **state)
{
	struct warder_subject subject = {.base = 1, .granted = 2};

	subject.deadline[1] = 1000;
	set_soonest(&subject);
	assert_true(warder_held(&subject, 999) == 3);
	assert_true(warder_held(&subject, 1000) == 1);
	subject.soonest = 0;
	assert_true(warder_held(&subject, 999) == 3);
	assert_true(warder_held(&subject, 1000) == 1);
	subject.granted = 0;
	assert_true(warder_held(&subject, 999) == 1);
}

/* --- rows --- */

static void deny_beats_allow(void **state)
{
	struct warder_row row = {0};
	__u64 denied, keys;

	row.allow[WARDER_RIGHT_READ] = 7;
	row.allow[WARDER_RIGHT_WRITE] = 2;
	row.deny[WARDER_RIGHT_READ] = 4;
	/* Allowed by the base. */
	assert_int_equal(warder_decide_row(&row, WARDER_READ, 3, 1, &denied, &keys), 0);
	assert_true(denied == 0 && keys == 0);
	/* Key 1 is what opens it; the base gives reading alone. */
	assert_int_equal(warder_decide_row(&row, WARDER_READ | WARDER_WRITE, 3, 1, &denied, &keys),
			 0);
	assert_true(denied == 0 && keys == 2);
	/* A deny of a held key, whoever allows. */
	assert_int_equal(warder_decide_row(&row, WARDER_READ | WARDER_WRITE, 7, 1, &denied, &keys),
			 WARDER_READ);
	assert_true(denied == 4 && keys == 0);
	/* No rule. */
	assert_int_equal(warder_decide_row(&row, WARDER_EXEC, 7, 1, &denied, &keys), WARDER_EXEC);
	assert_true(denied == 0 && keys == 0);
	/* Nothing asked, nothing refused; no key, nothing allowed. */
	assert_int_equal(warder_decide_row(&row, 0, 0, 0, &denied, &keys), 0);
	assert_int_equal(warder_decide_row(&row, WARDER_READ, 0, 0, &denied, &keys), WARDER_READ);
	assert_int_equal(warder_rights(&row, 3), WARDER_READ | WARDER_WRITE);
	assert_int_equal(warder_rights(&row, 7), WARDER_WRITE);
}

/* --- addresses --- */

static void unspecified_is_loopback(void **state)
{
	static const struct {
		__u64 hi, lo, to_lo;
	} cases[] = {
		{0, 0, 1}, {0, 0xffff00000000ull, 0xffff7f000001ull},
		{0, 1, 1}, {0, 0xffff00000001ull, 0xffff00000001ull},
		{1, 0, 0}, {0x20010db800000000ull, 0xffff00000000ull, 0xffff00000000ull},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		__u64 hi = cases[i].hi, lo = cases[i].lo;

		warder_address_normalise(&hi, &lo);
		assert_true(hi == cases[i].hi && lo == cases[i].to_lo);
	}
}

/* An image of one page of cells, with room for so many rows, ranges and ports. */
static struct warder_image *image_new(__u32 rows, __u32 ranges, __u32 ports)
{
	struct warder_image head = {
		.cell_pages = 1, .row_count = rows, .range_count = ranges, .port_count = ports};
	struct warder_image *image;

	warder_layout(&head);
	image = calloc(1, warder_image_size(&head));
	assert_non_null(image);
	*image = head;
	return image;
}

/* Every number of ranges: the search finds the one that holds the address. */
static void finds_the_range(void **state)
{
	struct warder_image *image = image_new(1, WARDER_RANGES_MAX, 1);
	struct warder_port *port = warder_layout_port(image, 0);
	__u64 denied, keys;
	__u32 count, i;

	*port = (struct warder_port){.low = 1, .high = 65535, .proto = WARDER_PROTO_TCP};
	port->allow[WARDER_NET_CONNECT] = 1;
	/* Odd ranges say nothing; range i starts at (i, i). */
	for (i = 0; i < WARDER_RANGES_MAX; i++)
		*warder_layout_range(image, i) =
			(struct warder_range){.hi = i, .lo = i, .count = i % 2 == 0};
	for (count = 0; count <= WARDER_RANGES_MAX; count += count < 70 ? 1 : 89) {
		image->range_count = count;
		for (i = 0; i < count; i += 1 + count / 40) {
			assert_int_equal(warder_decide_net(image, WARDER_NET_CONNECT,
							   WARDER_PROTO_TCP, i, i, 443, 1, 1,
							   &denied, &keys),
					 i % 2 == 0);
			assert_int_equal(warder_decide_net(image, WARDER_NET_CONNECT,
							   WARDER_PROTO_TCP, i, ~0ull, 443, 1, 1,
							   &denied, &keys),
					 i % 2 == 0);
			if (i)
				assert_int_equal(warder_decide_net(image, WARDER_NET_CONNECT,
								   WARDER_PROTO_TCP, i, i - 1, 443,
								   1, 1, &denied, &keys),
						 i % 2);
		}
	}
	image->range_count = WARDER_RANGES_MAX;
	i = WARDER_RANGES_MAX - 2;
	assert_int_equal(warder_decide_net(image, WARDER_NET_CONNECT, WARDER_PROTO_TCP, i, i, 443,
					   1, 1, &denied, &keys),
			 1);
	assert_int_equal(warder_decide_net(image, WARDER_NET_CONNECT, WARDER_PROTO_UDP, i, i, 443,
					   1, 1, &denied, &keys),
			 0);
	assert_int_equal(warder_decide_net(image, WARDER_NET_CONNECT, WARDER_PROTO_TCP, i, i, 0, 1,
					   1, &denied, &keys),
			 0);
	free(image);
}

static void masks_system_calls(void **state)
{
	struct warder_image *image = image_new(1, 0, 0);

	assert_true(warder_decide_syscall(image, 101, ~0ull));
	assert_true(warder_decide_syscall(image, -1, ~0ull));
	image->has_syscalls = 1;
	image->syscall_deny[101] = 2;
	assert_true(warder_decide_syscall(image, 101, 1));
	assert_false(warder_decide_syscall(image, 101, 3));
	assert_true(warder_decide_syscall(image, 100, 3));
	/* Numbers that no mask covers. */
	assert_false(warder_decide_syscall(image, WARDER_SYSCALLS_MAX, 0));
	assert_false(warder_decide_syscall(image, -1, 0));
	assert_false(warder_decide_syscall(image, 0x40000000 | 101, 0));
	free(image);
}

/* --- moves --- */

/* States 10 and 20, whose rows are `from` and `to`, of the same numbers; row 30 is free. */
static struct warder_image *image_of_move(const struct warder_row *from,
					  const struct warder_row *to)
{
	struct warder_image *image = image_new(31, 0, 0);
	struct warder_cell *cells = warder_layout_cells(image, 0)->cells;

	cells[10].owner = WARDER_CELL_HEAD | 10;
	cells[20].owner = WARDER_CELL_HEAD | 20;
	*warder_layout_row(image, 10) = *from;
	*warder_layout_row(image, 20) = *to;
	return image;
}

static void moves_never_widen(void **state)
{
	struct warder_row none = {.below = WARDER_ROW_NONE}, reads = none, writes = none;
	struct warder_image *image;

	reads.allow[WARDER_RIGHT_READ] = 1;
	writes.allow[WARDER_RIGHT_READ] = writes.allow[WARDER_RIGHT_WRITE] = 1;
	image = image_of_move(&writes, &reads);
	assert_true(warder_decide_move(image, 10, 20, 1, 0));
	assert_false(warder_decide_move(image, 20, 10, 1, 0));
	/* The keyring decides: nobody's rights are no rights. */
	assert_true(warder_decide_move(image, 20, 10, 2, 0));
	/* What lies below is not known: a directory stays. */
	assert_false(warder_decide_move(image, 10, 20, 1, 1));
	assert_false(warder_decide_move(image, 20, 10, 2, 1));
	/* The same state says the same below. */
	assert_true(warder_decide_move(image, 10, 10, 1, 1));

	warder_layout_row(image, 10)->below = 10;
	assert_false(warder_decide_move(image, 10, 20, 1, 1));
	warder_layout_row(image, 20)->below = 20;
	assert_true(warder_decide_move(image, 10, 20, 1, 1));
	/* What holds something below in its place. */
	assert_int_equal(warder_decide_nailed(image, 10, ~0ull), 0);
	warder_layout_row(image, 10)->nailed = 6;
	assert_int_equal(warder_decide_nailed(image, 10, 3), 2);
	assert_int_equal(warder_decide_nailed(image, 10, 1), 0);
	/* Less on the directory, more below. */
	*warder_layout_row(image, 30) = writes;
	warder_layout_row(image, 30)->allow[WARDER_RIGHT_EXEC] = 1;
	warder_layout_row(image, 20)->below = 30;
	assert_false(warder_decide_move(image, 10, 20, 1, 1));
	assert_true(warder_decide_move(image, 10, 20, 1, 0));
	/* What is not there has no name to give. */
	warder_layout_row(image, 20)->below = 31;
	assert_false(warder_decide_move(image, 10, 20, 1, 1));
	warder_layout_cells(image, 0)->cells[20].owner = WARDER_CELL_HEAD | 31;
	assert_false(warder_decide_move(image, 10, 20, 1, 0));
	assert_false(warder_decide_move(image, 20, 10, 1, 0));
	/* No row: nobody can tell. */
	assert_int_equal(warder_decide_nailed(image, 20, 5), 5);
	free(image);
}

/* --- states --- */

/* A step finds what a state says of a class, and else where most lead; cells of others count not.
 */
static void steps_by_its_own_cells(void **state)
{
	struct warder_image *image = image_new(2, 0, 0);
	struct warder_cell_page *page = warder_layout_cells(image, 0);
	const __u32 last = WARDER_PAGE_STATES - 1;

	memset(page->classes, 1, sizeof(page->classes));
	page->classes['a'] = 2;
	page->classes['z'] = WARDER_CLASSES_MAX;
	page->cells[0] = (struct warder_cell){.owner = WARDER_CELL_HEAD};
	page->cells[8] = (struct warder_cell){.owner = WARDER_CELL_HEAD | 1, .next = 8};
	page->cells[9] = (struct warder_cell){.owner = 8, .next = 9};
	page->cells[10] = (struct warder_cell){.owner = 7, .next = 7};
	assert_int_equal(warder_step(image, 8, 'x'), 9);
	assert_int_equal(warder_step(image, 8, 'a'), 8);
	assert_int_equal(warder_row_number(image, 8), 1);
	/* A transition is no state, and neither is an unused cell. */
	assert_int_equal(warder_row_number(image, 9), 0);
	assert_int_equal(warder_row_number(image, 11), 0);
	/* The dead state leads nowhere, by unused cells and by those of others. */
	assert_int_equal(warder_step(image, 0, 'x'), 0);
	assert_int_equal(warder_step(image, 0, 'z'), 0);
	/* The last place, and its last class. */
	page->cells[last] = (struct warder_cell){.owner = WARDER_CELL_HEAD, .next = 8};
	page->cells[WARDER_PAGE_CELLS - 1] = (struct warder_cell){.owner = last, .next = last};
	assert_int_equal(warder_step(image, last, 'z'), last);
	assert_int_equal(warder_step(image, last, 'a'), 8);
	/* Behind it, and on a page that there is not. */
	assert_int_equal(warder_step(image, last + 1, 'a'), 0);
	assert_int_equal(warder_row_number(image, last + 1), 0);
	assert_int_equal(warder_step(image, WARDER_STATE(1, 8), 'a'), 0);
	assert_int_equal(warder_row_number(image, WARDER_STATE(1, 8)), 0);
	free(image);
}

/* --- damage --- */

/* Whatever an image holds, no read leaves it (ASan watches). */
static void survives_damaged_images(void **state)
{
	struct warder_image *image = image_new(200, 10, 10);
	const size_t size = warder_image_size(image);
	const __u32 pages = image->page_count;
	__u64 *words = (__u64 *)image, denied, keys;
	unsigned int round, i;
	__u32 at;

	for (round = 0; round < 8; round++) {
		for (i = 0; i < size / sizeof(*words); i++)
			words[i] = random_word();
		/* In the kernel it is the map that knows. */
		image->page_count = pages;
		image->cell_pages = round & 1 ? 1 : (__u32)random_word();
		image->row_count = (__u32)random_word() >> random_word() % 32;
		image->range_count = round % 2 ? WARDER_RANGES_MAX : (__u32)random_word();
		at = (__u32)random_word();
		for (i = 0; i < 20000; i++) {
			__u32 next = warder_step(image, at, (__u8)random_word());
			const struct warder_row *row =
				warder_row(image, warder_row_number(image, next));

			if (row)
				warder_decide_row(row, (__u32)random_word(), random_word(),
						  random_word(), &denied, &keys);
			warder_decide_move(image, at, next, random_word(), 1);
			warder_decide_net(image, WARDER_NET_CONNECT, (__u8)random_word(),
					  random_word(), random_word(), (__u16)random_word(),
					  random_word(), random_word(), &denied, &keys);
			warder_decide_syscall(image, (__s32)random_word(), random_word());
			/* Mostly one of the only page. */
			at = random_word() % 8 ? next & WARDER_STATE_PLACE : next;
		}
	}
	free(image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grants_end_at_their_deadline),
		cmocka_unit_test(a_deadline_is_exclusive),
		cmocka_unit_test(deny_beats_allow),
		cmocka_unit_test(unspecified_is_loopback),
		cmocka_unit_test(finds_the_range),
		cmocka_unit_test(masks_system_calls),
		cmocka_unit_test(moves_never_widen),
		cmocka_unit_test(steps_by_its_own_cells),
		cmocka_unit_test(survives_damaged_images),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
