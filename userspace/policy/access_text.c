// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_text.c - "exec /usr/bin/id", "connect tcp:192.0.2.1:443": one act on one object, as text.
 */
#include "policy/access_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "policy/access_reading.h"
#include "policy/capability.h"
#include "policy/reader.h"
#include "policy/right.h"
#include "policy/surface.h"
#include "policy/syscall.h"

#define FORM "write VERB OBJECT: read /etc/hosts, connect tcp:192.0.2.1:443, syscall ptrace"

static const struct {
	const char *name;
	__u32 rights;
} acts[] = {
#define X(name, text, doc) {text, WARDER_##name},
	WARDER_RIGHTS(X)
#undef X
};

static const char *const verbs[] = {"connect", "send", "bind", "accept"};
static const char *const others[] = {"syscall", "capability", "kernel"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *warder_access_verb_name(enum warder_access_verb verb)
{
	return verbs[verb];
}

/* Index of the verb on addresses, or -1. */
static int find_verb(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < COUNT(verbs); i++) {
		if (strlen(verbs[i]) == length && !memcmp(verbs[i], word, length))
			return (int)i;
	}
	return -1;
}

static __u32 find_right(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < COUNT(acts); i++) {
		if (strlen(acts[i].name) == length && !memcmp(acts[i].name, word, length))
			return acts[i].rights;
	}
	return 0;
}

static bool is_word(const char *word, size_t length, const char *name)
{
	return length == strlen(name) && !memcmp(word, name, length);
}

/* --- verbs --- */

/* At the word text[at..at+length): nothing is called so. */
static int unknown_word(struct warder_access_reading *r, size_t at, size_t length,
			const char *format, const char *nearest, const char *otherwise)
{
	char quoted[WARDER_QUOTED_MAX], hint[WARDER_QUOTED_MAX];

	if (nearest)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", nearest);
	warder_reader_quote(r->text + at, length, quoted);
	return warder_access_fail(r, at, nearest ? hint : otherwise, format, quoted);
}

static int unknown_verb(struct warder_access_reading *r, size_t at, size_t length)
{
	struct warder_nearest nearest;
	size_t i;

	warder_nearest_begin(&nearest, r->text + at, length);
	for (i = 0; i < COUNT(acts); i++)
		warder_nearest_offer(&nearest, acts[i].name);
	for (i = 0; i < COUNT(verbs); i++)
		warder_nearest_offer(&nearest, verbs[i]);
	for (i = 0; i < COUNT(others); i++)
		warder_nearest_offer(&nearest, others[i]);
	return unknown_word(r, at, length, "unknown verb %s", nearest.best, FORM);
}

/* One word between plus signs. */
static int read_right(struct warder_access_reading *r, size_t at, size_t length)
{
	__u32 right = find_right(r->text + at, length);

	if (is_word(r->text + at, length, "write-only"))
		return warder_access_fail(r, at,
					  "name one: write, create, delete, rename, link or chattr",
					  "\"write-only\" is several acts");
	if (!right)
		return unknown_verb(r, at, length);
	if (!(right & warder_rights_judged()))
		return warder_access_fail(r, at, "what a policy says about it is not enforced",
					  "no hook of this version asks for the right \"%.*s\"",
					  (int)length, r->text + at);
	/* Starting a program opens it to be executed, too: both are asked for. */
	r->access->rights |= right == WARDER_EXEC ? WARDER_COARSE_EXEC : right;
	return 0;
}

static int read_rights(struct warder_access_reading *r, size_t end)
{
	size_t at, next;
	int error = 0;

	for (at = 0; !error && at <= end; at = next + 1) {
		const char *plus = memchr(r->text + at, '+', end - at);

		next = plus ? (size_t)(plus - r->text) : end;
		error = read_right(r, at, next - at);
	}
	return error;
}

/* --- objects that have names --- */

static int read_syscall(struct warder_access_reading *r, size_t at)
{
	_cleanup_free_ char *nearest = NULL;

	r->access->kind = WARDER_ACCESS_SYSCALL;
	r->access->number = warder_syscall_number(r->text + at);
	if (r->access->number >= 0)
		return 0;
	nearest = warder_syscall_nearest(r->text + at);
	return unknown_word(r, at, r->length - at, "%s is no system call of x86-64", nearest, NULL);
}

static int read_capability(struct warder_access_reading *r, size_t at)
{
	r->access->kind = WARDER_ACCESS_CAPABILITY;
	r->access->number = warder_capability_number(r->text + at);
	if (r->access->number >= 0)
		return 0;
	return unknown_word(r, at, r->length - at, "%s is no capability",
			    warder_capability_nearest(r->text + at),
			    "capabilities(7) lists them: sys_admin, net_raw, ...");
}

static int read_surface(struct warder_access_reading *r, size_t at)
{
	r->access->kind = WARDER_ACCESS_SURFACE;
	r->access->number = warder_surface_number(r->text + at);
	if (r->access->number >= 0)
		return 0;
	return unknown_word(r, at, r->length - at, "%s is no part of the kernel's surface",
			    warder_surface_nearest(r->text + at),
			    "warder-policy(5) lists them: perf, bpf, keys, io-uring, ...");
}

/* --- the whole --- */

/* Is text[0..end) a verb that takes no path? */
static bool is_other(const struct warder_access_reading *r, size_t end)
{
	return is_word(r->text, end, "syscall") || is_word(r->text, end, "capability") ||
	       is_word(r->text, end, "kernel");
}

/* `end`: of the verb; `at`: of the object. */
static int read_object(struct warder_access_reading *r, size_t end, size_t at)
{
	int verb = find_verb(r->text, end), error;

	if (is_other(r, end) && memchr(r->text + at, 0, r->length - at))
		return warder_access_fail(r, at, NULL, "NUL byte in a name");
	if (is_word(r->text, end, "syscall"))
		return read_syscall(r, at);
	if (is_word(r->text, end, "capability"))
		return read_capability(r, at);
	if (is_word(r->text, end, "kernel"))
		return read_surface(r, at);
	if (verb >= 0 && r->text[at] != '/' && r->text[at] != '@') {
		r->access->verb = (enum warder_access_verb)verb;
		return warder_access_read_address(r, at);
	}
	if (verb > WARDER_VERB_CONNECT)
		return warder_access_fail(
			r, at, "unix sockets are connected to: connect /PATH, connect @NAME",
			"path where an address is expected");
	error = read_rights(r, end);
	return error < 0 ? error : warder_access_read_path(r, at);
}

/* The verb is looked at first: what is wrong with it is what was probably meant. */
static int no_object(struct warder_access_reading *r, size_t end)
{
	char quoted[WARDER_QUOTED_MAX];
	int error = 0;

	if (find_verb(r->text, end) < 0 && !is_other(r, end))
		error = read_rights(r, end);
	warder_reader_quote(r->text, end, quoted);
	return error < 0 ? error
			 : warder_access_fail(r, r->length, FORM, "nothing behind the verb %s",
					      quoted);
}

static int read_access(struct warder_access_reading *r)
{
	size_t end = strcspn(r->text, " "), at = end + strspn(r->text + end, " ");

	if (!r->length)
		return warder_access_fail(r, 0, FORM, "empty access");
	if (!end)
		return warder_access_fail(r, 0, FORM, "space where a verb is expected");
	return at == r->length ? no_object(r, end) : read_object(r, end, at);
}

int warder_access_parse(const char *text, size_t length, struct warder_access *ret_access,
			struct warder_access_error *reterr)
{
	_cleanup_access_ struct warder_access access = {0};
	struct warder_access_reading reading = {
		.length = length, .access = &access, .error = reterr};
	int error;

	access.text = malloc(length + 1);
	access.path = calloc(1, length + 1);
	if (!access.text || !access.path)
		return -ENOMEM;
	memcpy(access.text, text, length);
	access.text[length] = 0;
	reading.text = access.text;
	error = read_access(&reading);
	if (error < 0)
		return error;
	*ret_access = access;
	access = (struct warder_access){0};
	return 0;
}

void warder_access_release(struct warder_access *access)
{
	free(access->text);
	free(access->path);
	*access = (struct warder_access){0};
}
