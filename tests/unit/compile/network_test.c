// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * network_test.c - thousands of overlapping networks: every address has all that rules of any
 * width say about it, soon; and what does not fit is refused with the rules named.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "random.h"

#define RULES 2000

static struct warder_policy *policy;
static struct warder_image *image;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int try_compile(const char *text, struct warder_diagnostics *found, double *ret_seconds)
{
	const struct warder_policy_options options = {.keep_links = true};
	double start = now();
	int r;

	warder_policy_free(&policy);
	free(image);
	image = NULL;
	r = warder_policy_parse("p.yaml", text, strlen(text), &options, found, &policy);
	if (r < 0)
		warder_diagnostics_print(found, stdout);
	assert_int_equal(r, 0);
	r = warder_compile(policy, found, &image);
	*ret_seconds = now() - start;
	return r;
}

/* --- overlapping --- */

/*
 * Prefixes of every length below two networks, so that they nest many times over, but no two
 * cut more than two thousand pieces; few ports, in all shapes.
 */
static char *add_endpoint_of_few_pieces(char *out)
{
	static const char *const ports[] = {"22",   "80,443", "1-1023",	   "443,8000-8100",
					    "8080", "*",      "1024-65535"};
	const char *proto = random_percent(70) ? "tcp" : "udp", *port = RANDOM_OF(ports);
	unsigned int shorter = 0, length, bits;

	if (!random_below(500))
		return out + sprintf(out, "%s:*:%s", proto, port);
	while (shorter < 10 && random_percent(50))
		shorter++;
	if (random_percent(60)) {
		length = 30 - shorter;
		bits = random_below(1u << 12) >> (32 - length) << (32 - length);
		return out + sprintf(out, "%s:10.1.%u.%u/%u:%s", proto, bits >> 8, bits & 255,
				     length, port);
	}
	length = 46 - shorter;
	bits = random_below(1u << 12) >> (48 - length) << (48 - length);
	return out + sprintf(out, "%s:[2001:db8:%x::]/%u:%s", proto, bits, length, port);
}

static char *add_list(char *out, const char *indent, const char *name, unsigned int count)
{
	out += sprintf(out, "%s%s:\n", indent, name);
	while (count--) {
		out += sprintf(out, "%s  - '", indent);
		out = add_endpoint_of_few_pieces(out);
		out = stpcpy(out, "'\n");
	}
	return out;
}

/* `acts`: to bind and denies, too. */
static char *overlapping_text(unsigned int rules, bool acts)
{
	static const char *const keys[] = {"tools:\n  mail:", "  web:\n    shared: true",
					   "  web2:", "sets:\n  a:", "  b:"};
	char *text = malloc(1u << 20),
	     *end = stpcpy(text, "version: 1\npolicy: p\nmodel: agent-in-sandbox\n");
	unsigned int key;

	for (key = 0; key < 5; key++) {
		end += sprintf(end, "%s\n    network:\n", keys[key]);
		/* Tools name few addresses: what they name is nobody else's. */
		end = add_list(end, "      ", "connect", key < 3 ? rules / 50 : rules / 2);
		if (acts)
			end = add_list(end, "      ", "bind", rules / 20);
		if (!acts || key < 3)
			continue;
		end = stpcpy(end, "      deny:\n");
		end = add_list(end, "        ", "connect", rules / 10);
		end = add_list(end, "        ", "bind", rules / 20);
	}
	return text;
}

/* Does the rule name an address, or deny to bind one that it would answer at? */
static bool is_about(const struct warder_net_rule *rule, __u8 proto, struct warder_address address,
		     __u16 port)
{
	bool v4 = !rule->endpoint.ranges[0].first.hi &&
		  rule->endpoint.ranges[0].first.lo >> 32 == 0xffff;
	bool any4 = !address.hi && address.lo == 0xffff00000000ull;
	bool any6 = !address.hi && !address.lo;

	if (rule->deny && rule->endpoint.act == WARDER_ACT_BIND && (any6 || (any4 && v4)))
		address = rule->endpoint.ranges[0].first;
	return warder_endpoint_contains(&rule->endpoint, proto, address, port);
}

/* Every rule on its own, without ranges or segments. */
static __u64 keys_of(enum warder_net_op op, __u8 proto, struct warder_address address, __u16 port)
{
	__u64 allow = 0, deny = 0, named = 0;
	bool reserved = false;
	size_t i;

	for (i = 0; i < policy->net_count; i++) {
		const struct warder_net_rule *rule = &policy->net_rules[i];

		if (warder_net_rule_op(rule) != op || !is_about(rule, proto, address, port))
			continue;
		if (rule->deny)
			deny |= 1ull << rule->key;
		else
			allow |= 1ull << rule->key;
		named |= rule->names ? 1ull << rule->key : 0;
		reserved |= rule->names && !policy->keys[rule->key].shared;
	}
	return (reserved ? allow & named : allow) & ~deny;
}

static void check(struct warder_address address)
{
	static const __u16 ports[] = {1, 22, 79, 80, 443, 1023, 1024, 8000, 8080, 8101, 65535};
	__u8 proto = random_percent(70) ? WARDER_PROTO_TCP : WARDER_PROTO_UDP;
	__u16 port = RANDOM_OF(ports);
	__u64 keys, denied, used;
	unsigned int key;
	int op;

	for (op = 0; op < WARDER_NET_OP_COUNT; op++) {
		keys = keys_of((enum warder_net_op)op, proto, address, port);
		for (key = 0; key < policy->key_count; key++)
			assert_int_equal(warder_decide_net(image, (enum warder_net_op)op, proto,
							   address.hi, address.lo, port,
							   1ull << key, 0, &denied, &used),
					 keys >> key & 1);
	}
}

/* The first and last address of a rule, and those beside it. */
static void check_borders(const struct warder_address_range *range)
{
	struct warder_address before = range->first, behind = range->last;

	check(range->first);
	check(range->last);
	if (before.lo-- == 0)
		before.hi--;
	if (++behind.lo == 0)
		behind.hi++;
	if (behind.hi || behind.lo)
		check(behind);
	if (range->first.hi || range->first.lo)
		check(before);
}

static void check_all_borders(void)
{
	size_t i, k;

	for (i = 0; i < policy->net_count; i++) {
		for (k = 0; k < policy->net_rules[i].endpoint.range_count; k++)
			check_borders(&policy->net_rules[i].endpoint.ranges[k]);
	}
}

static void every_address_has_all_that_is_said(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ char *text = overlapping_text(RULES, false);
	double seconds;

	assert_int_equal(try_compile(text, &found, &seconds), 0);
	printf("figure %zu overlapping networks: %u ranges, %u port segments, %.3f s\n",
	       policy->net_count, image->range_count, image->port_count, seconds);
	assert_true(policy->net_count > RULES && image->range_count > 100);
	assert_true(seconds < 10 * 0.2); /* sanitizers cost a factor */
	check_all_borders();
}

/* Every operation, with denies, and the any-addresses. */
static void every_operation_has_all_that_is_said(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ char *text = overlapping_text(200, true);
	double seconds;
	int i;

	assert_int_equal(try_compile(text, &found, &seconds), 0);
	check_all_borders();
	for (i = 0; i < 100; i++) {
		check(warder_address_any6);
		check(warder_address_v4(0));
	}
}

/* --- too many --- */

static void refuses(const char *text, const char *limit, const char *named)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	double seconds;

	assert_int_equal(try_compile(text, &found, &seconds), -E2BIG);
	assert_non_null(strstr(found.list[0].message, limit));
	assert_non_null(strstr(found.list[0].hint, named));
	assert_true(seconds < 5);
}

static void too_many_are_refused_with_their_names(void **state)
{
	static const char head[] = "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
				   "sets:\n a:\n  network:\n   connect:\n"
				   "    - 'udp:10.9.9.9:1'\n";
	_cleanup_free_ char *text = malloc(1u << 20);
	char *end = stpcpy(text, head);
	unsigned int i;

	for (i = 0; i < 3000; i++)
		end += sprintf(end, "    - 'tcp:10.0.%u.%u:443'\n", i / 128, i % 128 * 2);
	refuses(text, "address ranges",
		"the costliest rules: \"udp:10.9.9.9:1\" (p.yaml:8), \"tcp:10.0.0.0:443\" "
		"(p.yaml:9)");
	/* Only those that lie at the address are to blame. */
	end = stpcpy(text, head);
	for (i = 0; i < WARDER_SEGMENTS_MAX + 1; i++)
		end += sprintf(end, "    - 'tcp:10.1.0.0/16:%u'\n", 1 + 2 * i);
	refuses(text, "port segments of one address",
		"the costliest rules: \"tcp:10.1.0.0/16:1\" (p.yaml:9)");
}

static int start(void **state)
{
	random_state = 7;
	return 0;
}

static int finish(void **state)
{
	warder_policy_free(&policy);
	free(image);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_address_has_all_that_is_said),
		cmocka_unit_test(every_operation_has_all_that_is_said),
		cmocka_unit_test(too_many_are_refused_with_their_names),
	};

	return cmocka_run_group_tests(tests, start, finish);
}
