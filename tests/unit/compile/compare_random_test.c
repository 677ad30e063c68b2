// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * compare_random_test.c - are `within` and `diff` exact? Random pairs of policies.
 *
 * Every witness is tried on both sides, by decide.h and by the naive matcher. Paths and addresses
 * are drawn from both policies, and short texts are tried one and all: what differs must have
 * been told, and nothing may be shorter than what was told.
 *
 * WARDER_SEED=N replays: a failure prints the seed of its pair, which is then the first.
 * WARDER_PAIRS=N changes how many are made.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "policy/right.h"
#include "base/cleanup.h"
#include "compile/compare.h"
#include "compile/compile.h"
#include "policy/right.h"
#include "random_policy.h"

#define PAIRS	   1000
#define SAMPLES	   60
#define ADDRESSES  40
#define TEXT_BYTES 5 /* of the texts that are tried one and all */

struct made {
	struct text text;
	struct naive_policy naive;
	struct warder_policy *policy;
	struct warder_image *image;
	struct warder_side side;
};

/* A pair, and what was told about it. */
struct pair {
	uint64_t seed;
	struct made a, b;
	struct warder_comparison told;
	size_t shortest[2][WARDER_RIGHT_COUNT]; /* SIZE_MAX: no difference */
};

static struct {
	unsigned long pairs, blown, within, same, witnesses, incomplete;
	unsigned long samples, differ, texts, texts_differ, addresses, addresses_differ;
} seen;

static uint64_t first_seed;

static void show(const struct pair *p, const char *what, const char *object)
{
	print_error("seed %llu\n%s: %s\nheld %llx and %llx\n%s\n---\n%s",
		    (unsigned long long)p->seed, what, object, (unsigned long long)p->a.side.held,
		    (unsigned long long)p->b.side.held, p->a.text.at, p->b.text.at);
}

#define CHECK(pair, condition, object)                  \
	do {                                            \
		if (!(condition)) {                     \
			show(pair, #condition, object); \
			fail();                         \
		}                                       \
	} while (0)

/* --- pairs --- */

/* Put another pattern in the place of one that rule number `which` has. */
static void change_pattern(struct made *made, size_t which)
{
	char quoted[NAIVE_PATTERN_MAX + 3], fresh[NAIVE_PATTERN_MAX];
	struct naive_rule *rules = made->naive.rules;
	static struct text changed;
	char *at = made->text.at;
	size_t i, k;

	/* Rules stand in the text in their order, each with its exceptions behind it. */
	for (i = 0; i <= which; i++) {
		snprintf(quoted, sizeof(quoted), "'%s'", rules[i].pattern);
		at = strstr(at, quoted);
		assert_non_null(at);
		if (i == which)
			break;
		at += strlen(quoted);
		for (k = 0; k < rules[i].except_count; k++) {
			snprintf(quoted, sizeof(quoted), "'%s'", rules[i].except[k]);
			at = strstr(at, quoted);
			assert_non_null(at);
			at += strlen(quoted);
		}
	}
	if (rules[which].rights == WARDER_CONNECT)
		random_socket_pattern(fresh);
	else
		random_pattern(fresh);
	changed.used = 0;
	text_add(&changed, "%.*s'%s'%s", (int)(at - made->text.at), made->text.at, fresh,
		 at + strlen(quoted));
	made->text = changed;
	strcpy(rules[which].pattern, fresh);
}

/* False: its patterns blow up, which is not wrong. */
static bool compile(struct pair *p, struct made *made)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	int r = warder_policy_parse("random", made->text.at, made->text.used, &options, &found,
				    &made->policy);

	if (r < 0)
		warder_diagnostics_print(&found, stdout);
	CHECK(p, r == 0, "parse");
	r = warder_compile(made->policy, &found, &made->image);
	CHECK(p, r == 0 || r == -E2BIG, "compile");
	made->side.policy = made->policy;
	made->side.image = made->image;
	return r == 0;
}

static __u64 random_keys(const struct made *made)
{
	__u64 keys = random_word();

	if (random_percent(50))
		keys |= random_word();
	return keys & ((1ull << made->naive.key_count) - 1);
}

/* Strangers, the same with another rule or two, or two keyrings of one policy. */
static bool pair_make(struct pair *p, uint64_t seed)
{
	unsigned int kind, changes;

	p->seed = random_state = seed;
	kind = random_below(100);
	random_policy(&p->a.text, &p->a.naive);
	if (kind < 30) {
		random_policy(&p->b.text, &p->b.naive);
	} else {
		p->b.text = p->a.text;
		p->b.naive = p->a.naive;
	}
	for (changes = kind < 30 || kind >= 70 ? 0 : 1 + random_below(2); changes; changes--) {
		if (p->b.naive.rule_count)
			change_pattern(&p->b, random_below((unsigned int)p->b.naive.rule_count));
	}
	p->a.side.held = random_keys(&p->a);
	p->b.side.held = kind < 30 ? random_keys(&p->b) : p->a.side.held;
	if (kind >= 70)
		p->b.side.held = random_percent(50) ? random_keys(&p->b)
						    : p->a.side.held | random_keys(&p->b);
	p->a.side.base = p->a.side.held;
	p->b.side.base = p->b.side.held;
	return compile(p, &p->a) && compile(p, &p->b);
}

static void pair_free(struct pair *p)
{
	warder_policy_free(&p->a.policy);
	warder_policy_free(&p->b.policy);
	free(p->a.image);
	free(p->b.image);
	p->a.image = p->b.image = NULL;
	warder_comparison_release(&p->told);
}

static const struct made *made_of(const struct pair *p, int side)
{
	return side ? &p->b : &p->a;
}

/* --- what is told --- */

/* A path that the kernel can feed, judged once more. */
static bool is_real(const char *path, size_t length)
{
	size_t count = 0, at, end;

	if (path[0] == '@')
		return length <= 108;
	if (path[0] != '/' || strlen(path) != length)
		return false;
	for (at = 1; length > 1 && at <= length; at = end + 1) {
		end = at + strcspn(path + at, "/");
		if (end == at || end - at > 255 || ++count > 256 ||
		    (end - at <= 2 && strspn(path + at, ".") == end - at))
			return false;
	}
	return true;
}

static __u32 rights_of(const struct made *made, const char *path, size_t length)
{
	__u32 rights =
		warder_side_rights(&made->side, warder_side_state(&made->side, path, length));

	return rights & (path[0] == '@' ? WARDER_CONNECT : warder_rights_judged());
}

/* The naive matcher does not know the rules that every set has (presets/guard.yaml). */
static bool is_guarded(const char *path)
{
	return !strncmp(path, "/run/warder", 11);
}

static void check_path_witness(struct pair *p, const struct warder_difference *d)
{
	const struct made *allows = made_of(p, d->direction), *refuses = made_of(p, !d->direction);
	int bit;

	CHECK(p, d->rights && is_real(d->path, d->length), d->path);
	CHECK(p, !(d->rights & ~rights_of(allows, d->path, d->length)), d->path);
	CHECK(p, !(d->rights & rights_of(refuses, d->path, d->length)), d->path);
	CHECK(p,
	      !(d->rights & ~naive_rights(&allows->naive, d->path, d->length, allows->side.held)),
	      d->path);
	CHECK(p,
	      is_guarded(d->path) || !(d->rights & naive_rights(&refuses->naive, d->path, d->length,
								refuses->side.held)),
	      d->path);
	CHECK(p, d->allows.allowed && !d->refuses.allowed, d->path);
	CHECK(p, allows->side.held >> d->allows.key & 1, d->path);
	for (bit = 0; bit < WARDER_RIGHT_COUNT; bit++) {
		if (d->rights >> bit & 1 && d->length < p->shortest[d->direction][bit])
			p->shortest[d->direction][bit] = d->length;
	}
}

static void check_told(struct pair *p)
{
	size_t i;
	int side, bit;

	memset(p->shortest, 0xff, sizeof(p->shortest));
	for (i = 0; i < p->told.count; i++) {
		if (p->told.list[i].kind == WARDER_ACCESS_PATH)
			check_path_witness(p, &p->told.list[i]);
	}
	for (side = 0; side < 2; side++) {
		for (bit = 0; bit < WARDER_RIGHT_COUNT; bit++)
			CHECK(p,
			      (p->shortest[side][bit] != SIZE_MAX) ==
				      (p->told.rights[side] >> bit & 1),
			      "every right that differs has a witness");
	}
	seen.witnesses += p->told.count;
	seen.incomplete += p->told.incomplete[0] || p->told.incomplete[1];
}

/* --- paths --- */

/* Both sides on one path: what differs was told, and by nothing longer. True: it differs. */
static bool check_path(const struct pair *p, const char *path, size_t length)
{
	__u32 a = rights_of(&p->a, path, length), b = rights_of(&p->b, path, length);
	__u32 only[2] = {a & ~b, b & ~a};
	int side, bit;

	for (side = 0; side < 2; side++) {
		for (bit = 0; bit < WARDER_RIGHT_COUNT; bit++) {
			if (only[side] >> bit & 1)
				CHECK(p, p->shortest[side][bit] <= length, path);
		}
	}
	return a != b;
}

/* The rule that allows a path that differs is told as one. */
static void check_rule_told(const struct pair *p, const char *path, size_t length)
{
	__u32 a = rights_of(&p->a, path, length), b = rights_of(&p->b, path, length);
	__u32 only[2] = {a & ~b, b & ~a}, right;
	struct warder_explanation why;
	size_t i;
	int side;

	for (side = 0; side < 2; side++) {
		right = only[side] & -only[side];
		if (!right || p->told.incomplete[side])
			continue;
		assert_int_equal(warder_explain_path(made_of(p, side)->policy,
						     made_of(p, side)->side.held, right, path,
						     length, &why),
				 0);
		for (i = 0; i < p->told.count; i++) {
			const struct warder_difference *d = &p->told.list[i];

			if ((int)d->direction == side && d->kind == WARDER_ACCESS_PATH &&
			    d->rights & right && warder_explanation_same(&d->allows, &why))
				break;
		}
		CHECK(p, i < p->told.count, path);
	}
}

static void sample_paths(const struct pair *p)
{
	char path[NAIVE_PATTERN_MAX];
	int i;

	for (i = 0; i < SAMPLES; i++) {
		random_path(i % 2 ? &p->a.naive : &p->b.naive, path);
		if (!is_real(path, strlen(path)))
			continue;
		seen.samples++;
		if (!check_path(p, path, strlen(path)))
			continue;
		seen.differ++;
		check_rule_told(p, path, strlen(path));
	}
}

/* Every text over an alphabet, up to a length. */
struct texts {
	const struct pair *pair;
	const char *bytes;
	size_t count, longest;
	char text[TEXT_BYTES + 1];
};

static void try_texts(struct texts *t, size_t length)
{
	size_t i;

	t->text[length] = 0;
	if (is_real(t->text, length)) {
		seen.texts++;
		seen.texts_differ += check_path(t->pair, t->text, length);
	}
	for (i = 0; length < t->longest && i < t->count; i++) {
		t->text[length] = t->bytes[i];
		try_texts(t, length + 1);
	}
}

static void try_all_texts(const struct pair *p)
{
	static const char letters[] = "abcxhnevsi,-*{]!\xc3";
	char bytes[256] = "/.ab";
	struct texts t = {.pair = p, .bytes = bytes, .count = 6, .longest = TEXT_BYTES};
	size_t i;

	bytes[4] = RANDOM_OF(letters);
	bytes[5] = RANDOM_OF(letters);
	t.text[0] = random_percent(90) ? '/' : '@';
	try_texts(&t, 1);
	if (random_percent(98))
		return;
	/* Now and then any byte, in shorter texts. */
	for (i = 0; i < 255; i++)
		bytes[i] = (char)(i + 1);
	t.count = 255;
	t.longest = 3;
	try_texts(&t, 1);
}

/* --- addresses --- */

/* The smallest one that was told; false: none was. */
static bool told_address(const struct pair *p, int side, __u8 proto, struct warder_address *ret,
			 __u16 *ret_port)
{
	size_t i;

	for (i = 0; i < p->told.count; i++) {
		const struct warder_difference *d = &p->told.list[i];

		if (d->kind != WARDER_ACCESS_ADDRESS || (int)d->direction != side ||
		    d->proto != proto)
			continue;
		*ret = d->address;
		*ret_port = d->port;
		return true;
	}
	return false;
}

static void unpack(struct warder_address address, unsigned char bytes[16])
{
	int i;

	for (i = 0; i < 8; i++) {
		bytes[i] = (unsigned char)(address.hi >> (56 - 8 * i));
		bytes[8 + i] = (unsigned char)(address.lo >> (56 - 8 * i));
	}
}

static bool reaches(const struct made *made, __u8 proto, struct warder_address address, __u16 port)
{
	return warder_side_reaches(&made->side, WARDER_NET_CONNECT, proto, address, port);
}

/* Told, and nothing larger is. True: it differs. */
static bool check_address(const struct pair *p, __u8 proto, struct warder_address address,
			  __u16 port)
{
	bool a = reaches(&p->a, proto, address, port), b = reaches(&p->b, proto, address, port);
	char shown[WARDER_ADDRESS_TEXT_MAX];
	struct warder_address told = {0};
	__u16 told_port = 0;
	int order;

	if (a == b)
		return false;
	warder_address_text(proto, address, port, shown);
	CHECK(p, p->told.addresses[b], shown);
	CHECK(p, told_address(p, b, proto, &told, &told_port), shown);
	/* An unspecified address is another one's. */
	if (!address.hi && (!address.lo || address.lo == 0xffff00000000ull))
		return true;
	order = warder_address_compare(told, address);
	CHECK(p, order < 0 || (order == 0 && told_port <= port), shown);
	return true;
}

/* Where ranges and ports begin is where a smallest difference can be. */
static void try_ports(const struct pair *p, struct warder_address at)
{
	const struct warder_range *range;
	const struct warder_port *port;
	__u32 i, k;
	int side;

	for (side = 0; side < 2; side++) {
		const struct warder_side *s = &made_of(p, side)->side;

		for (i = 0; (range = warder_side_range(s, i)); i++) {
			for (k = 0; (port = warder_side_port(s, range, k)); k++)
				check_address(p, port->proto, at, port->low);
		}
	}
}

static void try_corners(const struct pair *p)
{
	const struct warder_range *range;
	__u32 i;
	int side;

	for (side = 0; side < 2; side++) {
		for (i = 0; (range = warder_side_range(&made_of(p, side)->side, i)); i++)
			try_ports(p, (struct warder_address){range->hi, range->lo});
	}
}

static void check_address_witnesses(const struct pair *p)
{
	size_t i;

	for (i = 0; i < p->told.count; i++) {
		const struct warder_difference *d = &p->told.list[i];
		const struct made *allows = made_of(p, d->direction);
		const struct made *refuses = made_of(p, !d->direction);
		unsigned char bytes[16];

		if (d->kind != WARDER_ACCESS_ADDRESS)
			continue;
		unpack(d->address, bytes);
		naive_destination(bytes);
		CHECK(p, check_address(p, d->proto, d->address, d->port), "a told address");
		CHECK(p,
		      naive_connect(&allows->naive, d->proto, bytes, d->port, allows->side.held)
				      .allow &
			      allows->side.held,
		      "who is told to reach an address");
		CHECK(p,
		      !(naive_connect(&refuses->naive, d->proto, bytes, d->port, refuses->side.held)
				.allow &
			refuses->side.held),
		      "who is told not to reach an address");
		CHECK(p, allows->side.held >> d->allows.key & 1 && !d->refuses.allowed,
		      "its rules");
	}
}

static void sample_addresses(const struct pair *p)
{
	int i;

	for (i = 0; i < ADDRESSES; i++) {
		const struct naive_net *net =
			random_net(i % 2 ? &p->a.naive : &p->b.naive, i % 4 == 0);
		struct warder_address address;
		unsigned char bytes[16];

		random_address(net, bytes);
		address = warder_address_v6(bytes);
		seen.addresses++;
		seen.addresses_differ += check_address(p, net ? net->proto : WARDER_PROTO_UDP,
						       address, (__u16)random_port(net));
	}
}

/* --- system calls --- */

static void check_syscalls(const struct pair *p)
{
	bool only[2] = {false, false};
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		bool a = naive_syscall_denied(&p->a.naive, calls[i].number, p->a.side.held);
		bool b = naive_syscall_denied(&p->b.naive, calls[i].number, p->b.side.held);

		only[0] |= b && !a;
		only[1] |= a && !b;
	}
	CHECK(p, p->told.syscalls[0] == only[0] && p->told.syscalls[1] == only[1], "calls");
}

/* --- all --- */

static void check_pair(struct pair *p)
{
	int r = warder_compare(&p->a.side, &p->b.side, NULL, &p->told);

	CHECK(p, r == 0, "compare");
	check_told(p);
	sample_paths(p);
	try_all_texts(p);
	check_address_witnesses(p);
	sample_addresses(p);
	try_corners(p);
	check_syscalls(p);
	if (warder_comparison_differs(&p->told, WARDER_ONLY_A))
		return;
	seen.within++;
	seen.same += !warder_comparison_differs(&p->told, WARDER_ONLY_B);
}

static void tells_what_differs_and_no_more(void **state)
{
	const char *count = getenv("WARDER_PAIRS");
	unsigned long pairs = count ? strtoul(count, NULL, 0) : PAIRS, i;
	static struct pair p;

	printf("seed %llu\n", (unsigned long long)first_seed);
	for (i = 0; i < pairs; i++) {
		if (pair_make(&p, first_seed + i))
			check_pair(&p);
		else
			seen.blown++;
		pair_free(&p);
		seen.pairs++;
	}
	printf("figure pairs %lu: too large %lu, within %lu, the same %lu, not all told %lu\n",
	       seen.pairs, seen.blown, seen.within, seen.same, seen.incomplete);
	printf("figure witnesses %lu; samples %lu, differ %lu; short texts %lu, differ %lu\n",
	       seen.witnesses, seen.samples, seen.differ, seen.texts, seen.texts_differ);
	printf("figure addresses %lu, differ %lu\n", seen.addresses, seen.addresses_differ);
}

#define SHARE(part, whole) (100 * (part) / ((whole) ? (whole) : 1))

/* A property that is hardly ever met proves little. */
static void meets_every_verdict(void **state)
{
	if (getenv("WARDER_PAIRS"))
		skip();
	assert_true(SHARE(seen.blown, seen.pairs) < 1);
	assert_true(SHARE(seen.within, seen.pairs) >= 10);
	assert_true(SHARE(seen.same, seen.pairs) >= 2 && SHARE(seen.same, seen.pairs) <= 50);
	assert_true(SHARE(seen.differ, seen.samples) >= 10);
	assert_true(SHARE(seen.differ, seen.samples) <= 90);
	assert_true(SHARE(seen.addresses_differ, seen.addresses) >= 5);
	assert_true(SHARE(seen.incomplete, seen.pairs) < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_what_differs_and_no_more),
		cmocka_unit_test(meets_every_verdict),
	};
	const char *seed = getenv("WARDER_SEED");

	first_seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL) * 1000003;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
