// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * compare_text.c - a difference as an ACCESS, which `warder explain` takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/compare.h"
#include "policy/capability.h"
#include "policy/right.h"
#include "policy/surface.h"
#include "policy/syscall.h"

/* "read+list"; exec stands for map-exec as well. */
static char *rights_words(__u32 rights, char *out, size_t size)
{
	char *at;

	if (rights & WARDER_EXEC)
		rights &= ~(__u32)WARDER_MAP_EXEC;
	warder_rights_text(rights, out, size);
	for (at = strchr(out, ','); at; at = strchr(at, ','))
		*at = '+';
	return out;
}

static char *path_access(const struct warder_difference *d)
{
	_cleanup_free_ char *escaped = warder_pattern_escape(d->path);
	char words[128], *text;

	if (!escaped ||
	    asprintf(&text, "%s %s", rights_words(d->rights, words, sizeof(words)), escaped) < 0)
		return NULL;
	return text;
}

static char *syscall_access(const struct warder_difference *d)
{
	_cleanup_free_ char *name = warder_syscall_name(d->number);
	char *text;

	return asprintf(&text, "syscall %s", name ? name : "?") < 0 ? NULL : text;
}

static char *named_access(const char *verb, const char *name)
{
	char *text;

	return asprintf(&text, "%s %s", verb, name ? name : "?") < 0 ? NULL : text;
}

const char *warder_operation_name(enum warder_net_op op)
{
	static const enum warder_access_verb verbs[] = {
		[WARDER_NET_CONNECT] = WARDER_VERB_CONNECT,
		[WARDER_NET_BIND] = WARDER_VERB_BIND,
		[WARDER_NET_ACCEPT] = WARDER_VERB_ACCEPT,
	};

	return warder_access_verb_name(verbs[op]);
}

char *warder_difference_access(const struct warder_difference *d)
{
	char address[WARDER_ADDRESS_TEXT_MAX], *text;

	if (d->kind == WARDER_ACCESS_PATH)
		return path_access(d);
	if (d->kind == WARDER_ACCESS_SYSCALL)
		return syscall_access(d);
	if (d->kind == WARDER_ACCESS_CAPABILITY)
		return named_access("capability", warder_capability_name((unsigned int)d->number));
	if (d->kind == WARDER_ACCESS_SURFACE)
		return named_access("kernel", warder_surface_name((unsigned int)d->number));
	warder_address_text(d->proto, d->address, d->port, address);
	return asprintf(&text, "%s %s", warder_operation_name(d->op), address) < 0 ? NULL : text;
}
