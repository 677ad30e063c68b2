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
#include "compile/cells.h"
#include "compile/layout.h"
#include "compile/network.h"
#include "compile/rows.h"
#include "policy/profile.h"
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

/* --- parts to image --- */

/* What an image is made of. */
struct parts {
	struct warder_network network;
	struct warder_automaton automaton;
	struct warder_rows rows;
	struct warder_merged classes;
	struct warder_placement placement;
};

static int fit_automaton(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
			 struct parts *parts)
{
	const struct warder_dfa *dfa = parts->automaton.dfa;
	int r;

	warder_classes_merge(dfa, &parts->classes);
	if (parts->classes.count > WARDER_CLASSES_MAX) {
		report(policy, diagnostics, &parts->automaton,
		       "the path rules tell %u classes of bytes apart; an image holds %u",
		       parts->classes.count, WARDER_CLASSES_MAX);
		return -E2BIG;
	}
	if (parts->rows.count > WARDER_ROWS_MAX) {
		report(policy, diagnostics, &parts->automaton,
		       "the path rules combine in %zu ways; an image holds %u rows",
		       parts->rows.count, WARDER_ROWS_MAX);
		return -E2BIG;
	}
	r = warder_placement_build(dfa, &parts->classes, &parts->placement);
	if (r == -E2BIG)
		report(policy, diagnostics, &parts->automaton,
		       "the %u states of the path rules need more cells than an image holds: %u "
		       "pages of %u",
		       dfa->count, WARDER_CELL_PAGES_MAX, WARDER_PAGE_CELLS);
	return r;
}

static int compile_paths(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
			 struct parts *parts)
{
	int r = warder_automaton_build(policy, &parts->automaton);

	if (r == 0)
		r = warder_rows_build(&parts->automaton, &parts->rows);
	if (r == -E2BIG)
		report(policy, diagnostics, &parts->automaton,
		       "the path rules need more states than can be compiled");
	return r < 0 ? r : fit_automaton(policy, diagnostics, parts);
}

/* What rules and profiles refuse, in one mask: hooks judge by it, and the filter is made of it. */
static void compile_syscalls(const struct warder_policy *policy, struct warder_image *image)
{
	struct warder_call call;
	size_t set;
	int number;

	for (set = 0; set < policy->set_count; set++) {
		__u64 key = 1ull << policy->sets[set].key;

		if (!warder_profile_is_needed(policy, &policy->sets[set]))
			continue;
		image->has_syscalls = 1;
		for (number = 0; number < (int)WARDER_SYSCALLS_MAX; number++) {
			warder_profile_find(policy, &policy->sets[set], number, &call);
			if (call.refused)
				image->syscall_deny[number] |= key;
		}
	}
}

static void compile_surface(const struct warder_policy *policy, struct warder_image *image)
{
	size_t i;

	for (i = 0; i < policy->capability_count; i++) {
		const struct warder_capability_rule *rule = &policy->capability_rules[i];

		image->capability_allow[rule->number] |= 1ull << rule->key;
	}
	for (i = 0; i < policy->surface_count; i++) {
		const struct warder_surface_rule *rule = &policy->surface_rules[i];
		__u64 *masks = rule->deny ? image->surface_deny : image->surface_allow;

		masks[rule->surface] |= 1ull << rule->key;
	}
}

static void fill_tables(const struct parts *parts, struct warder_image *image)
{
	__u32 i;

	for (i = 0; i < image->row_count; i++)
		*warder_layout_row(image, i) = parts->rows.list[i];
	for (i = 0; i < image->range_count; i++)
		*warder_layout_range(image, i) = parts->network.ranges[i];
	for (i = 0; i < image->port_count; i++)
		*warder_layout_port(image, i) = parts->network.ports[i];
}

static int assemble(const struct warder_policy *policy, const struct parts *parts,
		    struct warder_image **ret_image)
{
	const struct warder_dfa *dfa = parts->automaton.dfa;
	struct warder_image head = {
		.magic = WARDER_IMAGE_MAGIC,
		.abi = WARDER_ABI,
		.cell_pages = parts->placement.pages,
		.state_count = dfa->count,
		.class_count = parts->classes.count,
		.start = parts->placement.place[dfa->start],
		.row_count = (__u32)parts->rows.count,
		.range_count = parts->network.range_count,
		.port_count = parts->network.port_count,
		.key_count = (__u32)policy->key_count,
	};
	struct warder_image *image;

	compile_syscalls(policy, &head);
	compile_surface(policy, &head);
	warder_layout(&head);
	image = calloc(1, warder_image_size(&head));
	if (!image)
		return -ENOMEM;
	*image = head;
	fill_tables(parts, image);
	warder_placement_write(&parts->placement, parts->rows.of_state, image);
	*ret_image = image;
	return 0;
}

static int compile(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
		   struct parts *parts, struct warder_image **ret_image)
{
	int r = warder_network_build(policy, diagnostics, &parts->network);

	if (r == 0)
		r = compile_paths(policy, diagnostics, parts);
	if (r == 0)
		r = assemble(policy, parts, ret_image);
	warder_placement_release(&parts->placement);
	warder_rows_release(&parts->rows);
	warder_automaton_release(&parts->automaton);
	return r;
}

int warder_compile(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
		   struct warder_image **ret_image)
{
	_cleanup_free_ struct parts *parts = calloc(1, sizeof(*parts));
	int r = parts ? compile(policy, diagnostics, parts, ret_image) : -ENOMEM;

	if (r == -ENOMEM)
		diagnostics->out_of_memory = true;
	return r;
}

unsigned int warder_image_states(const struct warder_image *image)
{
	return image->state_count;
}
