// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * sweep.c - which keys may do what with which ports of an address, from the lowest port up.
 *
 * Where the ports of all rules begin and end is sorted once; at each address the edges of
 * rules that do not name it are passed over.
 */
#include "compile/sweep.h"

#include <errno.h>
#include <stdlib.h>

/* How many rules say so, by key, and who they are. */
struct tally {
	__u32 counts[WARDER_KEYS_MAX];
	__u64 keys;
};

/* What holds at a port, by operation. */
struct standing {
	struct tally allow[WARDER_NET_OP_COUNT], deny[WARDER_NET_OP_COUNT];
	struct tally named; /* tools that name where to connect to */
	__u32 reserved;
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

/* One rule more or less; a key is in the mask while any rule of it holds. */
static void count(struct tally *tally, unsigned int key, bool more)
{
	tally->counts[key] += more ? 1 : -1;
	if (tally->counts[key])
		tally->keys |= 1ull << key;
	else
		tally->keys &= ~(1ull << key);
}

static void cross_edge(const struct warder_sweep *sweep, struct standing *s,
		       const struct warder_edge *edge)
{
	const struct warder_net_rule *rule = &sweep->policy->net_rules[edge->rule];
	enum warder_net_op op = warder_net_rule_op(rule);

	if (!sweep->active[edge->rule])
		return;
	count(rule->deny ? &s->deny[op] : &s->allow[op], rule->key, edge->begins);
	if (!rule->names)
		return;
	count(&s->named, rule->key, edge->begins);
	if (!sweep->policy->keys[rule->key].shared)
		s->reserved += edge->begins ? 1 : -1;
}

/* Who may do what with this port, reservation applied; false: nothing is said about it. */
static bool standing_keys(const struct standing *s, struct warder_sweep_keys *ret_keys)
{
	__u64 any = 0;
	int op;

	for (op = 0; op < WARDER_NET_OP_COUNT; op++) {
		ret_keys->allow[op] = s->allow[op].keys;
		if (op == WARDER_NET_CONNECT && s->reserved)
			ret_keys->allow[op] &= s->named.keys;
		ret_keys->deny[op] = s->deny[op].keys;
		any |= ret_keys->allow[op] | ret_keys->deny[op];
	}
	return any;
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
		sweep->active[i] = warder_net_rule_names(&sweep->policy->net_rules[i], at);
}

int warder_sweep_ports(const struct warder_sweep *sweep, enum warder_proto proto,
		       warder_sweep_segment segment, void *context)
{
	const struct warder_edge *edges = sweep->edges[proto];
	struct standing standing = {0};
	struct warder_sweep_keys keys;
	size_t i, past = sweep->edge_count[proto];
	int r = 0;

	for (i = 0; r == 0 && i < past; i++) {
		cross_edge(sweep, &standing, &edges[i]);
		if (i + 1 == past || edges[i + 1].port == edges[i].port)
			continue;
		if (standing_keys(&standing, &keys))
			r = segment(context, proto, edges[i].port, edges[i + 1].port - 1, &keys);
	}
	return r;
}
