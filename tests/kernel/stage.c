// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * stage.c - a child and its test in step.
 */
#include "stage.h"

#include <sched.h>

struct stage *stage_reset(void)
{
	struct stage *stage = kt_shared();

	memset(stage, 0, sizeof(*stage));
	return stage;
}

int stage_wait(volatile int *flag)
{
	int rounds;

	for (rounds = 0; !*flag; rounds++) {
		if (rounds == 20000)
			return -ETIMEDOUT;
		usleep(1000);
	}
	return 0;
}

int act_staged_read(const void *argument)
{
	const struct staged_read *staged = argument;
	struct stage *stage = kt_shared();

	if (staged->before && act_read(staged->before))
		return -EBADF;
	stage->ready = 1;
	while (!stage->go)
		sched_yield();
	return act_read(staged->after);
}

char *stage_cgroup(const char *name)
{
	struct warder_error error = {};
	char *path = NULL;

	if (warder_cgroup_create("/sys/fs/cgroup", name, &path, &error) < 0)
		kt_check_why("a cgroup is made", false, "%s", error.text);
	return path;
}
