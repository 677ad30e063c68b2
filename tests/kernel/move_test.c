// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * move_test.c - link, rename and exchange never give an object more rights than it had.
 */
#include "acts.h"

#include <sys/stat.h>
#include <sys/wait.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE	 2
#define RENAME_WHITEOUT	 4
#endif

/*
 * narrow	may be read, renamed away, linked
 * wide		everything
 * same		everything too, under a rule of its own
 * mixed	everything, but something below is denied
 * narrow/trap	does not exist: a directory that took this name would be wide below, and
 *		below narrow/trap2 in one place
 * nails	everything, but what is called "nail" at the third level cannot be renamed
 * drop		write only: incomparable with narrow
 */
static const char policy[] =
	"tools:\n"
	"  all: { shared: true, files: { write: ['{DIR}', '{DIR}/**'] } }\n"
	"sets:\n"
	"  code:\n"
	"    files:\n"
	"      read: ['{DIR}/narrow/**']\n"
	"      rename: ['{DIR}/narrow/**', '{DIR}/hidden/**']\n"
	"      link: ['{DIR}/narrow/**', '{DIR}/hidden/**']\n"
	"      create: ['{DIR}/narrow/**']\n"
	"      write: ['{DIR}/wide/**', '{DIR}/same/**', '{DIR}/mixed/**', '{DIR}/nails/**',\n"
	"              '{DIR}/narrow/trap/**', '{DIR}/narrow/trap2/*/x']\n"
	"      write-only: ['{DIR}/drop/**']\n"
	"      deny: { read: ['{DIR}/mixed/*/secret'], rename: ['{DIR}/wide/nailed', "
	"'{DIR}/nails/*/nail'],\n"
	"              write: ['{DIR}/wide/hooks/**', '{DIR}/wide/hooks'] }\n";

static void build(struct kt_subject *s)
{
	static const char *const places[] = {"narrow", "wide",	 "same",   "mixed",
					     "drop",   "hidden", "closed", "nails"};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		kt_write("%s/%s/file", places[i], s->dir, places[i]);
		kt_write("%s/%s/other", "other", s->dir, places[i]);
		kt_write("%s/%s/dir/file", places[i], s->dir, places[i]);
		kt_write("%s/%s/dir/secret", places[i], s->dir, places[i]);
	}
	kt_write("%s/wide/nailed", "text", s->dir);
	kt_write("%s/wide/hooks/pre-commit", "text", s->dir);
	kt_mkdir("%s/wide/empty", s->dir);
	kt_write("%s/nails/dir/inner/file", "text", s->dir);
	kt_write("%s/nails/dir/nail", "text", s->dir);
	kt_write("%s/nails/none/file", "text", s->dir);
}

#define WIDEN(what, act, pair, HOOK)                                      \
	{                                                                 \
		KT_REFUSED(what, act, pair, -EXDEV, HOOK, WIDEN, 0, NULL) \
	}
#define REFUSED(what, act, pair, HOOK, right, object)                               \
	{                                                                           \
		KT_REFUSED(what, act, pair, -EACCES, HOOK, NO_RULE, WARDER_##right, \
			   "{DIR}/" object),                                        \
			.key = "all"                                                \
	}
#define DENIED(what, act, pair, HOOK, right, object)                                  \
	{                                                                             \
		KT_REFUSED(what, act, pair, -EACCES, HOOK, DENY_RULE, WARDER_##right, \
			   "{DIR}/" object)                                           \
	}
#define NAILED(what, pair, object)                                                                 \
	{                                                                                          \
		KT_REFUSED(what, act_rename, pair, -EXDEV, PATH_RENAME, DENY_BELOW, WARDER_RENAME, \
			   "{DIR}/" object)                                                        \
	}
#define ALLOWED(what, act, pair)            \
	{                                   \
		KT_ALLOWED(what, act, pair) \
	}
#define EXCHANGE(from, to) PAIR_FLAGS(from, to, RENAME_EXCHANGE)

static const struct kt_case links[] = {
	WIDEN("to a wider name", act_link, PAIR("narrow/file", "wide/new"), PATH_LINK),
	WIDEN("of a file that is invisible", act_link, PAIR("hidden/file", "wide/new"), PATH_LINK),
	ALLOWED("to a name of the same rights", act_link, PAIR("wide/file", "same/new")),
	ALLOWED("to a narrower name", act_link, PAIR("wide/file", "narrow/new")),
	ALLOWED("in the same directory", act_link, PAIR("wide/file", "wide/new")),
	REFUSED("of what may not be linked", act_link, PAIR("closed/file", "wide/new"), PATH_LINK,
		LINK, "closed/file"),
	REFUSED("to where nothing may be made", act_link, PAIR("wide/file", "closed/new"),
		PATH_LINK, CREATE, "closed/new"),
	DENIED("into a denied place", act_link, PAIR("wide/file", "wide/hooks/new"), PATH_LINK,
	       CREATE, "wide/hooks/new"),
};

static const struct kt_case renames[] = {
	WIDEN("file to a wider name", act_rename, PAIR("narrow/file", "wide/new"), PATH_RENAME),
	WIDEN("invisible file to a wider name", act_rename, PAIR("hidden/file", "wide/new"),
	      PATH_RENAME),
	WIDEN("write-only file to a readable name", act_rename, PAIR("drop/file", "wide/new"),
	      PATH_RENAME),
	WIDEN("over an existing wider name", act_rename, PAIR("narrow/file", "wide/file"),
	      PATH_RENAME),
	ALLOWED("file to the same rights", act_rename, PAIR("wide/file", "same/new")),
	ALLOWED("file to a narrower name", act_rename, PAIR("wide/file", "narrow/new")),
	ALLOWED("file over another", act_rename, PAIR("wide/file", "wide/other")),
	ALLOWED("file without replacing", act_rename,
		PAIR_FLAGS("wide/file", "wide/new", RENAME_NOREPLACE)),
	REFUSED("file that may not be moved", act_rename, PAIR("closed/file", "wide/new"),
		PATH_RENAME, RENAME, "closed/file"),
	REFUSED("to where nothing may be made", act_rename, PAIR("wide/file", "closed/new"),
		PATH_RENAME, CREATE, "closed/new"),
	REFUSED("over what may not be removed", act_rename, PAIR("narrow/file", "narrow/other"),
		PATH_RENAME, DELETE, "narrow/other"),
	DENIED("what is nailed down", act_rename, PAIR("wide/nailed", "wide/new"), PATH_RENAME,
	       RENAME, "wide/nailed"),
	DENIED("into a protected directory", act_rename, PAIR("wide/file", "wide/hooks/new"),
	       PATH_RENAME, CREATE, "wide/hooks/new"),
	DENIED("over a protected file", act_rename, PAIR("wide/file", "wide/hooks/pre-commit"),
	       PATH_RENAME, CREATE, "wide/hooks/pre-commit"),
	DENIED("a protected directory away", act_rename, PAIR("wide/hooks", "wide/h"), PATH_RENAME,
	       RENAME, "wide/hooks"),
	ALLOWED("directory, same state", act_rename, PAIR("same/dir", "same/new")),
	WIDEN("directory to a wider name", act_rename, PAIR("narrow/dir", "wide/new"), PATH_RENAME),
	WIDEN("directory that holds a denied file", act_rename, PAIR("mixed/dir", "wide/new"),
	      PATH_RENAME),
	ALLOWED("directory that holds a denied file, same state", act_rename,
		PAIR("mixed/dir", "mixed/new")),
	ALLOWED("directory to a uniform tree of the same rights", act_rename,
		PAIR("same/dir", "narrow/new")),
	WIDEN("directory to a name that is wider below", act_rename,
	      PAIR("narrow/dir", "narrow/trap"), PATH_RENAME),
	WIDEN("directory to a name that is wider somewhere below", act_rename,
	      PAIR("narrow/dir", "narrow/trap2"), PATH_RENAME),
	ALLOWED("file to a name that is wider below", act_rename,
		PAIR("narrow/file", "narrow/trap2")),
	WIDEN("directory over an empty one in a wider place", act_rename,
	      PAIR("narrow/dir", "wide/empty"), PATH_RENAME),
};

static const struct kt_case nails[] = {
	DENIED("the nail itself", act_rename, PAIR("nails/dir/nail", "nails/dir/new"), PATH_RENAME,
	       RENAME, "nails/dir/nail"),
	NAILED("the directory that it is in", PAIR("nails/dir", "nails/new"), "nails/dir"),
	/* Who knows what there will be before it is done. */
	NAILED("a directory that it could be in", PAIR("nails/none", "nails/new"), "nails/none"),
	NAILED("to a name where nothing is nailed", PAIR("nails/dir", "wide/new"), "nails/dir"),
	NAILED("an exchange", EXCHANGE("nails/dir", "nails/none"), "nails/dir"),
	NAILED("an exchange, the other way", EXCHANGE("same/dir", "nails/none"), "nails/none"),
	ALLOWED("a file in its place", act_rename, PAIR("nails/file", "nails/new")),
	ALLOWED("a directory beside it", act_rename, PAIR("nails/dir/inner", "nails/dir/new")),
	ALLOWED("a file beside it", act_rename, PAIR("nails/dir/file", "nails/dir/new")),
};

static const struct kt_case exchanges[] = {
	WIDEN("with a wider name", act_rename, EXCHANGE("narrow/file", "same/file"), PATH_RENAME),
	WIDEN("with a wider name, the other way", act_rename, EXCHANGE("wide/file", "narrow/file"),
	      PATH_RENAME),
	WIDEN("of directories", act_rename, EXCHANGE("same/dir", "narrow/dir"), PATH_RENAME),
	WIDEN("of a file and a directory", act_rename, EXCHANGE("mixed/dir", "wide/file"),
	      PATH_RENAME),
	ALLOWED("of equals", act_rename, EXCHANGE("wide/file", "wide/other")),
	ALLOWED("of a file and a directory of one state", act_rename,
		EXCHANGE("same/file", "same/dir")),
	REFUSED("of what may not be moved", act_rename, EXCHANGE("wide/file", "closed/file"),
		PATH_RENAME, CREATE, "closed/file"),
	DENIED("of what is nailed down", act_rename, EXCHANGE("wide/file", "wide/nailed"),
	       PATH_RENAME, RENAME, "wide/nailed"),
};

static void run(const struct kt_case *cases, size_t count)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		kt_cases_run(&s, build, cases, count);
}

TEST(links)
{
	run(links, sizeof(links) / sizeof(links[0]));
}

TEST(renames)
{
	run(renames, sizeof(renames) / sizeof(renames[0]));
}

TEST(what_is_nailed_down_below)
{
	run(nails, sizeof(nails) / sizeof(nails[0]));
}

TEST(exchanges)
{
	run(exchanges, sizeof(exchanges) / sizeof(exchanges[0]));
}

/* What was refused leaves no other name behind, and what it names stays refused. */
TEST(no_alias)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct stat found;
	char path[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(path, sizeof(path), "%s/narrow/file", s.dir);
	kt_result("link", kt_inside(&s, act_link, PAIR("narrow/file", "wide/alias")), -EXDEV);
	kt_check("one name", !stat(path, &found) && found.st_nlink == 1);
	kt_result("no alias", kt_outside(&s, act_read, "wide/alias"), -ENOENT);
	kt_result("still read-only", kt_inside(&s, act_write, "narrow/file"), -EACCES);
}

/* Publish a file without a name: makes one, so it is judged like a link. */
static int publish(const char *directory, const char *name)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666), result;
	char link[64];

	if (fd < 0)
		return -EBADF;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	result = linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
	return result < 0 ? -errno : 0;
}

static int act_publish(const void *argument)
{
	const struct act_pair *pair = argument;

	return publish(pair->from, pair->to);
}

TEST(publish_a_nameless_file)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("where nothing may be made",
		  kt_inside(&s, act_publish, PAIR("wide", "closed/new")), -EACCES);
	kt_result("none is there", kt_outside(&s, act_read, "closed/new"), -ENOENT);
	kt_result("in a protected place",
		  kt_inside(&s, act_publish, PAIR("wide", "wide/hooks/new")), -EACCES);
	kt_result("control", kt_outside(&s, act_publish, PAIR("wide", "closed/new")), 0);
	kt_result("where it may", kt_inside(&s, act_publish, PAIR("wide", "wide/new")), 0);
}

/* The trick with a protected directory: move it away and make another of its name. */
static int act_replace_hooks(const void *unused)
{
	if (rename("wide/hooks", "wide/away") < 0)
		return -errno;
	if (mkdir("wide/hooks", 0777) < 0)
		return -errno;
	return act_create("wide/hooks/pre-commit");
}

static int act_replace_parent(const void *unused)
{
	if (rename("wide", "wide2") < 0)
		return -errno;
	return 0;
}

TEST(protected_directory)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("replaced", kt_inside(&s, act_replace_hooks, NULL), -EACCES);
	kt_result("its parent replaced", kt_inside(&s, act_replace_parent, NULL), -EACCES);
	kt_result("written", kt_inside(&s, act_write, "wide/hooks/pre-commit"), -EACCES);
	kt_result("control", kt_outside(&s, act_replace_hooks, NULL), 0);
}

static int act_mv(const void *unused)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execl("/usr/bin/mv", "mv", "narrow/file", "wide/moved", (char *)NULL);
		_exit(126);
	}
	return waitpid(pid, &status, 0) < 0 ? -errno : WEXITSTATUS(status);
}

/* -EXDEV is what makes mv copy, and a copy has the rights of its new name. */
TEST(mv_copies)
{
	_cleanup_subject_ struct kt_subject s = {};
	static const char with_mv[] =
		"sets:\n"
		"  code:\n"
		"    exec: [/usr/bin/mv, '/usr/lib/**', '/lib/**', '/lib64/**']\n"
		"    files:\n"
		"      read: ['{DIR}/narrow/**', '{DIR}', '/etc/**', '/usr/**', '/proc/**']\n"
		"      delete: ['{DIR}/narrow/**']\n"
		"      rename: ['{DIR}/narrow/**']\n"
		"      write: ['{DIR}/wide/**']\n";

	if (!kt_subject_open(&s, "code", with_mv))
		return;
	build(&s);
	kt_result("mv", kt_inside(&s, act_mv, NULL), 0);
	kt_result("moved", kt_outside(&s, act_read, "wide/moved"), 0);
	kt_result("gone", kt_outside(&s, act_read, "narrow/file"), -ENOENT);
}
