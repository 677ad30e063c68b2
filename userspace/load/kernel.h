/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * kernel.h - what a kernel says about itself, read from text: version, lists, preemption.
 *
 * Pure functions over the contents of files, so that they are tested with texts of
 * kernels that are not at hand.
 */
#ifndef WARDER_LOAD_KERNEL_H
#define WARDER_LOAD_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

struct warder_kernel_version {
	unsigned int major, minor, patch;
};

/*
 * The version of the sources. `release` is uname -r; Debian's says 6.1.0 for every
 * 6.1.y and puts the truth into uname -v (`version`), Ubuntu's into
 * /proc/version_signature (`signature`, may be NULL).
 */
int warder_kernel_version_parse(const char *release, const char *version, const char *signature,
				struct warder_kernel_version *ret_version);

bool warder_kernel_version_less(const struct warder_kernel_version *version, unsigned int major,
				unsigned int minor, unsigned int patch);

/* Is `word` an element of a comma-separated list? */
bool warder_kernel_list_has(const char *list, const char *word);

/* The chosen word of "none [integrity] confidentiality" or "none (voluntary) full". */
int warder_kernel_selected(const char *text, char *buffer, size_t size);

/* Does a mountinfo text have a file system of that type on `path`? */
bool warder_kernel_has_mount(const char *mountinfo, const char *path, const char *type);

/* Is that the target of /proc/self/ns/pid in the initial pid namespace, where all tasks are? */
bool warder_kernel_is_first_pid_namespace(const char *link);

enum warder_preemption {
	WARDER_PREEMPTION_UNKNOWN,
	WARDER_PREEMPTION_NONE,
	WARDER_PREEMPTION_VOLUNTARY,
	WARDER_PREEMPTION_FULL,
};

/*
 * How the kernel preempts, from the best source there is; each may be NULL:
 * /sys/kernel/debug/sched/preempt, the command line, the build's config, uname -v.
 */
enum warder_preemption warder_kernel_preemption(const char *sched, const char *cmdline,
						const char *config, const char *version);

const char *warder_preemption_name(enum warder_preemption mode);

#endif
