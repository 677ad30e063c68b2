// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * compare_net.c - what differs about addresses: both tables cut into cells, then rule by rule.
 *
 * A cell is a range of addresses and ports that neither side tells apart. An unspecified
 * destination is no destination of its own: the kernel sends it to loopback, whose cell it is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile/comparing.h"

#define LAST_ADDRESS            \
	(struct warder_address) \
	{                       \
		~0ull, ~0ull    \
	}
#define MAPPED 0xffff00000000ull
/* Looks at a rule, some seconds. */
#define WORK_MAX 200000000ull

struct cell {
	enum warder_net_op op;
	__u8 proto;
	struct warder_address first, last;
	__u32 low, high; /* ports */
};

struct cells {
	struct warder_comparing *comparing;
	__u32 at[WARDER_DIRECTION_COUNT]; /* range of each side that is looked at */
	unsigned long long work;
};

/* --- tables --- */

static struct warder_address range_first(const struct warder_range *range)
{
	return (struct warder_address){range->hi, range->lo};
}

static struct warder_address before(struct warder_address address)
{
	if (address.lo-- == 0)
		address.hi--;
	return address;
}

static struct warder_address behind(struct warder_address address)
{
	if (++address.lo == 0)
		address.hi++;
	return address;
}

static bool is_less(struct warder_address a, struct warder_address b)
{
	return warder_address_compare(a, b) < 0;
}

/* The last address before either side's next range. */
static struct warder_address piece_last(const struct cells *cells)
{
	struct warder_address last = LAST_ADDRESS;
	int i;

	for (i = 0; i < WARDER_DIRECTION_COUNT; i++) {
		const struct warder_range *next =
			warder_side_range(cells->comparing->sides[i], cells->at[i] + 1);

		if (next && !is_less(last, range_first(next)))
			last = before(range_first(next));
	}
	return last;
}

/* Where ports are told apart, sorted; at most two for each segment of both sides, and two. */
#define CUTS_MAX (4 * WARDER_SEGMENTS_MAX + 2)

static size_t find_cuts(const struct cells *cells, __u8 proto, __u32 cuts[CUTS_MAX])
{
	size_t count = 0, k;
	__u32 i;
	int s;

	cuts[count++] = 0;
	cuts[count++] = 65536;
	for (s = 0; s < WARDER_DIRECTION_COUNT; s++) {
		const struct warder_side *side = cells->comparing->sides[s];
		const struct warder_range *range = warder_side_range(side, cells->at[s]);
		const struct warder_port *port;

		for (i = 0; i < WARDER_SEGMENTS_MAX; i++) {
			port = warder_side_port(side, range, i);
			if (!port)
				break;
			if (port->proto != proto)
				continue;
			cuts[count++] = port->low;
			cuts[count++] = port->high + 1u;
		}
	}
	for (i = 1; i < count; i++) {
		__u32 cut = cuts[i];

		for (k = i; k > 0 && cuts[k - 1] > cut; k--)
			cuts[k] = cuts[k - 1];
		cuts[k] = cut;
	}
	return count;
}

/* --- rules --- */

static bool is_destination(enum warder_net_op op, struct warder_address address)
{
	return op != WARDER_NET_CONNECT || address.hi || (address.lo && address.lo != MAPPED);
}

/* The smallest address of both that is a destination. */
static bool meet_addresses(const struct cell *cell, const struct warder_address_range *range,
			   struct warder_address *ret_address)
{
	struct warder_address first = is_less(cell->first, range->first) ? range->first
									 : cell->first;
	struct warder_address last = is_less(cell->last, range->last) ? cell->last : range->last;

	if (!is_destination(cell->op, first) && is_less(first, last))
		first = behind(first);
	if (is_less(last, first) || !is_destination(cell->op, first))
		return false;
	*ret_address = first;
	return true;
}

static bool meet_ports(const struct cell *cell, const struct warder_endpoint *endpoint,
		       __u16 *ret_port)
{
	__u32 best = 65536, low;
	size_t i;

	for (i = 0; i < endpoint->port_count; i++) {
		const struct warder_port_range *ports = &endpoint->ports[i];

		low = cell->low > ports->low ? cell->low : ports->low;
		if (low <= ports->high && low <= cell->high && low < best)
			best = low;
	}
	if (best > 65535)
		return false;
	*ret_port = (__u16)best;
	return true;
}

/* What the rule has in common with the cell: the smallest address, the smallest port. */
static bool meet(const struct cell *cell, const struct warder_net_rule *rule,
		 struct warder_address *ret_address, __u16 *ret_port)
{
	const struct warder_endpoint *endpoint = &rule->endpoint;
	bool found = false;
	size_t i;

	if (endpoint->proto != cell->proto || !meet_ports(cell, endpoint, ret_port))
		return false;
	for (i = 0; i < endpoint->range_count && !found; i++)
		found = meet_addresses(cell, &endpoint->ranges[i], ret_address);
	return found;
}

/* Only one difference for each operation and protocol: that is wanted, or it took too long. */
static bool is_brief(const struct cells *cells)
{
	return cells->comparing->options->shortest || cells->work > WORK_MAX;
}

/* Has this pair of reasons been seen? Cells come in order, so the first is the smallest. */
static bool is_known(const struct cells *cells, const struct warder_difference *d)
{
	const struct warder_comparison *out = cells->comparing->out;
	size_t i;

	for (i = 0; i < out->count; i++) {
		const struct warder_difference *old = &out->list[i];

		if (old->kind != WARDER_ACCESS_ADDRESS || old->direction != d->direction ||
		    old->op != d->op || old->proto != d->proto)
			continue;
		if (is_brief(cells) || (warder_explanation_same(&old->allows, &d->allows) &&
					warder_explanation_same(&old->refuses, &d->refuses)))
			return true;
	}
	return false;
}

static int add_difference(struct cells *cells, struct warder_difference *d,
			  const struct warder_net_rule *rule)
{
	const struct warder_side *allows = warder_comparing_allows(cells->comparing, d->direction);
	const struct warder_side *refuses =
		warder_comparing_refuses(cells->comparing, d->direction);

	d->allows = (struct warder_explanation){
		.cause = WARDER_CAUSE_ALLOWED,
		.allowed = true,
		.key = (int)rule->key,
		.key_name = allows->policy->keys[rule->key].name,
		.place = rule->place,
		.section = warder_net_rule_section(rule),
		.rule = rule->text,
	};
	cells->work += refuses->policy->net_count;
	warder_explain_net(refuses->policy, refuses->held, d->op, d->proto, d->address, d->port,
			   &d->refuses);
	if (!warder_side_reaches(allows, d->op, d->proto, d->address, d->port) ||
	    warder_side_reaches(refuses, d->op, d->proto, d->address, d->port) ||
	    d->refuses.allowed)
		return -ENOTRECOVERABLE;
	return is_known(cells, d) ? 0 : warder_comparing_add(cells->comparing, d);
}

/* Keys that have the cell, reservation applied. */
static __u64 keys_of(const struct cells *cells, enum warder_direction direction,
		     const struct cell *cell)
{
	const struct warder_side *side = cells->comparing->sides[direction];
	const struct warder_range *range = warder_side_range(side, cells->at[direction]);
	const struct warder_port *port;
	__u32 i;

	for (i = 0; (port = warder_side_port(side, range, i)); i++) {
		if (port->proto == cell->proto && port->low <= cell->low &&
		    cell->high <= port->high)
			return port->allow[cell->op];
	}
	return 0;
}

/* The cell differs: each rule that is behind it, or the one with the smallest address. */
static int look_at_rules(struct cells *cells, const struct cell *cell,
			 enum warder_direction direction)
{
	const struct warder_side *side = warder_comparing_allows(cells->comparing, direction);
	__u64 keys = keys_of(cells, direction, cell) & side->held;
	const struct warder_net_rule *smallest = NULL;
	struct warder_difference best = {0};
	size_t i;
	int r = 0;

	cells->comparing->out->addresses[direction] = true;
	for (i = 0; r == 0 && i < side->policy->net_count; i++) {
		const struct warder_net_rule *rule = &side->policy->net_rules[i];
		struct warder_difference d = {.direction = direction,
					      .kind = WARDER_ACCESS_ADDRESS,
					      .op = cell->op,
					      .proto = cell->proto};

		cells->work++;
		if (rule->deny || warder_net_rule_op(rule) != cell->op ||
		    !(keys >> rule->key & 1) || !meet(cell, rule, &d.address, &d.port))
			continue;
		if (!smallest || warder_address_compare(d.address, best.address) < 0) {
			smallest = rule;
			best = d;
		}
		if (!is_brief(cells))
			r = add_difference(cells, &d, rule);
	}
	if (!smallest)
		return -ENOTRECOVERABLE;
	if (r < 0 || !is_brief(cells))
		return r;
	cells->comparing->out->incomplete[direction] |= !cells->comparing->options->shortest;
	return add_difference(cells, &best, smallest);
}

/* --- cells --- */

static int look_at_cell(struct cells *cells, const struct cell *cell)
{
	const struct warder_side *const *sides = cells->comparing->sides;
	struct warder_address at = cell->first;
	bool a, b;

	/* Of a range that begins with an unspecified address, what follows it. */
	if (!is_destination(cell->op, at)) {
		if (!is_less(at, cell->last))
			return 0;
		at = behind(at);
	}
	a = warder_side_reaches(sides[WARDER_ONLY_A], cell->op, cell->proto, at, (__u16)cell->low);
	b = warder_side_reaches(sides[WARDER_ONLY_B], cell->op, cell->proto, at, (__u16)cell->low);
	if (a == b || (b && cells->comparing->options->one_way))
		return 0;
	return look_at_rules(cells, cell, a ? WARDER_ONLY_A : WARDER_ONLY_B);
}

static int look_at_piece(struct cells *cells, struct warder_address first,
			 struct warder_address last)
{
	static const __u8 protos[] = {WARDER_PROTO_TCP, WARDER_PROTO_UDP};
	struct cell cell = {.first = first, .last = last};
	__u32 cuts[CUTS_MAX];
	size_t p, i, count;
	int r = 0, op;

	for (p = 0; p < sizeof(protos) && r == 0; p++) {
		cell.proto = protos[p];
		count = find_cuts(cells, cell.proto, cuts);
		for (i = 0; i + 1 < count && r == 0; i++) {
			if (cuts[i] == cuts[i + 1])
				continue;
			cell.low = cuts[i];
			cell.high = cuts[i + 1] - 1;
			for (op = 0; op < WARDER_NET_OP_COUNT && r == 0; op++) {
				cell.op = (enum warder_net_op)op;
				r = look_at_cell(cells, &cell);
			}
		}
	}
	return r;
}

int warder_compare_addresses(struct warder_comparing *c)
{
	struct cells cells = {.comparing = c};
	struct warder_address first = {0, 0}, last;
	int r = 0, i;

	for (;;) {
		last = piece_last(&cells);
		r = look_at_piece(&cells, first, last);
		if (r < 0 || !warder_address_compare(last, LAST_ADDRESS))
			return r;
		first = behind(last);
		for (i = 0; i < WARDER_DIRECTION_COUNT; i++) {
			const struct warder_range *next =
				warder_side_range(c->sides[i], cells.at[i] + 1);

			if (next && !warder_address_compare(range_first(next), first))
				cells.at[i]++;
		}
	}
}
