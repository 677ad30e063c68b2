// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * access_fuzz.c - any bytes as an access: what is taken is an object that the kernel side judges,
 * and its path, written again, is the same one.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "claim.h"
#include "policy/access_text.h"
#include "policy/right.h"
#include "policy/capability.h"
#include "policy/pattern.h"
#include "policy/right.h"
#include "policy/surface.h"
#include "policy/syscall.h"

static void check_names(const struct warder_access *a)
{
	const char *name = a->path + 1, *end;
	size_t names = 0;

	CLAIM(a->path[0] == '/' && strlen(a->path) == a->length);
	while (a->length > 1) {
		end = name + strcspn(name, "/");
		CLAIM(end > name && end - name <= 255 && ++names <= 256);
		CLAIM(end - name > 2 || strspn(name, ".") != (size_t)(end - name));
		if (!*end)
			return;
		name = end + 1;
	}
}

static void check_path(const struct warder_access *a)
{
	_cleanup_free_ char *escaped = NULL, *again = NULL;
	struct warder_access copy = {0};
	struct warder_access_error error;
	int length;

	CLAIM(a->rights && !(a->rights & ~warder_rights_judged()));
	CLAIM(!(a->rights & WARDER_EXEC) || a->rights & WARDER_MAP_EXEC);
	if (a->path[0] == '@')
		CLAIM(a->rights == WARDER_CONNECT && a->length <= WARDER_ABSTRACT_MAX);
	else
		check_names(a);
	/* An abstract name with a NUL has no other form than its bytes. */
	if (strlen(a->path) != a->length)
		return;
	escaped = warder_pattern_escape(a->path);
	CLAIM(escaped);
	length = asprintf(&again, "connect %s", escaped);
	CLAIM(length > 0);
	CLAIM(warder_access_parse(again, (size_t)length, &copy, &error) == 0);
	CLAIM(copy.length == a->length && !memcmp(copy.path, a->path, a->length));
	warder_access_release(&copy);
}

static void check_address(const struct warder_access *a)
{
	char text[WARDER_ADDRESS_TEXT_MAX + 16], address[WARDER_ADDRESS_TEXT_MAX];
	struct warder_access copy = {0};
	struct warder_access_error error;

	CLAIM(a->proto == WARDER_PROTO_TCP || a->proto == WARDER_PROTO_UDP);
	CLAIM(a->port || a->verb == WARDER_VERB_BIND);
	snprintf(text, sizeof(text), "%s %s", warder_access_verb_name(a->verb),
		 warder_address_text(a->proto, a->address, a->port, address));
	CLAIM(warder_access_parse(text, strlen(text), &copy, &error) == 0);
	CLAIM(copy.verb == a->verb && copy.proto == a->proto && copy.port == a->port);
	CLAIM(!warder_address_compare(copy.address, a->address));
	warder_access_release(&copy);
}

static void check_access(const struct warder_access *a)
{
	_cleanup_free_ char *name = NULL;

	switch (a->kind) {
	case WARDER_ACCESS_PATH:
		check_path(a);
		break;
	case WARDER_ACCESS_ADDRESS:
		check_address(a);
		break;
	case WARDER_ACCESS_SYSCALL:
		name = warder_syscall_name(a->number);
		CLAIM(name);
		break;
	case WARDER_ACCESS_CAPABILITY:
		CLAIM(warder_capability_name((unsigned int)a->number));
		break;
	case WARDER_ACCESS_SURFACE:
		CLAIM(warder_surface_name((unsigned int)a->number));
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = claim_text(data, size);
	struct warder_access access = {0};
	struct warder_access_error error = {0};
	int r = warder_access_parse(text, size, &access, &error);

	if (r == 0)
		check_access(&access);
	else
		CLAIM(r == -EINVAL && error.message[0] && error.offset <= size && !access.text);
	warder_access_release(&access);
	return 0;
}
