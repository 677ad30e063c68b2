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

/* Cuts that are worth looking at: many more can never fit. */
#define CUTS_MAX (8u * WARDER_RANGES_MAX)
/* Looks at a rule; more than this takes seconds. */
#define WORK_MAX 400000000ull

struct flattening {
	const struct warder_policy *policy;
	struct warder_image *image;
	struct warder_address *cuts;
	size_t cut_count;
	/* Of the piece that is looked at. */
	const struct warder_net_rule **active;
	size_t active_count;
	__u32 *ports; /* cuts of ports */
	size_t port_count;
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

static int compare_ports(const void *a, const void *b)
{
	__u32 x = *(const __u32 *)a, y = *(const __u32 *)b;

	return (x > y) - (x < y);
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

static bool covers(const struct warder_endpoint *e, struct warder_address at)
{
	size_t k;

	for (k = 0; k < e->range_count; k++) {
		if (warder_address_compare(e->ranges[k].first, at) <= 0 &&
		    warder_address_compare(at, e->ranges[k].last) <= 0)
			return true;
	}
	return false;
}

static void find_active(struct flattening *f, struct warder_address at)
{
	size_t i;

	f->active_count = 0;
	f->work += f->policy->net_count;
	for (i = 0; i < f->policy->net_count; i++) {
		if (covers(&f->policy->net_rules[i].endpoint, at))
			f->active[f->active_count++] = &f->policy->net_rules[i];
	}
}

static void cut_ports(struct flattening *f, enum warder_proto proto)
{
	size_t i, k, kept = 0;

	f->port_count = 0;
	for (i = 0; i < f->active_count; i++) {
		const struct warder_endpoint *e = &f->active[i]->endpoint;

		for (k = 0; e->proto == proto && k < e->port_count; k++) {
			f->ports[f->port_count++] = e->ports[k].low;
			f->ports[f->port_count++] = e->ports[k].high + 1u;
		}
	}
	if (f->port_count)
		qsort(f->ports, f->port_count, sizeof(*f->ports), compare_ports);
	for (i = 0; i < f->port_count; i++) {
		if (!kept || f->ports[i] != f->ports[kept - 1])
			f->ports[kept++] = f->ports[i];
	}
	f->port_count = kept;
}

static bool has_port(const struct warder_endpoint *e, __u32 port)
{
	size_t k;

	for (k = 0; k < e->port_count; k++) {
		if (e->ports[k].low <= port && port <= e->ports[k].high)
			return true;
	}
	return false;
}

/* Who may connect to this port, reservation applied. */
static __u64 keys_at(struct flattening *f, enum warder_proto proto, __u32 port)
{
	__u64 allow = 0, named = 0, reserved = 0;
	size_t i;

	f->work += f->active_count;
	for (i = 0; i < f->active_count; i++) {
		const struct warder_net_rule *rule = f->active[i];
		__u64 key = 1ull << rule->key;

		if (rule->endpoint.proto != proto || !has_port(&rule->endpoint, port))
			continue;
		allow |= key;
		if (rule->names)
			named |= key;
		if (rule->names && !f->policy->keys[rule->key].shared)
			reserved |= key;
	}
	return reserved ? allow & named : allow;
}

static int add_segment(struct flattening *f, enum warder_proto proto, __u32 low, __u32 high,
		       __u64 keys)
{
	struct warder_port *last = f->segment_count ? &f->segments[f->segment_count - 1] : NULL;

	if (last && last->proto == proto && last->high + 1u == low &&
	    last->allow[WARDER_NET_CONNECT] == keys) {
		last->high = (__u16)high;
		return 0;
	}
	if (f->segment_count == WARDER_SEGMENTS_MAX)
		return exceed(f, "port segments of one address");
	f->segments[f->segment_count] =
		(struct warder_port){.low = (__u16)low, .high = (__u16)high, .proto = (__u8)proto};
	f->segments[f->segment_count++].allow[WARDER_NET_CONNECT] = keys;
	return 0;
}

static int fill_segments(struct flattening *f, enum warder_proto proto)
{
	size_t i;
	int r;

	cut_ports(f, proto);
	for (i = 0; i + 1 < f->port_count; i++) {
		__u64 keys = keys_at(f, proto, f->ports[i]);

		if (f->work > WORK_MAX)
			return exceed(f, "time");
		if (!keys)
			continue;
		r = add_segment(f, proto, f->ports[i], f->ports[i + 1] - 1, keys);
		if (r < 0)
			return r;
	}
	return 0;
}

/* --- ranges --- */

/* Index of a run of ports that equals the segments; adds it when there is none. */
static int store_segments(struct flattening *f, __u32 *ret_first)
{
	struct warder_image *image = f->image;
	size_t size = f->segment_count * sizeof(f->segments[0]);
	__u32 i;

	for (i = 0; i < image->range_count; i++) {
		const struct warder_range *range = &image->ranges[i];

		if (range->count != f->segment_count ||
		    memcmp(&image->ports[range->first], f->segments, size))
			continue;
		*ret_first = range->first;
		return 0;
	}
	if (image->port_count + f->segment_count > WARDER_PORTS_MAX)
		return exceed(f, "port segments");
	memcpy(&image->ports[image->port_count], f->segments, size);
	*ret_first = image->port_count;
	image->port_count += f->segment_count;
	return 0;
}

static int add_range(struct flattening *f, struct warder_address at)
{
	struct warder_image *image = f->image;
	const struct warder_range *last =
		image->range_count ? &image->ranges[image->range_count - 1] : NULL;
	__u32 first = 0;
	int r;

	r = store_segments(f, &first);
	if (r < 0)
		return r;
	if (!f->segment_count)
		first = 0;
	if (last && last->count == f->segment_count && last->first == first)
		return 0;
	if (image->range_count == WARDER_RANGES_MAX)
		return exceed(f, "address ranges");
	image->ranges[image->range_count++] = (struct warder_range){
		.hi = at.hi, .lo = at.lo, .first = first, .count = f->segment_count};
	return 0;
}

static int flatten(struct flattening *f)
{
	size_t i;
	int r = cut_addresses(f);

	for (i = 0; r == 0 && i < f->cut_count; i++) {
		find_active(f, f->cuts[i]);
		memset(f->segments, 0, sizeof(f->segments));
		f->segment_count = 0;
		r = fill_segments(f, WARDER_PROTO_TCP);
		if (r == 0)
			r = fill_segments(f, WARDER_PROTO_UDP);
		if (r == 0)
			r = add_range(f, f->cuts[i]);
		if (r == 0 && f->work > WORK_MAX)
			r = exceed(f, "time");
	}
	return r;
}

static void report(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
		   const char *limit)
{
	warder_diagnostics_add(diagnostics, WARDER_ERROR, &policy->source, (struct warder_span){0},
			       "at most 2048 address ranges, 4096 port segments, 64 of them at one "
			       "address: name networks instead of hosts",
			       "the %zu network rules exceed a limit: %s", policy->net_count,
			       limit);
}

int warder_network_build(const struct warder_policy *policy, struct warder_diagnostics *diagnostics,
			 struct warder_image *image)
{
	_cleanup_free_ struct flattening *f = calloc(1, sizeof(*f));
	_cleanup_free_ struct warder_address *cuts = NULL;
	_cleanup_free_ const struct warder_net_rule **active = NULL;
	_cleanup_free_ __u32 *ports = NULL;
	size_t count = policy->net_count;
	int r;

	if (!count)
		return 0;
	cuts = calloc(4 * count + 1, sizeof(*cuts));
	active = calloc(count, sizeof(*active));
	ports = calloc(2 * WARDER_ENDPOINT_PORTS_MAX * count, sizeof(*ports));
	if (!f || !cuts || !active || !ports)
		return -ENOMEM;
	f->policy = policy;
	f->image = image;
	f->cuts = cuts;
	f->active = active;
	f->ports = ports;
	r = flatten(f);
	if (r == -E2BIG)
		report(policy, diagnostics, f->limit);
	return r;
}
