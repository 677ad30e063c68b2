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
#include "base/message.h"
#include "cli/say.h"
#include "cli/status.h"
#include "cli/table.h"
#include "cli/verb.h"
#include "cli/view.h"

static const char *key_name(const struct warder_status *row, unsigned int key, char *buffer,
			    size_t size)
{
	return warder_key_names(row->policy, 1ull << key, buffer, size);
}

static bool is_set_key(const struct warder_status *row, unsigned int key)
{
	return row->policy && key < row->policy->key_count && !row->policy->keys[key].tool;
}

/* Tools held, the granted ones with what is left of them. */
static void keys_text(const struct warder_status *row, char *text, size_t size)
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

static void pids_cell(const struct warder_status *row, struct warder_table *table)
{
	if (!row->outside_known)
		warder_table_add(table, "%zu, outside ?", row->pid_count);
	else if (row->outside_count)
		warder_table_add(table, "%zu, outside %zu", row->pid_count, row->outside_count);
	else
		warder_table_add(table, "%zu", row->pid_count);
}

static void print_row(const struct warder_status *row, struct warder_table *table)
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
	warder_table_add(table, "%s", warder_status_name(row->state));
	warder_table_add(table, "%s", row->cgroup ? row->cgroup : "(gone)");
}

static json_t *keys_json(const struct warder_status *row)
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
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "denied",
			 (json_int_t)stats->denied, "killed", (json_int_t)stats->killed, "events",
			 (json_int_t)stats->events, "dropped", (json_int_t)stats->dropped,
			 "suppressed", (json_int_t)stats->suppressed, "quiet",
			 (json_int_t)stats->quiet, "unstable", (json_int_t)stats->unstable,
			 "unfinished", (json_int_t)stats->unfinished, "unknown",
			 (json_int_t)stats->unknown);
}

static json_t *row_json(const struct warder_status *row)
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
	json_object_set_new(object, "state", json_string(warder_status_name(row->state)));
	json_object_set_new(object, "runner",
			    row->state == WARDER_STATUS_RUNNING ? json_integer(subject->runner)
								: json_null());
	json_object_set_new(object, "stats", stats_json(&row->stats));
	return object;
}

/* What a state that is not the normal one means, and who does something about it. */
static void print_note(const struct warder_status *row)
{
	const char *name = row->subject->name;

	switch (row->state) {
	case WARDER_STATUS_ORPHANED:
		warder_message_print(
			stdout,
			"%s: its `warder run` was killed; what it started stays confined, and "
			"`warder kill %s` ends it\n",
			name, name);
		break;
	case WARDER_STATUS_ENDED:
		warder_message_print(stdout,
				     "%s: ended; cleaned up by the next `warder run`, or now by "
				     "`warder kill %s`\n",
				     name, name);
		break;
	case WARDER_STATUS_UNKNOWN:
		warder_message_print(stdout,
				     "%s: its `warder run` was killed, and whether any process of "
				     "it lives cannot be told (`warder kill %s` says why)\n",
				     name, name);
		break;
	default:
		break;
	}
}

static void print_notes(const struct warder_status *rows, size_t count)
{
	bool first = true;
	size_t i;

	for (i = 0; i < count; i++) {
		if (rows[i].state != WARDER_STATUS_RUNNING && first) {
			putchar('\n');
			first = false;
		}
		print_note(&rows[i]);
	}
}

static int list(const struct warder_session *session, bool json, struct warder_error *reterr)
{
	static const char *const headings[] = {"SUBJECT", "POLICY/SET", "MODEL", "PIDS",  "TOOLS",
					       "DENIED",  "AGE",	"STATE", "CGROUP"};
	_cleanup_free_ struct warder_subject *subjects = NULL;
	_cleanup_free_ struct warder_status *rows = NULL;
	_cleanup_table_ struct warder_table table = {.columns = 9};
	json_t *array = json_array();
	size_t count = 0, i;
	int error = warder_subject_list(session, &subjects, &count);

	rows = calloc(count + 1, sizeof(*rows));
	if (!error && !rows)
		error = -ENOMEM;
	if (error < 0) {
		json_decref(array);
		return warder_error_set(reterr, error, "cannot list the subjects:");
	}
	for (i = 0; i < table.columns; i++)
		warder_table_add(&table, "%s", headings[i]);
	for (i = 0; i < count; i++) {
		warder_status_read(session, &subjects[i], &rows[i]);
		print_row(&rows[i], &table);
		json_array_append_new(array, row_json(&rows[i]));
	}
	if (json) {
		error = warder_say_json(array);
	} else {
		json_decref(array);
		warder_table_print(&table, stdout);
		print_notes(rows, count);
	}
	for (i = 0; i < count; i++)
		warder_status_release(&rows[i]);
	return error;
}

/* What other programs left no room for. */
static void print_weaker(const struct warder_session *session)
{
	char names[256];

	if (warder_session_left_out(session, names, sizeof(names))[0])
		warder_message_print(stdout,
				     "\nonly the first net holds %s: others have the slots of "
				     "lsm_cgroup (`warder doctor`)\n",
				     names);
}

static int show(const struct warder_session *session, bool json, struct warder_error *reterr)
{
	int error = list(session, json, reterr);

	if (!error && !json)
		print_weaker(session);

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
			"long as they do.\n"
			"STATE is \"running\" as long as the `warder run` lives that started the "
			"subject.\n",
		.nothing = "no subjects: warder is not loaded",
		.show = show,
	};

	return warder_view_run(&view, argc, argv);
}
