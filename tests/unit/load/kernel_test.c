// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* kernel_test.c - what kernels say about themselves, from texts of kernels not at hand. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "load/kernel.h"

static void check_version(const char *release, const char *version, const char *signature,
			  unsigned int major, unsigned int minor, unsigned int patch)
{
	struct warder_kernel_version found;

	assert_int_equal(warder_kernel_version_parse(release, version, signature, &found), 0);
	assert_int_equal(found.major, major);
	assert_int_equal(found.minor, minor);
	assert_int_equal(found.patch, patch);
}

static void finds_the_version_of_the_sources(void **state)
{
	struct warder_kernel_version found;

	check_version("6.1.0-37-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.140-1 (2025-05-22)",
		      NULL, 6, 1, 140);
	check_version("6.8.0-31-generic", "#31-Ubuntu SMP", "Ubuntu 6.8.0-31.31-generic 6.8.1", 6,
		      8, 1);
	check_version("6.1.53", "#1 SMP", NULL, 6, 1, 53);
	check_version("7.2-rc1", "#1 SMP", NULL, 7, 2, 0);
	assert_int_equal(warder_kernel_version_parse("linux", "", NULL, &found), -EINVAL);
}

static void compares_versions(void **state)
{
	const struct warder_kernel_version version = {6, 1, 53};

	assert_true(warder_kernel_version_less(&version, 6, 1, 54));
	assert_false(warder_kernel_version_less(&version, 6, 1, 53));
	assert_false(warder_kernel_version_less(&version, 5, 99, 99));
	assert_true(warder_kernel_version_less(&version, 6, 2, 0));
}

static void reads_lists(void **state)
{
	assert_true(warder_kernel_list_has("lockdown,yama,bpf", "bpf"));
	assert_true(warder_kernel_list_has("bpf\n", "bpf"));
	assert_false(warder_kernel_list_has("lockdown,ebpf,bpfx", "bpf"));
	assert_false(warder_kernel_list_has("", "bpf"));
}

static void reads_the_chosen_word(void **state)
{
	char word[32];

	assert_int_equal(
		warder_kernel_selected("none [integrity] confidentiality\n", word, sizeof(word)),
		0);
	assert_string_equal(word, "integrity");
	assert_int_equal(warder_kernel_selected("none (voluntary) full", word, sizeof(word)), 0);
	assert_string_equal(word, "voluntary");
	assert_int_equal(warder_kernel_selected("none voluntary", word, sizeof(word)), -ENOENT);
	assert_int_equal(warder_kernel_selected("[unclosed", word, sizeof(word)), -EINVAL);
}

static void finds_mounts(void **state)
{
	const char *mounts = "23 28 0:21 / /sys rw - sysfs sysfs rw\n"
			     "30 23 0:26 / /sys/fs/bpf rw,nosuid shared:9 - bpf bpf rw,mode=700\n";

	assert_true(warder_kernel_has_mount(mounts, "/sys/fs/bpf", "bpf"));
	assert_false(warder_kernel_has_mount(mounts, "/sys/fs/bpf", "tmpfs"));
	assert_false(warder_kernel_has_mount(mounts, "/sys/fs", "bpf"));
	assert_false(warder_kernel_has_mount("garbage\n", "/sys/fs/bpf", "bpf"));
}

static void tells_preemption(void **state)
{
	const char *dynamic = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.140-1";
	const char *voluntary = "\nCONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y\n";

	/* The running mode beats everything. */
	assert_int_equal(warder_kernel_preemption("none voluntary (full)", "preempt=none",
						  voluntary, dynamic),
			 WARDER_PREEMPTION_FULL);
	assert_int_equal(
		warder_kernel_preemption(NULL, "ro preempt=full quiet", voluntary, dynamic),
		WARDER_PREEMPTION_FULL);
	assert_int_equal(
		warder_kernel_preemption(NULL, "preempt=full preempt=voluntary", NULL, dynamic),
		WARDER_PREEMPTION_VOLUNTARY);
	assert_int_equal(warder_kernel_preemption(NULL, "ro quiet", voluntary, dynamic),
			 WARDER_PREEMPTION_VOLUNTARY);
	/* Built without the choice: the command line has no say. */
	assert_int_equal(warder_kernel_preemption(NULL, "preempt=none", NULL, "#1 SMP PREEMPT x"),
			 WARDER_PREEMPTION_FULL);
	assert_int_equal(warder_kernel_preemption(NULL, "", "\nCONFIG_PREEMPT=y\n", dynamic),
			 WARDER_PREEMPTION_FULL);
	assert_int_equal(warder_kernel_preemption(NULL, "xpreempt=none", NULL, dynamic),
			 WARDER_PREEMPTION_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_version_of_the_sources),
		cmocka_unit_test(compares_versions),
		cmocka_unit_test(reads_lists),
		cmocka_unit_test(reads_the_chosen_word),
		cmocka_unit_test(finds_mounts),
		cmocka_unit_test(tells_preemption),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
