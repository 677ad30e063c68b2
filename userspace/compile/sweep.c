// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * sweep.c - which keys may connect to which ports of an address, from the lowest port up.
 *
 * Where the ports of all rules begin and end is sorted once; at each address the edges of
 * rules that do not name it are passed over.
 */
#include "compile/sweep.h"

#include <errno.h>
#include <stdlib.h>

/* What holds at a port: how many of the rules say so, by key. */
struct standing {
	__u32 allow[WARDER_KEYS_MAX], named[WARDER_KEYS_MAX], reserved;
	__u64 allow_mask, named_mask;
};

static int compare_edges(const void *a, const void *b)
{
	const struct warder_edge *x = a, *y = b;

	return (x->port > y->port) - (x->port < y->port);
}

static int list_edges(struct warder_sweep *sweep, enum warder_proto proto)
{
	size_t i, k, count = 0;
	struct warder_edge *edge;

	for (i = 0; i < sweep->policy->net_count; i++) {
		if (sweep->policy->net_rules[i].endpoint.proto == proto)
			count += 2 * sweep->policy->net_rules[i].endpoint.port_count;
	}
	edge = sweep->edges[proto] = calloc(count + 1, sizeof(*edge));
	if (!edge)
		return -ENOMEM;
	for (i = 0; i < sweep->policy->net_count; i++) {
		const struct warder_endpoint *e = &sweep->policy->net_rules[i].endpoint;

		for (k = 0; e->proto == proto && k < e->port_count; k++) {
			*edge++ = (struct warder_edge){e->ports[k].low, (__u32)i, true};
			*edge++ = (struct warder_edge){e->ports[k].high + 1u, (__u32)i, false};
		}
	}
	sweep->edge_count[proto] = count;
	qsort(sweep->edges[proto], count, sizeof(*edge), compare_edges);
	return 0;
}

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

/* One rule more or less; a key is in the mask while any rule of it holds. */
static void count(__u32 counts[WARDER_KEYS_MAX], __u64 *mask, unsigned int key, bool more)
{
	counts[key] += more ? 1 : -1;
	*mask = counts[key] ? *mask | 1ull << key : *mask & ~(1ull << key);
}

static void cross_edge(const struct warder_sweep *sweep, struct standing *s,
		       const struct warder_edge *edge)
{
	const struct warder_net_rule *rule = &sweep->policy->net_rules[edge->rule];

	if (!sweep->active[edge->rule])
		return;
	count(s->allow, &s->allow_mask, rule->key, edge->begins);
	if (!rule->names)
		return;
	count(s->named, &s->named_mask, rule->key, edge->begins);
	if (!sweep->policy->keys[rule->key].shared)
		s->reserved += edge->begins ? 1 : -1;
}

/* Who may connect to this port, reservation applied. */
static __u64 standing_keys(const struct standing *s)
{
	return s->reserved ? s->allow_mask & s->named_mask : s->allow_mask;
}

int warder_sweep_init(struct warder_sweep *sweep, const struct warder_policy *policy)
{
	int r;

	*sweep = (struct warder_sweep){.policy = policy};
	sweep->active = calloc(policy->net_count + 1, sizeof(*sweep->active));
	if (!sweep->active)
		return -ENOMEM;
	r = list_edges(sweep, WARDER_PROTO_TCP);
	return r < 0 ? r : list_edges(sweep, WARDER_PROTO_UDP);
}

void warder_sweep_release(struct warder_sweep *sweep)
{
	free(sweep->edges[WARDER_PROTO_TCP]);
	free(sweep->edges[WARDER_PROTO_UDP]);
	free(sweep->active);
	*sweep = (struct warder_sweep){0};
}

void warder_sweep_move(struct warder_sweep *sweep, struct warder_address at)
{
	size_t i;

	for (i = 0; i < sweep->policy->net_count; i++)
		sweep->active[i] = covers(&sweep->policy->net_rules[i].endpoint, at);
}

int warder_sweep_ports(const struct warder_sweep *sweep, enum warder_proto proto,
		       warder_sweep_segment segment, void *context)
{
	const struct warder_edge *edges = sweep->edges[proto];
	struct standing standing = {0};
	size_t i, past = sweep->edge_count[proto];
	int r = 0;

	for (i = 0; r == 0 && i < past; i++) {
		cross_edge(sweep, &standing, &edges[i]);
		if (i + 1 == past || edges[i + 1].port == edges[i].port)
			continue;
		if (standing_keys(&standing))
			r = segment(context, proto, edges[i].port, edges[i + 1].port - 1,
				    standing_keys(&standing));
	}
	return r;
}
