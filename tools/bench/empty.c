// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * empty.c - the floor: programs that do nothing, on the hooks that warder has.
 */
#include "tools/bench/empty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"

#define OBJECT	  "build/bench/empty.bpf.o"
#define CGROUP	  "/sys/fs/cgroup/bench-empty"
#define LINKS_MAX 256

struct bench_empty {
	struct bpf_object *object;
	struct bpf_link *links[LINKS_MAX];
	size_t link_count;
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_second_net(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	return begins(section, "cgroup") || begins(section, "lsm_cgroup/");
}

/* Is it wanted, and has this kernel got its hook? */
static bool is_wanted(const struct bpf_program *program, bool costly)
{
	const char *section = bpf_program__section_name(program);
	const char *name = bpf_program__name(program);

	if (!strcmp(name, "costly_file_open") || !strcmp(name, "hook_file_open"))
		return costly == begins(name, "costly");
	if (!begins(section, "lsm"))
		return true;
	return libbpf_find_vmlinux_btf_id(strchr(section, '/') + 1,
					  is_second_net(program) ? BPF_LSM_CGROUP : BPF_LSM_MAC) >
	       0;
}

static int attach(struct bench_empty *empty, int cgroup)
{
	struct bpf_program *program;
	struct bpf_link *link;

	bpf_object__for_each_program(program, empty->object)
	{
		if (!bpf_program__autoload(program))
			continue;
		if (empty->link_count == LINKS_MAX)
			return -E2BIG;
		link = is_second_net(program) ? bpf_program__attach_cgroup(program, cgroup)
					      : bpf_program__attach(program);
		if (!link)
			return -errno;
		empty->links[empty->link_count++] = link;
	}
	return 0;
}

int bench_empty_open(bool costly, struct bench_empty **ret_empty)
{
	struct bench_empty *empty = calloc(1, sizeof(*empty));
	_cleanup_close_ int cgroup = -1;
	struct bpf_program *program;
	int result = 0;

	if (!empty)
		return -ENOMEM;
	empty->object = bpf_object__open_file(OBJECT, NULL);
	if (!empty->object)
		result = -errno;
	if (!result) {
		bpf_object__for_each_program(program, empty->object)
			bpf_program__set_autoload(program, is_wanted(program, costly));
		result = bpf_object__load(empty->object);
	}
	if (!result && mkdir(CGROUP, 0755) < 0 && errno != EEXIST)
		result = -errno;
	if (!result) {
		cgroup = open(CGROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		result = cgroup < 0 ? -errno : attach(empty, cgroup);
	}
	if (result < 0)
		bench_empty_close(&empty);
	else
		*ret_empty = empty;
	return result;
}

void bench_empty_close(struct bench_empty **empty)
{
	size_t i;

	if (!*empty)
		return;
	for (i = 0; i < (*empty)->link_count; i++)
		bpf_link__destroy((*empty)->links[i]);
	bpf_object__close((*empty)->object);
	free(*empty);
	*empty = NULL;
	rmdir(CGROUP);
}

static long long run_count(const struct bpf_program *program)
{
	struct bpf_prog_info info = {};
	__u32 size = sizeof(info);
	int result = bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size);

	return result < 0 ? result : (long long)info.run_cnt;
}

long long bench_empty_runs(const struct bench_empty *empty, const char *name, void (*act)(void))
{
	const struct bpf_program *program = bpf_object__find_program_by_name(empty->object, name);
	_cleanup_close_ int counting = -1;
	long long before, after;

	if (!program)
		return -ENOENT;
	counting = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (counting < 0)
		return -errno;
	before = run_count(program);
	act();
	after = run_count(program);
	return before < 0 ? before : after < 0 ? after : after - before;
}
