// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * slot_test.c - the kernel attaches ten hooks as lsm_cgroup at most. Where somebody else has one
 * of the slots, warder loads without the twin that it was for, says so, and the first net holds.
 */
#include "harness.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <sys/syscall.h>

static const char policy[] =
	"tools: { kernel: { kernel: [bpf] } }\n"
	"sets: { code: { files: ungoverned, exec: ungoverned, capabilities: [bpf] } }\n";

static int act_bpf(const void *unused)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};

	return syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)) < 0 ? -errno : 0;
}

/* Somebody else's program, that allows, on a hook that warder has no twin of. */
static int foreign_link(const char *cgroup)
{
	const struct bpf_insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1},
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_LSM_CGROUP,
		    .attach_btf_id = libbpf_find_vmlinux_btf_id("file_lock", BPF_LSM_CGROUP));
	int program = bpf_prog_load(BPF_PROG_TYPE_LSM, "foreign", "GPL", code, 2, &options), link;
	int cgroup_fd = -1;

	if (program < 0 || warder_cgroup_open(cgroup, &cgroup_fd, NULL) < 0)
		return -1;
	link = bpf_link_create(program, cgroup_fd, BPF_LSM_CGROUP, NULL);
	close(cgroup_fd);
	close(program);
	return link;
}

static void check_bpf(const char *when, bool second)
{
	_cleanup_subject_ struct kt_subject s = {};
	char name[128];

	if (!kt_subject_open(&s, "code", policy))
		return;
	snprintf(name, sizeof(name), "%s: refused", when);
	kt_result(name, kt_inside(&s, act_bpf, NULL), -EPERM);
	snprintf(name, sizeof(name), "%s: control", when);
	kt_result(name, kt_outside(&s, act_bpf, NULL), 0);
	kt_grant(&s, "kernel", 0);
	snprintf(name, sizeof(name), "%s: granted", when);
	kt_result(name, kt_inside(&s, act_bpf, NULL), 0);
	snprintf(name, sizeof(name), "%s: the twin", when);
	kt_check(name, !access("/sys/fs/bpf/warder/links/twin/bpf", F_OK) == second);
}

TEST(taken_by_somebody_else)
{
	_cleanup_free_ char *cgroup = NULL;
	char names[256];
	int link;

	if (!kt_unload())
		return;
	if (warder_cgroup_create("/sys/fs/cgroup", "foreign", &cgroup, NULL) < 0)
		abort();
	link = foreign_link(cgroup);
	kt_check_why("somebody else takes a slot", link >= 0, "%m");
	if (kt_load(NULL)) {
		warder_session_left_out(kt_session(), names, sizeof(names));
		kt_check_why("the last twin is left out", !strcmp(names, "bpf"), "\"%s\"", names);
		kt_result("nothing else is missing", warder_session_verify(kt_session(), NULL), 0);
		check_bpf("without a slot", false);
		kt_unload();
	}
	close(link);
	warder_cgroup_remove(cgroup);
	usleep(500000);
	kt_load(NULL);
	kt_check("all twins are back",
		 !warder_session_left_out(kt_session(), names, sizeof(names))[0]);
	check_bpf("with the slot", true);
}
