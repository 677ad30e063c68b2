// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * files.c - files in places of all kinds, and the policy about them.
 */
#include "files.h"

const char files_policy[] =
	"tools:\n"
	"  all: { shared: true, files: { write: ['{DIR}', '{DIR}/**'] } }\n"
	"sets:\n"
	"  code:\n"
	"    files:\n"
	"      read: ['{DIR}/readable/**']\n"
	"      write: ['{DIR}/open/**']\n"
	"      write-only: ['{DIR}/drop/**']\n"
	"      deny: { read: ['{DIR}/open/secret'], write: ['{DIR}/open/fixed'] }\n";

void files_build(struct kt_subject *s)
{
	kt_write("%s/readable/file", "text", s->dir);
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/open/secret", "text", s->dir);
	kt_write("%s/open/fixed", "text", s->dir);
	kt_write("%s/drop/file", "text", s->dir);
	kt_write("%s/closed/file", "text", s->dir);
	kt_mkdir("%s/closed/dir", s->dir);
}

int act_creat(const void *path)
{
	return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) < 0 ? -errno : 0;
}
