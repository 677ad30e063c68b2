// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * network.c - all endpoints of a policy as sorted address ranges with port segments.
 *
 * Addresses are cut wherever a rule begins or ends; in each piece the rules that cover it
 * are known, and their ports are cut the same way. Pieces that say the same as the one
 * before are joined again.
 */
#include "compile/network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/sweep.h"
#include "policy/reader.h"

/* Cuts that are worth looking at: many more can never fit. */
#define CUTS_MAX (8u * WARDER_RANGES_MAX)
/* Looks at a rule or at where ports begin and end; more than this takes seconds. */
#define WORK_MAX 600000000ull

struct flattening {
	const struct warder_policy *policy;
	struct warder_network *network;
	struct warder_address *cuts;
	size_t cut_count;
	struct warder_sweep sweep;
	/* Of the piece that is looked at. */
	struct warder_port segments[WARDER_SEGMENTS_MAX];
	__u32 segment_count;
	unsigned long long work;
	const char *limit; /* what was exceeded */
};

static int exceed(struct flattening *f, const char *limit)
{
	f->limit = limit;
	return -E2BIG;
}

/* --- cuts --- */

static int compare_addresses(const void *a, const void *b)
{
	return warder_address_compare(*(const struct warder_address *)a,
				      *(const struct warder_address *)b);
}

/* Is it about the own addresses that can be denied by another one's name? */
static bool denies_any(const struct warder_net_rule *rule)
{
	return rule->deny && rule->endpoint.act == WARDER_ACT_BIND;
}

static void add_cut(struct flattening *f, struct warder_address first, struct warder_address last)
{
	f->cuts[f->cut_count++] = first;
	if (++last.lo == 0)
		last.hi++;
	/* Behind the last address there is nothing to begin. */
	if (last.hi || last.lo)
		f->cuts[f->cut_count++] = last;
}

static int cut_addresses(struct flattening *f)
{
	size_t i, k, kept = 1;

	f->cuts[f->cut_count++] = (struct warder_address){0, 0};
	for (i = 0; i < f->policy->net_count; i++) {
		const struct warder_endpoint *e = &f->policy->net_rules[i].endpoint;

		for (k = 0; k < e->range_count; k++)
			add_cut(f, e->ranges[k].first, e->ranges[k].last);
		if (denies_any(&f->policy->net_rules[i])) {
			add_cut(f, warder_address_any6, warder_address_any6);
			add_cut(f, warder_address_v4(0), warder_address_v4(0));
		}
	}
	qsort(f->cuts, f->cut_count, sizeof(*f->cuts), compare_addresses);
	for (i = 1; i < f->cut_count; i++) {
		if (warder_address_compare(f->cuts[i], f->cuts[kept - 1]))
			f->cuts[kept++] = f->cuts[i];
	}
	f->cut_count = kept;
	return kept > CUTS_MAX ? exceed(f, "address ranges") : 0;
}

/* --- ports of one piece --- */

static bool says_the_same(const struct warder_port *port, const struct warder_sweep_keys *keys)
{
	return !memcmp(port->allow, keys->allow, sizeof(port->allow)) &&
	       !memcmp(port->deny, keys->deny, sizeof(port->deny));
}

static int add_segment(void *context, enum warder_proto proto, __u32 low, __u32 high,
		       const struct warder_sweep_keys *keys)
{
	struct flattening *f = context;
	struct warder_port *last = f->segment_count ? &f->segments[f->segment_count - 1] : NULL;

	if (last && last->proto == proto && last->high + 1u == low && says_the_same(last, keys)) {
		last->high = (__u16)high;
		return 0;
	}
	if (f->segment_count == WARDER_SEGMENTS_MAX)
		return exceed(f, "port segments of one address");
	last = &f->segments[f->segment_count++];
	*last = (struct warder_port){.low = (__u16)low, .high = (__u16)high, .proto = (__u8)proto};
	memcpy(last->allow, keys->allow, sizeof(last->allow));
	memcpy(last->deny, keys->deny, sizeof(last->deny));
	return 0;
}

/* --- ranges --- */

/* Index of a run of ports that equals the segments; adds it when there is none. */
static int store_segments(struct flattening *f, __u32 *ret_first)
{
	struct warder_network *network = f->network;
	size_t size = f->segment_count * sizeof(f->segments[0]);
	__u32 i;

	for (i = 0; i < network->range_count; i++) {
		const struct warder_range *range = &network->ranges[i];

		if (range->count != f->segment_count ||
		    memcmp(&network->ports[range->first], f->segments, size))
			continue;
		*ret_first = range->first;
		return 0;
	}
	if (network->port_count + f->segment_count > WARDER_PORTS_MAX)
		return exceed(f, "port segments");
	memcpy(&network->ports[network->port_count], f->segments, size);
	*ret_first = network->port_count;
	network->port_count += f->segment_count;
	return 0;
}

static int add_range(struct flattening *f, struct warder_address at)
{
	struct warder_network *network = f->network;
	const struct warder_range *last =
		network->range_count ? &network->ranges[network->range_count - 1] : NULL;
	__u32 first = 0;
	int r;

	r = store_segments(f, &first);
	if (r < 0)
		return r;
	if (!f->segment_count)
		first = 0;
	if (last && last->count == f->segment_count && last->first == first)
		return 0;
	if (network->range_count == WARDER_RANGES_MAX)
		return exceed(f, "address ranges");
	network->ranges[network->range_count++] = (struct warder_range){
		.hi = at.hi, .lo = at.lo, .first = first, .count = f->segment_count};
	return 0;
}

static int add_piece(struct flattening *f, struct warder_address at)
{
	int r;

	f->work += f->policy->net_count + f->sweep.edge_count[WARDER_PROTO_TCP] +
		   f->sweep.edge_count[WARDER_PROTO_UDP];
	if (f->work > WORK_MAX)
		return exceed(f, "time");
	warder_sweep_move(&f->sweep, at);
	memset(f->segments, 0, sizeof(f->segments));
	f->segment_count = 0;
	r = warder_sweep_ports(&f->sweep, WARDER_PROTO_TCP, add_segment, f);
	if (r == 0)
		r = warder_sweep_ports(&f->sweep, WARDER_PROTO_UDP, add_segment, f);
	return r < 0 ? r : add_range(f, at);
}

static int flatten(struct flattening *f)
{
	size_t i;
	int r = cut_addresses(f);

	for (i = 0; r == 0 && i < f->cut_count; i++)
		r = add_piece(f, f->cuts[i]);
	return r;
}

/* --- what does not fit --- */

struct ranking {
	const struct warder_net_rule *rule;
	bool active;
};

/* Those at the address that is too much, then those with the most ports, then the first. */
static int compare_rankings(const void *a, const void *b)
{
	const struct ranking *x = a, *y = b;

	if (x->active != y->active)
		return y->active - x->active;
	if (x->rule->endpoint.port_count != y->rule->endpoint.port_count)
		return x->rule->endpoint.port_count > y->rule->endpoint.port_count ? -1 : 1;
	return (x->rule > y->rule) - (x->rule < y->rule);
}

static void name_rules(const struct flattening *f, char *out, size_t size)
{
	_cleanup_free_ struct ranking *list = calloc(f->policy->net_count, sizeof(*list));
	size_t used = strlen(out), i;

	for (i = 0; list && i < f->policy->net_count; i++)
		list[i] = (struct ranking){&f->policy->net_rules[i], f->sweep.active[i]};
	if (list)
		qsort(list, f->policy->net_count, sizeof(*list), compare_rankings);
	for (i = 0; list && i < f->policy->net_count && i < 5 && used < size; i++) {
		const struct warder_net_rule *rule = list[i].rule;
		char quoted[WARDER_QUOTED_MAX];

		used += (size_t)snprintf(
			out + used, size - used, "%s %s (%s:%u)",
			i ? "," : "; the costliest rules:",
			warder_reader_quote(rule->text, strlen(rule->text), quoted),
			rule->place.file, rule->place.line);
	}
}

static void report(const struct flattening *f, struct warder_diagnostics *diagnostics)
{
	char hint[2048] = "at most 2048 address ranges, 4096 port segments, 64 of them at one "
			  "address: name networks instead of hosts";

	name_rules(f, hint, sizeof(hint));
	warder_diagnostics_add(
		diagnostics, WARDER_ERROR, &f->policy->source, (struct warder_span){0}, hint,
		"the %zu network rules exceed a limit: %s", f->policy->net_count, f->limit);
}

int warder_network_build(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
			 struct warder_network *network)
{
	_cleanup_free_ struct flattening *f = calloc(1, sizeof(*f));
	_cleanup_free_ struct warder_address *cuts = NULL;
	size_t count = policy->net_count;
	int r;

	if (!count)
		return 0;
	cuts = calloc(8 * count + 1, sizeof(*cuts));
	if (!f || !cuts)
		return -ENOMEM;
	f->policy = policy;
	f->network = network;
	f->cuts = cuts;
	r = warder_sweep_init(&f->sweep, policy);
	if (r == 0)
		r = flatten(f);
	if (r == -E2BIG)
		report(f, diagnostics);
	warder_sweep_release(&f->sweep);
	return r;
}
