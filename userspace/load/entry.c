// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * entry.c - cgroup entries: which cgroup belongs to which binding.
 *
 * The gate's bucket is marked before the entry appears and never cleared: a task that
 * saw it clear would not even look for the entry.
 */
#include "load/entry.h"

#include <errno.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "load/cgroup.h"
#include "load/handle.h"
#include "load/subject.h"

__u64 warder_entry_get(const struct warder_session *session, __u64 cgroup)
{
	struct warder_cgroup entry;

	if (bpf_map_lookup_elem(session->map_fd[WARDER_MAP_cgroups], &cgroup, &entry) < 0)
		return 0;
	return entry.binding;
}

static int gate_mark(const struct warder_session *session, __u64 cgroup)
{
	__u32 bucket = cgroup & (WARDER_GATE_SIZE - 1), one = 1;

	return bpf_map_update_elem(session->map_fd[WARDER_MAP_gate], &bucket, &one, BPF_ANY);
}

static int entry_set(const struct warder_session *session, __u64 cgroup, __u64 binding)
{
	struct warder_cgroup entry = {.binding = binding};
	int error = gate_mark(session, cgroup);

	if (error < 0)
		return error;
	return bpf_map_update_elem(session->map_fd[WARDER_MAP_cgroups], &cgroup, &entry, BPF_ANY);
}

int warder_entry_gate_count(const struct warder_session *session, size_t *ret_count)
{
	_cleanup_free_ __u32 *keys = calloc(WARDER_GATE_SIZE, sizeof(*keys));
	_cleanup_free_ __u32 *marks = calloc(WARDER_GATE_SIZE, sizeof(*marks));
	__u32 read = WARDER_GATE_SIZE, next, i;
	size_t count = 0;
	int error;

	if (!keys || !marks)
		return -ENOMEM;
	error = bpf_map_lookup_batch(session->map_fd[WARDER_MAP_gate], NULL, &next, keys, marks,
				     &read, NULL);
	/* -ENOENT: that was the last batch. */
	if (error < 0 && error != -ENOENT)
		return error;
	for (i = 0; i < read; i++)
		count += marks[i] != 0;
	*ret_count = count;
	return 0;
}

struct tree {
	struct warder_session *session;
	__u64 binding;
	__u64 over; /* of the cgroup above; what lies in that may be taken over */
	struct warder_error *reterr;
};

static int set_failed(const char *path, int error, struct warder_error *reterr)
{
	if (error == -E2BIG || error == -ENOSPC)
		return warder_error_set(reterr, -ENOSPC,
					"no room for the cgroup \"%s\": the table of bound cgroups "
					"is full (`warder maps`)",
					path);
	return warder_error_set(reterr, error, "cannot bind the cgroup \"%s\":", path);
}

static int set_one(const char *path, void *context)
{
	const struct tree *tree = context;
	struct warder_subject owner;
	_cleanup_close_ int fd = -1;
	__u64 id, bound;
	int error = warder_cgroup_open(path, &fd, tree->reterr);

	if (!error)
		error = warder_cgroup_id(fd, &id);
	if (error < 0)
		return error;
	bound = warder_entry_get(tree->session, id);
	if (bound && bound != WARDER_BINDING_UNBOUND && bound != tree->binding &&
	    bound != tree->over && warder_subject_read(tree->session, bound, &owner) == 0)
		return warder_error_set(tree->reterr, -EBUSY,
					"the cgroup \"%s\" belongs to subject \"%s\" already", path,
					owner.name);
	error = entry_set(tree->session, id, tree->binding);
	return error < 0 ? set_failed(path, error, tree->reterr) : 0;
}

__u64 warder_entry_over(const struct warder_session *session, const char *path)
{
	_cleanup_free_ char *above = NULL;
	_cleanup_close_ int fd = -1;
	__u64 id;

	if (asprintf(&above, "%s/..", path) < 0)
		return 0;
	/* Above the mount is no cgroup. */
	if (warder_cgroup_open(above, &fd, NULL) < 0 || warder_cgroup_id(fd, &id) < 0)
		return 0;
	return warder_entry_get(session, id);
}

int warder_entry_set_tree(struct warder_session *session, const char *path, __u64 binding,
			  struct warder_error *reterr)
{
	struct tree tree = {session, binding, warder_entry_over(session, path), reterr};
	int error = set_one(path, &tree);

	return error < 0 ? error : warder_cgroup_each(path, set_one, &tree);
}

int warder_entry_each(const struct warder_session *session,
		      int (*visit)(__u64 cgroup, const struct warder_cgroup *entry, void *context),
		      void *context)
{
	int fd = session->map_fd[WARDER_MAP_cgroups], result = 0;
	__u64 key, *previous = NULL, next;

	while (!result && bpf_map_get_next_key(fd, previous, &next) == 0) {
		struct warder_cgroup entry;

		key = next;
		previous = &key;
		if (bpf_map_lookup_elem(fd, &key, &entry) == 0)
			result = visit(key, &entry, context);
	}
	return result;
}

static int count_entry(__u64 cgroup, const struct warder_cgroup *entry, void *context)
{
	(*(size_t *)context)++;
	return 0;
}

size_t warder_entry_count(const struct warder_session *session)
{
	size_t count = 0;

	warder_entry_each(session, count_entry, &count);
	return count;
}

struct sweep {
	__u64 binding;
	__u64 *ids;
	size_t count;
};

static int note_entry(__u64 cgroup, const struct warder_cgroup *entry, void *context)
{
	struct sweep *sweep = context;
	__u64 *more;

	if (entry->binding != sweep->binding)
		return 0;
	more = realloc(sweep->ids, (sweep->count + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	sweep->ids = more;
	sweep->ids[sweep->count++] = cgroup;
	return 0;
}

/* First noted, then changed: deleting while walking a hash starts the walk anew. */
int warder_entry_remove(struct warder_session *session, __u64 binding, __u64 over)
{
	const struct warder_cgroup entry = {.binding = over};
	struct sweep sweep = {.binding = binding};
	int error = warder_entry_each(session, note_entry, &sweep);
	size_t i;

	for (i = 0; i < sweep.count; i++) {
		/* Only where it is still: an entry of a cgroup that is gone would stay for ever. */
		if (over && bpf_map_update_elem(session->map_fd[WARDER_MAP_cgroups], &sweep.ids[i],
						&entry, BPF_EXIST) == 0)
			continue;
		bpf_map_delete_elem(session->map_fd[WARDER_MAP_cgroups], &sweep.ids[i]);
	}
	free(sweep.ids);
	return error;
}
