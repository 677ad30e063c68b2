// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* kernel_fuzz.c - any bytes as what a kernel says about itself: versions, lists, mounts. */
#include <errno.h>

#include "base/cleanup.h"
#include "claim.h"
#include "load/cgroup.h"
#include "load/kernel.h"

static void check_texts(const char *a, const char *b, const char *c)
{
	struct warder_kernel_version version;
	_cleanup_free_ char *mount = NULL;
	char word[16] = "";
	int r;

	warder_kernel_version_parse(a, b, NULL, &version);
	if (warder_kernel_version_parse(a, b, c, &version) == 0)
		warder_kernel_version_less(&version, 6, 1, 54);
	warder_kernel_list_has(a, b);
	r = warder_kernel_selected(a, word, sizeof(word));
	CLAIM(r < 0 || strlen(word) < sizeof(word));
	warder_kernel_has_mount(a, "/sys/fs/bpf", "bpf");
	warder_kernel_has_mount(a, b, c);
	warder_preemption_name(warder_kernel_preemption(NULL, a, b, c));
	warder_preemption_name(warder_kernel_preemption(a, b, c, a));
	r = warder_cgroup_find_mount(a, &mount);
	CLAIM(r < 0 || mount);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = claim_text(data, size);
	const char *texts[3];
	size_t at = 0, i;

	/* Texts end at a NUL; what is missing is empty. */
	for (i = 0; i < 3; i++) {
		texts[i] = text + (at < size ? at : size);
		at += strlen(texts[i]) + 1;
	}
	check_texts(texts[0], texts[1], texts[2]);
	return 0;
}
