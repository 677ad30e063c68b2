// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* prerequisite_test.c - each probe against a root directory of made-up files. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "load/cgroup.h"
#include "load/prerequisite.h"

static char root[] = "/tmp/warder-prerequisite-XXXXXX";

static const struct warder_prerequisite_host good = {
	.root = root,
	.release = "6.1.0-37-amd64",
	.version = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.140-1",
	.machine = "x86_64",
	.privileged = true,
};

static void put(const char *path, const char *text)
{
	char full[256], *slash;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	assert_int_equal(warder_file_replace(full, text, strlen(text), 0600), 0);
}

static struct warder_prerequisite_result probe(const char *name,
					       const struct warder_prerequisite_host *host)
{
	const struct warder_prerequisite *row = warder_prerequisite_find(name);
	struct warder_prerequisite_result result = {};

	assert_non_null(row);
	row->probe(host, &result);
	/* Whatever is not right comes with what to do. */
	assert_true((result.state == WARDER_PREREQUISITE_OK) == !result.remedy[0]);
	assert_true(result.found[0]);
	return result;
}

static void judges_the_kernel(void **state)
{
	struct warder_prerequisite_host host = good;

	assert_int_equal(probe("kernel", &host).state, WARDER_PREREQUISITE_OK);
	host.version = "#1 SMP Debian 6.1.38-1";
	assert_int_equal(probe("kernel", &host).state, WARDER_PREREQUISITE_MISSING);
	host.release = "what";
	assert_int_equal(probe("kernel", &host).state, WARDER_PREREQUISITE_UNKNOWN);
	host.machine = "aarch64";
	assert_int_equal(probe("machine", &host).state, WARDER_PREREQUISITE_MISSING);
	host.privileged = false;
	assert_int_equal(probe("root", &host).state, WARDER_PREREQUISITE_MISSING);
	assert_int_equal(probe("programs", &host).state, WARDER_PREREQUISITE_UNKNOWN);
}

static void judges_the_security_modules(void **state)
{
	struct warder_prerequisite_result result;

	assert_int_equal(probe("lsm", &good).state, WARDER_PREREQUISITE_UNKNOWN);
	put("/sys/kernel/security/lsm", "lockdown,yama,apparmor\n");
	result = probe("lsm", &good);
	assert_int_equal(result.state, WARDER_PREREQUISITE_MISSING);
	assert_non_null(strstr(result.remedy, "lsm=lockdown,yama,apparmor,bpf`"));
	put("/sys/kernel/security/lsm", "lockdown,bpf\n");
	assert_int_equal(probe("lsm", &good).state, WARDER_PREREQUISITE_OK);
	assert_int_equal(probe("lockdown", &good).state, WARDER_PREREQUISITE_OK);
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	assert_int_equal(probe("lockdown", &good).state, WARDER_PREREQUISITE_MISSING);
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	assert_int_equal(probe("lockdown", &good).state, WARDER_PREREQUISITE_OK);
}

static void judges_mounts(void **state)
{
	put("/proc/self/mountinfo", "23 28 0:21 / /sys rw - sysfs sysfs rw\n");
	assert_int_equal(probe("bpffs", &good).state, WARDER_PREREQUISITE_MISSING);
	assert_int_equal(probe("cgroup2", &good).state, WARDER_PREREQUISITE_MISSING);
	put("/proc/self/mountinfo",
	    "30 23 0:26 / /sys/fs/bpf rw - bpf bpf rw\n"
	    "31 23 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	assert_int_equal(probe("bpffs", &good).state, WARDER_PREREQUISITE_OK);
	assert_int_equal(probe("cgroup2", &good).state, WARDER_PREREQUISITE_OK);
	assert_int_equal(probe("btf", &good).state, WARDER_PREREQUISITE_MISSING);
	put("/sys/kernel/btf/vmlinux", "x");
	assert_int_equal(probe("btf", &good).state, WARDER_PREREQUISITE_OK);
}

static void wants_to_see_all_tasks(void **state)
{
	char path[256];

	assert_int_equal(probe("pidns", &good).state, WARDER_PREREQUISITE_MISSING);
	put("/proc/self/ns/x", "");
	snprintf(path, sizeof(path), "%s/proc/self/ns/pid", root);
	assert_int_equal(symlink("pid:[4026532411]", path), 0);
	assert_int_equal(probe("pidns", &good).state, WARDER_PREREQUISITE_MISSING);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("pid:[4026531836]", path), 0);
	assert_int_equal(probe("pidns", &good).state, WARDER_PREREQUISITE_OK);
}

static void refuses_full_preemption_only_where_it_loses_labels(void **state)
{
	struct warder_prerequisite_host host = good;

	/* Cannot tell is not good enough. */
	assert_int_equal(probe("preempt", &host).state, WARDER_PREREQUISITE_UNKNOWN);
	put("/proc/cmdline", "quiet preempt=full\n");
	assert_int_equal(probe("preempt", &host).state, WARDER_PREREQUISITE_MISSING);
	put("/sys/kernel/debug/sched/preempt", "none (voluntary) full\n");
	assert_int_equal(probe("preempt", &host).state, WARDER_PREREQUISITE_OK);
	put("/sys/kernel/debug/sched/preempt", "none voluntary (full)\n");
	assert_int_equal(probe("preempt", &host).state, WARDER_PREREQUISITE_MISSING);
	host.version = "#1 SMP PREEMPT_DYNAMIC Debian 6.12.48-1";
	host.release = "6.12.48+deb13-amd64";
	assert_int_equal(probe("preempt", &host).state, WARDER_PREREQUISITE_OK);
}

static void finds_cgroup_mounts(void **state)
{
	char *path = NULL;

	assert_int_equal(warder_cgroup_find_mount("", &path), -ENOENT);
	assert_null(path);
	assert_int_equal(warder_cgroup_find_mount(
				 "1 2 0:3 /docker/x /mnt rw - cgroup2 c rw\n"
				 "4 2 0:3 / /sys/fs/cgroup\\040two rw shared:4 - cgroup2 c rw\n",
				 &path),
			 0);
	assert_string_equal(path, "/sys/fs/cgroup two");
	free(path);
	assert_int_equal(
		warder_cgroup_find_mount("1 2 0:3 /docker/x /mnt rw - cgroup2 c rw\n", &path), 0);
	assert_string_equal(path, "/mnt");
	free(path);
}

/* The same words stand behind "ok", "missing", "cannot tell" and "needs". */
static void names_what_is_needed(void **state)
{
	size_t i;

	for (i = 0; i < warder_prerequisite_count; i++) {
		const char *text = warder_prerequisites[i].text;

		assert_true(strncmp(text, "no ", 3));
		assert_null(strstr(text, " not "));
		assert_null(strstr(text, " may be "));
	}
	assert_string_equal(warder_prerequisite_find("programs")->text,
			    "permission to load BPF LSM programs");
}

static int set_up(void **state)
{
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(judges_the_kernel, set_up, tear_down),
		cmocka_unit_test(finds_cgroup_mounts),
		cmocka_unit_test(names_what_is_needed),
	};
	const struct CMUnitTest with_files[] = {
		cmocka_unit_test(judges_the_security_modules),
		cmocka_unit_test(judges_mounts),
		cmocka_unit_test(wants_to_see_all_tasks),
		cmocka_unit_test(refuses_full_preemption_only_where_it_loses_labels),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	strcpy(root + strlen(root) - 6, "XXXXXX");
	return failed + cmocka_run_group_tests(with_files, set_up, tear_down);
}
