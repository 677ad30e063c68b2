// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * cost.c - what warder, an empty program, Landlock and seccomp add to system calls, in
 * instructions; and the bound on what the rest of the machine pays for a subject.
 *
 * Runs in the guest, started by tools/bench/run; tools/bench/table makes a table of the lines
 * "cost ROW|MODE|INSTRUCTIONS".
 */
#include "tools/bench/modes.h"
#include "tools/bench/rows.h"

#include <sys/utsname.h>

/* Who is no subject pays at most so much of what an empty program on the same hooks costs. */
#define TAX_PERCENT 115
/* What two runs of the same differ by. */
#define NOISE	      4
#define NOISE_PERCENT 1

#define ROWS_MAX 16

typedef int results[ROWS_MAX];

/* Measure all rows in a mode that was entered; 0 stays where it judges nothing. */
static bool measure(enum bench_mode mode, results ret_took)
{
	size_t i;

	for (i = 0; i < bench_row_count; i++) {
		const struct bench_row *row = &bench_rows[i];
		int took;

		if (mode == BENCH_LANDLOCK && row->hooked &&
		    (!row->landlock || row->landlock > bench_landlock_abi()))
			continue;
		took = bench_run(mode, bench_measure, row);
		if (took <= 0)
			return kt_check_why(row->name, false, "%s: %d", bench_mode_names[mode],
					    took);
		ret_took[i] = took;
	}
	return true;
}

/* Once through all modes. */
static bool measure_modes(const enum bench_mode *modes, size_t count, results *took)
{
	size_t m;

	for (m = 0; m < count; m++) {
		if (!bench_enter(modes[m]) || !measure(modes[m], took[modes[m]]))
			return false;
	}
	return true;
}

/* Two passes agree, and `least` gets the lesser figures. */
static void merge(const char *mode, results least, const results second)
{
	size_t i;

	for (i = 0; i < bench_row_count; i++) {
		int differ = abs(least[i] - second[i]);

		if (differ > NOISE + least[i] * NOISE_PERCENT / 100)
			kt_check_why(bench_rows[i].name, false, "%s: %d and %d", mode, least[i],
				     second[i]);
		if (second[i] < least[i])
			least[i] = second[i];
	}
}

/* Is what `taxed` adds within the bound? */
static bool tax_is_fair(const struct bench_row *row, int nothing, int floor, int taxed)
{
	if (!row->hooked)
		return abs(taxed - nothing) <= NOISE;
	/* Rounded, as it is printed. */
	return (taxed - nothing) * 100 < (floor - nothing) * TAX_PERCENT + (floor - nothing) / 2;
}

static void judge_tax(results *took)
{
	size_t i;

	for (i = 0; i < bench_row_count; i++) {
		int nothing = took[BENCH_NOTHING][i], floor = took[BENCH_EMPTY][i],
		    taxed = took[BENCH_OUTSIDE][i];

		if (bench_rows[i].noisy) {
			kt_figure(bench_rows[i].name, "+%d; an empty program: +%d", taxed - nothing,
				  floor - nothing);
			continue;
		}
		kt_check_why(bench_rows[i].name, tax_is_fair(&bench_rows[i], nothing, floor, taxed),
			     "+%d; an empty program: +%d", taxed - nothing, floor - nothing);
	}
}

/* The rows that seem to cost too much. */
static size_t count_unfair(results *took)
{
	size_t i, count = 0;

	for (i = 0; i < bench_row_count; i++) {
		count += !bench_rows[i].noisy &&
			 !tax_is_fair(&bench_rows[i], took[BENCH_NOTHING][i], took[BENCH_EMPTY][i],
				      took[BENCH_OUTSIDE][i]);
	}
	return count;
}

/* Passes over all modes: what happens beside a measured call only ever adds to it. */
#define TAX_PASSES 3

/* In `make check`. The bound is tried first with a program that a hash lookup makes too slow. */
TEST(tax)
{
	static const enum bench_mode modes[] = {BENCH_OUTSIDE, BENCH_NOTHING, BENCH_EMPTY,
						BENCH_COSTLY};
	static results took[BENCH_MODE_COUNT], again[BENCH_MODE_COUNT];
	size_t i, m, pass;

	if (!bench_world_make() || !measure_modes(modes, 4, took))
		return;
	for (pass = 1; pass < TAX_PASSES && count_unfair(took); pass++) {
		if (!measure_modes(modes, 4, again))
			return;
		for (m = 0; m < 4; m++) {
			for (i = 0; i < bench_row_count; i++) {
				if (again[modes[m]][i] < took[modes[m]][i])
					took[modes[m]][i] = again[modes[m]][i];
			}
		}
	}
	for (i = 0; i < bench_row_count; i++) {
		if (strstr(bench_rows[i].name, "open"))
			kt_check("the bound can be exceeded",
				 !tax_is_fair(&bench_rows[i], took[BENCH_NOTHING][i],
					      took[BENCH_EMPTY][i], took[BENCH_COSTLY][i]));
	}
	judge_tax(took);
}

/* Twice, and not one mode twice in a row: what drifts shows. */
TEST(table)
{
	static const enum bench_mode modes[] = {BENCH_OUTSIDE,	BENCH_SUBJECT, BENCH_NOTHING,
						BENCH_LANDLOCK, BENCH_SECCOMP, BENCH_EMPTY};
	static results took[BENCH_MODE_COUNT], again[BENCH_MODE_COUNT];
	struct utsname host;
	size_t m, i;

	if (!bench_world_make() || !measure_modes(modes, 6, took) ||
	    !measure_modes(modes, 6, again))
		return;
	if (!uname(&host))
		kt_figure("kernel", "%s", host.release);
	for (m = 0; m < 6; m++) {
		merge(bench_mode_names[modes[m]], took[modes[m]], again[modes[m]]);
		for (i = 0; i < bench_row_count; i++) {
			if (took[modes[m]][i])
				kt_figure("cost", "%s|%s|%d", bench_rows[i].name,
					  bench_mode_names[modes[m]], took[modes[m]][i]);
		}
	}
	judge_tax(took);
}
