// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * difference.c - differences between two keyrings, for people and as JSON.
 */
#include "cli/difference.h"

#include <stdlib.h>
#include <string.h>

#include "audit/event.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "compile/verdict.h"
#include "policy/right.h"
#include "policy/syscall.h"

/* --- for people --- */

static void print_one(const struct warder_difference *d, const char *mark, size_t others, FILE *out)
{
	_cleanup_free_ char *act = warder_difference_access(d);
	char rule[1024];

	warder_message_print(out, "%s%s\n", mark, act ? act : "out of memory");
	warder_message_print(out, "    allowed: %s\n",
			     warder_explanation_text(&d->allows, rule, sizeof(rule)));
	if (others)
		warder_message_print(out, "             and elsewhere by %zu more (--all)\n",
				     others);
	warder_message_print(out, "    refused: %s\n",
			     warder_explanation_text(&d->refuses, rule, sizeof(rule)));
}

/* One rule that takes from many: the first of them tells what it is about. */
static bool is_alike(const struct warder_difference *a, const struct warder_difference *b)
{
	return a->direction == b->direction && a->kind == b->kind && a->rights == b->rights &&
	       a->refuses.rule && warder_explanation_same(&a->refuses, &b->refuses);
}

static bool has_earlier(const struct warder_comparison *comparison, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++) {
		if (is_alike(&comparison->list[k], &comparison->list[i]))
			return true;
	}
	return false;
}

static size_t count_later(const struct warder_comparison *comparison, size_t i)
{
	size_t count = 0, k;

	for (k = i + 1; k < comparison->count; k++)
		count += is_alike(&comparison->list[k], &comparison->list[i]);
	return count;
}

void warder_differences_print(const struct warder_comparison *comparison,
			      enum warder_direction direction, const char *mark, bool all,
			      FILE *out)
{
	size_t shown = 0, more = 0, i;

	for (i = 0; i < comparison->count; i++) {
		const struct warder_difference *d = &comparison->list[i];

		if (d->direction != direction || (!all && has_earlier(comparison, i)))
			continue;
		if (all || shown < WARDER_DIFFERENCES_SHOWN) {
			print_one(d, mark, all ? 0 : count_later(comparison, i), out);
			shown++;
		} else {
			more++;
		}
	}
	if (more)
		fprintf(out, "  and %zu more, by other rules or rights (--all)\n", more);
	if (comparison->incomplete[direction])
		fputs("  and maybe others, by other rules: not all were looked at\n", out);
}

/* --- JSON --- */

static void path_json(json_t *object, const struct warder_difference *d)
{
	json_t *rights = json_array();
	char word[32];
	int bit;

	for (bit = 0; bit < WARDER_RIGHT_COUNT; bit++) {
		if (d->rights >> bit & 1)
			json_array_append_new(rights, json_string(warder_rights_text(
							      1u << bit, word, sizeof(word))));
	}
	json_object_set_new(object, "rights", rights);
	warder_json_set_bytes(object, "path", d->path, d->length);
}

static void address_json(json_t *object, const struct warder_difference *d)
{
	char address[WARDER_ADDRESS_TEXT_MAX];

	json_object_set_new(object, "operation", json_string(warder_operation_name(d->op)));
	json_object_set_new(
		object, "address",
		json_string(warder_address_text(d->proto, d->address, d->port, address)));
}

static json_t *difference_json(const struct warder_difference *d)
{
	_cleanup_free_ char *act = warder_difference_access(d);
	json_t *object = json_object();

	json_object_set_new(object, "only", json_string(d->direction == WARDER_ONLY_A ? "a" : "b"));
	if (act)
		warder_json_set_bytes(object, "access", act, strlen(act));
	if (d->kind == WARDER_ACCESS_PATH)
		path_json(object, d);
	else if (d->kind == WARDER_ACCESS_ADDRESS)
		address_json(object, d);
	else
		json_object_set_new(object, "syscall", json_integer(d->number));
	json_object_set_new(object, "allowed", warder_explanation_json(&d->allows));
	json_object_set_new(object, "refused", warder_explanation_json(&d->refuses));
	return object;
}

json_t *warder_differences_json(const struct warder_comparison *comparison)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < comparison->count; i++)
		json_array_append_new(list, difference_json(&comparison->list[i]));
	return list;
}
