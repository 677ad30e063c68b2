// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * nest_test.c - subjects below subjects: all of them have to allow, and the lower one belongs to
 * the upper one, never the other way round.
 */
#include "victim.h"

#include <signal.h>

#include "acts.h"

/* A parent reads both and mine, its child both and own: all below the parent's directory. */
static const char parent_policy[] =
	"tools: { lent: { files: { read: ['{DIR}/lent'] } } }\n"
	"sets:\n"
	"  code:\n"
	"    files: { read: ['{DIR}/both', '{DIR}/mine', '/proc/**'] }\n";

static const char child_policy[] =
	"sets:\n"
	"  code:\n"
	"%s"
	"    files: { read: ['%s/both', '%s/own', '%s/lent', '/proc/**'] }\n";

static const char *const files[] = {"both", "mine", "own", "lent", "none"};

struct family {
	struct kt_subject parent, child;
	char path[5][160];
};

enum file {
	BOTH,
	MINE,
	OWN,
	LENT,
	NONE,
};

static void family_close(struct family *family)
{
	kt_subject_close(&family->child);
	kt_subject_close(&family->parent);
}

#define _cleanup_family_ __attribute__((cleanup(family_close)))

static bool family_open(struct family *family, const char *extra)
{
	_cleanup_free_ char *text = NULL;
	const char *dir = family->parent.dir;
	size_t i;

	if (!kt_subject_open(&family->parent, "code", parent_policy))
		return false;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		kt_write("%s/%s", "text", dir, files[i]);
		snprintf(family->path[i], sizeof(family->path[i]), "%s/%s", dir, files[i]);
	}
	if (asprintf(&text, child_policy, extra, dir, dir, dir) < 0)
		abort();
	return kt_subject_open_for(&family->child, "code", text, &family->parent);
}

static __u64 judge_of(struct kt_subject *s)
{
	const struct kt_match match = {.hook = WARDER_HOOK_FILE_OPEN,
				       .reason = WARDER_REASON_NO_RULE};
	const struct kt_event_record *record = kt_event_find(s, &match);

	return record ? record->event.judge : 0;
}

TEST(both_have_to_allow)
{
	_cleanup_family_ struct family f = {};

	if (!family_open(&f, ""))
		return;
	kt_result("what both may", kt_inside(&f.child, act_read, f.path[BOTH]), 0);
	kt_result("what the parent may", kt_inside(&f.child, act_read, f.path[MINE]), -EACCES);
	kt_check("the child's rules refuse", judge_of(&f.child) == f.child.binding);
	kt_events_clear(&f.child);
	kt_result("what the child may", kt_inside(&f.child, act_read, f.path[OWN]), -EACCES);
	kt_check("the parent's rules refuse", judge_of(&f.child) == f.parent.binding);
	kt_result("control: the parent", kt_inside(&f.parent, act_read, f.path[MINE]), 0);
	kt_result("control: outside", kt_outside(&f.child, act_read, f.path[OWN]), 0);
	kt_result("outside, what neither may", kt_outside(&f.child, act_read, f.path[NONE]), 0);
	kt_result("what neither may", kt_inside(&f.child, act_read, f.path[NONE]), -EACCES);
}

/* Of the generation and the keys that an event tells of, both are the parent's. */
TEST(key_of_the_parent)
{
	const struct kt_match used = {.hook = WARDER_HOOK_FILE_OPEN,
				      .reason = WARDER_REASON_GRANTED_KEY};
	const struct kt_event_record *record;
	_cleanup_family_ struct family f = {};
	struct warder_subject parent = {};
	unsigned int key = 0;

	if (!family_open(&f, ""))
		return;
	kt_result("before", kt_inside(&f.child, act_read, f.path[LENT]), -EACCES);
	kt_grant(&f.parent, "lent", 600);
	kt_events_clear(&f.child);
	kt_result("granted to the parent", kt_inside(&f.child, act_read, f.path[LENT]), 0);
	warder_subject_read(kt_session(), f.parent.binding, &parent);
	warder_policy_find_tool(f.parent.policy, "lent", &key);
	record = kt_event_find(&f.child, &used);
	kt_check("its use is reported", record);
	kt_check("of the parent", record && record->event.judge == f.parent.binding &&
					  record->event.generation == parent.generation &&
					  record->event.keys == 1ull << key);
	kt_revoke(&f.parent, "lent");
	kt_result("revoked", kt_inside(&f.child, act_read, f.path[LENT]), -EACCES);
}

TEST(separate)
{
	_cleanup_family_ struct family f = {};
	struct warder_subject child = {};

	if (!family_open(&f, "    separate: true\n"))
		return;
	kt_result("what the child may", kt_inside(&f.child, act_read, f.path[OWN]), 0);
	kt_result("what the parent may", kt_inside(&f.child, act_read, f.path[MINE]), -EACCES);
	warder_subject_read(kt_session(), f.child.binding, &child);
	kt_check("the parent is known", child.parent == f.parent.binding &&
						!warder_subject_is_below(&child, child.parent));
}

/* What a process of `who` does to a victim in `whose`. */
static void act_on(const char *what, struct kt_subject *who, struct kt_subject *whose, int expected)
{
	static const struct {
		const char *name;
		kt_act *act;
		int refused;
	} deeds[] = {
		{"signal", act_kill, -EPERM},
		{"attach", act_attach, -EPERM},
		{"/proc/PID/maps", act_proc_maps, -EACCES},
	};
	struct kt_child child;
	char name[128];
	size_t i;

	if (!victim_start(&child, whose)) {
		kt_check("victim starts", false);
		return;
	}
	for (i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		snprintf(name, sizeof(name), "%s: %s", what, deeds[i].name);
		kt_result(name, kt_inside(who, deeds[i].act, NULL),
			  expected ? deeds[i].refused : 0);
		/* act_kill's signal is counted. */
		victim_signals();
	}
	kt_check("the victim is unharmed", victim_stop(&child));
}

TEST(members)
{
	_cleanup_family_ struct family f = {};

	kt_check("yama is off or absent",
		 access("/proc/sys/kernel/yama/ptrace_scope", F_OK) ||
			 !system("echo 0 >/proc/sys/kernel/yama/ptrace_scope"));
	if (!family_open(&f, ""))
		return;
	act_on("the parent on its child", &f.parent, &f.child, 0);
	act_on("the child on itself", &f.child, &f.child, 0);
	act_on("the child on its parent", &f.child, &f.parent, -1);
}

TEST(at_most_eight_deep)
{
	struct kt_subject chain[WARDER_NESTING_MAX] = {};
	struct warder_subject_request request = {.name = "ninth"};
	_cleanup_free_ char *cgroup = NULL, *text = NULL;
	struct warder_error error = {};
	char path[160];
	__u64 binding = 0;
	int i, opened = 0;

	if (!kt_subject_open(&chain[0], "code", parent_policy))
		return;
	kt_write("%s/own", "text", chain[0].dir);
	kt_write("%s/both", "text", chain[0].dir);
	if (asprintf(&text, child_policy, "", chain[0].dir, chain[0].dir, chain[0].dir) < 0)
		abort();
	for (opened = 1; opened < (int)WARDER_NESTING_MAX; opened++) {
		if (!kt_subject_open_for(&chain[opened], "code", text, &chain[opened - 1]))
			goto out;
	}
	snprintf(path, sizeof(path), "%s/both", chain[0].dir);
	kt_result("what all may", kt_inside(&chain[opened - 1], act_read, path), 0);
	snprintf(path, sizeof(path), "%s/own", chain[0].dir);
	kt_result("what the first may not", kt_inside(&chain[opened - 1], act_read, path), -EACCES);
	kt_check("the first refuses", judge_of(&chain[opened - 1]) == chain[0].binding);
	request.parent = chain[opened - 1].binding;
	if (warder_cgroup_create(warder_session_cgroup(kt_session()), "ninth", &cgroup, NULL) < 0)
		abort();
	request.cgroup = cgroup;
	kt_result("a ninth", warder_subject_bind(kt_session(), &request, &binding, &error), -ELOOP);
	warder_cgroup_remove(cgroup);
	kt_result("the chain holds", kt_inside(&chain[opened - 1], act_read, path), -EACCES);
out:
	for (i = (int)WARDER_NESTING_MAX - 1; i >= 0; i--)
		kt_subject_close(&chain[i]);
}

/* The place in the tree makes it nested, too; and who is taken out of it falls back. */
TEST(below_a_bound_cgroup)
{
	_cleanup_family_ struct family f = {};
	struct kt_subject inner = {};
	_cleanup_free_ char *text = NULL, *sub = NULL;
	struct warder_subject subject = {};
	int saved;

	if (!family_open(&f, ""))
		return;
	if (asprintf(&text, child_policy, "", f.parent.dir, f.parent.dir, f.parent.dir) < 0)
		abort();
	if (!kt_subject_open_in(&inner, "code", text, f.parent.cgroup))
		return;
	warder_subject_read(kt_session(), inner.binding, &subject);
	kt_check("its parent", subject.parent == f.parent.binding);
	kt_result("what both may", kt_inside(&inner, act_read, f.path[BOTH]), 0);
	kt_result("what the outer may", kt_inside(&inner, act_read, f.path[MINE]), -EACCES);
	kt_events_clear(&inner);
	kt_result("what the inner may", kt_inside(&inner, act_read, f.path[OWN]), -EACCES);
	kt_check("the outer refuses", judge_of(&inner) == f.parent.binding);
	if (warder_cgroup_create(inner.cgroup, "sub", &sub, NULL) < 0)
		abort();
	saved = inner.cgroup_fd;
	if (warder_cgroup_open(sub, &inner.cgroup_fd, NULL) < 0)
		abort();
	kt_result("a cgroup below", kt_inside(&inner, act_read, f.path[OWN]), -EACCES);
	close(inner.cgroup_fd);
	inner.cgroup_fd = saved;
	kt_subject_close(&inner);
	kt_result("the outer goes on", kt_inside(&f.parent, act_read, f.path[MINE]), 0);
}

TEST(parent_ends)
{
	_cleanup_family_ struct family f = {};
	struct warder_error error = {};
	struct kt_child child;

	if (!family_open(&f, "") || !victim_start(&child, &f.child))
		return;
	kt_result("while its child lives",
		  warder_subject_unbind(kt_session(), f.parent.binding, &error), -EBUSY);
	kt_check("says who", strstr(error.text, f.child.name));
	kt_result("still judged", kt_inside(&f.child, act_read, f.path[OWN]), -EACCES);
	kt_check("the victim is unharmed", victim_stop(&child));
	kt_result("then", warder_subject_unbind(kt_session(), f.parent.binding, &error), 0);
	f.parent.binding = 0;
	kt_result("everything is refused", kt_inside(&f.child, act_read, f.path[BOTH]), -EACCES);
}
