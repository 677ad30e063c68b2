// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * programs.c - programs in places of all kinds, and the policy about them.
 */
#include "programs.h"

const char programs_policy[] = "tools:\n"
			       "  all: { shared: true, exec: ['{DIR}/**'] }\n"
			       "  memory: { kernel: [memfd-exec] }\n"
			       "sets:\n"
			       "  code:\n"
			       "    exec: ['{DIR}/a/rm', '{DIR}/b/rmdir', '{DIR}/bin/**']\n"
			       "    files:\n"
			       "      read: ['{DIR}/**']\n"
			       "      write: ['{DIR}/work/**', '{DIR}/bin/**']\n"
			       "      map-exec: ['{DIR}/lib/**']\n"
			       "      deny: { exec: ['{DIR}/bin/denied'] }\n";

void programs_build(struct kt_subject *s)
{
	static const char *const programs[] = {"a/rm",	     "a/rmdir",	    "b/rm",
					       "b/rmdir",    "bin/true",    "bin/sub/dir/prog",
					       "bin/denied", "closed/prog", "closed/sub/prog",
					       "lib/prog",   "work/prog"};
	char path[256];
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", s->dir, programs[i]);
		make_program(path, 0);
	}
	snprintf(path, sizeof(path), "%s/work/link", s->dir);
	if (symlink("../closed/prog", path) < 0)
		abort();
}
