// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * attach.c - where each program of the object goes.
 */
#include "load/attach.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <warder/hook.h>

#include "load/hook.h"
#include "load/pin.h"

const struct warder_attachment warder_attachments[] = {
	{"iter", "members", "list_members", WARDER_NET_LIST},
#define X(upper, lower) {"tp", #lower, "on_" #lower, WARDER_NET_TRACEPOINT},
	WARDER_TRACEPOINTS(X)
#undef X
#define X(upper, lower) {"twin", #lower, "twin_" #lower, WARDER_NET_SECOND},
		WARDER_TWIN_HOOKS(X)
#undef X
#define X(upper, lower) {"net", #lower, "net_" #lower, WARDER_NET_SECOND},
			WARDER_NET_HOOKS(X)
#undef X
#define X(upper, lower) {"global", #lower, "hook_" #lower, WARDER_NET_GLOBAL},
				WARDER_LSM_HOOKS(X)
#undef X
#define X(upper, lower) {"told", #lower, "tell_" #lower, WARDER_NET_TOLD},
					WARDER_TOLD(X)
#undef X
};

const size_t warder_attachment_count = sizeof(warder_attachments) / sizeof(warder_attachments[0]);

bool warder_attachment_is_due(const struct warder_attachment *row)
{
	return row->net != WARDER_NET_GLOBAL || !warder_hook_is_newer(row->name);
}

static int attach_failed(const struct warder_attachment *row, int error,
			 struct warder_error *reterr)
{
	warder_error_set(reterr, error, "cannot attach \"%s\" (%s):", row->name, row->kind);
	if (!strcmp(row->kind, "twin") && error == -EINVAL)
		warder_error_add(reterr, error,
				 "at most ten hooks can be attached as lsm_cgroup on a machine; "
				 "`bpftool link list` shows who has them");
	if (error == -E2BIG || error == -EBUSY)
		warder_error_add(
			reterr, error,
			"other BPF programs fill this hook; `bpftool link list` shows them");
	return error;
}

static int attach_one(const struct bpf_object *object, const struct warder_attachment *row,
		      int root_cgroup_fd, struct warder_error *reterr)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, row->program);
	struct bpf_link *link;
	int error;

	if (!program)
		return warder_error_set(reterr, -ENOENT,
					"this build has no program \"%s\": rebuild warder",
					row->program);
	if (row->net == WARDER_NET_TOLD && bpf_program__fd(program) < 0)
		return 0; /* warder_object_load left it out */
	if (row->net == WARDER_NET_SECOND)
		link = bpf_program__attach_cgroup(program, root_cgroup_fd);
	else
		link = bpf_program__attach(program);
	if (!link)
		return attach_failed(row, -errno, reterr);
	error = warder_pin_link(bpf_link__fd(link), row->kind, row->name, reterr);
	/* Closes our descriptor; the pin keeps the link. */
	bpf_link__destroy(link);
	return error;
}

int warder_attach(const struct warder_object *object, enum warder_net net, int root_cgroup_fd,
		  struct warder_error *reterr)
{
	size_t i;
	int error;

	for (i = 0; i < warder_attachment_count; i++) {
		if (warder_attachments[i].net != net ||
		    !warder_attachment_is_due(&warder_attachments[i]))
			continue;
		error = attach_one(warder_object_bpf(object), &warder_attachments[i],
				   root_cgroup_fd, reterr);
		if (error < 0)
			return error;
	}
	return 0;
}
