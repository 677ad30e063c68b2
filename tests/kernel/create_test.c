// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * create_test.c - open(2) with O_CREAT asks for a creation before it has looked for the name.
 *
 * Where nothing can be created (procfs, which /dev/stderr leads to) that is no refusal. Where
 * it can, the event says that the name was not looked up yet, and the open that goes on takes
 * it back. The verdicts are those of file_open, and a creation never happens.
 */
#include "acts.h"

#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    files:\n"
			     "      read: ['{DIR}/readable', '{DIR}/merged/**', '/proc/self/**',\n"
			     "             /sys/kernel/mm/transparent_hugepage/enabled]\n"
			     "      write: ['{DIR}/open']\n";

/*
 * Names are looked up once; after this, once more. A name that was used of late survives the
 * first times.
 */
static void forget_names(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC), i;
	bool ok = fd >= 0;

	for (i = 0; i < 5 && ok; i++)
		ok = write(fd, "2", 1) == 1;
	kt_check("names are forgotten", ok);
	close(fd);
}

/* As `echo x >/dev/stderr` does, when standard error is a file that is opened like this. */
static int act_stderr(const void *argument)
{
	const struct act_open *wanted = argument;
	int fd = open(wanted->path, wanted->flags | O_CLOEXEC);

	if (fd < 0 || dup2(fd, 2) < 0)
		return -EBADF;
	return act_open(OPEN("/dev/stderr", O_WRONLY | O_CREAT | O_TRUNC));
}

/* A refused creation; then, in the same place of the program, a file that is there. */
static int act_new_then_known(const void *unused)
{
	static const char *const names[] = {"merged/new", "merged/file"};
	int i, fd = -1;

	for (i = 0; i < 2; i++)
		fd = open(names[i], O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
	return fd < 0 ? -errno : 0;
}

static int act_create_reading(const void *path)
{
	return act_open(OPEN(path, O_RDONLY | O_CREAT));
}

static int act_mknod_file(const void *path)
{
	return mknod(path, S_IFREG | 0644, 0) < 0 ? -errno : 0;
}

static __u64 denied(const struct kt_subject *s)
{
	struct warder_stats stats = {};

	warder_subject_stats(kt_session(), s->binding, &stats);
	return stats.denied;
}

static const struct kt_event_record *creation(struct kt_subject *s)
{
	return kt_event_find(s, &(struct kt_match){.hook = WARDER_HOOK_PATH_MKNOD, .reason = -1});
}

/* The open that `flags` of an event tell of. */
static bool has_existed(struct kt_subject *s)
{
	size_t i;

	creation(s);
	for (i = 0; i < s->event_count; i++) {
		if (s->events[i].event.hook == WARDER_HOOK_FILE_OPEN &&
		    s->events[i].event.flags & WARDER_EVENT_EXISTED)
			return true;
	}
	return false;
}

TEST(nothing_can_be_created)
{
	_cleanup_subject_ struct kt_subject s = {};
	static const char enabled[] = "/sys/kernel/mm/transparent_hugepage/enabled";

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_write("%s/open", "text", s.dir);
	kt_write("%s/readable", "text", s.dir);
	kt_result("/dev/stderr", kt_inside(&s, act_stderr, OPEN("open", O_RDWR)), 0);
	forget_names();
	kt_result("a file of sysfs", kt_inside(&s, act_create_reading, enabled), 0);
	kt_result("a name that is not there", kt_inside(&s, act_create_reading, "/proc/self/new"),
		  -ENOENT);
	kt_result("control", kt_outside(&s, act_create_reading, "/proc/self/new"), -ENOENT);
	kt_result("a name of devpts", kt_inside(&s, act_create_reading, "/dev/pts/new"), -EACCES);
	kt_result("control", kt_outside(&s, act_create_reading, "/dev/pts/new"), -EACCES);
	kt_check("nothing is reported", !creation(&s) && !s.event_count);
	kt_check("nothing is counted", denied(&s) == 0);

	/* What is opened that way is judged, as ever. */
	kt_result("/dev/stderr that may be read only",
		  kt_inside(&s, act_stderr, OPEN("readable", O_RDONLY)), -EACCES);
	kt_event(&s, "is reported as what it is",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_WRITE,
				    .text = "{DIR}/readable"});
	kt_check("and as nothing else", s.event_count == 1 && denied(&s) == 1);
	kt_result("control", kt_outside(&s, act_stderr, OPEN("readable", O_RDONLY)), 0);
}

/* What asks after it has looked is refused and reported there, too. */
TEST(other_ways_of_creating)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("mknod", kt_inside(&s, act_mknod_file, "/sys/kernel/new"), -EACCES);
	kt_event(&s, "is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_PATH_MKNOD,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "/sys/kernel/new"});
	kt_result("mkfifo", kt_inside(&s, act_mkfifo, "/sys/kernel/fifo"), -EACCES);
	kt_event(&s, "is reported",
		 &(struct kt_match){.hook = WARDER_HOOK_PATH_MKNOD,
				    .reason = WARDER_REASON_NO_RULE,
				    .text = "/sys/kernel/fifo"});
}

/* On tmpfs every name is known once it exists, so the overlay is what forgets. */
static bool mount_overlay(struct kt_subject *s)
{
	char options[512], target[256];

	kt_write("%s/lower/file", "text", s->dir);
	kt_mkdir("%s/upper", s->dir);
	kt_mkdir("%s/work", s->dir);
	kt_mkdir("%s/merged", s->dir);
	snprintf(target, sizeof(target), "%s/merged", s->dir);
	snprintf(options, sizeof(options), "lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work",
		 s->dir, s->dir, s->dir);
	return kt_check_why("overlay is mounted", !mount("overlay", target, "overlay", 0, options),
			    "%m");
}

static void check_overlay(struct kt_subject *s)
{
	const struct kt_event_record *record;

	forget_names();
	kt_result("a file that is there is opened", kt_inside(s, act_create_reading, "merged/file"),
		  0);
	record = creation(s);
	kt_check("its creation is reported with a doubt",
		 record && record->event.flags & WARDER_EVENT_IF_NEW);
	kt_check("which the open resolves", has_existed(s));
	kt_check("nothing counts as refused", denied(s) == 0);
	kt_events_clear(s);
	kt_result("the same when its name is known",
		  kt_inside(s, act_create_reading, "merged/file"), 0);
	kt_check("is no event at all", !creation(s) && !s->event_count);

	forget_names();
	kt_result("an open that is refused as such",
		  kt_inside(s, act_open, OPEN("merged/file", O_WRONLY | O_CREAT)), -EACCES);
	kt_event(s, "is reported as such",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_WRITE});
	kt_check("with the doubt resolved", has_existed(s));
	kt_check("and counted once", denied(s) == 1);

	kt_events_clear(s);
	kt_result("a file that is not there", kt_inside(s, act_create_reading, "merged/new"),
		  -EACCES);
	kt_check("is a refused creation", creation(s) && !has_existed(s) && denied(s) == 2);
	kt_result("another file, opened after it", kt_inside(s, act_new_then_known, NULL), 0);
	kt_check("takes nothing back", !has_existed(s));
	kt_result("control", kt_outside(s, act_create_reading, "merged/new"), 0);
}

TEST(name_that_is_not_known_yet)
{
	_cleanup_subject_ struct kt_subject s = {};
	char target[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	if (mount_overlay(&s)) {
		check_overlay(&s);
		snprintf(target, sizeof(target), "%s/merged", s.dir);
		kt_check_why("overlay is unmounted", !umount(target), "%m");
	}
}

/* With `on-violation: kill` a doubt costs nobody his life, and a refused creation does. */
TEST(killed_when_it_was_one)
{
	static const char kill_policy[] = "sets:\n"
					  "  code:\n"
					  "    on-violation: kill\n"
					  "    files: { read: ['{DIR}/merged/**'] }\n";
	_cleanup_subject_ struct kt_subject s = {};
	char target[256];

	if (!kt_subject_open(&s, "code", kill_policy) || !mount_overlay(&s))
		return;
	forget_names();
	kt_result("a file that is there is opened",
		  kt_inside(&s, act_create_reading, "merged/file"), 0);
	kt_check("after a doubt", has_existed(&s));
	kt_result("a creation, and then a file that is there",
		  kt_inside(&s, act_new_then_known, NULL), KT_CRASHED - SIGKILL);
	kt_result("control", kt_outside(&s, act_new_then_known, NULL), 0);
	snprintf(target, sizeof(target), "%s/merged", s.dir);
	kt_check_why("overlay is unmounted", !umount(target), "%m");
}
