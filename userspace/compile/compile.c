// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * compile.c - from a policy to the image that the kernel reads.
 */
#include "compile/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/automaton.h"
#include "compile/network.h"
#include "compile/rows.h"
#include "policy/reader.h"

/* --- what does not fit --- */

static void name_costs(const struct warder_automaton *automaton, char *hint, size_t size)
{
	size_t used, i;

	used = (size_t)snprintf(hint, size, "the costliest patterns:");
	for (i = 0; i < automaton->costs.count && i < 5 && used < size; i++) {
		const struct warder_cost *cost = &automaton->costs.list[i];
		char quoted[WARDER_QUOTED_MAX];

		used += (size_t)snprintf(
			hint + used, size - used, "%s %s (%s:%u)", i ? "," : "",
			warder_reader_quote(cost->text, strlen(cost->text), quoted),
			cost->rule->place.file, cost->rule->place.line);
	}
}

static void report(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
		   const struct warder_automaton *automaton, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void report(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
		   const struct warder_automaton *automaton, const char *format, ...)
{
	char hint[2048];
	va_list arguments;

	name_costs(automaton, hint, sizeof(hint));
	va_start(arguments, format);
	warder_diagnostics_addv(diagnostics, WARDER_ERROR, &policy->source, (struct warder_span){0},
				hint, format, arguments);
	va_end(arguments);
}

/* --- automaton to image --- */

/*
 * Classes that lead to the same state from everywhere are one: reservation and unions can
 * make a difference between patterns vanish.
 */
static uint32_t merge_classes(const struct warder_dfa *dfa, uint32_t merged[256])
{
	uint32_t k = dfa->classes->count, count = 0, first[256], c, d, s;

	for (c = 0; c < k; c++) {
		for (d = 0; d < count; d++) {
			for (s = 0; s < dfa->count; s++) {
				const uint32_t *row = warder_dfa_row(dfa, s);

				if (row[c] != row[first[d]])
					break;
			}
			if (s == dfa->count)
				break;
		}
		if (d == count)
			first[count++] = c;
		merged[c] = d;
	}
	return count;
}

static void lay_out(const struct warder_dfa *dfa, const struct warder_rows *rows,
		    const uint32_t merged[256], struct warder_image *image)
{
	uint32_t s, c, b;

	for (b = 0; b < 256; b++)
		image->classes[b] = (__u16)(merged[dfa->classes->of[b]] + 1);
	for (s = 0; s < dfa->count; s++) {
		__u32 *cells = &image->cells[s * image->stride];

		cells[0] = rows->of_state[s];
		for (c = 0; c < dfa->classes->count; c++)
			cells[merged[c] + 1] = warder_dfa_row(dfa, s)[c] * image->stride;
	}
	image->start = dfa->start * image->stride;
	memcpy(image->rows, rows->list, rows->count * sizeof(*rows->list));
	image->row_count = (__u32)rows->count;
}

static int fit_automaton(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
			 const struct warder_automaton *automaton, const struct warder_rows *rows,
			 struct warder_image *image)
{
	const struct warder_dfa *dfa = automaton->dfa;
	uint32_t merged[256];
	unsigned long long cells;

	image->stride = merge_classes(dfa, merged) + 1;
	cells = (unsigned long long)dfa->count * image->stride;
	if (cells > WARDER_CELLS_MAX) {
		report(policy, diagnostics, automaton,
		       "the path rules need %u states of %u cells, %llu together; an image holds "
		       "%u",
		       dfa->count, image->stride, cells, WARDER_CELLS_MAX);
		return -E2BIG;
	}
	if (rows->count > WARDER_ROWS_MAX) {
		report(policy, diagnostics, automaton,
		       "the path rules combine in %zu ways; an image holds %u rows", rows->count,
		       WARDER_ROWS_MAX);
		return -E2BIG;
	}
	image->cell_count = (__u32)cells;
	lay_out(dfa, rows, merged, image);
	return 0;
}

static int compile_paths(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
			 struct warder_image *image)
{
	struct warder_automaton automaton;
	struct warder_rows rows = {0};
	int r = warder_automaton_build(policy, &automaton);

	if (r == 0)
		r = warder_rows_build(&automaton, &rows);
	if (r == -E2BIG)
		report(policy, diagnostics, &automaton,
		       "the path rules need more states than can be compiled");
	if (r == 0)
		r = fit_automaton(policy, diagnostics, &automaton, &rows, image);
	warder_rows_release(&rows);
	warder_automaton_release(&automaton);
	return r;
}

static void compile_syscalls(const struct warder_policy *policy, struct warder_image *image)
{
	size_t i;

	for (i = 0; i < policy->syscall_count; i++) {
		const struct warder_syscall_rule *rule = &policy->syscall_rules[i];

		image->syscall_deny[rule->number] |= 1ull << rule->key;
		image->has_syscalls = 1;
	}
}

int warder_compile(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
		   struct warder_image **ret_image)
{
	_cleanup_free_ struct warder_image *image = calloc(1, sizeof(*image));
	int r;

	if (!image) {
		diagnostics->out_of_memory = true;
		return -ENOMEM;
	}
	image->magic = WARDER_IMAGE_MAGIC;
	image->abi = WARDER_ABI;
	image->key_count = (__u32)policy->key_count;
	compile_syscalls(policy, image);
	r = warder_network_build(policy, diagnostics, image);
	if (r == 0)
		r = compile_paths(policy, diagnostics, image);
	if (r == -ENOMEM)
		diagnostics->out_of_memory = true;
	if (r < 0)
		return r;
	*ret_image = TAKE_PTR(image);
	return 0;
}

unsigned int warder_image_states(const struct warder_image *image)
{
	return image->cell_count / image->stride;
}
