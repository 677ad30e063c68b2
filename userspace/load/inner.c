// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * inner.c - maps of one element, the values of maps of maps.
 *
 * They carry type information, so that `bpftool map dump` shows named fields. It is
 * taken from the state map: the kernel keeps none for the maps of maps themselves.
 */
#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/bpf.h>

#include "load/handle.h"

static struct btf *types_of(int map_fd)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(map_fd, &info, &size) < 0 || !info.btf_id)
		return NULL;
	return btf__load_from_kernel_by_id(info.btf_id);
}

int warder_session_inner_map(const struct warder_session *session, const char *name,
			     const char *type, size_t size, int *ret_fd)
{
	LIBBPF_OPTS(bpf_map_create_opts, options);
	struct btf *types = types_of(session->map_fd[WARDER_MAP_state]);
	int value = types ? btf__find_by_name_kind(types, type, BTF_KIND_STRUCT) : -1;
	int key = types ? btf__find_by_name_kind(types, "unsigned int", BTF_KIND_INT) : -1;
	int fd;

	/* Names are a courtesy: without them the map works as well. */
	if (value > 0 && key > 0) {
		options.btf_fd = btf__fd(types);
		options.btf_key_type_id = key;
		options.btf_value_type_id = value;
	}
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(__u32), size, 1, &options);
	btf__free(types);
	if (fd < 0)
		return fd;
	*ret_fd = fd;
	return 0;
}

int warder_session_inner_open(const struct warder_session *session, enum warder_map outer,
			      __u32 slot, int *ret_fd)
{
	__u32 id;
	int fd = bpf_map_lookup_elem(session->map_fd[outer], &slot, &id);

	if (fd < 0)
		return fd;
	fd = bpf_map_get_fd_by_id(id);
	if (fd < 0)
		return fd;
	*ret_fd = fd;
	return 0;
}
