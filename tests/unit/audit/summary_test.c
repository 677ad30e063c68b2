// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* summary_test.c - each distinct refusal once, with its count; nothing when there was none. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <warder/access.h>
#include <warder/hook.h>

#include "audit/summary.h"

static void add(struct warder_summary *summary, const char *path, const char *rule, int error,
		unsigned int pid)
{
	static __u64 sequence;
	struct warder_event event = {
		.object = WARDER_OBJECT_PATH,
		.hook = WARDER_HOOK_FILE_OPEN,
		.rights = WARDER_READ,
		.missing = error ? WARDER_READ : 0,
		.error = error,
		.pid = pid,
		.sequence = ++sequence,
		.text_length = strlen(path),
	};
	struct warder_record record = {.event = &event, .text = path, .rule = rule};

	warder_summary_add(summary, &record);
}

static char *printed(const struct warder_summary *summary, const struct warder_stats *stats,
		     size_t limit)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	warder_summary_print(summary, stats, limit, out);
	fclose(out);
	return text;
}

static void silent_without_refusals(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = NULL;
	const struct warder_stats stats = {};
	char *text;

	assert_int_equal(warder_summary_new(&summary), 0);
	add(summary, "/usr/sbin/sendmail", "granted", 0, 1);
	text = printed(summary, &stats, 50);
	assert_string_equal(text, "");
	free(text);
}

static void counts_and_caps(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = NULL;
	const struct warder_stats stats = {.dropped = 3, .suppressed = 4};
	const char *act, *object;
	char *text;

	assert_int_equal(warder_summary_new(&summary), 0);
	add(summary, "/a", "no rule", -EACCES, 1);
	add(summary, "/a", "no rule", -EACCES, 2);
	add(summary, "/b", "p.yaml:3: files.deny.read /b", -EACCES, 1);
	add(summary, "/c", "no rule", -EACCES, 3);
	assert_int_equal(warder_summary_count(summary), 3);
	text = printed(summary, &stats, 2);
	assert_string_equal(text, "warder: denied:\n"
				  "  2x read /a (no rule)\n"
				  "  1x read /b (p.yaml:3: files.deny.read /b)\n"
				  "  and 1 more (`warder events` shows them)\n"
				  "  4 events were held back: more than 512 in one second\n"
				  "  3 events were lost: the ring was full\n");
	free(text);
	assert_string_equal(warder_summary_last(summary, 1, &act, &object),
			    "p.yaml:3: files.deny.read /b");
	assert_string_equal(object, "/b");
	assert_null(warder_summary_last(summary, 99, &act, &object));
}

static void json_has_both_lists(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = NULL;
	const struct warder_stats stats = {.denied = 1};
	json_t *json;

	assert_int_equal(warder_summary_new(&summary), 0);
	add(summary, "/a", "no rule", -EACCES, 1);
	add(summary, "/s", "granted", 0, 1);
	json = warder_summary_json(summary, &stats);
	assert_int_equal(json_array_size(json_object_get(json, "denied")), 1);
	assert_int_equal(json_array_size(json_object_get(json, "granted_key_uses")), 1);
	assert_int_equal(json_integer_value(json_object_get(json, "refusals")), 1);
	json_decref(json);
}

/* Names are the hostile code's choice: memory is bounded, and the loss is said. */
static void bounded(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = NULL;
	const struct warder_stats stats = {};
	char path[32], *text;
	unsigned int i;

	assert_int_equal(warder_summary_new(&summary), 0);
	for (i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "/%u", i);
		add(summary, path, "no rule", -EACCES, 1);
	}
	assert_int_equal(warder_summary_count(summary), 4096);
	text = printed(summary, &stats, 1);
	assert_non_null(strstr(text, "904 events are in the log only"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(silent_without_refusals),
		cmocka_unit_test(counts_and_caps),
		cmocka_unit_test(json_has_both_lists),
		cmocka_unit_test(bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
