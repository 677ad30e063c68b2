// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ps.c - `warder ps`: the subjects, read back from the kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <warder/decide.h>

#include "audit/event.h"
#include "audit/explain.h"
#include "base/cleanup.h"
#include "base/duration.h"
#include "cli/say.h"
#include "cli/table.h"
#include "cli/verb.h"
#include "cli/view.h"
#include "load/cgroup.h"
#include "load/member.h"
#include "load/subject.h"

/* A subject with what is known about it. */
struct row {
	const struct warder_subject *subject;
	struct warder_policy *policy; /* NULL: its copy is gone */
	char *cgroup;		      /* NULL: it is gone */
	pid_t *pids;		      /* in the cgroup */
	size_t pid_count;
	struct warder_member *outside; /* moved out of the cgroup; the label holds them */
	size_t outside_count;
	bool outside_known;
	struct warder_stats stats;
	bool served;
	__u64 now;
};

static bool row_has_pid(const struct row *row, __u32 pid)
{
	size_t i;

	for (i = 0; i < row->pid_count; i++) {
		if (row->pids[i] == (pid_t)pid)
			return true;
	}
	return false;
}

/* The subject's members without those in its cgroup. */
static void find_outside(const struct warder_session *session, struct row *row)
{
	size_t count = 0, i;

	if (warder_member_list(session, row->subject->binding, &row->outside, &count) < 0)
		return;
	row->outside_known = true;
	for (i = 0; i < count; i++) {
		if (!row_has_pid(row, row->outside[i].pid))
			row->outside[row->outside_count++] = row->outside[i];
	}
}

static void row_fill(const struct warder_session *session, const struct warder_subject *subject,
		     struct row *row)
{
	*row = (struct row){.subject = subject, .now = warder_boottime()};
	warder_policy_recall(subject->generation, &row->policy, NULL);
	if (warder_subject_cgroup(session, subject, &row->cgroup) == 0)
		warder_cgroup_pids(row->cgroup, &row->pids, &row->pid_count);
	find_outside(session, row);
	warder_subject_stats(session, subject->binding, &row->stats);
	row->served = warder_subject_has_runner(subject);
}

static void row_release(struct row *row)
{
	warder_policy_free(&row->policy);
	free(row->cgroup);
	free(row->pids);
	free(row->outside);
}

static const char *key_name(const struct row *row, unsigned int key, char *buffer, size_t size)
{
	return warder_key_names(row->policy, 1ull << key, buffer, size);
}

static bool is_set_key(const struct row *row, unsigned int key)
{
	return row->policy && key < row->policy->key_count && !row->policy->keys[key].tool;
}

/* Tools held, the granted ones with what is left of them. */
static void keys_text(const struct row *row, char *text, size_t size)
{
	const struct warder_subject *subject = row->subject;
	__u64 held = warder_held(subject, row->now);
	char name[WARDER_NAME_MAX + 16], left[64];
	size_t used = 0;
	unsigned int key;

	text[0] = '\0';
	for (key = 0; key < WARDER_KEYS_MAX && used < size; key++) {
		const char *comma = used ? ", " : "";

		if (!(held >> key & 1) || is_set_key(row, key))
			continue;
		key_name(row, key, name, sizeof(name));
		if (subject->base >> key & 1)
			used += snprintf(text + used, size - used, "%s%s", comma, name);
		else if (subject->deadline[key] == WARDER_FOREVER)
			used += snprintf(text + used, size - used, "%s%s (until revoked)", comma,
					 name);
		else
			used += snprintf(text + used, size - used, "%s%s (%s left)", comma, name,
					 warder_duration_format(subject->deadline[key] - row->now,
								left, sizeof(left)));
	}
	if (!used)
		snprintf(text, size, "-");
}

static void pids_cell(const struct row *row, struct warder_table *table)
{
	if (!row->outside_known)
		warder_table_add(table, "%zu, outside ?", row->pid_count);
	else if (row->outside_count)
		warder_table_add(table, "%zu, outside %zu", row->pid_count, row->outside_count);
	else
		warder_table_add(table, "%zu", row->pid_count);
}

static void print_row(const struct row *row, struct warder_table *table)
{
	const struct warder_subject *subject = row->subject;
	char keys[1024], age[64];

	keys_text(row, keys, sizeof(keys));
	warder_table_add(table, "%s", subject->name);
	warder_table_add(table, "%s/%s", subject->policy, subject->set);
	warder_table_add(table, "%s", row->policy ? warder_model_name(row->policy->model) : "?");
	pids_cell(row, table);
	warder_table_add(table, "%s", keys);
	warder_table_add(table, "%llu", row->stats.denied);
	warder_table_add(table, "%s",
			 warder_duration_format(row->now - subject->since, age, sizeof(age)));
	if (row->served)
		warder_table_add(table, "%u", subject->runner);
	else
		warder_table_add(table, "none");
	warder_table_add(table, "%s", row->cgroup ? row->cgroup : "(gone)");
}

static json_t *keys_json(const struct row *row)
{
	const struct warder_subject *subject = row->subject;
	__u64 held = warder_held(subject, row->now);
	char name[WARDER_NAME_MAX + 16];
	json_t *list = json_array();
	unsigned int key;

	for (key = 0; key < WARDER_KEYS_MAX; key++) {
		json_t *entry;

		if (!(held >> key & 1))
			continue;
		entry = json_object();
		json_object_set_new(entry, "key",
				    json_string(key_name(row, key, name, sizeof(name))));
		json_object_set_new(entry, "granted", json_boolean(!(subject->base >> key & 1)));
		if (!(subject->base >> key & 1) && subject->deadline[key] != WARDER_FOREVER)
			json_object_set_new(entry, "seconds_left",
					    json_real((double)(subject->deadline[key] - row->now) /
						      WARDER_SECOND));
		json_array_append_new(list, entry);
	}
	return list;
}

static json_t *stats_json(const struct warder_stats *stats)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "denied",
			 (json_int_t)stats->denied, "events", (json_int_t)stats->events, "dropped",
			 (json_int_t)stats->dropped, "suppressed", (json_int_t)stats->suppressed,
			 "quiet", (json_int_t)stats->quiet, "unstable", (json_int_t)stats->unstable,
			 "unfinished", (json_int_t)stats->unfinished, "unknown",
			 (json_int_t)stats->unknown);
}

static json_t *row_json(const struct row *row)
{
	const struct warder_subject *subject = row->subject;
	json_t *object = json_object(), *pids = json_array(), *outside = json_array();
	size_t i;

	for (i = 0; i < row->pid_count; i++)
		json_array_append_new(pids, json_integer(row->pids[i]));
	for (i = 0; i < row->outside_count; i++)
		json_array_append_new(outside, json_integer(row->outside[i].pid));
	json_object_set_new(object, "subject", json_string(subject->name));
	json_object_set_new(object, "binding", json_integer(subject->binding));
	json_object_set_new(object, "policy", json_string(subject->policy));
	json_object_set_new(object, "set", json_string(subject->set));
	json_object_set_new(object, "generation", json_integer(subject->generation));
	if (row->policy)
		json_object_set_new(object, "model",
				    json_string(warder_model_name(row->policy->model)));
	if (row->cgroup)
		warder_json_set_bytes(object, "cgroup", row->cgroup, strlen(row->cgroup));
	json_object_set_new(object, "cgroup_id", json_integer(subject->cgroup));
	json_object_set_new(object, "pids", pids);
	if (row->outside_known)
		json_object_set_new(object, "pids_outside", outside);
	else
		json_decref(outside);
	json_object_set_new(object, "keys", keys_json(row));
	json_object_set_new(object, "seconds",
			    json_real((double)(row->now - subject->since) / WARDER_SECOND));
	json_object_set_new(object, "runner",
			    row->served ? json_integer(subject->runner) : json_null());
	json_object_set_new(object, "stats", stats_json(&row->stats));
	return object;
}

static int list(const struct warder_session *session, bool json, struct warder_error *reterr)
{
	static const char *const headings[] = {"SUBJECT", "POLICY/SET", "MODEL",  "PIDS",  "TOOLS",
					       "DENIED",  "AGE",	"RUNNER", "CGROUP"};
	_cleanup_free_ struct warder_subject *subjects = NULL;
	_cleanup_table_ struct warder_table table = {.columns = 9};
	json_t *array = json_array();
	size_t count = 0, i;
	int error = warder_subject_list(session, &subjects, &count);

	if (error < 0) {
		json_decref(array);
		return warder_error_set(reterr, error, "cannot list the subjects:");
	}
	for (i = 0; i < table.columns; i++)
		warder_table_add(&table, "%s", headings[i]);
	for (i = 0; i < count; i++) {
		struct row row;

		row_fill(session, &subjects[i], &row);
		print_row(&row, &table);
		json_array_append_new(array, row_json(&row));
		row_release(&row);
	}
	if (json)
		return warder_say_json(array);
	json_decref(array);
	warder_table_print(&table, stdout);
	return WARDER_EXIT_OK;
}

static int show(const struct warder_session *session, bool json, struct warder_error *reterr)
{
	int error = list(session, json, reterr);

	/* Weaker than it was: say so, whatever the list looks like. */
	return error ? error : warder_session_verify(session, reterr);
}

int verb_ps(int argc, char **argv)
{
	static const struct warder_view view = {
		.verb = "ps",
		.more = "PIDS counts the processes in the subject's cgroup; \"outside\" those that "
			"somebody moved to\n"
			"another cgroup: they are confined as before, and the subject lives as "
			"long as they do.\n",
		.nothing = "no subjects: warder is not loaded",
		.show = show,
	};

	return warder_view_run(&view, argc, argv);
}
