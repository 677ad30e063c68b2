// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * finding.c - what the policy says about one ask: by `explain`, right by right, and by decide.h.
 */
#include "finding.h"

#include <stdarg.h>

#include <warder/decide.h>

static void fault(struct holder *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fault(struct holder *h, const char *format, ...)
{
	va_list arguments;

	if (h->fault[0])
		return;
	va_start(arguments, format);
	vsnprintf(h->fault, sizeof(h->fault), format, arguments);
	va_end(arguments);
}

static __u64 held(const struct holder *h)
{
	return h->base | h->granted;
}

/* --- system calls --- */

struct finding finding_call(struct holder *h, int call)
{
	struct finding f = {};

	if (warder_explain_syscall(h->policy, held(h), call, &f.why) < 0)
		abort();
	f.missing = !f.why.allowed;
	if (f.why.allowed != warder_decide_syscall(h->image, call, held(h)))
		fault(h, "call %d: explain and decide.h disagree", call);
	return f;
}

/* --- paths --- */

static __u32 state_of(const struct warder_image *image, const char *path)
{
	__u32 state = image->start;

	for (; *path; path++)
		state = warder_step(image, state, (__u8)*path);
	return state;
}

static struct warder_explanation explain(const struct holder *h, __u64 keys, __u32 rights,
					 const char *path)
{
	struct warder_explanation why;

	if (warder_explain_path(h->policy, keys, rights, path, strlen(path), &why) < 0)
		abort();
	return why;
}

/* Does `one` explain better than `before`? Denied, then missing, then the first asked for. */
static bool explains(const struct warder_explanation *one, const struct warder_explanation *before)
{
	if (!before->right)
		return true;
	if (before->cause == WARDER_CAUSE_DENIED)
		return false;
	return one->cause == WARDER_CAUSE_DENIED || (!one->allowed && before->allowed);
}

/* Right by right. */
static __u32 explain_each(const struct holder *h, __u32 rights, const char *path,
			  struct warder_explanation *ret)
{
	__u32 missing = 0;
	int r;

	memset(ret, 0, sizeof(*ret));
	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		struct warder_explanation one;

		if (!(rights >> r & 1))
			continue;
		one = explain(h, held(h), 1u << r, path);
		if (explains(&one, ret))
			*ret = one;
		if (!one.allowed)
			missing |= 1u << r;
	}
	return missing;
}

struct finding finding_path(struct holder *h, __u32 rights, const char *path)
{
	const struct warder_row *row =
		warder_row(h->image, warder_row_number(h->image, state_of(h->image, path)));
	struct warder_explanation whole = explain(h, held(h), rights, path);
	struct finding f = {};
	__u32 missing = warder_decide_row(row, rights, held(h), h->base, &f.denied, &f.keys);

	f.missing = explain_each(h, rights, path, &f.why);
	if (f.missing != missing)
		fault(h, "missing on %s: explain 0x%x, decide.h 0x%x", path, f.missing, missing);
	if (!f.denied != (f.why.cause != WARDER_CAUSE_DENIED))
		fault(h, "%s: decide.h and explain give other reasons", path);
	if (whole.allowed != f.why.allowed || whole.right != f.why.right ||
	    whole.place.line != f.why.place.line)
		fault(h, "%s: explain of all rights differs from that of each", path);
	return f;
}

bool finding_use(struct holder *h, __u32 rights, const char *path, __u64 keys,
		 struct warder_explanation *ret)
{
	int r;

	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		if (!(rights >> r & 1) || explain(h, held(h) & ~keys, 1u << r, path).allowed)
			continue;
		*ret = explain(h, held(h), 1u << r, path);
		if (!(keys >> ret->key & 1))
			fault(h, "%s: the rule is not of the key that was used", path);
		return true;
	}
	return false;
}

/* --- addresses --- */

struct warder_address finding_address(const struct access *access)
{
	const struct sockaddr_in6 *v6 = &access->address.v6;
	struct warder_address address = {};
	int i;

	if (access->address.any.sa_family == AF_INET) {
		address.lo = 0xffff00000000ull | ntohl(access->address.v4.sin_addr.s_addr);
		return address;
	}
	for (i = 0; i < 8; i++) {
		address.hi = address.hi << 8 | v6->sin6_addr.s6_addr[i];
		address.lo = address.lo << 8 | v6->sin6_addr.s6_addr[8 + i];
	}
	return address;
}

struct finding finding_net(struct holder *h, const struct access *access)
{
	struct warder_address address = finding_address(access);
	__u8 proto = access->socket_type == SOCK_STREAM ? WARDER_PROTO_TCP : WARDER_PROTO_UDP;
	struct finding f = {};
	bool allowed;

	if (warder_explain_net(h->policy, held(h), WARDER_NET_CONNECT, proto, address, access->port,
			       &f.why) < 0)
		abort();
	f.missing = !f.why.allowed;
	warder_address_normalise(&address.hi, &address.lo);
	allowed = warder_decide_net(h->image, WARDER_NET_CONNECT, proto, address.hi, address.lo,
				    access->port, held(h), h->base, &f.denied, &f.keys);
	if (allowed != f.why.allowed)
		fault(h, "%s port %u: explain and decide.h disagree", access->host, access->port);
	return f;
}

/* --- moves --- */

/* Does `to` give rights that `from` does not, each with the same behind it? */
static bool wider(const struct holder *h, const char *from, const char *to, const char *behind)
{
	char a[2 * ACCESS_PATH_MAX], b[2 * ACCESS_PATH_MAX];
	struct warder_explanation why;

	snprintf(a, sizeof(a), "%s%s", from, behind);
	snprintf(b, sizeof(b), "%s%s", to, behind);
	return explain_each(h, WARDER_RIGHTS_ALL, a, &why) &
	       ~explain_each(h, WARDER_RIGHTS_ALL, b, &why);
}

/* decide.h may well refuse more than this: it wants to be sure without looking. */
static void check_below(struct holder *h, const struct world *world, const char *from,
			const char *to)
{
	size_t length = strlen(from), i;

	for (i = 0; i < world->count; i++) {
		char path[ACCESS_PATH_MAX], last[WORLD_PATH_MAX + 1];
		const char *name = strrchr(world->places[i].path, '/');

		if (world->places[i].path[0] == '@')
			continue;
		snprintf(path, sizeof(path), "%s/%s", world->dir, world->places[i].path);
		snprintf(last, sizeof(last), "/%s", name ? name + 1 : world->places[i].path);
		if (!strncmp(path, from, length) && path[length] == '/' &&
		    wider(h, from, to, path + length))
			fault(h, "decide.h lets %s go to %s: wider below", path, to);
		if (wider(h, from, to, last))
			fault(h, "decide.h lets %s go to %s: wider at %s", from, to, last);
	}
}

struct finding finding_nailed(struct holder *h, const char *path)
{
	struct finding f = {};

	if (warder_explain_below(h->policy, held(h), path, strlen(path), &f.why) < 0)
		abort();
	f.denied = warder_decide_nailed(h->image, state_of(h->image, path), held(h));
	f.missing = f.denied ? WARDER_RENAME : 0;
	if (f.why.allowed != !f.denied)
		fault(h, "below %s: explain and decide.h disagree", path);
	return f;
}

bool finding_move(struct holder *h, const struct world *world, const char *from, const char *to,
		  bool directory)
{
	bool narrow = !wider(h, from, to, "");
	bool moves = warder_decide_move(h->image, state_of(h->image, from), state_of(h->image, to),
					held(h), directory);

	if (directory ? moves && !narrow : moves != narrow)
		fault(h, "%s to %s: explain and decide.h disagree", from, to);
	if (directory && moves)
		check_below(h, world, from, to);
	return moves;
}
