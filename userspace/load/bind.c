// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bind.c - make a cgroup a subject, and end one.
 *
 * Order: counters, ring and subject are in place before the cgroup's entry names them,
 * and the entry goes before they do. A binding id is written down before it is used.
 */
#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "load/cgroup.h"
#include "load/entry.h"
#include "load/handle.h"
#include "load/member.h"
#include "load/naming.h"
#include "load/publish.h"
#include "load/runner.h"
#include "load/subject.h"

int warder_subject_publish(struct warder_session *session, const struct warder_subject *subject)
{
	static const struct warder_inner inner = {
		.type = "warder_subject", .size = sizeof(*subject), .count = 1};
	_cleanup_close_ int fd = -1;
	__u32 slot = WARDER_SLOT(subject->binding), zero = 0;
	int error = warder_session_inner_map(session, &inner, &fd);

	if (!error)
		error = bpf_map_update_elem(fd, &zero, subject, BPF_ANY);
	if (!error)
		error = bpf_map_freeze(fd);
	if (!error)
		error = bpf_map_update_elem(session->map_fd[WARDER_MAP_subjects], &slot, &fd,
					    BPF_ANY);
	return error;
}

static int reset_stats(struct warder_session *session, __u64 binding)
{
	struct warder_stats stats = {.binding = binding};
	__u32 slot = WARDER_SLOT(binding);

	return bpf_map_update_elem(session->map_fd[WARDER_MAP_stats], &slot, &stats, BPF_ANY);
}

static int make_ring(struct warder_session *session, __u64 binding)
{
	_cleanup_close_ int fd = -1;
	__u32 slot = WARDER_SLOT(binding);

	fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "warder_ring", 0, 0, WARDER_RING_SIZE, NULL);
	if (fd < 0)
		return fd;
	return bpf_map_update_elem(session->map_fd[WARDER_MAP_rings], &slot, &fd, BPF_ANY);
}

/* `over`: who gets the cgroups; 0: nobody. */
static void clear_slot(struct warder_session *session, __u64 binding, __u64 over)
{
	const struct warder_stats none = {};
	__u32 slot = WARDER_SLOT(binding);

	warder_entry_remove(session, binding, over);
	bpf_map_delete_elem(session->map_fd[WARDER_MAP_subjects], &slot);
	bpf_map_delete_elem(session->map_fd[WARDER_MAP_rings], &slot);
	/* The counters' binding marks the slot as used: last. */
	bpf_map_update_elem(session->map_fd[WARDER_MAP_stats], &slot, &none, BPF_ANY);
}

/* Everything of a subject, the cgroup's entry last; all or nothing. */
static int install_subject(struct warder_session *session, const struct warder_subject *subject,
			   const char *cgroup, struct warder_error *reterr)
{
	int error = reset_stats(session, subject->binding);

	if (!error)
		error = make_ring(session, subject->binding);
	if (!error)
		error = warder_subject_publish(session, subject);
	if (error < 0)
		warder_error_set(reterr, error, "cannot write the subject \"%s\":", subject->name);
	if (!error)
		error = warder_entry_set_tree(session, cgroup, subject->binding, reterr);
	if (error < 0)
		clear_slot(session, subject->binding, warder_entry_over(session, cgroup));
	return error;
}

int warder_subject_bind_root(struct warder_session *session, struct warder_error *reterr)
{
	struct warder_subject subject = {
		.binding = WARDER_BINDING_UNBOUND,
		.flags = WARDER_SUBJECT_DENY_ALL,
		.soonest = WARDER_FOREVER,
		.since = warder_boottime(),
		.name = "(not bound)",
	};
	struct warder_state state;
	int error = warder_session_state(session, &state);

	if (error < 0)
		return error;
	subject.cgroup = state.root_cgroup;
	return install_subject(session, &subject, session->root, reterr);
}

/* A serial that nobody ever had. */
static int next_serial(struct warder_session *session, __u64 *ret_serial)
{
	struct warder_state state;
	int error = warder_session_state(session, &state);

	if (error < 0)
		return error;
	*ret_serial = state.next_serial++;
	return warder_session_state_write(session, &state);
}

/* A bind that was interrupted leaves its mark in the counters, and no subject. */
static bool slot_is_free(const struct warder_session *session, __u32 slot, __u64 marked)
{
	__u32 id;

	return !marked ||
	       warder_session_inner_id(session, WARDER_MAP_subjects, slot, &id) == -ENOENT;
}

/* A free slot whose last runner has let go, from a moving start. */
static int take_slot(struct warder_session *session, __u64 serial, __u64 *ret_binding,
		     int *ret_lock)
{
	_cleanup_free_ __u64 *marks = calloc(WARDER_SUBJECTS_MAX, sizeof(*marks));
	int error = marks ? warder_subject_slots(session, marks) : -ENOMEM;
	__u32 tries;

	for (tries = 0; tries < WARDER_SUBJECTS_MAX && !error; tries++) {
		__u32 slot = (serial + tries) % WARDER_SUBJECTS_MAX;
		__u64 binding = serial << WARDER_SLOT_BITS | slot;

		if (!slot || !slot_is_free(session, slot, marks[slot]))
			continue;
		if (warder_runner_take(slot, binding, ret_lock) < 0)
			continue;
		*ret_binding = binding;
		return 0;
	}
	return error < 0 ? error : -ENOSPC;
}

static int remember_served(struct warder_session *session, __u64 binding, int lock_fd)
{
	struct warder_served *more =
		realloc(session->served, (session->served_count + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	session->served = more;
	session->served[session->served_count++] =
		(struct warder_served){.binding = binding, .lock_fd = lock_fd};
	return 0;
}

void warder_subject_abandon(struct warder_session *session, __u64 binding)
{
	size_t i;

	for (i = 0; i < session->served_count; i++) {
		if (session->served[i].binding != binding)
			continue;
		warder_runner_release(WARDER_SLOT(binding), session->served[i].lock_fd);
		session->served[i] = session->served[--session->served_count];
		return;
	}
}

int warder_subject_adopt(struct warder_session *session, __u64 binding)
{
	_cleanup_close_ int lock_fd = -1;
	int error = warder_runner_take(WARDER_SLOT(binding), binding, &lock_fd);

	if (!error)
		error = remember_served(session, binding, lock_fd);
	if (!error)
		TAKE_FD(lock_fd);
	return error;
}

static int check_unique(const struct warder_session *session, const char *name,
			struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0, i;
	int error = warder_subject_list(session, &list, &count);

	if (error < 0)
		return warder_error_set(reterr, error, "cannot list the subjects:");
	for (i = 0; i < count; i++) {
		if (!strcmp(list[i].name, name))
			return warder_error_set(
				reterr, -EEXIST,
				"there is a subject \"%s\" already\n"
				"choose another --name, or end it: `warder kill %s`",
				name, name);
	}
	return 0;
}

/* What a request gets wrong before anything is touched. */
static int check_request(const struct warder_session *session,
			 const struct warder_subject_request *request, struct warder_error *reterr)
{
	/* It is printed, and asked for, in many places. */
	if (request->name && !warder_naming_check(request->name))
		return warder_error_set(reterr, -EINVAL,
					"\"%s\" is no name for a subject: " WARDER_NAMING_RULE,
					request->name);
	if (request->image && !warder_image_matches(session, request->image))
		return warder_error_set(reterr, -ESTALE,
					"the image of policy \"%s\" is not loaded any more",
					request->policy);
	return request->name ? check_unique(session, request->name, reterr) : 0;
}

static void fill_subject(const struct warder_subject_request *request, __u64 serial,
			 struct warder_subject *subject)
{
	const char *policy = request->policy ? request->policy : "";
	const char *set = request->set ? request->set : "";

	subject->flags = (request->image ? 0 : WARDER_SUBJECT_DENY_ALL) |
			 (request->kill ? WARDER_SUBJECT_KILL : 0) |
			 (request->separate ? WARDER_SUBJECT_SEPARATE : 0);
	subject->base = request->base;
	subject->soonest = WARDER_FOREVER;
	subject->since = warder_boottime();
	subject->runner = getpid();
	if (request->image) {
		subject->generation = request->image->generation;
		subject->image_slot = request->image->slot;
	}
	snprintf(subject->policy, sizeof(subject->policy), "%s", policy);
	snprintf(subject->set, sizeof(subject->set), "%s", set);
	if (request->name)
		snprintf(subject->name, sizeof(subject->name), "%s", request->name);
	else
		/* Without the number of an instance: no name has an @. */
		snprintf(subject->name, sizeof(subject->name), "%.*s-%.16s-%llu",
			 (int)strcspn(policy, "@") < 24 ? (int)strcspn(policy, "@") : 24, policy,
			 set, serial);
}

/* Everybody above: once, and no more than there is room for. */
static int add_above(struct warder_subject *subject, __u64 binding)
{
	size_t i;

	if (subject->binding == binding || warder_subject_is_below(subject, binding))
		return 0;
	for (i = 0; i < WARDER_NESTING_MAX - 1; i++) {
		if (subject->above[i])
			continue;
		subject->above[i] = binding;
		return 0;
	}
	return -ELOOP;
}

static int add_lineage(const struct warder_session *session, __u64 binding,
		       struct warder_subject *subject)
{
	struct warder_subject parent;
	size_t i;
	int error = warder_subject_read(session, binding, &parent);

	if (!error)
		error = add_above(subject, binding);
	for (i = 0; i < WARDER_NESTING_MAX - 1 && !error && parent.above[i]; i++)
		error = add_above(subject, parent.above[i]);
	return error;
}

/* Who has to allow as well: the parent, and whoever the cgroup lies in. */
static int find_above(const struct warder_session *session,
		      const struct warder_subject_request *request, struct warder_subject *subject,
		      struct warder_error *reterr)
{
	struct warder_subject parent;
	__u64 over = warder_entry_over(session, request->cgroup);
	int error = 0;

	if (over == WARDER_BINDING_UNBOUND)
		over = 0;
	subject->parent = request->parent ? request->parent : over;
	/* Also where it is not held to its rights: it is named, so it has to be there. */
	if (subject->parent && warder_subject_read(session, subject->parent, &parent) < 0)
		return warder_error_set(reterr, -ESRCH, "the parent, binding %llu, is gone",
					subject->parent);
	if (!request->separate && request->parent)
		error = add_lineage(session, request->parent, subject);
	if (!request->separate && over && !error)
		error = add_lineage(session, over, subject);
	if (error == -ELOOP)
		return warder_error_set(
			reterr, error,
			"cannot bind \"%s\" below \"%s\": subjects are nested at most %u deep",
			request->cgroup, parent.name, WARDER_NESTING_MAX);
	return error < 0
		       ? warder_error_set(reterr, error,
					  "cannot read the subjects above \"%s\":", request->cgroup)
		       : 0;
}

static int bind_locked(struct warder_session *session, const struct warder_subject_request *request,
		       __u64 *ret_binding, struct warder_error *reterr)
{
	struct warder_subject subject = {};
	_cleanup_close_ int cgroup_fd = -1, lock_fd = -1;
	__u64 serial = 0;
	int error = check_request(session, request, reterr);

	if (!error)
		error = warder_cgroup_open(request->cgroup, &cgroup_fd, reterr);
	if (error < 0)
		return error;
	error = find_above(session, request, &subject, reterr);
	if (error < 0)
		return error;
	error = warder_cgroup_id(cgroup_fd, &subject.cgroup);
	if (!error)
		error = next_serial(session, &serial);
	if (!error)
		error = take_slot(session, serial, &subject.binding, &lock_fd);
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot bind \"%s\": no free subject:", request->cgroup);
	fill_subject(request, serial, &subject);
	/* Somebody may have chosen the name that this one gets by itself. */
	if (!request->name)
		error = check_unique(session, subject.name, reterr);
	if (!error)
		error = install_subject(session, &subject, request->cgroup, reterr);
	if (!error)
		error = remember_served(session, subject.binding, lock_fd);
	if (error < 0) {
		clear_slot(session, subject.binding, warder_entry_over(session, request->cgroup));
		warder_runner_release(WARDER_SLOT(subject.binding), TAKE_FD(lock_fd));
		return error;
	}
	TAKE_FD(lock_fd);
	*ret_binding = subject.binding;
	return 0;
}

int warder_subject_bind(struct warder_session *session,
			const struct warder_subject_request *request, __u64 *ret_binding,
			struct warder_error *reterr)
{
	int error = warder_session_lock(session, reterr);

	if (error < 0)
		return error;
	error = bind_locked(session, request, ret_binding, reterr);
	warder_session_unlock(session);
	return error;
}

/* Is the cgroup below warder's own, and so ours to remove? */
static bool cgroup_is_ours(const struct warder_session *session, const char *path)
{
	size_t length = strlen(session->root);

	return !strncmp(path, session->root, length) && path[length] == '/';
}

/* Who was moved out of the cgroup is the subject's as well. */
static int check_no_member(const struct warder_session *session,
			   const struct warder_subject *subject, struct warder_error *reterr)
{
	struct warder_member member;
	int error = warder_member_alive(session, subject->binding, &member);

	if (error > 0)
		return warder_error_set(reterr, -EBUSY,
					"cannot end subject \"%s\": process %u lives and carries "
					"its label",
					subject->name, member.pid);
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot end subject \"%s\": cannot tell who carries its "
					"label:",
					subject->name);
	return 0;
}

/* Who is nested in it would be refused everything without it: they go first. */
static int check_nobody_below(const struct warder_session *session,
			      const struct warder_subject *subject, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	struct warder_member member;
	size_t count = 0, i;
	int error = warder_subject_list(session, &list, &count);

	if (error < 0)
		return warder_error_set(reterr, error, "cannot list the subjects:");
	for (i = 0; i < count; i++) {
		if (!warder_subject_is_below(&list[i], subject->binding))
			continue;
		error = warder_member_alive(session, list[i].binding, &member);
		if (error)
			return warder_error_set(
				reterr, error < 0 ? error : -EBUSY,
				"cannot end subject \"%s\": \"%s\" is nested in it and lives",
				subject->name, list[i].name);
	}
	return 0;
}

/*
 * Empty the subject's place in the tree. A cgroup of ours is removed while the subject
 * still judges it: nobody can enter it in between and be nobody's.
 */
static int vacate(struct warder_session *session, const struct warder_subject *subject,
		  struct warder_error *reterr)
{
	_cleanup_free_ char *path = NULL;
	int error = warder_subject_cgroup(session, subject, &path);

	if (error == -ENOENT)
		return 0;
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot find the cgroup of \"%s\":", subject->name);
	if (warder_cgroup_populated(path) > 0)
		error = -EBUSY;
	else if (cgroup_is_ours(session, path))
		error = warder_cgroup_remove(path);
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot end subject \"%s\": \"%s\":", subject->name, path);
	return 0;
}

/* Whose the subject's cgroup is without it. */
static __u64 over_of(const struct warder_session *session, const struct warder_subject *subject)
{
	_cleanup_free_ char *path = NULL;

	return warder_subject_cgroup(session, subject, &path) < 0
		       ? 0
		       : warder_entry_over(session, path);
}

static int unbind_locked(struct warder_session *session, __u64 binding, struct warder_error *reterr)
{
	struct warder_subject subject;
	struct warder_image_ref ref;
	__u64 over;
	int error = warder_subject_read(session, binding, &subject);

	if (error < 0)
		return warder_error_set(reterr, error, "there is no subject with binding %llu",
					binding);
	error = check_no_member(session, &subject, reterr);
	if (!error)
		error = check_nobody_below(session, &subject, reterr);
	over = over_of(session, &subject);
	if (!error)
		error = vacate(session, &subject, reterr);
	/* Again: who got his label just now, and was moved out before the cgroup went. */
	if (!error)
		error = check_no_member(session, &subject, reterr);
	if (error < 0)
		return error;
	clear_slot(session, binding, over);
	warder_subject_abandon(session, binding);
	ref = (struct warder_image_ref){.slot = subject.image_slot,
					.generation = subject.generation};
	/* What this session installed it may bind again. */
	if (session->installed[ref.slot].generation != ref.generation)
		warder_image_release(session, &ref);
	return warder_session_unload_idle(session);
}

int warder_subject_unbind(struct warder_session *session, __u64 binding,
			  struct warder_error *reterr)
{
	int error = warder_session_lock(session, reterr);

	if (error < 0)
		return error;
	error = unbind_locked(session, binding, reterr);
	warder_session_unlock(session);
	return error;
}
