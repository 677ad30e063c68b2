// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * advice_net.c - network rules that do nothing: what they name is reserved for tools, or another
 * rule of their key gives it.
 *
 * As in advice_rule.c: rules of the policy itself, and those alone that no variable is in.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile/advising.h"
#include "compile/layout.h"
#include "policy/reader.h"

struct one {
	const struct warder_net_rule *rule;
	bool filled; /* a variable is in it */
	bool idle;   /* something was said */
};

struct rules {
	const struct warder_advising *a;
	struct one *list;
	size_t count;
};

static const char *describe(const struct rules *s, const struct warder_net_rule *rule, char *out,
			    size_t size)
{
	char quoted[WARDER_QUOTED_MAX];

	warder_reader_quote(rule->text, strlen(rule->text), quoted);
	if (warder_advising_own(s->a, &rule->place))
		snprintf(out, size, "line %u: %s %s", rule->place.line,
			 warder_net_rule_section(rule), quoted);
	else
		snprintf(out, size, "%s: %s %s", rule->place.file, warder_net_rule_section(rule),
			 quoted);
	return out;
}

/* --- one endpoint within another --- */

static bool has_addresses(const struct warder_endpoint *wide,
			  const struct warder_address_range *range)
{
	size_t i;

	for (i = 0; i < wide->range_count; i++) {
		if (warder_address_compare(wide->ranges[i].first, range->first) <= 0 &&
		    warder_address_compare(range->last, wide->ranges[i].last) <= 0)
			return true;
	}
	return false;
}

/* Ranges of ports may follow one another: step from the end of one into the next. */
static bool has_ports(const struct warder_endpoint *wide, const struct warder_port_range *ports)
{
	__u32 at = ports->low;
	size_t i = 0;

	while (at <= ports->high && i < wide->port_count) {
		if (wide->ports[i].low <= at && at <= wide->ports[i].high) {
			at = wide->ports[i].high + 1u;
			i = 0;
		} else {
			i++;
		}
	}
	return at > ports->high;
}

static bool covers(const struct warder_endpoint *wide, const struct warder_endpoint *narrow)
{
	bool all = wide->proto == narrow->proto;
	size_t i;

	for (i = 0; all && i < narrow->range_count; i++)
		all = has_addresses(wide, &narrow->ranges[i]);
	for (i = 0; all && i < narrow->port_count; i++)
		all = has_ports(wide, &narrow->ports[i]);
	return all;
}

/* --- against the image --- */

/* The last address of range i. */
static struct warder_address last_of(const struct warder_image *image, __u32 i)
{
	struct warder_address last = {~0ull, ~0ull};

	if (i + 1 < image->range_count) {
		const struct warder_range *next = warder_image_range(image, i + 1);

		last = (struct warder_address){next->hi, next->lo};
		if (!last.lo--)
			last.hi--;
	}
	return last;
}

static bool meets_addresses(const struct warder_image *image, __u32 i,
			    const struct warder_endpoint *endpoint)
{
	const struct warder_range *range = warder_image_range(image, i);
	struct warder_address first = {range->hi, range->lo}, last = last_of(image, i);
	size_t k;

	for (k = 0; k < endpoint->range_count; k++) {
		if (warder_address_compare(endpoint->ranges[k].first, last) <= 0 &&
		    warder_address_compare(first, endpoint->ranges[k].last) <= 0)
			return true;
	}
	return false;
}

static bool meets_ports(const struct warder_port *port, const struct warder_endpoint *endpoint)
{
	size_t k;

	for (k = 0; k < endpoint->port_count; k++) {
		if (endpoint->ports[k].low <= port->high && port->low <= endpoint->ports[k].high)
			return true;
	}
	return false;
}

/* Has its key anything left of what it names, reservation applied? */
static bool is_open(const struct warder_image *image, const struct warder_net_rule *rule)
{
	__u32 i, k;

	for (i = 0; i < image->range_count; i++) {
		const struct warder_range *range = warder_image_range(image, i);

		if (!meets_addresses(image, i, &rule->endpoint))
			continue;
		for (k = 0; k < range->count; k++) {
			const struct warder_port *port = warder_image_port(image, range->first + k);

			if (port->proto == rule->endpoint.proto &&
			    port->allow[warder_net_rule_op(rule)] >> rule->key & 1 &&
			    meets_ports(port, &rule->endpoint))
				return true;
		}
	}
	return false;
}

/* The first tool that has all of it; NULL: several together do. */
static const struct warder_net_rule *find_owner(const struct rules *s,
						const struct warder_net_rule *rule)
{
	const struct warder_policy *policy = s->a->policy;
	size_t i;

	for (i = 0; i < policy->net_count; i++) {
		const struct warder_net_rule *other = &policy->net_rules[i];

		if (other->names && !policy->keys[other->key].shared && other->key != rule->key &&
		    covers(&other->endpoint, &rule->endpoint))
			return other;
	}
	return NULL;
}

/* Who holds the tool from the start has it anyway. */
static bool has_tool(const struct warder_policy *policy, unsigned int set_key, unsigned int tool)
{
	size_t i;

	for (i = 0; i < policy->set_count; i++) {
		if (policy->sets[i].key == set_key)
			return policy->sets[i].tools >> tool & 1;
	}
	return false;
}

/* Says so when the rule does nothing: only reservation can bring that about. */
static void advise_idle(const struct rules *s, struct one *one)
{
	const struct warder_net_rule *rule = one->rule, *owner;
	char why[1024], hint[256];
	const char *tool;

	if (rule->deny || is_open(s->a->image, rule))
		return;
	one->idle = true;
	owner = find_owner(s, rule);
	if (!owner) {
		warder_advising_say(s->a, WARDER_WARNING, &rule->place,
				    "give the set these tools, or say `shared: true` in them",
				    "the rule allows nothing: what it names is reserved for tools");
		return;
	}
	tool = s->a->policy->keys[owner->key].name;
	if (has_tool(s->a->policy, rule->key, owner->key))
		return;
	snprintf(hint, sizeof(hint),
		 "give the set the tool (tools: [%s]), or say `shared: true` in the tool", tool);
	warder_advising_say(s->a, WARDER_WARNING, &rule->place, hint,
			    "the rule allows nothing: what it names is reserved for tool \"%s\" "
			    "(%s)",
			    tool, describe(s, owner, why, sizeof(why)));
}

/* --- useless rules --- */

/* Is `one` useless beside `wide`? Of two that say the same, the later one is. */
static bool is_useless(const struct one *one, const struct one *wide)
{
	return wide != one && !wide->idle && !wide->filled && wide->rule->key == one->rule->key &&
	       wide->rule->deny == one->rule->deny &&
	       wide->rule->endpoint.act == one->rule->endpoint.act &&
	       covers(&wide->rule->endpoint, &one->rule->endpoint) &&
	       (wide < one || !covers(&one->rule->endpoint, &wide->rule->endpoint));
}

static void advise_useless(const struct rules *s, struct one *one)
{
	char why[1024];
	size_t i;

	for (i = 0; i < s->count; i++) {
		if (!is_useless(one, &s->list[i]))
			continue;
		warder_advising_say(s->a, WARDER_WARNING, &one->rule->place,
				    "leave it out, or make the other one narrower",
				    "the rule adds nothing to %s",
				    describe(s, s->list[i].rule, why, sizeof(why)));
		one->idle = true;
		return;
	}
}

int warder_advise_network(const struct warder_advising *a)
{
	const struct warder_policy *policy = a->policy;
	struct rules s = {.a = a};
	size_t counts[WARDER_KEYS_MAX] = {0}, i;

	s.list = calloc(policy->net_count + 1, sizeof(*s.list));
	if (!s.list)
		return -ENOMEM;
	for (i = 0; i < policy->net_count; i++)
		counts[policy->net_rules[i].key] +=
			warder_advising_own(a, &policy->net_rules[i].place);
	for (i = 0; i < policy->net_count; i++) {
		const struct warder_net_rule *rule = &policy->net_rules[i];

		if (warder_advising_own(a, &rule->place) &&
		    counts[rule->key] <= WARDER_ADVICE_RULES_MAX)
			s.list[s.count++] = (struct one){.rule = rule,
							 .filled = !warder_advising_is_as_written(
								 a, &rule->place, rule->text)};
	}
	for (i = 0; i < s.count; i++)
		advise_idle(&s, &s.list[i]);
	for (i = 0; i < s.count; i++) {
		if (!s.list[i].idle && !s.list[i].filled)
			advise_useless(&s, &s.list[i]);
	}
	free(s.list);
	return 0;
}
