// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * decide_test.c - random policies, through the whole chain, against the naive matcher.
 *
 * WARDER_SEED=N replays: a failure prints the seed of its policy, which is then the first.
 * WARDER_POLICIES=N changes how many are made.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "compile/explain.h"
#include "compile/validate.h"
#include "random_policy.h"

/* The sanitizers cost a factor; the whole number runs without them (build/tests/scale). */
#ifdef __SANITIZE_ADDRESS__
#define POLICIES 1000
#else
#define POLICIES 10000
#endif
#define ACCESSES  100
#define ADDRESSES 30
#define MOVES	  10

/* One random policy, in both readings. */
struct subject {
	uint64_t seed;
	struct text text;
	struct naive_policy naive;
	struct warder_policy *policy;
	struct warder_image *image;
	__u64 held, base;
};

static struct {
	unsigned long policies, blown;
	unsigned long paths, allowed, denied, reserved, no_rule;
	unsigned long addresses, reached, refused, net_reserved;
	unsigned long moves, moved, renamed_trees, below;
} seen;

static uint64_t first_seed;

static void show(const struct subject *s, const char *what, const char *object)
{
	print_error("seed %llu\n%s: %s\nheld %llx base %llx\n%s", (unsigned long long)s->seed, what,
		    object, (unsigned long long)s->held, (unsigned long long)s->base, s->text.at);
}

#define CHECK(subject, condition, object)                  \
	do {                                               \
		if (!(condition)) {                        \
			show(subject, #condition, object); \
			fail();                            \
		}                                          \
	} while (0)

/* Compiles the policy; false when its patterns blow up, which is not wrong. */
static bool subject_make(struct subject *s, uint64_t seed)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	int r;

	s->seed = random_state = seed;
	random_policy(&s->text, &s->naive);
	r = warder_policy_parse("random", s->text.at, s->text.used, &options, &found, &s->policy);
	if (r < 0)
		warder_diagnostics_print(&found, stdout);
	CHECK(s, r == 0, "parse");
	r = warder_compile(s->policy, &found, &s->image);
	CHECK(s, r == 0 || r == -E2BIG, "compile");
	CHECK(s, r < 0 || !warder_image_fault(s->image), "validate");
	return r == 0;
}

static void subject_free(struct subject *s)
{
	warder_policy_free(&s->policy);
	free(s->image);
	s->image = NULL;
}

static __u64 keys_of_sets(const struct naive_policy *naive)
{
	__u64 keys = 0;
	unsigned int i;

	for (i = 0; i < naive->key_count; i++)
		keys |= naive->tool[i] ? 0 : 1ull << i;
	return keys;
}

/* Any keys; mostly some that tell whether the key of a rule counts. */
static void random_keyring(struct subject *s, unsigned int key, bool reserves)
{
	s->held = random_word();
	if (random_percent(50))
		s->held |= random_word();
	/* Reserved is what others would have. */
	if (reserves && random_percent(80))
		s->held = (s->held | keys_of_sets(&s->naive)) & ~(1ull << key);
	else if (!reserves && random_percent(60))
		s->held |= 1ull << key;
	s->held &= (1ull << s->naive.key_count) - 1;
	s->base = s->held & random_word();
}

static __u32 state_of(const struct warder_image *image, const char *path)
{
	__u32 state = image->start;

	for (; *path; path++)
		state = warder_step(image, state, (__u8)*path);
	return state;
}

/* --- paths --- */

/* Mostly one right, mostly of the rule. */
static __u32 random_rights(const struct naive_rule *rule)
{
	__u32 all = rule && random_percent(90) ? rule->rights : WARDER_RIGHTS_ALL, right;

	do
		right = 1u << random_below(WARDER_RIGHT_COUNT);
	while (!(right & all));
	return random_percent(15) ? right | (all & (__u32)random_word()) : right;
}

/* What warder_decide_row has to say. */
struct expected {
	__u32 missing, first; /* first: the one to explain, a denied one if there is any */
	__u64 denied, keys;
	bool reserved; /* the explained right is there, but belongs to a tool */
};

static struct expected expect_path(const struct subject *s, __u32 asked, const char *path)
{
	struct naive_finding all[WARDER_RIGHT_COUNT];
	struct expected e = {0};
	bool first_denied = false;
	int r;

	naive_path(&s->naive, path, strlen(path), s->held, all);
	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		struct naive_finding f = all[r];

		if (!(asked >> r & 1))
			continue;
		f.allow &= s->held;
		f.deny &= s->held;
		e.denied |= f.deny;
		if (!(f.allow & s->base))
			e.keys |= f.allow;
		if (f.allow && !f.deny)
			continue;
		if (!e.missing || (f.deny && !first_denied)) {
			e.first = 1u << r;
			e.reserved = !f.deny && f.reserved && f.given;
			first_denied = f.deny;
		}
		e.missing |= 1u << r;
	}
	if (e.missing)
		e.keys = 0;
	return e;
}

static void count_path(const struct expected *e)
{
	seen.paths++;
	if (!e->missing)
		seen.allowed++;
	else if (e->denied)
		seen.denied++;
	else if (e->reserved)
		seen.reserved++;
	else
		seen.no_rule++;
}

/* The rule that explain finds has to be one of that kind, and of a key that counts. */
static void check_explained(const struct subject *s, __u32 asked, const char *path,
			    const struct expected *e)
{
	struct naive_finding all[WARDER_RIGHT_COUNT], f;
	struct warder_explanation why;
	size_t length = strlen(path);

	assert_int_equal(warder_explain_path(s->policy, s->held, asked, path, length, &why), 0);
	CHECK(s, why.allowed == !e->missing, path);
	if (e->missing)
		CHECK(s, why.right == e->first, path);
	naive_path(&s->naive, path, length, s->held, all);
	f = all[__builtin_ctz(why.right)];
	if (why.allowed)
		CHECK(s, f.allow & s->held & 1ull << why.key, path);
	else if (f.deny & s->held)
		CHECK(s, why.cause == WARDER_CAUSE_DENIED && f.deny & s->held & 1ull << why.key,
		      path);
	else if (f.reserved)
		CHECK(s,
		      why.cause == WARDER_CAUSE_RESERVED && s->naive.tool[why.key] &&
			      !(s->held >> why.key & 1),
		      path);
	else
		CHECK(s, why.cause == WARDER_CAUSE_NO_RULE && why.key == -1 && !why.rule, path);
}

static void check_path(struct subject *s)
{
	enum random_aim aim = random_percent(50)   ? RANDOM_NAMES
			      : random_percent(60) ? RANDOM_DENY
						   : RANDOM_ANY;
	const struct naive_rule *rule = random_rule(&s->naive, aim);
	char path[NAIVE_PATTERN_MAX];
	const struct warder_row *row;
	struct expected e;
	__u64 denied, keys;
	__u32 asked, missing;

	random_keyring(s, rule ? rule->key : 0, rule && rule->names);
	random_path_of(rule, path);
	asked = random_rights(rule);
	row = warder_row(s->image, warder_row_number(s->image, state_of(s->image, path)));
	missing = warder_decide_row(row, asked, s->held, s->base, &denied, &keys);
	e = expect_path(s, asked, path);
	CHECK(s, missing == e.missing, path);
	CHECK(s, denied == e.denied, path);
	CHECK(s, keys == e.keys, path);
	CHECK(s, !(asked & ~warder_rights(row, s->held)) == !missing, path);
	count_path(&e);
	if (random_percent(25))
		check_explained(s, asked, path, &e);
}

/* --- addresses --- */

static struct warder_address to_address(const unsigned char bytes[16])
{
	struct warder_address address = {0};
	int i;

	for (i = 0; i < 8; i++) {
		address.hi = address.hi << 8 | bytes[i];
		address.lo = address.lo << 8 | bytes[8 + i];
	}
	return address;
}

static void check_address(struct subject *s)
{
	const struct naive_net *net = random_net(&s->naive, random_percent(75));
	struct warder_explanation why;
	struct warder_address address;
	struct naive_finding f;
	unsigned char bytes[16];
	char shown[INET6_ADDRSTRLEN];
	__u64 denied, keys;
	__u16 port = (__u16)random_port(net);
	__u8 proto = net && random_percent(90) ? net->proto : WARDER_PROTO_TCP;
	int allowed;

	random_keyring(s, net ? net->key : 0, net && net->names);
	random_address(net, bytes);
	inet_ntop(AF_INET6, bytes, shown, sizeof(shown));
	address = to_address(bytes);
	assert_int_equal(warder_explain_net(s->policy, s->held, WARDER_NET_CONNECT, proto, address,
					    port, &why),
			 0);
	warder_address_normalise(&address.hi, &address.lo);
	allowed = warder_decide_net(s->image, WARDER_NET_CONNECT, proto, address.hi, address.lo,
				    port, s->held, s->base, &denied, &keys);
	naive_destination(bytes);
	f = naive_connect(&s->naive, proto, bytes, port, s->held);
	f.allow &= s->held;
	CHECK(s, allowed == !!f.allow, shown);
	CHECK(s, !denied, shown);
	CHECK(s, keys == (f.allow & s->base ? 0 : f.allow), shown);
	CHECK(s, why.allowed == allowed, shown);
	CHECK(s,
	      why.cause == (f.allow	 ? WARDER_CAUSE_ALLOWED
			    : f.reserved ? WARDER_CAUSE_RESERVED
					 : WARDER_CAUSE_NO_RULE),
	      shown);
	seen.addresses++;
	seen.reached += !!allowed;
	seen.net_reserved += !allowed && f.given;
	seen.refused += !allowed && !f.given;
}

/* --- moves --- */

/* Some names below: the rest of a path that the policy speaks about, or any. */
static void random_suffix(const struct subject *s, char out[NAIVE_PATTERN_MAX])
{
	char path[NAIVE_PATTERN_MAX];
	const char *at;
	unsigned int skip;

	random_path(&s->naive, path);
	at = path;
	for (skip = random_below(4); skip && at; skip--)
		at = strchr(at + 1, '/');
	out[0] = 0;
	if (at && at[0] == '/' && at[1])
		append(out, at);
	else
		append_names(out, 1 + random_below(2));
}

static __u32 naive_below(const struct subject *s, const char *path, const char *suffix)
{
	char joined[2 * NAIVE_PATTERN_MAX];
	int length = snprintf(joined, sizeof(joined), "%s%s", path, suffix);

	return naive_rights(&s->naive, joined, (size_t)length, s->held);
}

static void check_tree(const struct subject *s, const char *from, const char *to, __u32 target)
{
	const struct warder_image *image = s->image;
	const struct warder_row *row = warder_row(image, warder_row_number(image, target));
	char suffix[NAIVE_PATTERN_MAX], both[3 * NAIVE_PATTERN_MAX];
	int i;

	for (i = 0; i < 5; i++) {
		__u32 rights;

		random_suffix(s, suffix);
		snprintf(both, sizeof(both), "%s to %s, %s below", from, to, suffix);
		rights = naive_below(s, to, suffix);
		CHECK(s, !(rights & ~naive_below(s, from, suffix)), both);
		if (row->below == WARDER_ROW_NONE)
			continue;
		/* Uniform below means just that. */
		CHECK(s, warder_rights(warder_row(image, row->below), s->held) == rights, both);
		seen.below++;
	}
}

/* Two names that have something to do with each other, or not. */
static void random_move(const struct subject *s, char from[NAIVE_PATTERN_MAX],
			char to[NAIVE_PATTERN_MAX])
{
	char *slash;

	do {
		random_path(&s->naive, from);
		random_path(&s->naive, to);
	} while (from[0] != '/' || to[0] != '/' || !from[1] || !to[1]);
	if (random_percent(60)) {
		strcpy(to, from);
		slash = strrchr(to, '/');
		*slash = 0;
		append_names(to, 1);
	}
	if (random_percent(40))
		append_names(to, 1);
}

static void check_move(struct subject *s)
{
	char from[NAIVE_PATTERN_MAX], to[NAIVE_PATTERN_MAX], both[2 * NAIVE_PATTERN_MAX + 8];
	__u32 source, target, before, after;
	bool file, directory;

	random_keyring(s, 0, false);
	random_move(s, from, to);
	snprintf(both, sizeof(both), "%s to %s", from, to);
	source = state_of(s->image, from);
	target = state_of(s->image, to);
	before = naive_rights(&s->naive, from, strlen(from), s->held);
	after = naive_rights(&s->naive, to, strlen(to), s->held);
	file = warder_decide_move(s->image, source, target, s->held, 0);
	directory = warder_decide_move(s->image, source, target, s->held, 1);
	CHECK(s, file == !(after & ~before), both);
	CHECK(s, file || !directory, both);
	if (directory)
		check_tree(s, from, to, target);
	seen.moves++;
	seen.moved += file;
	seen.renamed_trees += directory && source != target;
}

/* --- all --- */

static void check_syscalls(struct subject *s)
{
	size_t i;

	random_keyring(s, 0, false);
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		bool denied = naive_syscall_denied(&s->naive, calls[i].number, s->held);
		struct warder_explanation why;

		CHECK(s, warder_decide_syscall(s->image, calls[i].number, s->held) == !denied,
		      calls[i].name);
		assert_int_equal(warder_explain_syscall(s->policy, s->held, calls[i].number, &why),
				 0);
		CHECK(s, why.allowed == !denied, calls[i].name);
	}
	/* Numbers beyond the table are refused as soon as one call is. */
	CHECK(s, warder_decide_syscall(s->image, 100000, ~0ull) == !s->naive.call_count, "100000");
	CHECK(s, warder_decide_syscall(s->image, -1, ~0ull) == !s->naive.call_count, "-1");
}

static void check_policy(struct subject *s)
{
	int i;

	for (i = 0; i < ACCESSES; i++)
		check_path(s);
	for (i = 0; i < ADDRESSES; i++)
		check_address(s);
	for (i = 0; i < MOVES; i++)
		check_move(s);
	check_syscalls(s);
}

static double share(unsigned long part, unsigned long whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void decides_as_the_naive_matcher(void **state)
{
	const char *count = getenv("WARDER_POLICIES");
	unsigned long policies = count ? strtoul(count, NULL, 0) : POLICIES, i;
	static struct subject s;

	printf("seed %llu\n", (unsigned long long)first_seed);
	for (i = 0; i < policies; i++) {
		if (subject_make(&s, first_seed + i))
			check_policy(&s);
		else
			seen.blown++;
		subject_free(&s);
		seen.policies++;
	}
	printf("figure policies %lu, too large %lu\n", seen.policies, seen.blown);
	printf("figure paths %lu: allowed %.1f%%, denied by rule %.1f%%, reserved %.1f%%, no rule "
	       "%.1f%%\n",
	       seen.paths, share(seen.allowed, seen.paths), share(seen.denied, seen.paths),
	       share(seen.reserved, seen.paths), share(seen.no_rule, seen.paths));
	printf("figure addresses %lu: allowed %.1f%%, reserved %.1f%%, no rule %.1f%%\n",
	       seen.addresses, share(seen.reached, seen.addresses),
	       share(seen.net_reserved, seen.addresses), share(seen.refused, seen.addresses));
	printf("figure moves %lu: files %.1f%%, trees to another state %.1f%%; looks below %lu\n",
	       seen.moves, share(seen.moved, seen.moves), share(seen.renamed_trees, seen.moves),
	       seen.below);
}

/* A property that is hardly ever met proves little: at least a tenth of each verdict. */
static void assert_share(unsigned long part, unsigned long whole, unsigned long percent)
{
	assert_true(whole && 100 * part >= percent * whole);
}

static void meets_every_verdict(void **state)
{
	/* Shares of few policies vary. */
	unsigned long tenth = seen.policies < 5000 ? 7 : 10;

	if (getenv("WARDER_POLICIES"))
		skip();
	assert_true(100 * seen.blown < seen.policies);
	assert_share(seen.allowed, seen.paths, tenth);
	assert_share(seen.denied, seen.paths, tenth);
	assert_share(seen.reserved, seen.paths, tenth);
	assert_share(seen.no_rule, seen.paths, tenth);
	assert_share(seen.reached, seen.addresses, tenth);
	assert_share(seen.net_reserved, seen.addresses, tenth);
	assert_share(seen.refused, seen.addresses, tenth);
	assert_share(seen.moved, seen.moves, tenth);
	assert_share(seen.renamed_trees, seen.moves, tenth / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decides_as_the_naive_matcher),
		cmocka_unit_test(meets_every_verdict),
	};
	const char *seed = getenv("WARDER_SEED");

	first_seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL) * 1000003;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
