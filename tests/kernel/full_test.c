// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * full_test.c - the table of cgroups is full: what could not be written down is refused.
 *
 * Loads warder again with room for a few entries, and at the end as it was.
 */
#include "acts.h"

#include <sys/stat.h>

#define ROOM	 4 /* warder's own cgroup, the subject, and two below it */
#define CHILDREN 8

static const char policy[] = "sets: { code: { files: { read: ['{DIR}/**'] } } }\n";

static __u64 total(enum warder_total which)
{
	__u64 count = 0;

	warder_session_total(kt_session(), which, &count);
	return count;
}

/* Read inside a cgroup below the subject's, made here. */
static int read_below(struct kt_subject *s, const char *name)
{
	_cleanup_free_ char *path = NULL;
	int saved = s->cgroup_fd, result;

	if (warder_cgroup_create(s->cgroup, name, &path, NULL) < 0 ||
	    warder_cgroup_open(path, &s->cgroup_fd, NULL) < 0)
		return -EBADF;
	result = kt_inside(s, act_read, "file");
	close(s->cgroup_fd);
	s->cgroup_fd = saved;
	return result;
}

static void fill(struct kt_subject *s)
{
	__u64 failed = total(WARDER_TOTAL_INHERIT_FAILED);
	__u64 refused = total(WARDER_TOTAL_UNKNOWN_LEAF);
	int i, allowed = 0, denied = 0, other = 0;

	for (i = 0; i < CHILDREN; i++) {
		char name[] = {'0' + i, '\0'};
		int result = read_below(s, name);

		allowed += result == 0;
		denied += result == -EACCES;
		other += result != 0 && result != -EACCES;
	}
	kt_check_why("the first ones inherit", allowed > 0, "%d", allowed);
	kt_check_why("the others are refused", denied > 0 && !other, "%d, %d", denied, other);
	kt_check_why("each failure is counted",
		     total(WARDER_TOTAL_INHERIT_FAILED) - failed == (__u64)denied, "%llu",
		     total(WARDER_TOTAL_INHERIT_FAILED) - failed);
	kt_check("each refusal is counted",
		 total(WARDER_TOTAL_UNKNOWN_LEAF) - refused >= (__u64)denied);
	kt_result("the subject itself goes on", kt_inside(s, act_read, "file"), 0);
	kt_result("and so does the control", kt_outside(s, act_read, "file"), 0);
}

/* Binding where no entry is left fails, and leaves nothing bound. */
static void check_bind(struct kt_subject *s)
{
	struct warder_subject_request request = {.name = "one-too-many", .policy = "", .set = ""};
	_cleanup_free_ char *path = NULL;
	struct warder_error error = {};
	__u64 binding = 0;

	if (warder_cgroup_create("/sys/fs/cgroup", "full-test", &path, NULL) < 0)
		return;
	request.cgroup = path;
	kt_check("one more subject is refused",
		 warder_subject_bind(kt_session(), &request, &binding, &error) < 0);
	kt_check_why("saying so", strstr(error.text, "full") || strstr(error.text, "room"), "%s",
		     error.text);
	warder_cgroup_remove(path);
}

TEST(full_map)
{
	struct warder_session_options small = {.max_cgroups = ROOM};

	if (!kt_reload(&small))
		return;
	{
		_cleanup_subject_ struct kt_subject s = {};

		if (kt_subject_open(&s, "code", policy)) {
			kt_write("%s/file", "text", s.dir);
			fill(&s);
			/* Its parent has no entry either; the bound ancestor is further up. */
			kt_result("a grandchild is refused", read_below(&s, "7/sub"), -EACCES);
			check_bind(&s);
		}
	}
	kt_reload(NULL);
}
