// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * name_test.c - how paths are matched: component boundaries, long, deep and odd names.
 */
#include "acts.h"

#include <sys/stat.h>

static const char policy[] =
	"sets:\n"
	"  code:\n"
	"    files:\n"
	"      read: ['{DIR}/one', '{DIR}/tree/**', '{DIR}/star/*.txt', '{DIR}/deep/**',\n"
	"             '{DIR}/odd/**', '{DIR}/single/*/name']\n"
	"      deny: { read: ['**/secret', '{DIR}/deep/**/end'] }\n";

static void build(struct kt_subject *s)
{
	static const char *const names[] = {
		"one",
		"one2",
		"on",
		"onedir/file",
		"tree/file",
		"tree/a/b/c/file",
		"tree2/file",
		"tre/file",
		"star/a.txt",
		"star/.txt",
		"star/a.tx",
		"star/sub/a.txt",
		"single/a/name",
		"single/name",
		"single/a/b/name",
		"tree/secret",
		"tree/secret2",
		"tree/xsecret",
		"tree/secret.d/file",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		kt_write("%s/%s", "text", s->dir, names[i]);
}

#define REFUSED(path)                                                                              \
	KT_REFUSED(path, act_read, path, -EACCES, FILE_OPEN, NO_RULE, WARDER_READ, "{DIR}/" path), \
		.quiet = true
#define ALLOWED(path) KT_ALLOWED(path, act_read, path)

static const struct kt_case boundaries[] = {
	{ALLOWED("one")},
	{REFUSED("one2")},
	{REFUSED("on")},
	{REFUSED("onedir/file")},
	{ALLOWED("tree/file")},
	{ALLOWED("tree/a/b/c/file")},
	{REFUSED("tree2/file")},
	{REFUSED("tre/file")},
	{ALLOWED("star/a.txt")},
	{ALLOWED("star/.txt")},
	{REFUSED("star/a.tx")},
	{REFUSED("star/sub/a.txt")},
	{ALLOWED("single/a/name")},
	{REFUSED("single/name")},
	{REFUSED("single/a/b/name")},
	{KT_REFUSED("tree/secret", act_read, "tree/secret", -EACCES, FILE_OPEN, DENY_RULE,
		    WARDER_READ, "{DIR}/tree/secret"),
	 .quiet = true},
	{ALLOWED("tree/secret2")},
	{ALLOWED("tree/xsecret")},
	{ALLOWED("tree/secret.d/file")},
};

TEST(boundaries)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, boundaries);
}

/* A directory `depth` components below `from`, each name `length` bytes, and a file in it. */
struct deep {
	const char *from;
	unsigned int depth, length;
	const char *file;
};

static int open_deep(const struct deep *deep, bool create)
{
	char name[256];
	unsigned int i;
	int fd = open(deep->from, O_PATH | O_DIRECTORY | O_CLOEXEC), next;

	memset(name, 'n', sizeof(name));
	name[deep->length] = '\0';
	for (i = 0; i < deep->depth && fd >= 0; i++) {
		if (create)
			mkdirat(fd, name, 0777);
		next = openat(fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = next;
	}
	if (fd < 0)
		return -EBADF;
	next = openat(fd, deep->file, create ? O_CREAT | O_WRONLY : O_RDONLY, 0666);
	return next < 0 ? -errno : 0;
}

static int act_read_deep(const void *argument)
{
	return open_deep(argument, false);
}

static int act_make_deep(const void *argument)
{
	return open_deep(argument, true);
}

static void check_deep(struct kt_subject *s, const char *what, struct deep deep, int expected)
{
	char name[128];

	snprintf(name, sizeof(name), "%s: %s is made", what, deep.file);
	kt_result(name, kt_outside(s, act_make_deep, &deep), 0);
	snprintf(name, sizeof(name), "%s: %s inside", what, deep.file);
	kt_result(name, kt_inside(s, act_read_deep, &deep), expected);
	snprintf(name, sizeof(name), "%s: %s control", what, deep.file);
	kt_result(name, kt_outside(s, act_read_deep, &deep), 0);
}

TEST(long_and_deep)
{
	_cleanup_subject_ struct kt_subject s = {};
	static char file[256], path[8192];
	const struct kt_event_record *record;

	if (!kt_subject_open(&s, "code", policy))
		return;
	memset(file, 'f', 255);
	kt_mkdir("%s/deep", s.dir);
	kt_mkdir("%s/closed", s.dir);
	check_deep(&s, "name of 255 bytes", (struct deep){"deep", 0, 1, file}, 0);
	check_deep(&s, "name of 255 bytes", (struct deep){"closed", 0, 1, file}, -EACCES);
	snprintf(path, sizeof(path), "%s/closed/%s", s.dir, file);
	kt_event(&s, "the whole name is reported",
		 &(struct kt_match){.reason = WARDER_REASON_NO_RULE, .text = path});
	check_deep(&s, "60 components", (struct deep){"deep", 60, 10, "file"}, 0);
	check_deep(&s, "60 components", (struct deep){"deep", 60, 10, "end"}, -EACCES);
	check_deep(&s, "60 components", (struct deep){"closed", 60, 10, "file"}, -EACCES);
	check_deep(&s, "4,000 bytes", (struct deep){"deep", 60, 65, "file"}, 0);
	check_deep(&s, "4,000 bytes", (struct deep){"deep", 60, 65, "end"}, -EACCES);
	kt_events_clear(&s);
	check_deep(&s, "10,000 bytes", (struct deep){"deep", 40, 255, "file"}, 0);
	check_deep(&s, "10,000 bytes", (struct deep){"deep", 40, 255, "end"}, -EACCES);
	record = kt_event_find(&s, &(struct kt_match){.reason = WARDER_REASON_DENY_RULE});
	kt_check("a longer text is cut and marked",
		 record && record->event.flags & WARDER_EVENT_TEXT_CUT &&
			 record->event.text_length > WARDER_TEXT_MAX - 260 &&
			 !strcmp(record->text + record->event.text_length - 4, "/end"));
}

TEST(too_deep)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_stats before = {}, after = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_mkdir("%s/deep", s.dir);
	/* /tmp, the test's directory, deep, and the file are four components. */
	check_deep(&s, "256 components", (struct deep){"deep", 252, 3, "file"}, 0);
	warder_subject_stats(kt_session(), s.binding, &before);
	check_deep(&s, "257 components", (struct deep){"deep", 253, 3, "file"}, -EACCES);
	kt_event(&s, "reported as too deep",
		 &(struct kt_match){.reason = WARDER_REASON_TOO_DEEP, .missing = WARDER_READ});
	warder_subject_stats(kt_session(), s.binding, &after);
	kt_check("counted as unfinished", after.unfinished == before.unfinished + 1);
	check_deep(&s, "1,000 components", (struct deep){"deep", 1000, 2, "file"}, -EACCES);
}

TEST(odd_bytes)
{
	_cleanup_subject_ struct kt_subject s = {};
	static const char *const allowed[] = {"odd/a\033[2Jb", "odd/\xff\xfe", "odd/ ",
					      "odd/a\nc",      "odd/\\*",      "odd/\xe2\x82\xac",
					      "odd/\x01"};
	static const char *const refused[] = {"o\ndd/a", "odd\xff/a", "\xff", "odd\n"};
	char name[64], path[256];
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		kt_write("%s/%s", "text", s.dir, allowed[i]);
		snprintf(name, sizeof(name), "allowed name %zu", i);
		kt_result(name, kt_inside(&s, act_read, allowed[i]), 0);
	}
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		kt_write("%s/%s", "text", s.dir, refused[i]);
		snprintf(name, sizeof(name), "refused name %zu", i);
		kt_result(name, kt_inside(&s, act_read, refused[i]), -EACCES);
		snprintf(name, sizeof(name), "refused name %zu is reported byte for byte", i);
		snprintf(path, sizeof(path), "%s/%s", s.dir, refused[i]);
		kt_event(&s, name,
			 &(struct kt_match){.reason = WARDER_REASON_NO_RULE, .text = path});
	}
}
