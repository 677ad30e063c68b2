// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * container_test.c - subjects with a mount namespace and root of their own, as runtimes make
 * them: what is judged is the path from the top of the task's own mounts.
 *
 * The process builds its container outside every subject, then is moved into the cgroup.
 */
#include "acts.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    exec: [/bin/prog]\n"
			     "    files:\n"
			     "      write: ['/open/**']\n"
			     "      read: ['/usr/**']\n"
			     "      deny: { read: [/open/secret] }\n";

struct plan {
	int (*make)(const char *root);
	int ready, gate;
	int chroot_only;
};

static void build(struct kt_subject *s)
{
	char path[256];

	kt_write("%s/image/open/file", "text", s->dir);
	kt_write("%s/image/open/secret", "text", s->dir);
	kt_write("%s/image/closed/file", "text", s->dir);
	kt_mkdir("%s/image/old", s->dir);
	kt_mkdir("%s/upper", s->dir);
	kt_mkdir("%s/work", s->dir);
	kt_mkdir("%s/root", s->dir);
	snprintf(path, sizeof(path), "%s/image/bin/prog", s->dir);
	make_program(path, 0);
}

static int make_bind(const char *root)
{
	return mount("image", root, NULL, MS_BIND, NULL);
}

static int make_overlay(const char *root)
{
	return mount("overlay", root, "overlay", 0, "lowerdir=image,upperdir=upper,workdir=work");
}

/* 1 for each thing that went as it should, as bits. */
static int probe(void)
{
	int seen = 0;

	seen |= (act_read("/open/file") == 0) << 0;
	seen |= (act_write("/open/file") == 0) << 1;
	seen |= (act_create("/open/new") == 0) << 2;
	seen |= (act_read("/open/secret") == -EACCES) << 3;
	seen |= (act_read("/closed/file") == -EACCES) << 4;
	seen |= (act_create("/closed/new") == -EACCES) << 5;
	seen |= (act_list("/") == -EACCES) << 6;
	seen |= (act_exec("/bin/prog") == 0) << 7;
	seen |= (act_unlink("/open/new") == 0) << 8;
	seen |= (act_rename(PAIR("/open/file", "/open/file2")) == 0) << 9;
	return seen;
}

#define ALL_RIGHT 0x3ff

static int act_contained(const void *argument)
{
	const struct plan *plan = argument;
	char byte;

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    plan->make("root") < 0 || chdir("root") < 0)
		return -errno;
	if (plan->chroot_only) {
		if (chroot(".") < 0)
			return -errno;
	} else if (syscall(SYS_pivot_root, ".", "old") < 0 || umount2("/old", MNT_DETACH) < 0) {
		return -errno;
	}
	if (chdir("/") < 0 || write(plan->ready, "", 1) != 1 || read(plan->gate, &byte, 1) != 1)
		return -errno;
	return probe();
}

static int run(struct kt_subject *s, struct plan *plan)
{
	struct warder_error error = {};
	int ready[2], gate[2];
	struct kt_child child;
	char byte;

	build(s);
	if (pipe(ready) < 0 || pipe(gate) < 0 || chdir(s->dir) < 0)
		return -errno;
	plan->ready = ready[1];
	plan->gate = gate[0];
	if (!kt_start(&child, NULL, act_contained, plan))
		return -ECHILD;
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1) {
		kt_check_why("moved in", !warder_cgroup_enter(s->cgroup, child.pid, &error), "%s",
			     error.text);
		if (write(gate[1], "", 1) != 1)
			return -errno;
	}
	close(ready[0]);
	close(gate[0]);
	close(gate[1]);
	return chdir("/") < 0 ? -errno : kt_wait(&child);
}

TEST(pivot_root)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct plan plan = {.make = make_bind};

	if (kt_subject_open(&s, "code", policy))
		kt_result("all right", run(&s, &plan), ALL_RIGHT);
}

TEST(overlay_root)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct plan plan = {.make = make_overlay};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("all right", run(&s, &plan), ALL_RIGHT);
	kt_event(&s, "the path in the container is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "/closed/file"});
}

/* A changed root hides nothing: the path is the one from the top, which no rule allows. */
TEST(chroot_is_no_new_name)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct plan plan = {.make = make_bind, .chroot_only = 1};
	int seen;

	if (!kt_subject_open(&s, "code", policy))
		return;
	seen = run(&s, &plan);
	kt_check_why("nothing is allowed", seen == 0x78, "0x%x", seen);
	kt_event(&s, "the whole path is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "{DIR}/root/open/file"});
}
