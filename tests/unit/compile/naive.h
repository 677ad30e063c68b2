/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * naive.h - the policy language, read once more and as simply as possible.
 *
 * Written from warder-policy(5) and nothing else: no automaton, no program, no table. It
 * tries everything, in exponential time when it must. The property tests hold the whole
 * chain (parser, compiler, decide.h, explain) against it.
 */
#ifndef TESTS_COMPILE_NAIVE_H
#define TESTS_COMPILE_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <warder/access.h>

#define NAIVE_PATTERN_MAX 256
#define NAIVE_RULES_MAX	  96
#define NAIVE_NETS_MAX	  48
#define NAIVE_CALLS_MAX	  8

/* How a pattern matches. */
enum {
	NAIVE_WHOLE = 1,
	NAIVE_ROOT = 2, /* the directory of a tree */
};

struct naive_rule {
	unsigned int key;
	bool deny;
	bool names; /* of a tool's exec or unix.connect */
	__u32 rights;
	char pattern[NAIVE_PATTERN_MAX];
	char except[2][NAIVE_PATTERN_MAX];
	size_t except_count;
};

struct naive_net {
	unsigned int key;
	bool names;
	__u8 proto;
	int family;		   /* 4, 6; 0: both */
	unsigned char address[16]; /* the first four bytes for family 4 */
	unsigned int prefix;
	struct {
		unsigned int low, high;
	} ports[3];
	size_t port_count;
};

struct naive_policy {
	unsigned int key_count;
	bool tool[64], shared[64];
	struct naive_rule rules[NAIVE_RULES_MAX];
	size_t rule_count;
	struct naive_net nets[NAIVE_NETS_MAX];
	size_t net_count;
	struct {
		unsigned int key;
		int number;
	} calls[NAIVE_CALLS_MAX];
	size_t call_count;
};

/* --- names --- */

/* Is `c` in the class whose inside begins at `p`? *ret_end: behind the bracket. */
static bool naive_class(const char *p, unsigned char c, bool any_byte, const char **ret_end)
{
	bool negated = *p == '!', in = false;

	p += negated;
	while (*p != ']') {
		unsigned char low, high;

		p += *p == '\\';
		low = high = (unsigned char)*p++;
		if (p[0] == '-' && p[1] != ']') {
			p++;
			p += *p == '\\';
			high = (unsigned char)*p++;
		}
		in |= low <= c && c <= high;
	}
	*ret_end = p + 1;
	return in != negated && (any_byte || c != '/');
}

/* Behind the alternative at `p`: its comma or brace. */
static const char *naive_alternative_end(const char *p)
{
	bool in_class = false;

	for (; in_class || (*p != ',' && *p != '}'); p++) {
		if (*p == '\\')
			p++;
		else if (*p == '[')
			in_class = true;
		else if (*p == ']')
			in_class = false;
	}
	return p;
}

/* Does the pattern of one name match s..end? `any_byte`: wildcards stand for slashes too. */
static bool naive_name(const char *p, const char *s, const char *end, bool any_byte);

static bool naive_braces(const char *p, const char *s, const char *end, bool any_byte)
{
	const char *from = p + 1, *to, *rest = p + 1;
	char joined[NAIVE_PATTERN_MAX];

	while (*(to = naive_alternative_end(rest)) != '}')
		rest = to + 1;
	rest = to + 1;
	do {
		to = naive_alternative_end(from);
		snprintf(joined, sizeof(joined), "%.*s%s", (int)(to - from), from, rest);
		if (naive_name(joined, s, end, any_byte))
			return true;
		from = to + 1;
	} while (*to != '}');
	return false;
}

static bool naive_name(const char *p, const char *s, const char *end, bool any_byte)
{
	const char *behind;

	switch (*p) {
	case 0:
		return s == end;
	case '*':
		for (behind = s; behind <= end; behind++) {
			if (naive_name(p + 1, behind, end, any_byte))
				return true;
		}
		return false;
	case '?':
		return s < end && naive_name(p + 1, s + 1, end, any_byte);
	case '[':
		return s < end && naive_class(p + 1, (unsigned char)*s, any_byte, &behind) &&
		       naive_name(behind, s + 1, end, any_byte);
	case '{':
		return naive_braces(p, s, end, any_byte);
	case '\\':
		p++;
		/* fall through */
	default:
		return s < end && *p == *s && naive_name(p + 1, s + 1, end, any_byte);
	}
}

/* --- paths --- */

/* `p` and `s` stand at a slash or at their end. */
static int naive_components(const char *p, const char *s, const char *end)
{
	const char *p_next, *s_next;
	char name[NAIVE_PATTERN_MAX];
	int match = 0;

	if (!*p)
		return s == end ? NAIVE_WHOLE : 0;
	p_next = strchr(p + 1, '/');
	p_next = p_next ? p_next : p + strlen(p);
	if (!strcmp(p, "/**"))
		return s == end ? NAIVE_ROOT : NAIVE_WHOLE;
	snprintf(name, sizeof(name), "%.*s", (int)(p_next - p - 1), p + 1);
	if (!strcmp(name, "**"))
		match = naive_components(p_next, s, end);
	if (s == end)
		return match;
	s_next = memchr(s + 1, '/', (size_t)(end - s - 1));
	s_next = s_next ? s_next : end;
	if (!strcmp(name, "**"))
		return match | naive_components(p, s_next, end);
	return naive_name(name, s + 1, s_next, false) ? naive_components(p_next, s_next, end) : 0;
}

static int naive_match(const char *pattern, const char *path, size_t length)
{
	char absolute[NAIVE_PATTERN_MAX + 1];

	/* A star as a whole stands for at least one byte, in an abstract name, too. */
	if (!strcmp(pattern, "@*") && length == 1)
		return 0;
	if (pattern[0] == '@' || path[0] == '@')
		return pattern[0] == path[0] &&
		       naive_name(pattern + 1, path + 1, path + length, true);
	if (!strcmp(pattern, "/"))
		return length == 1;
	snprintf(absolute, sizeof(absolute), "%s%s", pattern[0] == '/' ? "" : "/", pattern);
	/* The root directory has no component. */
	return naive_components(absolute, path, path + (length == 1 ? 0 : length));
}

/* --- rules --- */

/* What a rule gives, or takes when it is a deny. `match`: how its pattern matches. */
static __u32 naive_rule_rights(const struct naive_rule *rule, int match, const char *path,
			       size_t length)
{
	__u32 rights = rule->rights;
	int except = 0;
	size_t i;

	if (!match)
		return 0;
	if (match == NAIVE_ROOT && !rule->deny)
		rights &= WARDER_READ | WARDER_LIST | WARDER_STAT;
	for (i = 0; i < rule->except_count; i++)
		except |= naive_match(rule->except[i], path, length);
	if (except & NAIVE_WHOLE)
		return 0;
	return except ? rights & ~(__u32)(WARDER_READ | WARDER_LIST | WARDER_STAT) : rights;
}

/* What the whole policy says about one object and one right. */
struct naive_finding {
	__u64 allow;   /* keys that give it, reservation applied */
	__u64 deny;    /* keys that take it */
	__u64 owners;  /* tools that name the object */
	bool reserved; /* it belongs to them */
	bool given;    /* a held key would give it, were it not reserved */
};

static void naive_reserve(struct naive_finding *f, __u64 held)
{
	f->given = f->allow & held;
	if (f->reserved)
		f->allow &= f->owners;
}

/* Of one object, for every right. */
static void naive_path(const struct naive_policy *policy, const char *path, size_t length,
		       __u64 held, struct naive_finding ret[WARDER_RIGHT_COUNT])
{
	size_t i;
	int r;

	memset(ret, 0, WARDER_RIGHT_COUNT * sizeof(*ret));
	for (i = 0; i < policy->rule_count; i++) {
		const struct naive_rule *rule = &policy->rules[i];
		int match = naive_match(rule->pattern, path, length);
		__u32 rights = naive_rule_rights(rule, match, path, length);

		for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
			if (!(rights >> r & 1))
				continue;
			*(rule->deny ? &ret[r].deny : &ret[r].allow) |= 1ull << rule->key;
			/* A tool names the objects themselves, never the directory of a tree. */
			if (!rule->names || !(match & NAIVE_WHOLE))
				continue;
			ret[r].owners |= 1ull << rule->key;
			ret[r].reserved |= !policy->shared[rule->key];
		}
	}
	for (r = 0; r < WARDER_RIGHT_COUNT; r++)
		naive_reserve(&ret[r], held);
}

/* All rights of a keyring on a path. */
static inline __u32 naive_rights(const struct naive_policy *policy, const char *path, size_t length,
				 __u64 held)
{
	struct naive_finding f[WARDER_RIGHT_COUNT];
	__u32 rights = 0;
	int r;

	naive_path(policy, path, length, held, f);
	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		if (f[r].allow & held && !(f[r].deny & held))
			rights |= 1u << r;
	}
	return rights;
}

/* --- network --- */

/* An address is sixteen bytes, IPv4 as ::ffff:a.b.c.d. */
static bool naive_is_mapped(const unsigned char address[16])
{
	static const unsigned char head[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

	return !memcmp(address, head, sizeof(head));
}

/* Where the kernel sends it: an unspecified destination is loopback. */
static inline void naive_destination(unsigned char address[16])
{
	static const unsigned char zero[16];

	if (!memcmp(address, zero, 16))
		address[15] = 1;
	else if (naive_is_mapped(address) && !memcmp(address + 12, zero, 4))
		memcpy(address + 12, "\x7f\0\0\x01", 4);
}

static bool naive_in_network(const struct naive_net *net, const unsigned char address[16])
{
	const unsigned char *bytes = address + (net->family == 4 ? 12 : 0);
	unsigned int bit;

	if (!net->family)
		return true;
	if (naive_is_mapped(address) != (net->family == 4))
		return false;
	for (bit = 0; bit < net->prefix; bit++) {
		if ((bytes[bit / 8] ^ net->address[bit / 8]) >> (7 - bit % 8) & 1)
			return false;
	}
	return true;
}

static inline struct naive_finding naive_connect(const struct naive_policy *policy, __u8 proto,
						 const unsigned char address[16], unsigned int port,
						 __u64 held)
{
	struct naive_finding f = {0};
	size_t i, k;

	for (i = 0; i < policy->net_count; i++) {
		const struct naive_net *net = &policy->nets[i];

		if (net->proto != proto || !naive_in_network(net, address))
			continue;
		for (k = 0; k < net->port_count; k++) {
			if (net->ports[k].low > port || port > net->ports[k].high)
				continue;
			f.allow |= 1ull << net->key;
			f.owners |= net->names ? 1ull << net->key : 0;
			f.reserved |= net->names && !policy->shared[net->key];
		}
	}
	naive_reserve(&f, held);
	return f;
}

/* --- system calls --- */

static inline bool naive_syscall_denied(const struct naive_policy *policy, int number, __u64 held)
{
	size_t i;

	for (i = 0; i < policy->call_count; i++) {
		if (policy->calls[i].number == number && held >> policy->calls[i].key & 1)
			return true;
	}
	return false;
}

#endif
