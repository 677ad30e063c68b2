// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pin_test.c - everything is pinned twice, in two file systems: taking away either changes nothing,
 * and the next warder puts it back.
 */
#include "harness.h"

#include <sys/mount.h>

#include "acts.h"
#include "load/hook.h"
#include "load/pin.h"

static const char policy[] = "sets: { code: { files: { read: ['{DIR}/open'] } } }\n";

static bool open_subject(struct kt_subject *s)
{
	if (!kt_subject_open(s, "code", policy))
		return false;
	kt_write("%s/open", "text", s->dir);
	kt_write("%s/closed", "text", s->dir);
	return true;
}

static const struct {
	const char *kind, *name;
} links[] = {{"iter", "members"},
#define X(upper, lower) {"global", #lower},
	     WARDER_LSM_HOOKS(X)
#undef X
#define X(upper, lower) {"twin", #lower},
		     WARDER_TWIN_HOOKS(X)
#undef X
#define X(upper, lower) {"net", #lower},
			     WARDER_NET_HOOKS(X)
#undef X
#define X(upper, lower) {"tp", #lower},
				     WARDER_TRACEPOINTS(X)
#undef X
};

/* How often each is pinned; -1: not all equally often. */
static int pinned(void)
{
	int map, times = (int)warder_pin_count_map(warder_map_name(0));
	size_t i;

	for (map = 0; map < WARDER_MAP_COUNT; map++) {
		if ((int)warder_pin_count_map(warder_map_name(map)) != times)
			return -1;
	}
	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		bool lacking = !strcmp(links[i].kind, "global") &&
			       warder_hook_is_newer(links[i].name);

		if ((int)warder_pin_count_link(links[i].kind, links[i].name) !=
		    (lacking ? 0 : times))
			return -1;
	}
	return times;
}

static void check_enforced(struct kt_subject *s, const char *when)
{
	char name[128];

	snprintf(name, sizeof(name), "%s: refused", when);
	kt_result(name, kt_inside(s, act_read, "closed"), -EACCES);
	snprintf(name, sizeof(name), "%s: allowed", when);
	kt_result(name, kt_inside(s, act_read, "open"), 0);
	snprintf(name, sizeof(name), "%s: control", when);
	kt_result(name, kt_outside(s, act_read, "closed"), 0);
	snprintf(name, sizeof(name), "%s: nothing is missing", when);
	kt_result(name, warder_session_verify(kt_session(), NULL), 0);
}

/* Another process begins to use what is loaded. */
static void check_mended(const char *when)
{
	_cleanup_session_ struct warder_session *other = NULL;
	struct warder_session_options keep = {.keep_loaded = true};
	struct warder_error error = {};
	char name[128];
	int result = warder_session_open(&keep, &other, &error);

	snprintf(name, sizeof(name), "%s: the next warder adopts it", when);
	kt_check_why(name, !result, "%s", error.text);
	snprintf(name, sizeof(name), "%s: and pins it anew", when);
	kt_result(name, pinned(), 2);
}

static void remove_place(const char *place)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", place);
	kt_check("pins are removed", !system(command));
}

TEST(either_place)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!open_subject(&s))
		return;
	kt_result("all is pinned twice", pinned(), 2);
	remove_place(WARDER_PIN_DIR);
	kt_result("first place: once", pinned(), 1);
	check_enforced(&s, "first place");
	check_mended("first place");
	remove_place(WARDER_SECOND_PIN_DIR);
	kt_result("second place: once", pinned(), 1);
	check_enforced(&s, "second place");
	check_mended("second place");
	kt_check("the second is unmounted", !umount(WARDER_SECOND_MOUNT));
	check_enforced(&s, "second mount");
	check_mended("second mount");
	/* What was put back holds by itself. */
	remove_place(WARDER_PIN_DIR);
	check_enforced(&s, "first place, again");
	check_mended("first place, again");
}

TEST(any_one_link)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!open_subject(&s))
		return;
	kt_check("one of the first", !unlink(WARDER_PIN_DIR "/links/global/file_open"));
	check_enforced(&s, "without one of the first");
	kt_check("another of the second",
		 !unlink(WARDER_SECOND_PIN_DIR "/links/global/path_unlink"));
	check_enforced(&s, "without another of the second");
	check_mended("both");
}

/* A subject reaches neither. */
TEST(out_of_reach)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", "sets: { code: { files: { write: ['/**'] } } }\n"))
		return;
	kt_result("unlink", kt_inside(&s, act_unlink, WARDER_SECOND_PIN_DIR "/maps/subjects"),
		  -EACCES);
	kt_result("list", kt_inside(&s, act_list, WARDER_SECOND_PIN_DIR "/maps"), -EACCES);
	kt_result("control", kt_outside(&s, act_list, WARDER_SECOND_PIN_DIR "/maps"), 0);
	kt_result("it is there still", warder_pin_count_map("subjects"), 2);
}
