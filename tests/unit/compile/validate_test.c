// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* validate_test.c - each kind of damage to an image is found and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "compile/validate.h"

static const char text[] = "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
			   "tools: {mail: {exec: [/bin/mail]}}\n"
			   "sets: {agent: {exec: [/bin/**], syscalls: {deny: [ptrace]},\n"
			   "  network: {connect: ['tcp:10.0.0.0/8:80,443', 'udp:10.0.0.1:53']}}}\n";

static struct warder_image *image;

static int start(void **state)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	int r = warder_policy_parse("p.yaml", text, strlen(text), &options, &found, &policy);

	return r < 0 ? r : warder_compile(policy, &found, &image);
}

static int finish(void **state)
{
	free(image);
	return 0;
}

/* Give a field another value, look, and put the old one back. */
#define check(field, value, expected)                                     \
	do {                                                              \
		__typeof__(field) old = field;                            \
                                                                          \
		assert_null(warder_image_fault(image));                   \
		field = value;                                            \
		assert_non_null(warder_image_fault(image));               \
		assert_string_equal(warder_image_fault(image), expected); \
		field = old;                                              \
	} while (0)

static void finds_a_wrong_head(void **state)
{
	check(image->magic, 0, "it is no image");
	check(image->abi, WARDER_ABI + 1, "it has another layout");
	check(image->class_count, 0, "no such number of byte classes");
	check(image->class_count, 256, "no such number of byte classes");
	check(image->cell_pages, 0, "no such number of pages of cells");
	check(image->cell_pages, WARDER_CELL_PAGES_MAX + 1, "no such number of pages of cells");
	check(image->row_count, WARDER_ROWS_MAX + 1, "no such number of rows");
	check(image->range_count, WARDER_RANGES_MAX + 1,
	      "no such number of address ranges or ports");
	check(image->key_count, 65, "no such number of keys");
	check(image->page_count, image->page_count - 1, "its tables are elsewhere");
	check(image->range_first, image->range_first + 1, "its tables are elsewhere");
	check(image->port_first, image->port_first - 1, "its tables are elsewhere");
	check(image->cell_pages, 2, "its tables are elsewhere");
	check(image->row_count, image->row_count + 1, "its tables are elsewhere");
}

static void finds_a_broken_automaton(void **state)
{
	struct warder_cell_page *page = warder_layout_cells(image, 0);
	struct warder_cell *cells = page->cells, *last = &cells[WARDER_PAGE_CELLS - 1];
	__u32 head = image->start, transition = head, unused = WARDER_PAGE_CELLS - 1;

	while (cells[transition].owner != head)
		transition++;
	check(page->generation, 1, "pages of several generations");
	check(page->classes[7], 0, "a byte of no class");
	check(page->classes[7], image->class_count + 1, "a byte of no class");
	check(image->start, WARDER_STATE(1, 0), "the automaton starts outside");
	check(image->start, transition, "the automaton starts outside");
	check(image->state_count, image->state_count - 1, "no such number of states");
	check(cells[0].next, head, "the dead state lives");
	check(cells[0].owner, WARDER_CELL_HEAD | 1, "the dead state lives");
	check(cells[0].owner, 0, "the dead state lives");
	check(last->next, head, "the dead state lives");
	check(cells[head].owner, WARDER_CELL_HEAD | image->row_count, "a state of no row");
	check(cells[head].next, transition, "a cell leads out of the automaton");
	check(cells[transition].next, unused, "a cell leads out of the automaton");
	check(cells[transition].next, WARDER_STATE(1, 0), "a cell leads out of the automaton");
	check(cells[transition].owner, unused, "a cell of no state");
	check(cells[transition].owner, transition, "a cell of no state");
	check(last->owner, head, "a cell of no state");
	/* The last head of a page is where all classes still have a cell. */
	check(cells[WARDER_PAGE_STATES].owner, WARDER_CELL_HEAD, "a state that may leave its page");
	check(cells[WARDER_PAGE_STATES - 1].owner, WARDER_CELL_HEAD, "no such number of states");
}

static void finds_broken_tables(void **state)
{
	struct warder_row *rows = warder_layout_row(image, 0);
	struct warder_range *ranges = warder_layout_range(image, 0);
	struct warder_port *ports = warder_layout_port(image, 0);

	check(rows[1].below, image->row_count, "a row above no row");
	check(rows[1].allow[0], 4, "a row of a key that does not exist");
	check(rows[0].allow[0], 1, "the first row grants something");
	check(ranges[0].lo, 1, "addresses below the first range");
	check(ranges[2].lo, ranges[1].lo, "address ranges out of order");
	check(ranges[1].count, WARDER_SEGMENTS_MAX + 1,
	      "an address range with ports that are not there");
	check(ranges[1].first, 0xffffffffu, "an address range with ports that are not there");
	check(ports[0].proto, 3, "no such ports");
	check(ports[0].low, 65535, "no such ports");
	check(ports[0].high, 443, "ports out of order");
	check(ports[0].allow[0], 1ull << 63, "ports of a key that does not exist");
	check(image->syscall_deny[1], 4, "system calls of a key that does not exist");
	check(image->has_syscalls, 0, "system calls that are not looked at");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_wrong_head),
		cmocka_unit_test(finds_a_broken_automaton),
		cmocka_unit_test(finds_broken_tables),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
