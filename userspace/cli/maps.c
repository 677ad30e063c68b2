// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * maps.c - `warder maps`: what the kernel holds, in words, beside the line of bpftool
 * that prints the same.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/utf8.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "load/cgroup.h"
#include "load/entry.h"
#include "load/member.h"
#include "load/subject.h"

static const char *const total_texts[] = {
	[WARDER_TOTAL_INHERIT_FAILED] = "cgroups that could not inherit an entry",
	[WARDER_TOTAL_UNKNOWN_LEAF] = "refusals in a cgroup without entry below a bound one",
	[WARDER_TOTAL_LABEL_FAILED] = "labels that could not be stored",
	[WARDER_TOTAL_NO_SUBJECT] = "refusals because the subject is gone",
};

/* What is read once and shown map by map. */
struct view {
	const struct warder_session *session;
	struct warder_subject *subjects;
	size_t count;
	json_t *entries; /* of the map at hand */
};

/* One entry: its words, and the inner map when there is one. */
static void entry_add(const struct view *view, enum warder_map map, __s64 slot, const char *words)
{
	json_t *entry = json_object();
	char command[64], text[WARDER_MESSAGE_MAX];
	__u32 id;

	/* A path may hold any byte. */
	warder_utf8_escape(text, sizeof(text), words, strlen(words));
	json_object_set_new(entry, "text", json_string(text));
	if (slot >= 0 && warder_session_inner_id(view->session, map, slot, &id) == 0) {
		snprintf(command, sizeof(command), "bpftool map dump id %u", id);
		json_object_set_new(entry, "slot", json_integer(slot));
		json_object_set_new(entry, "bpftool", json_string(command));
	}
	json_array_append_new(view->entries, entry);
}

static const char *subject_name(const struct view *view, __u64 binding)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		if (view->subjects[i].binding == binding)
			return view->subjects[i].name;
	}
	return binding == WARDER_BINDING_UNBOUND ? "nobody: deny all" : "?";
}

static int cgroup_entry(__u64 cgroup, const struct warder_cgroup *entry, void *context)
{
	const struct view *view = context;
	const char *name = subject_name(view, entry->binding);
	_cleanup_free_ char *path = NULL, *words = NULL;
	struct warder_subject subject = {.cgroup = cgroup};

	warder_subject_cgroup(view->session, &subject, &path);
	if (asprintf(&words, "cgroup %llu (%s) -> %s (binding %llu)%s", cgroup,
		     path ? path : "gone", name, entry->binding,
		     entry->flags & WARDER_CGROUP_CHILDREN_UNKNOWN ? ", children unknown" : "") < 0)
		words = NULL;
	entry_add(view, WARDER_MAP_cgroups, -1, words ? words : "out of memory");
	return 0;
}

static void subject_entries(const struct view *view, enum warder_map map)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		const struct warder_subject *subject = &view->subjects[i];
		char words[512];

		if (map == WARDER_MAP_rings)
			snprintf(words, sizeof(words),
				 "%s: events that were not read yet (a ring; "
				 "`warder events` reads it)",
				 subject->name);
		else
			snprintf(
				words, sizeof(words),
				"%s: policy %s, set %s, generation %llu, keys %#llx, granted %#llx",
				subject->name, subject->policy, subject->set, subject->generation,
				subject->base, subject->granted);
		entry_add(view, map, WARDER_SLOT(subject->binding), words);
	}
}

static void stats_entries(const struct view *view)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		struct warder_stats stats;
		char words[512];

		if (warder_subject_stats(view->session, view->subjects[i].binding, &stats) < 0)
			continue;
		snprintf(words, sizeof(words),
			 "slot %u, %s: %llu denied, %llu events, %llu dropped, %llu suppressed, "
			 "%llu quiet, %llu unstable, %llu unfinished, %llu unknown",
			 WARDER_SLOT(stats.binding), view->subjects[i].name, stats.denied,
			 stats.events, stats.dropped, stats.suppressed, stats.quiet, stats.unstable,
			 stats.unfinished, stats.unknown);
		entry_add(view, WARDER_MAP_stats, -1, words);
	}
}

static void image_words(const struct warder_image *image, const char *policy, char *words,
			size_t size)
{
	snprintf(words, size,
		 "%s: generation %llu, %u states of %u byte classes, %u verdict rows, %u address "
		 "ranges, %u port rules, %u keys%s",
		 policy, image->generation, image->stride ? image->cell_count / image->stride : 0,
		 image->stride ? image->stride - 1 : 0, image->row_count, image->range_count,
		 image->port_count, image->key_count, image->has_syscalls ? ", system calls" : "");
}

/* Each image once, however many subjects share it. */
static void image_entries(const struct view *view)
{
	bool seen[WARDER_IMAGES_MAX] = {};
	size_t i;

	for (i = 0; i < view->count; i++) {
		const struct warder_subject *subject = &view->subjects[i];
		_cleanup_free_ struct warder_image *image = NULL;
		char words[512];

		if (subject->image_slot >= WARDER_IMAGES_MAX || seen[subject->image_slot] ||
		    warder_image_read(view->session, subject->image_slot, &image) < 0)
			continue;
		seen[subject->image_slot] = true;
		image_words(image, subject->policy, words, sizeof(words));
		entry_add(view, WARDER_MAP_images, subject->image_slot, words);
	}
}

static void state_entries(const struct view *view)
{
	struct warder_state state;
	char words[512];

	if (warder_session_state(view->session, &state) < 0)
		return;
	snprintf(words, sizeof(words),
		 "layout %llu, next binding serial %llu, next generation %llu, own cgroup %llu",
		 state.abi, state.next_serial, state.next_generation, state.root_cgroup);
	entry_add(view, WARDER_MAP_state, -1, words);
}

static void total_entries(const struct view *view)
{
	enum warder_total total;

	for (total = 0; total < WARDER_TOTAL_COUNT; total++) {
		char words[256];
		__u64 count;

		if (warder_session_total(view->session, total, &count) < 0)
			continue;
		snprintf(words, sizeof(words), "%llu %s", count, total_texts[total]);
		entry_add(view, WARDER_MAP_totals, -1, words);
	}
}

/* bpftool cannot print task storage: the iterator beside it lists the labels. */
static void member_entries(const struct view *view)
{
	_cleanup_free_ struct warder_member *list = NULL;
	size_t count = 0, i;

	if (warder_member_list(view->session, 0, &list, &count) < 0)
		return;
	for (i = 0; i < count; i++) {
		char words[256];

		snprintf(words, sizeof(words), "process %u -> %s (binding %llu)", list[i].pid,
			 subject_name(view, list[i].binding), list[i].binding);
		entry_add(view, WARDER_MAP_tasks, -1, words);
	}
}

static void entries_of(const struct view *view, enum warder_map map)
{
	switch (map) {
	case WARDER_MAP_cgroups:
		warder_entry_each(view->session, cgroup_entry, (void *)view);
		break;
	case WARDER_MAP_subjects:
	case WARDER_MAP_rings:
		subject_entries(view, map);
		break;
	case WARDER_MAP_images:
		image_entries(view);
		break;
	case WARDER_MAP_stats:
		stats_entries(view);
		break;
	case WARDER_MAP_totals:
		total_entries(view);
		break;
	case WARDER_MAP_state:
		state_entries(view);
		break;
	case WARDER_MAP_tasks:
		member_entries(view);
		break;
	default: /* the gate: nothing that a person could read */
		break;
	}
}

static json_t *map_json(struct view *view, enum warder_map map)
{
	struct warder_map_info info = {};
	char command[128];

	view->entries = json_array();
	entries_of(view, map);
	warder_session_map_info(view->session, map, &info);
	snprintf(command, sizeof(command), "bpftool map dump pinned " WARDER_PIN_DIR "/maps/%s",
		 warder_map_name(map));
	return json_pack("{s:s, s:s, s:i, s:i, s:s, s:o}", "map", warder_map_name(map), "holds",
			 warder_map_text(map), "id", info.id, "room", info.max_entries, "bpftool",
			 command, "entries", view->entries);
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void print_map(const json_t *map)
{
	const json_t *entry;
	size_t i;

	printf("%s (id %lld, room for %lld): %s\n", text_of(map, "map"),
	       json_integer_value(json_object_get(map, "id")),
	       json_integer_value(json_object_get(map, "room")), text_of(map, "holds"));
	printf("  $ %s\n", text_of(map, "bpftool"));
	json_array_foreach((json_t *)json_object_get(map, "entries"), i, entry)
	{
		printf("    %s\n", text_of(entry, "text"));
		if (text_of(entry, "bpftool"))
			printf("      $ %s\n", text_of(entry, "bpftool"));
	}
}

static int show(const struct warder_session *session, bool json, struct warder_error *reterr)
{
	struct view view = {.session = session};
	json_t *list = json_array(), *map;
	size_t i;
	int error = warder_subject_list(session, &view.subjects, &view.count);

	for (i = 0; i < WARDER_MAP_COUNT && !error; i++)
		json_array_append_new(list, map_json(&view, i));
	free(view.subjects);
	if (!error && json)
		return warder_say_json(list);
	if (!error) {
		json_array_foreach(list, i, map) print_map(map);
	}
	json_decref(list);
	return error < 0 ? warder_error_set(reterr, error, "cannot read the maps:") : 0;
}

int verb_maps(int argc, char **argv)
{
	bool json = false;
	const struct warder_option options[] = {
		{'j', "json", .text = "print a JSON array", .flag = &json},
		{},
	};
	const struct warder_usage usage = {
		.verb = "maps",
		.options = options,
		.more = "Subjects, images and rings are maps of maps: bpftool prints the ids of "
			"the "
			"inner maps,\nand each entry below names the line that prints one.\n",
	};
	struct warder_session_options adopt = {.adopt_only = true};
	_cleanup_session_ struct warder_session *session = NULL;
	struct warder_error message = {};
	char **arguments;
	int error = warder_options_read(&usage, argc, argv, &arguments);

	if (error >= 0)
		return error;
	error = warder_session_open(&adopt, &session, &message);
	if (error == -ENOENT)
		return warder_say_empty(json, "no maps: warder is not loaded");
	if (!error)
		error = show(session, json, &message);
	return error < 0 ? warder_say_error(error, &message) : WARDER_EXIT_OK;
}
