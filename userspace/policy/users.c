// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * users.c - `allow-users:`: users and groups by name.
 */
#include "policy/users.h"

#include <string.h>

#include "base/vector.h"

#define GROUP "group:"

/* useradd takes no longer one. */
#define NAME_MAX_LENGTH 32u

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

void warder_users_release(struct warder_users *users)
{
	size_t i;

	for (i = 0; i < users->count; i++)
		free(users->list[i]);
	free(users->list);
	*users = (struct warder_users){0};
}

/* Where the text stops being a user or "group:NAME"; its length when all is one. */
static size_t good_length(const char *text)
{
	size_t prefix = strncmp(text, GROUP, strlen(GROUP)) ? 0 : strlen(GROUP);
	size_t good = strspn(text + prefix, LETTERS);

	if (text[prefix] == '-')
		return prefix;
	return prefix + (good < NAME_MAX_LENGTH ? good : NAME_MAX_LENGTH);
}

static void read_user(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	struct warder_users *users = context;
	char quoted[WARDER_QUOTED_MAX];
	size_t good, i;

	if (!warder_reader_text(reader, item, "a user"))
		return;
	warder_reader_quote(item->text, item->length, quoted);
	good = good_length(item->text);
	if (good != item->length || warder_reader_is(item, GROUP)) {
		warder_reader_error_at(reader, item, good, "write joe, or group:NAME for a group",
				       "%s is no name of a user", quoted);
		return;
	}
	for (i = 0; i < users->count; i++) {
		if (!strcmp(users->list[i], item->text)) {
			warder_reader_error(reader, item, NULL, "%s is there twice", quoted);
			return;
		}
	}
	if (!VECTOR_ROOM(users->list, users->count, users->capacity) ||
	    !(users->list[users->count] = strdup(item->text))) {
		reader->out_of_memory = true;
		return;
	}
	users->count++;
}

void warder_users_read(struct warder_reader *reader, const struct warder_yaml *value,
		       struct warder_users *users)
{
	warder_reader_list(reader, value, "users", read_user, users);
}
