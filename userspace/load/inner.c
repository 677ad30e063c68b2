// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * inner.c - the values of maps of maps.
 *
 * They carry type information, so that `bpftool map dump` shows named fields. It is
 * taken from the state map: the kernel keeps none for the maps of maps themselves.
 */
#include <errno.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/bpf.h>

#include "base/cleanup.h"
#include "load/handle.h"

/* Number of the kernel's type information for a map; 0 when it keeps none. */
static __u32 types_of(int map_fd)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	return bpf_obj_get_info_by_fd(map_fd, &info, &size) < 0 ? 0 : info.btf_id;
}

/* Fill in the types; what cannot be found is left out: the map works as well without. */
static void name_types(__u32 types_id, int types_fd, const char *type,
		       struct bpf_map_create_opts *options)
{
	struct btf *types = btf__load_from_kernel_by_id(types_id);
	int value, key;

	if (!types)
		return;
	value = btf__find_by_name_kind(types, type, BTF_KIND_STRUCT);
	if (value < 0)
		value = btf__find_by_name_kind(types, type, BTF_KIND_UNION);
	key = btf__find_by_name_kind(types, "unsigned int", BTF_KIND_INT);
	if (value > 0 && key > 0) {
		options->btf_fd = types_fd;
		options->btf_key_type_id = key;
		options->btf_value_type_id = value;
	}
	btf__free(types);
}

int warder_session_inner_map(const struct warder_session *session, const struct warder_inner *inner,
			     int *ret_fd)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = inner->flags);
	__u32 types_id = types_of(session->map_fd[WARDER_MAP_state]);
	_cleanup_close_ int types_fd = types_id ? bpf_btf_get_fd_by_id(types_id) : -1;
	int fd;

	if (types_fd >= 0)
		name_types(types_id, types_fd, inner->type, &options);
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, inner->type, sizeof(__u32), inner->size,
			    inner->count, &options);
	if (fd < 0)
		return fd;
	*ret_fd = fd;
	return 0;
}

int warder_session_inner_id(const struct warder_session *session, enum warder_map outer, __u32 slot,
			    __u32 *ret_id)
{
	return bpf_map_lookup_elem(session->map_fd[outer], &slot, ret_id);
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
