// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * content.c - what the pinned maps hold, in words, each with the command that prints the same.
 *
 * An end-to-end test runs every command and compares: a line that prints nothing, or
 * something else, does not belong here.
 */
#include "cli/content.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "compile/compile.h"
#include "compile/layout.h"
#include "load/cgroup.h"
#include "load/entry.h"
#include "load/member.h"
#include "load/subject.h"

#define PINNED "pinned " WARDER_PIN_DIR "/maps/%s"

/* bpftool cannot print task storage; the iterator beside it is a file of struct warder_member. */
#define MEMBERS_COMMAND                                                                \
	"od -A n -v -w24 -t u4 " WARDER_PIN_DIR                                        \
	"/links/iter/members | awk '{printf \"binding %.0f process %u thread %u\\n\"," \
	" $1 + $2 * 4294967296, $5, $6}'"

static const char *const total_texts[] = {
	[WARDER_TOTAL_INHERIT_FAILED] = "cgroups that could not inherit an entry",
	[WARDER_TOTAL_UNKNOWN_LEAF] = "refusals in a cgroup without entry below a bound one",
	[WARDER_TOTAL_LABEL_FAILED] = "labels that could not be stored",
	[WARDER_TOTAL_NO_SUBJECT] = "refusals because the subject is gone",
};

/* What is read once and shown map by map. */
struct view {
	const struct warder_session *session;
	struct warder_subject *subjects; /* the one of slot 0 first */
	size_t count;
	json_t *entries; /* of the map at hand */
};

/* A field with its strings escaped: a path may hold any byte. */
static void set_text(json_t *object, const char *key, const char *format, va_list arguments)
{
	char text[WARDER_MESSAGE_MAX];

	warder_message_format(text, sizeof(text), format, arguments);
	json_object_set_new(object, key, json_string(text));
}

static __attribute__((format(printf, 2, 3))) json_t *entry_add(const struct view *view,
							       const char *format, ...)
{
	json_t *entry = json_object();
	va_list arguments;

	va_start(arguments, format);
	set_text(entry, "text", format, arguments);
	va_end(arguments);
	json_array_append_new(view->entries, entry);
	return entry;
}

static __attribute__((format(printf, 2, 3))) void set_command(json_t *object, const char *format,
							      ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_text(object, "command", format, arguments);
	va_end(arguments);
}

/* What is in a slot of a map of maps: words, and the inner map's own id and command. */
static void slot_add(const struct view *view, enum warder_map map, __u32 slot, const char *words)
{
	json_t *entry;
	__u32 id;

	if (warder_session_inner_id(view->session, map, slot, &id) < 0)
		return;
	entry = entry_add(view, "slot %u (id %u): %s", slot, id, words);
	json_object_set_new(entry, "slot", json_integer(slot));
	json_object_set_new(entry, "id", json_integer(id));
	/* A ring cannot be dumped; of an image the first page says what is in it. */
	if (map == WARDER_MAP_images)
		set_command(entry, "bpftool map lookup id %u key 0 0 0 0", id);
	else if (map != WARDER_MAP_rings)
		set_command(entry, "bpftool map dump id %u", id);
}

static const char *subject_name(const struct view *view, __u64 binding)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		if (view->subjects[i].binding == binding)
			return view->subjects[i].name;
	}
	return "?";
}

static int cgroup_entry(__u64 cgroup, const struct warder_cgroup *entry, void *context)
{
	const struct view *view = context;
	_cleanup_free_ char *path = NULL;
	struct warder_subject subject = {.cgroup = cgroup};

	warder_subject_cgroup(view->session, &subject, &path);
	entry_add(view, "cgroup %llu (%s) -> %s (binding %llu)%s", cgroup, path ? path : "gone",
		  subject_name(view, entry->binding), entry->binding,
		  entry->flags & WARDER_CGROUP_CHILDREN_UNKNOWN ? ", children unknown" : "");
	return 0;
}

static void subject_entries(const struct view *view)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		const struct warder_subject *subject = &view->subjects[i];
		char words[512];

		if (subject->flags & WARDER_SUBJECT_DENY_ALL)
			snprintf(words, sizeof(words),
				 "%s: (no image): whatever is judged is refused", subject->name);
		else
			snprintf(words, sizeof(words),
				 "%s: policy %s, set %s, generation %llu in image slot %u, "
				 "keys %#llx, granted %#llx",
				 subject->name, subject->policy, subject->set, subject->generation,
				 subject->image_slot, subject->base, subject->granted);
		slot_add(view, WARDER_MAP_subjects, WARDER_SLOT(subject->binding), words);
	}
}

static void ring_entries(const struct view *view)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		char words[512];

		snprintf(words, sizeof(words),
			 "%s: events that were not read yet; `warder events` reads them",
			 view->subjects[i].name);
		slot_add(view, WARDER_MAP_rings, WARDER_SLOT(view->subjects[i].binding), words);
	}
}

static void stats_entries(const struct view *view)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		struct warder_stats stats;
		__u32 slot = WARDER_SLOT(view->subjects[i].binding);
		json_t *entry;

		if (warder_subject_stats(view->session, view->subjects[i].binding, &stats) < 0)
			continue;
		entry = entry_add(
			view,
			"slot %u, %s: %llu denied, %llu events, %llu dropped, %llu suppressed, "
			"%llu quiet, %llu unstable, %llu unfinished, %llu unknown",
			slot, view->subjects[i].name, stats.denied, stats.events, stats.dropped,
			stats.suppressed, stats.quiet, stats.unstable, stats.unfinished,
			stats.unknown);
		json_object_set_new(entry, "slot", json_integer(slot));
		set_command(entry, "bpftool map lookup " PINNED " key %u %u 0 0", "stats",
			    slot & 0xff, slot >> 8);
	}
}

/* Whose image it is; several subjects may share it. */
static const char *image_policy(const struct view *view, __u64 generation)
{
	size_t i;

	for (i = 0; i < view->count; i++) {
		if (view->subjects[i].generation == generation)
			return view->subjects[i].policy;
	}
	return "(no subject)";
}

static void image_entries(const struct view *view)
{
	__u32 slot;

	for (slot = 0; slot < WARDER_IMAGES_MAX; slot++) {
		_cleanup_free_ struct warder_image *image = NULL;
		char words[512];

		if (warder_image_read(view->session, slot, &image) < 0)
			continue;
		snprintf(words, sizeof(words),
			 "%s: generation %llu, %u states, %u byte classes, %u verdict rows, %u "
			 "address ranges, %u port rules, %u keys%s; %u pages, %zu KiB",
			 image_policy(view, image->generation), image->generation,
			 image->state_count, image->class_count, image->row_count,
			 image->range_count, image->port_count, image->key_count,
			 image->has_syscalls ? ", system calls" : "", image->page_count,
			 warder_image_kernel_size(image) / 1024);
		slot_add(view, WARDER_MAP_images, slot, words);
	}
}

static void state_entries(const struct view *view)
{
	struct warder_state state;

	if (warder_session_state(view->session, &state) < 0)
		return;
	entry_add(view,
		  "layout %llu, next binding serial %llu, next generation %llu, own cgroup %llu",
		  state.abi, state.next_serial, state.next_generation, state.root_cgroup);
}

static void total_entries(const struct view *view)
{
	enum warder_total total;

	for (total = 0; total < WARDER_TOTAL_COUNT; total++) {
		__u64 count;

		if (warder_session_total(view->session, total, &count) == 0)
			entry_add(view, "%llu %s", count, total_texts[total]);
	}
}

static void gate_entries(const struct view *view)
{
	size_t marked;

	if (warder_entry_gate_count(view->session, &marked) == 0)
		entry_add(view, "%zu of %u buckets are marked (1)", marked, WARDER_GATE_SIZE);
}

static void member_entries(const struct view *view)
{
	_cleanup_free_ struct warder_member *list = NULL;
	size_t count = 0, i;

	if (warder_member_list(view->session, 0, &list, &count) < 0)
		return;
	for (i = 0; i < count; i++)
		entry_add(view, "process %u -> %s (binding %llu)", list[i].pid,
			  subject_name(view, list[i].binding), list[i].binding);
}

static void entries_of(const struct view *view, enum warder_map map)
{
	static void (*const writers[])(const struct view *view) = {
		[WARDER_MAP_tasks] = member_entries,	 [WARDER_MAP_gate] = gate_entries,
		[WARDER_MAP_subjects] = subject_entries, [WARDER_MAP_images] = image_entries,
		[WARDER_MAP_rings] = ring_entries,	 [WARDER_MAP_stats] = stats_entries,
		[WARDER_MAP_totals] = total_entries,	 [WARDER_MAP_state] = state_entries,
	};

	if (map == WARDER_MAP_cgroups)
		warder_entry_each(view->session, cgroup_entry, (void *)view);
	else if (writers[map])
		writers[map](view);
}

static json_t *map_json(struct view *view, enum warder_map map)
{
	struct warder_map_info info = {};
	json_t *object;

	view->entries = json_array();
	entries_of(view, map);
	warder_session_map_info(view->session, map, &info);
	object = json_pack("{s:s, s:s, s:i, s:o, s:o}", "map", warder_map_name(map), "holds",
			   warder_map_text(map), "id", info.id, "room",
			   info.max_entries ? json_integer(info.max_entries) : json_null(),
			   "entries", view->entries);
	if (map == WARDER_MAP_tasks)
		json_object_set_new(object, "command", json_string(MEMBERS_COMMAND));
	else
		set_command(object, "bpftool map dump " PINNED, warder_map_name(map));
	return object;
}

/* All subjects, and in front of them the one that refuses everything to whom is nobody's. */
static int read_subjects(struct view *view)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0;
	int error = warder_subject_list(view->session, &list, &count);

	if (error < 0)
		return error;
	view->subjects = calloc(count + 1, sizeof(*list));
	if (!view->subjects)
		return -ENOMEM;
	view->count = warder_subject_read(view->session, WARDER_BINDING_UNBOUND, view->subjects) ==
		      0;
	if (count)
		memcpy(view->subjects + view->count, list, count * sizeof(*list));
	view->count += count;
	return 0;
}

json_t *warder_content_json(const struct warder_session *session, int *ret_error)
{
	struct view view = {.session = session};
	json_t *list;
	size_t map;
	int error = read_subjects(&view);

	if (error < 0) {
		*ret_error = error;
		return NULL;
	}
	list = json_array();
	for (map = 0; map < WARDER_MAP_COUNT; map++)
		json_array_append_new(list, map_json(&view, map));
	free(view.subjects);
	return list;
}
