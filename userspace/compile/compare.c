// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * compare.c - what one keyring may and another may not: exactly, with shortest witnesses.
 */
#include "compile/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "compile/comparing.h"
#include "policy/syscall.h"

bool warder_explanation_same(const struct warder_explanation *a, const struct warder_explanation *b)
{
	return a->cause == b->cause && a->key == b->key && a->rule == b->rule &&
	       a->section == b->section && a->place.file == b->place.file &&
	       a->place.line == b->place.line && a->place.column == b->place.column;
}

bool warder_comparing_has_room(const struct warder_comparing *c, enum warder_direction direction)
{
	size_t most = c->options->most ? c->options->most : WARDER_DIFFERENCES_MAX;

	return c->counts[direction] < most;
}

int warder_comparing_add(struct warder_comparing *c, struct warder_difference *difference)
{
	struct warder_comparison *out = c->out;

	if (!warder_comparing_has_room(c, difference->direction)) {
		out->incomplete[difference->direction] = true;
		free(difference->path);
		return 0;
	}
	if (!VECTOR_ROOM(out->list, out->count, out->capacity)) {
		free(difference->path);
		return -ENOMEM;
	}
	out->list[out->count++] = *difference;
	c->counts[difference->direction]++;
	return 0;
}

/* --- system calls --- */

static int compare_syscall(struct warder_comparing *c, int number, enum warder_direction direction)
{
	const struct warder_side *allows = warder_comparing_allows(c, direction);
	const struct warder_side *refuses = warder_comparing_refuses(c, direction);
	struct warder_difference d = {
		.direction = direction, .kind = WARDER_ACCESS_SYSCALL, .number = number};

	if (!warder_side_calls(allows, number) || warder_side_calls(refuses, number))
		return 0;
	c->out->syscalls[direction] = true;
	warder_explain_syscall(allows->policy, allows->held, number, &d.allows);
	warder_explain_syscall(refuses->policy, refuses->held, number, &d.refuses);
	if (!d.allows.allowed || d.refuses.allowed)
		return -ENOTRECOVERABLE;
	return warder_comparing_add(c, &d);
}

/* Numbers that no call has are refused by whoever denies any call; there is nothing to call. */
int warder_compare_syscalls(struct warder_comparing *c)
{
	int number, r = 0;

	for (number = 0; r == 0 && number < (int)WARDER_SYSCALLS_MAX; number++) {
		char *name = warder_syscall_name(number);

		if (!name)
			continue;
		free(name);
		r = compare_syscall(c, number, WARDER_ONLY_A);
		if (r == 0 && !c->options->one_way)
			r = compare_syscall(c, number, WARDER_ONLY_B);
	}
	return r;
}

/* --- capabilities and the kernel's surface --- */

static bool may_use(const struct warder_side *side, enum warder_access_kind kind, int number)
{
	__u64 keys;

	return kind == WARDER_ACCESS_CAPABILITY ? warder_side_capable(side, number)
						: warder_side_surface(side, number, &keys);
}

static void explain_use(const struct warder_side *side, enum warder_access_kind kind, int number,
			struct warder_explanation *why)
{
	if (kind == WARDER_ACCESS_CAPABILITY)
		warder_explain_capability(side->policy, side->held, number, why);
	else
		warder_explain_surface(side->policy, side->held, number, why);
}

static int compare_use(struct warder_comparing *c, enum warder_access_kind kind, int number,
		       enum warder_direction direction)
{
	const struct warder_side *allows = warder_comparing_allows(c, direction);
	const struct warder_side *refuses = warder_comparing_refuses(c, direction);
	struct warder_difference d = {.direction = direction, .kind = kind, .number = number};

	if (!may_use(allows, kind, number) || may_use(refuses, kind, number))
		return 0;
	c->out->surface[direction] = true;
	explain_use(allows, kind, number, &d.allows);
	explain_use(refuses, kind, number, &d.refuses);
	if (!d.allows.allowed || d.refuses.allowed)
		return -ENOTRECOVERABLE;
	return warder_comparing_add(c, &d);
}

static int compare_uses(struct warder_comparing *c, enum warder_access_kind kind, int count)
{
	int number, r = 0;

	for (number = 0; r == 0 && number < count; number++) {
		r = compare_use(c, kind, number, WARDER_ONLY_A);
		if (r == 0 && !c->options->one_way)
			r = compare_use(c, kind, number, WARDER_ONLY_B);
	}
	return r;
}

int warder_compare_surface(struct warder_comparing *c)
{
	int r = compare_uses(c, WARDER_ACCESS_CAPABILITY, WARDER_CAPABILITIES_MAX);

	return r < 0 ? r : compare_uses(c, WARDER_ACCESS_SURFACE, WARDER_SURFACE_COUNT);
}

/* --- order --- */

#define ORDER(a, b)                                \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

static int compare_differences(const void *left, const void *right)
{
	const struct warder_difference *a = left, *b = right;
	int r;

	ORDER(a->direction, b->direction);
	ORDER(a->kind, b->kind);
	/* The right that comes first in the table, then the set of rights. */
	ORDER(a->rights & -a->rights, b->rights & -b->rights);
	ORDER(a->rights, b->rights);
	ORDER(a->op, b->op);
	ORDER(a->proto, b->proto);
	ORDER(a->length, b->length);
	r = a->length ? memcmp(a->path, b->path, a->length) : 0;
	if (!r)
		r = warder_address_compare(a->address, b->address);
	if (r)
		return r;
	ORDER(a->port, b->port);
	ORDER(a->number, b->number);
	ORDER(a->allows.place.line, b->allows.place.line);
	ORDER(a->allows.place.column, b->allows.place.column);
	ORDER(a->refuses.place.line, b->refuses.place.line);
	ORDER(a->refuses.place.column, b->refuses.place.column);
	return 0;
}

int warder_compare(const struct warder_side *a, const struct warder_side *b,
		   const struct warder_comparison_options *options,
		   struct warder_comparison *ret_comparison)
{
	static const struct warder_comparison_options defaults;
	struct warder_comparison out = {0};
	struct warder_comparing c = {
		.sides = {a, b}, .options = options ? options : &defaults, .out = &out};
	int r = warder_compare_paths(&c);

	if (r == 0)
		r = warder_compare_addresses(&c);
	if (r == 0)
		r = warder_compare_syscalls(&c);
	if (r == 0)
		r = warder_compare_surface(&c);
	if (r < 0) {
		warder_comparison_release(&out);
		return r;
	}
	if (out.count)
		qsort(out.list, out.count, sizeof(*out.list), compare_differences);
	*ret_comparison = out;
	return 0;
}

void warder_comparison_release(struct warder_comparison *comparison)
{
	size_t i;

	for (i = 0; i < comparison->count; i++)
		free(comparison->list[i].path);
	free(comparison->list);
	*comparison = (struct warder_comparison){0};
}

bool warder_comparison_differs(const struct warder_comparison *comparison,
			       enum warder_direction direction)
{
	return comparison->rights[direction] || comparison->addresses[direction] ||
	       comparison->syscalls[direction] || comparison->surface[direction];
}
