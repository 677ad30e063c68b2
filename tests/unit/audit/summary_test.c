// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * summary_test.c - each distinct refusal once, with its count, in the order of time; alike ones
 * on one line; nothing when there was none.
 */
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

#include "audit/remedy.h"
#include "audit/summary.h"

static const struct warder_summary_style folded = {.limit = 50}, each = {.each = true};
static const struct warder_stats quiet = {};

/* A refused open for reading; tests change what they are about. */
static struct warder_event event_of(unsigned int pid)
{
	static __u64 sequence;

	sequence++;
	return (struct warder_event){
		.object = WARDER_OBJECT_PATH,
		.hook = WARDER_HOOK_FILE_OPEN,
		.rights = WARDER_READ,
		.missing = WARDER_READ,
		.error = -EACCES,
		.pid = pid,
		.tid = pid,
		.sequence = sequence,
		.time = sequence,
		.reason = WARDER_REASON_NO_RULE,
	};
}

static void put(struct warder_summary *summary, struct warder_event event, const char *path,
		const char *rule, enum warder_remedy_kind kind)
{
	struct warder_remedy remedy = {
		.kind = kind, .section = "files", .word = "read", .set = "agent", .tool = "mail"};
	struct warder_record record = {
		.event = &event, .text = path, .rule = rule, .remedy = &remedy};

	event.text_length = strlen(path);
	if (kind == WARDER_REMEDY_RULE)
		warder_remedy_set_path(&remedy, path, strlen(path), NULL);
	warder_summary_add(summary, &record);
}

static void add(struct warder_summary *summary, const char *path, const char *rule, int error,
		unsigned int pid)
{
	struct warder_event event = event_of(pid);

	event.error = error;
	event.missing = error ? WARDER_READ : 0;
	put(summary, event, path, rule, WARDER_REMEDY_NONE);
}

/* An exec as the kernel reports it where it is refused: a file opened to be run. */
static void add_exec(struct warder_summary *summary, const char *path, unsigned int pid)
{
	struct warder_event event = event_of(pid);

	event.rights = event.missing = WARDER_MAP_EXEC;
	put(summary, event, path, "no rule", WARDER_REMEDY_NONE);
}

static void check(const struct warder_summary *summary, const struct warder_stats *stats,
		  const struct warder_summary_style *style, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	warder_summary_print(summary, stats, style, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static struct warder_summary *new_summary(void)
{
	struct warder_summary *summary = NULL;

	assert_int_equal(warder_summary_new(&summary), 0);
	return summary;
}

static void silent_without_refusals(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();

	add(summary, "/usr/sbin/sendmail", "granted", 0, 1);
	check(summary, &quiet, &folded, "");
	check(summary, &quiet, &each, "");
}

static void counts_and_caps(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	const struct warder_summary_style two = {.limit = 2};
	const char *act, *object;

	add(summary, "/a", "no rule", -EACCES, 1);
	add(summary, "/a", "no rule", -EACCES, 2);
	add(summary, "/b", "p.yaml:3: files.deny.read /b", -EACCES, 1);
	add(summary, "/c", "no rule", -EACCES, 3);
	assert_int_equal(warder_summary_count(summary), 3);
	check(summary, &quiet, &two,
	      "warder: denied:\n"
	      "  2x read /a (no rule)\n"
	      "  1x read /b (p.yaml:3: files.deny.read /b)\n"
	      "  and 1 more (`warder events` shows them)\n");
	assert_string_equal(warder_summary_last(summary, 1, &act, &object),
			    "p.yaml:3: files.deny.read /b");
	assert_string_equal(object, "/b");
	assert_null(warder_summary_last(summary, 99, &act, &object));
}

/* Processors write into the ring as they come; the summary is in the order of time. */
static void in_the_order_of_time(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	static const unsigned int times[] = {30, 10, 20, 5};
	static const char *const paths[] = {"/c", "/a", "/b", "/c"};
	const char *act, *object;
	size_t i;

	for (i = 0; i < 4; i++) {
		struct warder_event event = event_of(1);

		event.time = times[i];
		put(summary, event, paths[i], "no rule", WARDER_REMEDY_NONE);
	}
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  2x read /c (no rule)\n"
	      "  1x read /a (no rule)\n"
	      "  1x read /b (no rule)\n");
	warder_summary_last(summary, 1, &act, &object);
	assert_string_equal(object, "/c");
}

static void says_what_is_not_recorded(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	struct warder_stats stats = {.denied = 3000, .suppressed = 2998};

	add(summary, "/a", "no rule", -EACCES, 1);
	add(summary, "/a", "no rule", -EACCES, 1);
	check(summary, &stats, &folded,
	      "warder: denied:\n"
	      "  2x read /a (no rule)\n"
	      "  3000 refusals in all, 2998 of them counted without detail\n"
	      "  warder records at most 512 events a second of a subject, so that a flood of them "
	      "stays small\n");
	stats = (struct warder_stats){.denied = 2, .dropped = 7};
	check(summary, &stats, &folded,
	      "warder: denied:\n"
	      "  2x read /a (no rule)\n"
	      "  uses of granted keys counted without detail: 7\n"
	      "  7 events found no room: they came faster than they were read\n");
	stats = (struct warder_stats){.denied = 5, .dropped = 4};
	check(summary, &stats, &folded,
	      "warder: denied:\n"
	      "  2x read /a (no rule)\n"
	      "  5 refusals in all, 3 of them counted without detail\n"
	      "  uses of granted keys counted without detail: 1\n"
	      "  4 events found no room: they came faster than they were read\n");
}

static void says_remedies(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();

	put(summary, event_of(1), "/etc/a b", "no rule", WARDER_REMEDY_RULE);
	put(summary, event_of(1), "/etc/c", "reserved for tool mail (p.yaml:3: exec)",
	    WARDER_REMEDY_GRANT);
	put(summary, event_of(1), "/etc/d", "kernel surface that no subject may use",
	    WARDER_REMEDY_IMPOSSIBLE);
	put(summary, event_of(1), "/etc/e", "no rule", WARDER_REMEDY_IMPOSSIBLE);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  1x read /etc/a b (no rule; files: {read: ['/etc/a b']} in set \"agent\" would "
	      "allow it)\n"
	      "  1x read /etc/c (reserved for tool mail (p.yaml:3: exec); `warder grant NAME mail "
	      "--for 5m --reason ...` would allow it)\n"
	      "  1x read /etc/d (kernel surface that no subject may use; no rule of this version "
	      "can grant it)\n"
	      "  1x read /etc/e (no rule of this version can grant it)\n");
}

static void add_many(struct warder_summary *summary, const char *const *paths, size_t count,
		     const char *rule, enum warder_remedy_kind kind)
{
	size_t i;

	for (i = 0; i < count; i++)
		put(summary, event_of(1), paths[i], rule, kind);
}

static void folds_what_is_alike(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	const char *const numbers[] = {"/proc/1/stat", "/proc/2/stat", "/proc/3/stat",
				       "/proc/3/stat"};
	const char *const made_up[] = {"/tmp/tmp0a1b2c3d", "/tmp/tmpX7_kq09z", "/tmp/tmp12345678",
				       "/tmp/tmpq9q9q9q9"};

	add_many(summary, numbers, 4, "not a member", WARDER_REMEDY_IMPOSSIBLE);
	add(summary, "/a", "no rule", -EACCES, 1);
	add_many(summary, made_up, 4, "no rule", WARDER_REMEDY_RULE);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  4x read /proc/*/stat (3 names) (not a member; no rule of this version can grant "
	      "it)\n"
	      "  1x read /a (no rule)\n"
	      "  4x read /tmp/tmp???????? (4 names) (no rule; files: {read: ['/tmp/tmp????????"
	      "']} "
	      "in set "
	      "\"agent\" would allow it)\n"
	      "  (`warder run --verbose` and `warder events` show each name)\n");
	check(summary, &quiet, &each,
	      "warder: denied:\n"
	      "  1x read /proc/1/stat (not a member; no rule of this version can grant it)\n"
	      "  1x read /proc/2/stat (not a member; no rule of this version can grant it)\n"
	      "  2x read /proc/3/stat (not a member; no rule of this version can grant it)\n"
	      "  1x read /a (no rule)\n"
	      "  1x read /tmp/tmp0a1b2c3d (no rule; files: {read: [/tmp/tmp0a1b2c3d]} in set "
	      "\"agent\" would allow it)\n"
	      "  1x read /tmp/tmpX7_kq09z (no rule; files: {read: [/tmp/tmpX7_kq09z]} in set "
	      "\"agent\" would allow it)\n"
	      "  1x read /tmp/tmp12345678 (no rule; files: {read: [/tmp/tmp12345678]} in set "
	      "\"agent\" would allow it)\n"
	      "  1x read /tmp/tmpq9q9q9q9 (no rule; files: {read: [/tmp/tmpq9q9q9q9]} in set "
	      "\"agent\" would allow it)\n");
	assert_int_equal(warder_summary_count(summary), 8);
}

/* Other rights, another cause, another rule: another line. */
static void folds_nothing_else(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	static const char *const rules[] = {"no rule", "p.yaml:3: deny", "p.yaml:4: deny"};
	static const __u32 rights[] = {WARDER_READ, WARDER_WRITE, WARDER_READ | WARDER_WRITE};
	char path[32];
	unsigned int i;

	for (i = 0; i < 9; i++) {
		struct warder_event event = event_of(1);

		snprintf(path, sizeof(path), "/proc/%u/stat", i);
		event.rights = event.missing = rights[i / 3];
		put(summary, event, path, rules[i % 3], WARDER_REMEDY_NONE);
	}
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  1x read /proc/0/stat (no rule)\n"
	      "  1x read /proc/1/stat (p.yaml:3: deny)\n"
	      "  1x read /proc/2/stat (p.yaml:4: deny)\n"
	      "  1x write /proc/3/stat (no rule)\n"
	      "  1x write /proc/4/stat (p.yaml:3: deny)\n"
	      "  1x write /proc/5/stat (p.yaml:4: deny)\n"
	      "  1x read+write /proc/6/stat (no rule)\n"
	      "  1x read+write /proc/7/stat (p.yaml:3: deny)\n"
	      "  1x read+write /proc/8/stat (p.yaml:4: deny)\n");
}

/* Ten names of a directory: a rule for the directory would give what nobody asked for. */
static void suggests_no_whole_directory(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	static const char *const names[] = {"/etc/shadow", "/etc/x",	"/etc/gshadow", "/etc/a",
					    "/etc/b",	   "/etc/cron", "/etc/sudoers", "/etc/d",
					    "/etc/fstab",  "/etc/q"};

	add_many(summary, names, 10, "no rule", WARDER_REMEDY_RULE);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  10x read /etc/* (10 names) (no rule)\n"
	      "  (`warder run --verbose` and `warder events` show each name)\n");
}

/* Names that were chosen so that the pattern of all would be that of a secret, or of anything. */
static void suggests_no_secret(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	static const char *const shadow[] = {"/etc/shA1b2", "/etc/shX9y8", "/etc/shQ3q3",
					     "/etc/shZ7z7"};
	static const char *const temporary[] = {"/etc/.pwdA1b2c3", "/etc/.pwdX9y8z7",
						"/etc/.pwdQ3q3q3", "/etc/.pwdZ7z7z7"};
	static const char *const any[] = {"/srv/xyA1b2c3", "/srv/xyX9y8z7", "/srv/xyQ3q3q3",
					  "/srv/xyZ7z7z7"};
	static const char *const made_up[] = {"/srv/appA1b2c3", "/srv/appX9y8z7", "/srv/appQ3q3q3",
					      "/srv/appZ7z7z7"};

	add_many(summary, shadow, 4, "no rule", WARDER_REMEDY_RULE);
	add_many(summary, temporary, 4, "no rule", WARDER_REMEDY_RULE);
	add_many(summary, any, 4, "no rule", WARDER_REMEDY_RULE);
	add_many(summary, made_up, 4, "no rule", WARDER_REMEDY_RULE);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  4x read /etc/sh???? (4 names) (no rule)\n"
	      "  4x read /etc/.pwd?????? (4 names) (no rule)\n"
	      "  4x read /srv/xy?????? (4 names) (no rule)\n"
	      "  4x read /srv/app?????? (4 names) (no rule; files: {read: ['/srv/app??????"
	      "']} in "
	      "set \"agent\" would allow it)\n"
	      "  (`warder run --verbose` and `warder events` show each name)\n");
}

/* Names without NUL that are shown with a star are those of hostile code. */
static void escapes_patterns(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	static const char *const names[] = {"/\x1b*/1", "/\x1b*/2", "/\x1b*/3"};

	add_many(summary, names, 3, "no rule", WARDER_REMEDY_NONE);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  3x read /\\x1b*/* (3 names) (no rule)\n"
	      "  (`warder run --verbose` and `warder events` show each name)\n");
}

/* A search along PATH finds one file by two names; what two processes do is twice. */
static void counts_tries_of_exec(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();

	add_exec(summary, "/usr/bin/bc", 7);
	add_exec(summary, "/usr/bin/bc", 7);
	add_exec(summary, "/usr/bin/id", 8);
	add_exec(summary, "/usr/bin/id", 9);
	add_exec(summary, "/usr/bin/id", 9);
	add_exec(summary, "/usr/bin/dc", 10);
	add(summary, "/etc/hosts", "no rule", -EACCES, 10);
	add_exec(summary, "/usr/bin/dc", 10);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  1x exec /usr/bin/bc, in 2 calls (no rule)\n"
	      "  2x exec /usr/bin/id, in 3 calls (no rule)\n"
	      "  2x exec /usr/bin/dc (no rule)\n"
	      "  1x read /etc/hosts (no rule)\n");
	check(summary, &quiet, &each,
	      "warder: denied:\n"
	      "  2x exec /usr/bin/bc (no rule)\n"
	      "  3x exec /usr/bin/id (no rule)\n"
	      "  2x exec /usr/bin/dc (no rule)\n"
	      "  1x read /etc/hosts (no rule)\n");
}

/* A shell reads what it could not execute; others read it for its own sake. */
static void tells_a_look_with_its_exec(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();

	add_exec(summary, "/usr/bin/bc", 7);
	add(summary, "/usr/bin/bc", "p.yaml:9: files.deny.read", -EACCES, 7);
	add_exec(summary, "/usr/bin/id", 8);
	add(summary, "/usr/bin/id", "no rule", -EACCES, 9);
	add_exec(summary, "/usr/bin/dc", 10);
	add(summary, "/usr/bin/dc", "no rule", -EACCES, 10);
	add(summary, "/usr/bin/dc", "no rule", -EACCES, 11);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  1x exec /usr/bin/bc, then read it (no rule)\n"
	      "  1x exec /usr/bin/id (no rule)\n"
	      "  1x read /usr/bin/id (no rule)\n"
	      "  1x exec /usr/bin/dc, then read it (no rule)\n"
	      "  1x read /usr/bin/dc (no rule)\n");
	check(summary, &quiet, &each,
	      "warder: denied:\n"
	      "  1x exec /usr/bin/bc (no rule)\n"
	      "  1x read /usr/bin/bc (p.yaml:9: files.deny.read)\n"
	      "  1x exec /usr/bin/id (no rule)\n"
	      "  1x read /usr/bin/id (no rule)\n"
	      "  1x exec /usr/bin/dc (no rule)\n"
	      "  2x read /usr/bin/dc (no rule)\n");
}

static void add_creation(struct warder_summary *summary, const char *path, unsigned int pid)
{
	struct warder_event event = event_of(pid);

	event.hook = WARDER_HOOK_PATH_MKNOD;
	event.rights = event.missing = WARDER_CREATE;
	event.flags = WARDER_EVENT_IF_NEW;
	put(summary, event, path, "no rule", WARDER_REMEDY_NONE);
}

static void add_existed(struct warder_summary *summary, const char *path, unsigned int pid,
			int error)
{
	struct warder_event event = event_of(pid);

	event.rights = WARDER_WRITE;
	event.missing = error ? WARDER_WRITE : 0;
	event.error = error;
	event.flags = WARDER_EVENT_EXISTED;
	put(summary, event, path, "no rule", WARDER_REMEDY_NONE);
}

/* An open that may create asked too early: when the file existed, nothing was refused. */
static void takes_creations_back(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	const struct warder_stats stats = {.denied = 4, .suppressed = 1};
	json_t *json;

	add_creation(summary, "/a", 1);
	add_existed(summary, "/a", 1, 0);
	check(summary, &quiet, &folded, "");
	assert_int_equal(warder_summary_count(summary), 0);
	/* Once more, by a process that met another refusal in between, and one that did create. */
	add_creation(summary, "/a", 1);
	add(summary, "/x", "no rule", -EACCES, 1);
	add_existed(summary, "/a", 1, 0);
	add_creation(summary, "/a", 2);
	add_existed(summary, "/other", 3, 0);
	add_creation(summary, "/b", 1);
	add_existed(summary, "/b", 1, -EACCES);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  1x create /a (no rule)\n"
	      "  1x read /x (no rule)\n"
	      "  1x write /b (no rule)\n");
	json = warder_summary_json(summary, &quiet);
	assert_int_equal(json_array_size(json_object_get(json, "denied")), 3);
	assert_int_equal(json_array_size(json_object_get(json, "granted_key_uses")), 0);
	json_decref(json);
	/* One of four was not recorded. */
	check(summary, &stats, &(struct warder_summary_style){.limit = 0},
	      "warder: denied:\n"
	      "  and 3 more (`warder events` shows them)\n"
	      "  4 refusals in all, 1 of them counted without detail\n"
	      "  warder records at most 512 events a second of a subject, so that a flood of them "
	      "stays small\n");
}

/* The creation that a record takes back may be one that is not known: no other one stands for it.
 */
static void takes_no_other_back(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();

	add_creation(summary, "/a", 1);
	add_existed(summary, "/b", 1, 0);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  1x create /a (no rule)\n");
	/* It waits for its own. */
	add_existed(summary, "/a", 1, 0);
	check(summary, &quiet, &folded, "");
	/* Names that are shown alike. */
	add_creation(summary, "/\n", 1);
	add_existed(summary, "/\\x0a", 1, 0);
	add_existed(summary, "/\n/", 1, -EACCES);
	check(summary, &quiet, &folded,
	      "warder: denied:\n"
	      "  1x create /\\x0a (no rule)\n"
	      "  1x write /\\x0a/ (no rule)\n");
	add_existed(summary, "/\n", 1, 0);
	assert_int_equal(warder_summary_count(summary), 1);
}

/* Where the top of a path is missing, the rest has to be the same. */
static void takes_cut_names_back(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	static const char *const names[] = {"d/a", "d/b", "d/a"};
	size_t i;

	for (i = 0; i < 3; i++) {
		struct warder_event event = event_of(1);

		event.flags = WARDER_EVENT_TEXT_CUT |
			      (i ? WARDER_EVENT_EXISTED : WARDER_EVENT_IF_NEW);
		event.rights = event.missing = i ? 0 : WARDER_CREATE;
		event.error = i ? 0 : -EACCES;
		put(summary, event, names[i], "no rule", WARDER_REMEDY_NONE);
		assert_int_equal(warder_summary_count(summary), i < 2);
	}
}

static void json_has_both_lists(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	const struct warder_stats stats = {.denied = 1};
	const json_t *denied;
	json_t *json;

	put(summary, event_of(1), "/a", "no rule", WARDER_REMEDY_RULE);
	add(summary, "/s", "granted", 0, 1);
	json = warder_summary_json(summary, &stats);
	denied = json_object_get(json, "denied");
	assert_int_equal(json_array_size(denied), 1);
	assert_string_equal(json_string_value(json_object_get(json_array_get(denied, 0), "remedy")),
			    "files: {read: [/a]} in set \"agent\" would allow it");
	assert_int_equal(json_array_size(json_object_get(json, "granted_key_uses")), 1);
	assert_int_equal(json_integer_value(json_object_get(json, "refusals")), 1);
	json_decref(json);
}

/* Names are the hostile code's choice: memory is bounded, and the loss is said. */
static void bounded(void **state)
{
	_cleanup_summary_ struct warder_summary *summary = new_summary();
	const struct warder_summary_style one = {.limit = 1};
	char path[32];
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "/%u/%u/x", i % 70, i);
		add(summary, path, i % 2 ? "no rule" : "another rule", -EACCES, 1);
	}
	assert_int_equal(warder_summary_count(summary), 4096);
	check(summary, &quiet, &one,
	      "warder: denied:\n"
	      "  2048x read /*/*/x (2048 names) (another rule)\n"
	      "  and 1 more (`warder events` shows them)\n"
	      "  904 events are in the log only: too many different ones\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(silent_without_refusals),
		cmocka_unit_test(counts_and_caps),
		cmocka_unit_test(in_the_order_of_time),
		cmocka_unit_test(says_what_is_not_recorded),
		cmocka_unit_test(says_remedies),
		cmocka_unit_test(folds_what_is_alike),
		cmocka_unit_test(folds_nothing_else),
		cmocka_unit_test(suggests_no_whole_directory),
		cmocka_unit_test(suggests_no_secret),
		cmocka_unit_test(escapes_patterns),
		cmocka_unit_test(counts_tries_of_exec),
		cmocka_unit_test(tells_a_look_with_its_exec),
		cmocka_unit_test(takes_creations_back),
		cmocka_unit_test(takes_no_other_back),
		cmocka_unit_test(takes_cut_names_back),
		cmocka_unit_test(json_has_both_lists),
		cmocka_unit_test(bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
