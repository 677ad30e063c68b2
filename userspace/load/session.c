// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * session.c - a warder process's handle on the kernel side: adopt or load, lock, unload.
 *
 * A load that was interrupted has loaded_at == 0 in the shared state. No subject but a
 * canary can exist then, so whoever comes next clears it away and starts again.
 */
#include "load/session.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "base/file.h"
#include "load/attach.h"
#include "load/canary.h"
#include "load/cgroup.h"
#include "load/handle.h"
#include "load/member.h"
#include "load/pin.h"
#include "load/prerequisite.h"
#include "load/subject.h"

static const char *const map_names[] = {
#define X(name, text) #name,
	WARDER_MAPS(X)
#undef X
};

static const char *const map_texts[] = {
#define X(name, text) text,
	WARDER_MAPS(X)
#undef X
};

const char *warder_map_name(enum warder_map map)
{
	return map_names[map];
}

const char *warder_map_text(enum warder_map map)
{
	return map_texts[map];
}

int warder_session_map(const struct warder_session *session, enum warder_map map)
{
	return session->map_fd[map];
}

const char *warder_session_cgroup(const struct warder_session *session)
{
	return session->root;
}

int warder_session_state(const struct warder_session *session, struct warder_state *ret_state)
{
	struct warder_state state;
	__u32 zero = 0;
	int error = bpf_map_lookup_elem(session->map_fd[WARDER_MAP_state], &zero, &state);

	if (error < 0)
		return error;
	*ret_state = state;
	return 0;
}

int warder_session_state_write(struct warder_session *session, const struct warder_state *state)
{
	__u32 zero = 0;

	return bpf_map_update_elem(session->map_fd[WARDER_MAP_state], &zero, state, BPF_ANY);
}

int warder_session_total(const struct warder_session *session, enum warder_total total,
			 __u64 *ret_count)
{
	__u32 key = total;

	return bpf_map_lookup_elem(session->map_fd[WARDER_MAP_totals], &key, ret_count);
}

int warder_session_verify(const struct warder_session *session, struct warder_error *reterr)
{
	struct warder_state state = {};
	size_t i;

	/* Cannot tell: then all have to be there. */
	if (warder_session_state(session, &state) < 0)
		state.twins_left_out = 0;
	for (i = 0; i < warder_attachment_count; i++) {
		const struct warder_attachment *row = &warder_attachments[i];

		if (warder_attachment_is_left_out(row, state.twins_left_out))
			continue;
		/* It decides nothing, and not every kernel has it. */
		if (row->net == WARDER_NET_TOLD)
			continue;
		if (!warder_pin_count_link(row->kind, row->name) && warder_attachment_is_due(row))
			return warder_error_set(
				reterr, -ENOTRECOVERABLE,
				"enforcement is incomplete: the link \"%s/%s\" is "
				"gone from " WARDER_PIN_DIR "/links and " WARDER_SECOND_PIN_DIR
				"/links\n"
				"end the subjects (`warder ps` lists them, `warder kill SUBJECT` "
				"ends one); the next `warder run` then loads anew",
				row->kind, row->name);
	}
	return 0;
}

const char *warder_session_left_out(const struct warder_session *session, char *buffer, size_t size)
{
	struct warder_state state = {};

	warder_session_state(session, &state);
	return warder_attach_names(state.twins_left_out, buffer, size);
}

static void close_kernel_side(struct warder_session *session)
{
	int map;

	for (map = 0; map < WARDER_MAP_COUNT; map++) {
		if (session->map_fd[map] >= 0)
			close(session->map_fd[map]);
		session->map_fd[map] = -1;
	}
	if (session->member_fd >= 0)
		close(TAKE_FD(session->member_fd));
}

static int open_maps(struct warder_session *session, struct warder_error *reterr)
{
	int map, error;

	for (map = 0; map < WARDER_MAP_COUNT; map++) {
		error = warder_pin_open_map(map_names[map], &session->map_fd[map]);
		if (error < 0) {
			close_kernel_side(session);
			return warder_error_set(reterr, error == -ENOENT ? -ENOTRECOVERABLE : error,
						"cannot open the map \"" WARDER_PIN_DIR
						"/maps/%s\":",
						map_names[map]);
		}
	}
	return 0;
}

/* What another version pinned may have another layout: never guess. */
static int check_abi(const struct warder_session *session, struct warder_error *reterr)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	struct warder_state state = {};
	int error = bpf_obj_get_info_by_fd(session->map_fd[WARDER_MAP_state], &info, &size);

	if (!error && info.value_size == sizeof(state))
		error = warder_session_state(session, &state);
	if (error < 0)
		return warder_error_set(reterr, error, "cannot read the shared state:");
	if (state.abi != WARDER_ABI)
		return warder_error_set(
			reterr, -EPROTO,
			"what is pinned below " WARDER_PIN_DIR
			" was loaded by another version of warder (layout %llu, this "
			"one has %d)\n"
			"end its subjects with that version (`warder ps`, `warder kill SUBJECT`); "
			"when there is none: `rm -r " WARDER_PIN_DIR "; umount " WARDER_SECOND_MOUNT
			"`",
			state.abi, WARDER_ABI);
	return 0;
}

static __u32 map_id(int fd)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &size) < 0 ? 0 : info.id;
}

int warder_session_map_info(const struct warder_session *session, enum warder_map map,
			    struct warder_map_info *ret_info)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	int error = bpf_obj_get_info_by_fd(session->map_fd[map], &info, &size);

	if (error < 0)
		return error;
	*ret_info = (struct warder_map_info){.id = info.id, .max_entries = info.max_entries};
	return 0;
}

/* Undo a load, finished or not. Our own descriptors go first: a link that is held stays. */
static int tear_down(struct warder_session *session, bool wait, struct warder_error *reterr)
{
	int error;

	close_kernel_side(session);
	error = warder_pin_remove(wait, reterr);
	if (!error)
		error = warder_cgroup_remove(session->root);
	/* An empty leftover cgroup harms nobody; a populated one keeps its tasks. */
	return error == -EBUSY ? 0 : error;
}

static int pin_maps(struct warder_session *session, const struct warder_object *object,
		    struct warder_error *reterr)
{
	int map, error;

	for (map = 0; map < WARDER_MAP_COUNT; map++) {
		int fd = warder_object_map(object, map_names[map]);

		if (fd < 0)
			return warder_error_set(reterr, fd, "this build has no map \"%s\"",
						map_names[map]);
		error = warder_pin_map(fd, map_names[map], reterr);
		if (error < 0)
			return error;
	}
	return open_maps(session, reterr);
}

/* Second net first, with the canary before the other net could answer in its place. */
static int attach_nets(struct warder_session *session, const struct warder_object *object,
		       struct warder_error *reterr)
{
	static const enum warder_net order[] = {WARDER_NET_LIST, WARDER_NET_TRACEPOINT,
						WARDER_NET_SECOND, WARDER_NET_GLOBAL,
						WARDER_NET_TOLD};
	_cleanup_close_ int root_fd = -1;
	size_t i;
	int error = warder_cgroup_open(session->root, &root_fd, reterr);

	for (i = 0; i < sizeof(order) / sizeof(order[0]) && !error; i++) {
		error = warder_attach(object, order[i], root_fd, reterr);
		if (!error && order[i] == WARDER_NET_LIST)
			error = warder_pin_open_link("iter", "members", &session->member_fd);
		if (!error && (order[i] == WARDER_NET_SECOND || order[i] == WARDER_NET_GLOBAL))
			error = warder_canary_try(session, order[i], reterr);
	}
	return error;
}

static int load_steps(struct warder_session *session, struct warder_error *reterr)
{
	struct warder_state state = {
		.abi = WARDER_ABI,
		.next_serial = (WARDER_BINDING_UNBOUND >> WARDER_SLOT_BITS) + 1,
		.next_generation = 1,
	};
	_cleanup_object_ struct warder_object *object = NULL;
	_cleanup_free_ char *root = NULL;
	_cleanup_close_ int root_fd = -1;
	int error;

	error = warder_object_load(&session->options, &object, reterr);
	if (!error)
		error = warder_cgroup_create(session->mount, WARDER_CGROUP_NAME, &root, reterr);
	if (!error)
		error = warder_cgroup_open(root, &root_fd, reterr);
	if (!error)
		error = warder_cgroup_id(root_fd, &state.root_cgroup);
	if (!error)
		error = warder_pin_prepare(reterr);
	if (!error)
		error = pin_maps(session, object, reterr);
	if (!error)
		error = warder_session_state_write(session, &state);
	if (!error)
		error = warder_subject_bind_root(session, reterr);
	if (!error)
		error = attach_nets(session, object, reterr);
	/* Anew: the canaries have used up numbers. */
	if (!error)
		error = warder_session_state(session, &state);
	if (error < 0)
		return error;
	state.twins_left_out = warder_attach_left_out();
	state.loaded_at = warder_boottime();
	return warder_session_state_write(session, &state);
}

static int load(struct warder_session *session, struct warder_error *reterr)
{
	int error = warder_prerequisite_check(reterr);

	if (error < 0)
		return error;
	error = load_steps(session, reterr);
	if (error < 0) {
		tear_down(session, false, NULL);
		return warder_error_wrap(reterr, error, "cannot start enforcement");
	}
	return 0;
}

/* 1: adopted; 0: nothing (usable) is pinned. */
static int adopt(struct warder_session *session, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	struct warder_state state = {};
	size_t count = 0;
	int error;

	if (!warder_pin_exists())
		return 0;
	error = open_maps(session, reterr);
	if (!error)
		error = check_abi(session, reterr);
	if (!error)
		error = warder_session_state(session, &state);
	if (error < 0)
		return error;
	/* Without it one can look, but not tell whether a subject has ended. */
	warder_pin_open_link("iter", "members", &session->member_fd);
	if (session->options.adopt_only)
		return state.loaded_at ? 1 : 0;
	error = state.loaded_at ? warder_session_verify(session, reterr) : -ENOTRECOVERABLE;
	if (!error)
		error = warder_pin_mend(reterr);
	if (!error)
		return 1;
	if (state.loaded_at && (warder_subject_list(session, &list, &count) < 0 || count ||
				warder_member_alive(session, 0, NULL) > 0))
		return error;
	/* Half a load and nobody in it: begin again. */
	error = tear_down(session, false, reterr);
	return error < 0 ? error : 0;
}

static int adopt_or_load(struct warder_session *session, struct warder_error *reterr)
{
	int error = adopt(session, reterr);

	if (error < 0)
		return error;
	if (!error && session->options.adopt_only)
		return warder_error_set(reterr, -ENOENT,
					"warder is not loaded: no subject runs on this machine");
	error = error ? 0 : load(session, reterr);
	if (!error)
		session->state_id = map_id(session->map_fd[WARDER_MAP_state]);
	return error;
}

static int find_cgroups(struct warder_session *session, struct warder_error *reterr)
{
	_cleanup_free_ char *mounts = NULL;
	int error = warder_file_read("/proc/self/mountinfo", &mounts, NULL);

	if (!error)
		error = warder_cgroup_find_mount(mounts, &session->mount);
	if (error == -ENOENT)
		return warder_error_set(reterr, -EOPNOTSUPP,
					"cgroup v2 is not mounted\n"
					"mount it: `mount -t cgroup2 cgroup2 /sys/fs/cgroup`");
	if (!error && asprintf(&session->root, "%s/" WARDER_CGROUP_NAME, session->mount) < 0)
		error = -ENOMEM;
	return error;
}

static int open_lock(struct warder_session *session, struct warder_error *reterr)
{
	int error = warder_file_mkdir(WARDER_RUN_DIR, 0700);

	if (!error)
		error = warder_file_mkdir(WARDER_RUN_DIR "/runners", 0700);
	if (error < 0)
		return warder_error_set(reterr, error, "cannot make \"" WARDER_RUN_DIR "\":");
	session->lock_fd = open(WARDER_RUN_DIR "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (session->lock_fd < 0)
		return warder_error_set(reterr, -errno, "cannot open \"" WARDER_RUN_DIR "/lock\":");
	return 0;
}

static int lock_take(struct warder_session *session)
{
	while (session->lock_depth == 0 && flock(session->lock_fd, LOCK_EX) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	session->lock_depth++;
	return 0;
}

int warder_session_lock(struct warder_session *session, struct warder_error *reterr)
{
	int error = lock_take(session), fd = -1;

	if (error < 0)
		return warder_error_set(reterr, error, "cannot lock \"" WARDER_RUN_DIR "/lock\":");
	if (session->lock_depth > 1 && session->map_fd[WARDER_MAP_state] >= 0)
		return 0;
	if (warder_pin_open_map("state", &fd) == 0 && map_id(fd) == session->state_id) {
		close(fd);
		return 0;
	}
	if (fd >= 0)
		close(fd);
	warder_session_unlock(session);
	return warder_error_set(reterr, -ESTALE, "warder was unloaded meanwhile; try again");
}

/* LOCK_UN and not close: children that were forked meanwhile share the lock. */
void warder_session_unlock(struct warder_session *session)
{
	if (session->lock_depth && --session->lock_depth == 0)
		flock(session->lock_fd, LOCK_UN);
}

static struct warder_session *session_new(const struct warder_session_options *options)
{
	struct warder_session *session = calloc(1, sizeof(*session));
	int map;

	if (!session)
		return NULL;
	if (options)
		session->options = *options;
	for (map = 0; map < WARDER_MAP_COUNT; map++)
		session->map_fd[map] = -1;
	session->lock_fd = session->member_fd = -1;
	return session;
}

int warder_session_open(const struct warder_session_options *options,
			struct warder_session **ret_session, struct warder_error *reterr)
{
	_cleanup_session_ struct warder_session *session = session_new(options);
	int error;

	if (!session)
		return -ENOMEM;
	if (geteuid() != 0)
		return warder_error_set(
			reterr, -EPERM,
			session->options.adopt_only
				? "only root can see and change what is loaded (`sudo warder ...`)"
				: "only root can do this: warder loads programs into the kernel "
				  "and makes cgroups (`sudo warder ...`)");
	error = find_cgroups(session, reterr);
	if (!error)
		error = open_lock(session, reterr);
	if (!error)
		error = lock_take(session);
	if (!error)
		error = adopt_or_load(session, reterr);
	if (error < 0)
		return error;
	if (!session->options.hold_lock)
		warder_session_unlock(session);
	*ret_session = TAKE_PTR(session);
	return 0;
}

void warder_session_close(struct warder_session **session)
{
	struct warder_session *own = session ? *session : NULL;

	if (!own)
		return;
	while (own->served_count)
		warder_subject_abandon(own, own->served[0].binding);
	while (own->lock_depth)
		warder_session_unlock(own);
	close_kernel_side(own);
	if (own->lock_fd >= 0)
		close(own->lock_fd);
	free(own->served);
	free(own->mount);
	free(own->root);
	free(own);
	*session = NULL;
}

/*
 * Whoever still carries a label would be free from then on: also what belongs to a subject
 * that somebody removed by hand.
 */
static int check_nobody_lives(const struct warder_session *session, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	struct warder_member member;
	size_t count = 0;
	int error = warder_subject_list(session, &list, &count);

	if (!error && count)
		return warder_error_set(reterr, -EBUSY, "subject \"%s\" is still bound",
					list[0].name);
	if (!error)
		error = warder_member_alive(session, 0, &member);
	if (error > 0)
		return warder_error_set(reterr, -EBUSY,
					"process %u carries the label of a subject that is gone",
					member.pid);
	return error < 0 ? warder_error_set(reterr, error, "cannot tell who is confined:") : 0;
}

/* With nobody in it, a program that is still being taken off judges nobody. */
static int unload(struct warder_session *session, bool wait, struct warder_error *reterr)
{
	int error = warder_session_lock(session, reterr);

	if (error < 0)
		return error;
	error = check_nobody_lives(session, reterr);
	if (!error)
		error = tear_down(session, wait, reterr);
	warder_session_unlock(session);
	return error;
}

int warder_session_unload(struct warder_session *session, struct warder_error *reterr)
{
	return unload(session, true, reterr);
}

int warder_session_unload_idle(struct warder_session *session)
{
	int error = session->options.keep_loaded ? -EBUSY : unload(session, false, NULL);

	return error == -EBUSY ? 0 : error;
}

/* Dead: nobody serves it, nobody lives in its cgroup, and nobody elsewhere has its label. */
static bool subject_is_dead(const struct warder_session *session,
			    const struct warder_subject *subject)
{
	_cleanup_free_ char *cgroup = NULL;
	int error;

	if (warder_subject_has_runner(subject))
		return false;
	error = warder_subject_cgroup(session, subject, &cgroup);
	if (error != -ENOENT && (error < 0 || warder_cgroup_populated(cgroup) != 0))
		return false;
	/* Looked at last: who is moved out meanwhile is seen here. Cannot tell: not dead. */
	return warder_member_alive(session, subject->binding, NULL) == 0;
}

int warder_session_reap(struct warder_session *session, unsigned int *ret_count,
			struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	bool kept = session->options.keep_loaded;
	size_t count = 0, i;
	int error = warder_session_lock(session, reterr);

	if (error < 0)
		return error;
	/* Reaping is the first step of a run: do not unload what it is about to use. */
	session->options.keep_loaded = true;
	error = warder_subject_list(session, &list, &count);
	for (i = 0; i < count && !error; i++) {
		if (!subject_is_dead(session, &list[i]))
			continue;
		error = warder_subject_unbind(session, list[i].binding, reterr);
		/* Something nested in it lives: then it is not dead either. */
		if (error == -EBUSY) {
			error = 0;
			continue;
		}
		if (!error && ret_count)
			(*ret_count)++;
	}
	session->options.keep_loaded = kept;
	warder_session_unlock(session);
	return error;
}
