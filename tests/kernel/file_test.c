// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * file_test.c - file_open: what may be opened, and for what.
 */
#include "acts.h"

static const char policy[] = "tools:\n"
			     "  all: { shared: true, files: { write: ['{DIR}', '{DIR}/**'] } }\n"
			     "sets:\n"
			     "  code:\n"
			     "    files:\n"
			     "      read: ['{DIR}/readable/**', '{DIR}/one']\n"
			     "      write: ['{DIR}/open/**']\n"
			     "      deny: { read: ['{DIR}/open/secret'] }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/readable/file", "text", s->dir);
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/open/secret", "text", s->dir);
	kt_write("%s/closed/file", "text", s->dir);
	kt_write("%s/one", "text", s->dir);
	kt_write("%s/one2", "text", s->dir);
	kt_write("%s/on", "text", s->dir);
	kt_write("%s/onedir/file", "text", s->dir);
}

static const struct kt_case opens[] = {
	{KT_REFUSED("read", act_read, "closed/file", -EACCES, FILE_OPEN, NO_RULE, WARDER_READ,
		    "{DIR}/closed/file"),
	 .key = "all", .quiet = true},
	{KT_REFUSED("write", act_write, "closed/file", -EACCES, FILE_OPEN, NO_RULE, WARDER_WRITE,
		    "{DIR}/closed/file"),
	 .key = "all"},
	{KT_REFUSED("read what is denied", act_read, "open/secret", -EACCES, FILE_OPEN, DENY_RULE,
		    WARDER_READ, "{DIR}/open/secret"),
	 .quiet = true},
	{KT_ALLOWED("write what is open", act_write, "open/file")},
};

TEST(opens)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, opens);
}
