// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * unknown.c - a key that a mapping does not have: which one was meant, or where it stands.
 */
#include "policy/unknown.h"

#include <string.h>

#include "base/nearest.h"

/* Words that belong to the language, and stand elsewhere. */
static const struct misplaced {
	const char *what, *name, *hint;
} misplaced[] = {
	{"a policy", "attach", "write it in an entry of `bind`"},
	{"a policy", "annotation", "write bind: [{annotation: KEY=VALUE, set: NAME}]"},
	{"a policy", "include", "presets belong to a set: sets: {agent: {include: [base]}}"},
	{"a policy", "files", "rules belong to a set: sets: {agent: {files: ...}}"},
	{"a policy", "exec", "rules belong to a set: sets: {agent: {exec: ...}}"},
	{"a policy", "network", "rules belong to a set: sets: {agent: {network: ...}}"},
	{"a policy", "unix", "rules belong to a set: sets: {agent: {unix: ...}}"},
	{"a policy", "env", "it belongs to a set: sets: {agent: {env: ...}}"},
	{"a set", "attach", "write it in an entry of `bind`"},
	{"a set", "hide", "write files: {hide: [PATH]}"},
	{"a set", "deny", "write files: {deny: {RIGHT: [PATH]}}"},
	{"a set", "read", "write files: {read: [PATH]}"},
	{"a set", "write", "write files: {write: [PATH]}"},
	{"a set", "connect", "write network: {connect: [ENDPOINT]} or unix: {connect: [PATH]}"},
	{"a set", "bind", "write network: {bind: [ENDPOINT]}; cgroups are bound at the top"},
	{"a set", "families", "write network: {families: [NAME]}"},
	{"a set", "memory", "write limits: {memory: 512M}"},
	{"a set", "summary", "only tools and presets have one: write a comment"},
	{"a set", "shared", "it belongs to a tool"},
	{"a tool", "env", "it belongs to a set"},
	{"a tool", "include", "it belongs to a set"},
	{"a tool", "syscalls", "it belongs to a set: a grant never removes a right"},
	{"a tool", "capabilities", "it belongs to a set"},
	{"a tool", "limits", "it belongs to a set"},
	{"files", "except",
	 "it stands in a deny rule: deny: {read: [{path: PATH, except: [PATH]}]}"},
	{"unix", "deny", "write files: {deny: {connect: [PATH]}}"},
	{"unix", "accept", "the one who connects is judged"},
	{"network", "listen", "write bind: [ENDPOINT]"},
	{"network", "send", "connect stands for sending as well"},
};

/* Hint for a key that the mapping does not have. */
static void hint_unknown(const struct warder_yaml *key, const char *what,
			 const struct warder_field *fields, char *hint, size_t size)
{
	struct warder_nearest nearest;
	const struct warder_field *f;
	size_t used;

	warder_nearest_begin(&nearest, key->text, key->length);
	for (f = fields; f->name; f++)
		warder_nearest_offer(&nearest, f->name);
	if (nearest.best) {
		snprintf(hint, size, "did you mean \"%s\"?", nearest.best);
		return;
	}
	used = (size_t)snprintf(hint, size, "%s has:", what);
	for (f = fields; f->name && used < size; f++) {
		if (warder_construct_enforced(f->construct))
			used += (size_t)snprintf(hint + used, size - used, " %s", f->name);
	}
}

void warder_unknown_report(struct warder_reader *reader, const struct warder_yaml *key,
			   const char *what, const struct warder_field *fields)
{
	char quoted[WARDER_QUOTED_MAX], hint[512];
	size_t i;

	warder_reader_quote(key->text, key->length, quoted);
	for (i = 0; i < sizeof(misplaced) / sizeof(misplaced[0]); i++) {
		const struct misplaced *m = &misplaced[i];

		if (strcmp(m->what, what) || !warder_reader_is(key, m->name))
			continue;
		warder_reader_error(reader, key, m->hint, "%s is no key of %s", quoted, what);
		return;
	}
	hint_unknown(key, what, fields, hint, sizeof(hint));
	warder_reader_error(reader, key, hint, "unknown key %s", quoted);
}
