// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * overlay_test.c - overlayfs: the kernel opens layers and borrows credentials on a task's
 * behalf. What is allowed on the overlay must work, for root and for others; what is denied
 * must stay denied.
 */
#include "acts.h"

#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define NOBODY 65534

static const char policy[] =
	"sets:\n"
	"  code:\n"
	"    exec: ['{DIR}/merged/bin/**']\n"
	"    files:\n"
	"      write: ['{DIR}/merged/**']\n"
	"      deny: { read: ['{DIR}/merged/secret', '{DIR}/merged/dir/secret'],\n"
	"              write: ['{DIR}/merged/fixed', '{DIR}/merged/fixed/**'] }\n";

static uid_t owner;

static void give(const char *format, const char *dir, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), format, dir, name);
	if (chmod(path, 0777) < 0 || lchown(path, owner, owner) < 0)
		abort();
}

/* The lower layer; everything belongs to the user who will act. */
static void make_lower(struct kt_subject *s)
{
	static const char *const files[] = {"file",	  "append",    "cut",	   "gone",
					    "moved",	  "mode",      "secret",   "dir/secret",
					    "fixed/file", "data",      "tree/a",   "tree/sub/b",
					    "bin/lib",	  "exchange1", "exchange2"};
	static const char *const directories[] = {"dir", "fixed", "tree",    "tree/sub",
						  "bin", "empty", "emptied", "emptied/x"};
	char path[256];
	size_t i;

	for (i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		kt_mkdir("%s/layers/lower/%s", s->dir, directories[i]);
		give("%s/layers/lower/%s", s->dir, directories[i]);
	}
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		kt_write("%s/layers/lower/%s", "text", s->dir, files[i]);
		give("%s/layers/lower/%s", s->dir, files[i]);
	}
	snprintf(path, sizeof(path), "%s/layers/lower/bin/prog", s->dir);
	make_program(path, 0);
	snprintf(path, sizeof(path), "%s/layers/lower/prog", s->dir);
	make_program(path, 0);
}

static bool mount_overlay(struct kt_subject *s)
{
	char options[512], target[256];

	make_lower(s);
	kt_mkdir("%s/layers/upper", s->dir);
	give("%s/%s", s->dir, "layers/upper");
	kt_mkdir("%s/layers/work", s->dir);
	kt_mkdir("%s/merged", s->dir);
	snprintf(target, sizeof(target), "%s/merged", s->dir);
	snprintf(options, sizeof(options),
		 "lowerdir=%s/layers/lower,upperdir=%s/layers/upper,workdir=%s/layers/work", s->dir,
		 s->dir, s->dir);
	return kt_check_why("overlay is mounted", !mount("overlay", target, "overlay", 0, options),
			    "%m");
}

static void unmount_overlay(struct kt_subject *s)
{
	char target[256];

	snprintf(target, sizeof(target), "%s/merged", s->dir);
	kt_check_why("overlay is unmounted", !umount(target), "%m");
}

static int act_mkdir_over_whiteout(const void *path)
{
	return act_unlink(path) ?: act_mkdir(path);
}

/* Empty a merged directory, then remove it: the kernel has to look for whiteouts. */
static int act_rmdir_merged(const void *unused)
{
	return act_rmdir("merged/emptied/x") ?: act_rmdir("merged/emptied");
}

static int act_write_read(const void *path)
{
	char buffer[8] = {};
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (pwrite(fd, "new", 3, 0) != 3 || pread(fd, buffer, 4, 0) != 4)
		return -errno;
	return strcmp(buffer, "newt") ? -EIO : 0;
}

static int act_map_shared(const void *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	char *map;

	if (fd < 0)
		return -errno;
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	map[0] = 'm';
	return 0;
}

static const struct {
	const char *name;
	kt_act *act;
	const void *argument;
} allowed[] = {
	{"read", act_read, "merged/file"},
	{"list", act_list, "merged/tree"},
	{"copy up by writing", act_write, "merged/file"},
	{"written file is read", act_write_read, "merged/data"},
	{"copy up by appending", act_append, "merged/append"},
	{"copy up by truncating", act_truncate, "merged/cut"},
	{"copy up by changing the mode", act_chmod, "merged/mode"},
	{"copy up by mapping", act_map_shared, "merged/exchange1"},
	{"create", act_create, "merged/new"},
	{"create below", act_create, "merged/tree/sub/new"},
	{"unlink a lower file", act_unlink, "merged/gone"},
	{"create over a whiteout", act_create, "merged/gone"},
	{"unlink an upper file", act_unlink, "merged/new"},
	{"mkdir over a whiteout", act_mkdir_over_whiteout, "merged/tree/a"},
	{"rename", act_rename, PAIR("merged/moved", "merged/moved2")},
	{"rename over", act_rename, PAIR("merged/moved2", "merged/mode")},
	{"link", act_link, PAIR("merged/file", "merged/file2")},
	{"symlink", act_symlink, "merged/link"},
	{"fifo", act_mkfifo, "merged/fifo"},
	{"rmdir", act_rmdir, "merged/empty"},
	{"rmdir of a merged directory", act_rmdir_merged, NULL},
	{"exec", act_exec, "merged/bin/prog"},
	{"map executable", act_map_exec, "merged/bin/lib"},
	{"protect executable", act_protect_exec, "merged/bin/lib"},
	{"exec after copy up", act_chmod, "merged/bin/lib"},
	{"map executable after copy up", act_map_exec, "merged/bin/lib"},
	{"protect executable after copy up", act_protect_exec, "merged/bin/lib"},
};

static const struct {
	const char *name;
	kt_act *act;
	const void *argument;
	int control;
} refused[] = {
	{"read a denied file", act_read, "merged/secret", 0},
	{"read a denied file below", act_read, "merged/dir/secret", 0},
	{"write a fixed file", act_write, "merged/fixed/file", 0},
	{"append to a fixed file", act_append, "merged/fixed/file", 0},
	{"truncate a fixed file", act_truncate, "merged/fixed/file", 0},
	{"create in a fixed directory", act_create, "merged/fixed/new", 0},
	{"read the lower layer", act_read, "layers/lower/file", 0},
	{"read the denied file's lower layer", act_read, "layers/lower/secret", 0},
	{"write the upper layer", act_create, "layers/upper/planted", 0},
	{"list the upper layer", act_list, "layers/upper", 0},
	{"exec outside bin", act_exec, "merged/prog", 0},
	{"map what is no code", act_map_exec, "merged/data", 0},
	{"protect what is no code", act_protect_exec, "merged/data", 0},
	{"unlink a fixed file", act_unlink, "merged/fixed/file", 0},
	{"move a fixed directory", act_rename, PAIR("merged/fixed", "merged/f"), -EXDEV},
};

static void run_as(uid_t uid)
{
	_cleanup_subject_ struct kt_subject s = {};
	char name[128];
	size_t i;

	owner = uid;
	if (!kt_subject_open(&s, "code", policy) || !mount_overlay(&s))
		return;
	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		kt_result(allowed[i].name,
			  kt_inside_as(&s, uid, allowed[i].act, allowed[i].argument), 0);
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		kt_result(refused[i].name,
			  kt_inside_as(&s, uid, refused[i].act, refused[i].argument), -EACCES);
		snprintf(name, sizeof(name), "%s: control", refused[i].name);
		kt_result(name, kt_outside_as(&s, uid, refused[i].act, refused[i].argument),
			  refused[i].control);
	}
	unmount_overlay(&s);
}

TEST(root)
{
	run_as(0);
}

TEST(nobody)
{
	run_as(NOBODY);
}

/* The allowed acts alone, outside: they can be done at all. */
TEST(control)
{
	_cleanup_subject_ struct kt_subject s = {};
	size_t i;

	owner = NOBODY;
	if (!kt_subject_open(&s, "code", policy) || !mount_overlay(&s))
		return;
	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		kt_result(allowed[i].name,
			  kt_outside_as(&s, NOBODY, allowed[i].act, allowed[i].argument), 0);
	unmount_overlay(&s);
}

/* What leaves no trace in the log of refusals: the borrowed opens are nobody's acts. */
TEST(no_event_of_a_layer)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy) || !mount_overlay(&s))
		return;
	kt_events_clear(&s);
	kt_result("written", kt_inside(&s, act_write, "merged/file"), 0);
	kt_result("emptied", kt_inside(&s, act_rmdir_merged, NULL), 0);
	kt_check("nothing is reported",
		 !kt_event_find(&s, &(struct kt_match){.hook = -1, .reason = -1}));
	unmount_overlay(&s);
}
