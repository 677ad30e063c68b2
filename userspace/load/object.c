// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * object.c - the BPF object in this process: opened, fitted to the kernel, loaded.
 *
 * libbpf's own complaints, the verifier's log among them, are kept while it works and
 * end up in a file when it fails: they are long, and the message names the file.
 */
#include "load/object.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "load/attach.h"
#include "warder.skel.h"

#define LOG_PATH WARDER_RUN_DIR "/load.log"

struct warder_object {
	struct warder_bpf *skeleton;
};

/* What libbpf said since the last load began. One thread loads, under the lock. */
static FILE *complaints;

static int keep_complaint(enum libbpf_print_level level, const char *format, va_list arguments)
{
	if (level == LIBBPF_DEBUG || !complaints)
		return 0;
	return vfprintf(complaints, format, arguments);
}

/* The first complaint names the program; the rest is for the file. */
static int report_failure(int error, const char *log, size_t size, struct warder_error *reterr)
{
	size_t line = strcspn(log, "\n");

	if (line > 300)
		line = 300;
	warder_error_set(reterr, error, "the kernel refused warder's programs:");
	if (size)
		warder_error_add(reterr, error, "%.*s", (int)line, log);
	if (size && warder_file_replace(LOG_PATH, log, size, 0600) == 0)
		warder_error_add(reterr, error,
				 "the whole log, the verifier's included, is in " LOG_PATH);
	return error;
}

/* Do not load the programs whose hooks this kernel has not got yet. */
static int leave_out_newer(struct bpf_object *object)
{
	struct bpf_program *program;
	size_t i;
	int error = 0;

	for (i = 0; i < warder_attachment_count && !error; i++) {
		if (warder_attachment_is_due(&warder_attachments[i]))
			continue;
		program = bpf_object__find_program_by_name(object, warder_attachments[i].program);
		if (program)
			error = bpf_program__set_autoload(program, false);
	}
	return error;
}

static int open_and_load(const struct warder_session_options *options,
			 struct warder_bpf **ret_skeleton)
{
	struct warder_bpf *skeleton = warder_bpf__open();
	int error;

	if (!skeleton)
		return -errno;
	error = options->max_cgroups
			? bpf_map__set_max_entries(skeleton->maps.cgroups, options->max_cgroups)
			: 0;
	/* Without it (CONFIG_AUDITSYSCALL) filters refuse as well, and unseen. */
	if (!error && libbpf_find_vmlinux_btf_id("audit_seccomp", BPF_TRACE_FENTRY) < 0)
		error = bpf_program__set_autoload(skeleton->progs.tell_seccomp, false);
	if (!error)
		error = leave_out_newer(skeleton->obj);
	if (!error)
		error = warder_bpf__load(skeleton);
	if (error < 0) {
		warder_bpf__destroy(skeleton);
		return error;
	}
	*ret_skeleton = skeleton;
	return 0;
}

int warder_object_load(const struct warder_session_options *options,
		       struct warder_object **ret_object, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_object *object = calloc(1, sizeof(*object));
	_cleanup_free_ char *log = NULL;
	libbpf_print_fn_t before;
	size_t size = 0;
	int error;

	if (!object)
		return -ENOMEM;
	complaints = open_memstream(&log, &size);
	before = libbpf_set_print(keep_complaint);
	error = open_and_load(options, &object->skeleton);
	libbpf_set_print(before);
	if (complaints)
		fclose(complaints);
	complaints = NULL;
	if (error < 0)
		return report_failure(error, log ? log : "", size, reterr);
	*ret_object = TAKE_PTR(object);
	return 0;
}

void warder_object_free(struct warder_object **object)
{
	if (!object || !*object)
		return;
	warder_bpf__destroy((*object)->skeleton);
	free(*object);
	*object = NULL;
}

struct bpf_object *warder_object_bpf(const struct warder_object *object)
{
	return object->skeleton->obj;
}

int warder_object_map(const struct warder_object *object, const char *name)
{
	return bpf_object__find_map_fd_by_name(object->skeleton->obj, name);
}
