// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * whole_test.c - the kernel kept all of every program.
 *
 * The verifier removes what it believes can never run. Where it is wrong about a kernel's
 * parameters, a program that loads and attaches judges nothing (task_kill, once). So the
 * length of each loaded program is compared with that in the object file.
 */
#include "harness.h"
#include "load/hook.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#define OBJECT	   "build/warder.bpf.o"
#define KEPT_LEAST 0.9
/* The kernel keeps so many bytes of a name. */
#define NAME_KEPT 15

/* Instructions of the program itself, without the functions it calls. */
static size_t loaded_length(int fd)
{
	struct bpf_func_info functions[64] = {};
	struct bpf_prog_info info = {};
	__u32 size = sizeof(info);

	info.func_info = (__u64)(unsigned long)functions;
	info.nr_func_info = sizeof(functions) / sizeof(functions[0]);
	info.func_info_rec_size = sizeof(functions[0]);
	if (bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return 0;
	return info.nr_func_info > 1 ? functions[1].insn_off : info.xlated_prog_len / 8;
}

/* Descriptor of the newest loaded program of that name. */
static int find_loaded(const char *name)
{
	int found = -1, fd;
	__u32 id = 0;

	while (!bpf_prog_get_next_id(id, &id)) {
		struct bpf_prog_info info = {};
		__u32 size = sizeof(info);

		fd = bpf_prog_get_fd_by_id(id);
		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size) &&
		    !strncmp(info.name, name, NAME_KEPT)) {
			if (found >= 0)
				close(found);
			found = fd;
		} else {
			close(fd);
		}
	}
	return found;
}

TEST(programs_are_whole)
{
	struct bpf_object *object = bpf_object__open_file(OBJECT, NULL);
	struct bpf_program *program;

	if (!kt_check_why("the object is there", !libbpf_get_error(object), "%s", OBJECT))
		return;
	bpf_object__for_each_program(program, object)
	{
		const char *name = bpf_program__name(program);
		size_t written = bpf_program__insn_cnt(program), loaded;
		int fd;

		if (!strncmp(name, "hook_", 5) && warder_hook_is_newer(name + 5))
			continue;
		fd = find_loaded(name);
		if (!kt_check_why(name, fd >= 0, "is not loaded"))
			continue;
		loaded = loaded_length(fd);
		kt_check_why(name, (double)loaded >= KEPT_LEAST * (double)written,
			     "%zu instructions of %zu are left", loaded, written);
		close(fd);
	}
	bpf_object__close(object);
}
