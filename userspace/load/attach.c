// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * attach.c - where each program of the object goes.
 */
#include "load/attach.h"

#include <errno.h>
#include <stdio.h>
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

static bool is_twin(const struct warder_attachment *row)
{
	return !strcmp(row->kind, "twin");
}

__u64 warder_attach_left_out(void)
{
	__u64 left_out = 0, bit = 1;
	size_t i;

	for (i = 0; i < warder_attachment_count; i++) {
		const struct warder_attachment *row = &warder_attachments[i];

		if (!is_twin(row))
			continue;
		if (!warder_pin_count_link(row->kind, row->name))
			left_out |= bit;
		bit <<= 1;
	}
	return left_out;
}

bool warder_attachment_is_left_out(const struct warder_attachment *row, __u64 left_out)
{
	static const char *const twins[] = {
#define X(upper, lower) #lower,
		WARDER_TWIN_HOOKS(X)
#undef X
	};
	size_t i;

	for (i = 0; i < sizeof(twins) / sizeof(twins[0]) && is_twin(row); i++) {
		if (!strcmp(twins[i], row->name))
			return left_out >> i & 1;
	}
	return false;
}

const char *warder_attach_names(__u64 left_out, char *buffer, size_t size)
{
	size_t i, used = 0;

	buffer[0] = '\0';
	for (i = 0; i < warder_attachment_count && used < size; i++) {
		const struct warder_attachment *row = &warder_attachments[i];

		if (warder_attachment_is_left_out(row, left_out))
			used += snprintf(buffer + used, size - used, "%s%s", used ? ", " : "",
					 row->name);
	}
	return buffer;
}

static int attach_failed(const struct warder_attachment *row, int error,
			 struct warder_error *reterr)
{
	warder_error_set(reterr, error, "cannot attach \"%s\" (%s):", row->name, row->kind);
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
	/* Loaded and refused: the ten hooks that can be attached so are all taken. */
	if (!link && is_twin(row) && errno == EINVAL)
		return 0;
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
