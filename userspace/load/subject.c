// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * subject.c - read subjects: one, all, by name; their counters, ring, cgroup and runner.
 */
#include "load/subject.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "load/cgroup.h"
#include "load/handle.h"
#include "load/naming.h"
#include "load/runner.h"

static int read_slot(const struct warder_session *session, __u32 slot,
		     struct warder_subject *ret_subject)
{
	_cleanup_close_ int fd = -1;
	__u32 zero = 0;
	int error = warder_session_inner_open(session, WARDER_MAP_subjects, slot, &fd);

	return error < 0 ? error : bpf_map_lookup_elem(fd, &zero, ret_subject);
}

int warder_subject_read(const struct warder_session *session, __u64 binding,
			struct warder_subject *ret_subject)
{
	struct warder_subject subject;
	int error = read_slot(session, WARDER_SLOT(binding), &subject);

	if (error == -ENOENT || (!error && subject.binding != binding))
		return -ESRCH;
	if (error < 0)
		return error;
	*ret_subject = subject;
	return 0;
}

static int older_first(const void *left, const void *right)
{
	const struct warder_subject *a = left, *b = right;

	return a->binding < b->binding ? -1 : a->binding > b->binding;
}

/*
 * Counters of all slots. They tell which slots are in use, in one call: before Linux 6.8
 * each look into a map of maps waits for a grace period (7 ms), and there are 4096 slots.
 */
static int read_all_stats(const struct warder_session *session, struct warder_stats **ret_all,
			  __u32 *ret_count)
{
	_cleanup_free_ struct warder_stats *all = calloc(WARDER_SUBJECTS_MAX, sizeof(*all));
	_cleanup_free_ __u32 *keys = calloc(WARDER_SUBJECTS_MAX, sizeof(*keys));
	__u32 count = WARDER_SUBJECTS_MAX, next;
	int error;

	if (!all || !keys)
		return -ENOMEM;
	error = bpf_map_lookup_batch(session->map_fd[WARDER_MAP_stats], NULL, &next, keys, all,
				     &count, NULL);
	/* -ENOENT: that was the last batch. */
	if (error < 0 && error != -ENOENT)
		return error;
	*ret_all = TAKE_PTR(all);
	*ret_count = count;
	return 0;
}

int warder_subject_slots(const struct warder_session *session, __u64 *ret_bindings)
{
	_cleanup_free_ struct warder_stats *all = NULL;
	__u32 count, slot;
	int error = read_all_stats(session, &all, &count);

	if (error < 0)
		return error;
	for (slot = 0; slot < WARDER_SUBJECTS_MAX; slot++)
		ret_bindings[slot] = slot < count ? all[slot].binding : 0;
	return 0;
}

int warder_subject_list(const struct warder_session *session, struct warder_subject **ret_list,
			size_t *ret_count)
{
	_cleanup_free_ __u64 *bindings = calloc(WARDER_SUBJECTS_MAX, sizeof(*bindings));
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0, capacity = 0;
	__u32 slot;
	int error = bindings ? warder_subject_slots(session, bindings) : -ENOMEM;

	for (slot = 1; slot < WARDER_SUBJECTS_MAX && !error; slot++) {
		if (!bindings[slot])
			continue;
		if (!VECTOR_ROOM(list, count, capacity))
			return -ENOMEM;
		error = read_slot(session, slot, &list[count]);
		if (!error)
			count++;
		else if (error == -ENOENT)
			error = 0; /* a bind was interrupted before it got there */
	}
	if (error < 0)
		return error;
	if (count)
		qsort(list, count, sizeof(*list), older_first);
	*ret_list = TAKE_PTR(list);
	*ret_count = count;
	return 0;
}

int warder_subject_stats(const struct warder_session *session, __u64 binding,
			 struct warder_stats *ret_stats)
{
	struct warder_stats stats;
	__u32 slot = WARDER_SLOT(binding);
	int error = bpf_map_lookup_elem(session->map_fd[WARDER_MAP_stats], &slot, &stats);

	if (error < 0)
		return error;
	if (stats.binding != binding)
		return -ESRCH;
	*ret_stats = stats;
	return 0;
}

int warder_subject_ring(const struct warder_session *session, __u64 binding, int *ret_fd)
{
	int error =
		warder_session_inner_open(session, WARDER_MAP_rings, WARDER_SLOT(binding), ret_fd);

	return error == -ENOENT ? -ESRCH : error;
}

int warder_subject_cgroup(const struct warder_session *session,
			  const struct warder_subject *subject, char **ret_path)
{
	return warder_cgroup_path(session->mount, subject->cgroup, ret_path);
}

bool warder_subject_has_runner(const struct warder_subject *subject)
{
	return warder_runner_alive(WARDER_SLOT(subject->binding), subject->binding);
}

static int find_subject(const struct warder_session *session, const char *text, bool whole,
			struct warder_subject *ret_subject, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	const struct warder_subject *found;
	size_t count = 0;
	int error = warder_subject_list(session, &list, &count);

	if (error < 0)
		return warder_error_set(reterr, error, "cannot list the subjects:");
	error = warder_naming_choose(list, count, text, whole, &found, reterr);
	if (!error)
		*ret_subject = *found;
	return error;
}

int warder_subject_find(const struct warder_session *session, const char *text,
			struct warder_subject *ret_subject, struct warder_error *reterr)
{
	return find_subject(session, text, false, ret_subject, reterr);
}

int warder_subject_find_whole(const struct warder_session *session, const char *text,
			      struct warder_subject *ret_subject, struct warder_error *reterr)
{
	return find_subject(session, text, true, ret_subject, reterr);
}

bool warder_subject_is_below(const struct warder_subject *subject, __u64 binding)
{
	size_t i;

	for (i = 0; i < WARDER_NESTING_MAX - 1 && subject->above[i]; i++) {
		if (subject->above[i] == binding)
			return true;
	}
	return false;
}
