// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * image.c - compiled policies in the kernel: one frozen map each, shared by their subjects.
 */
#include "load/image.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "base/cleanup.h"
#include "compile/layout.h"
#include "compile/validate.h"
#include "load/handle.h"
#include "load/subject.h"

/* The map of a slot and how many pages it has. */
static int open_pages(const struct warder_session *session, __u32 slot, int *ret_fd,
		      __u32 *ret_count)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	_cleanup_close_ int fd = -1;
	int error = warder_session_inner_open(session, WARDER_MAP_images, slot, &fd);

	if (!error)
		error = bpf_obj_get_info_by_fd(fd, &info, &size);
	if (error < 0)
		return error;
	if (info.value_size != WARDER_PAGE_SIZE)
		return -EPROTO;
	*ret_fd = TAKE_FD(fd);
	*ret_count = info.max_entries;
	return 0;
}

int warder_image_read(const struct warder_session *session, __u32 slot,
		      struct warder_image **ret_image)
{
	_cleanup_free_ union warder_page *pages = NULL;
	_cleanup_close_ int fd = -1;
	__u32 count, i;
	int error = open_pages(session, slot, &fd, &count);

	if (error < 0)
		return error;
	pages = malloc((size_t)count * sizeof(*pages));
	if (!pages)
		return -ENOMEM;
	for (i = 0; i < count && !error; i++)
		error = bpf_map_lookup_elem(fd, &i, &pages[i]);
	if (error < 0)
		return error;
	/* What follows its own count is never read, here and in the kernel. */
	if (pages->head.page_count != count)
		return -EPROTO;
	*ret_image = (struct warder_image *)TAKE_PTR(pages);
	return 0;
}

/* The first page only. */
static int read_head(const struct warder_session *session, __u32 slot, union warder_page *page)
{
	_cleanup_close_ int fd = -1;
	__u32 count, zero = 0;
	int error = open_pages(session, slot, &fd, &count);

	return error < 0 ? error : bpf_map_lookup_elem(fd, &zero, page);
}

/* Equal but for the generation, which loading assigns. `loaded` is brought back to none. */
static bool images_equal(struct warder_image *loaded, const struct warder_image *wanted)
{
	if (loaded->page_count != wanted->page_count || loaded->cell_pages != wanted->cell_pages)
		return false;
	warder_image_assign(loaded, 0);
	return !memcmp(loaded, wanted, warder_image_size(wanted));
}

/* Who uses a policy of this name: slot and generation. A subject, or this session. */
static bool find_policy(const struct warder_session *session, const char *policy,
			const struct warder_subject *list, size_t count,
			struct warder_image_ref *ref)
{
	size_t i;
	__u32 slot;

	for (i = 0; i < count; i++) {
		if (strcmp(list[i].policy, policy) || list[i].flags & WARDER_SUBJECT_DENY_ALL)
			continue;
		*ref = (struct warder_image_ref){.slot = list[i].image_slot,
						 .generation = list[i].generation};
		return true;
	}
	for (slot = 0; slot < WARDER_IMAGES_MAX; slot++) {
		if (!session->installed[slot].generation ||
		    strcmp(session->installed[slot].policy, policy))
			continue;
		*ref = (struct warder_image_ref){.slot = slot,
						 .generation = session->installed[slot].generation};
		return true;
	}
	return false;
}

/* How many subjects a message names. */
#define NAMED_MAX 8

int warder_image_conflict(const struct warder_session *session, const char *policy,
			  const char *difference, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	char names[NAMED_MAX * (WARDER_NAME_MAX + 1)] = "";
	size_t count = 0, users = 0, used = 0, i;

	if (warder_subject_list(session, &list, &count) < 0)
		count = 0;
	for (i = 0; i < count; i++) {
		if (strcmp(list[i].policy, policy) || users++ >= NAMED_MAX)
			continue;
		used += snprintf(names + used, sizeof(names) - used, " %s", list[i].name);
	}
	warder_error_set(reterr, -EEXIST, "another policy \"%s\", %s, is in use", policy,
			 difference);
	if (!users)
		return -EEXIST;
	return warder_error_add(reterr, -EEXIST,
				"end its subject%s (`warder kill%s`%s), or give this policy "
				"another name",
				users > 1 ? "s" : "", names,
				users > NAMED_MAX ? " and more: see `warder ps`" : "");
}

/* 1: shared, *ref is it; 0: no such policy is loaded. */
static int share_image(const struct warder_session *session, const struct warder_image *image,
		       const char *policy, struct warder_image_ref *ref,
		       struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	_cleanup_free_ struct warder_image *loaded = NULL;
	size_t count = 0;
	int error = warder_subject_list(session, &list, &count);

	if (error < 0)
		return warder_error_set(reterr, error, "cannot list the subjects:");
	if (!find_policy(session, policy, list, count, ref))
		return 0;
	error = warder_image_read(session, ref->slot, &loaded);
	if (error == -ENOENT || (!error && loaded->generation != ref->generation))
		return 0;
	if (error < 0)
		return warder_error_set(reterr, error, "cannot read the image of \"%s\":", policy);
	if (images_equal(loaded, image))
		return 1;
	return warder_image_conflict(session, policy, "with other rules", reterr);
}

static bool image_in_use(const struct warder_session *session, const struct warder_subject *list,
			 size_t count, __u32 slot)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!(list[i].flags & WARDER_SUBJECT_DENY_ALL) && list[i].image_slot == slot)
			return true;
	}
	return session->installed[slot].generation != 0;
}

/* The first slot that neither a subject nor this session uses, and that is empty. */
static int free_slot(const struct warder_session *session)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0;
	__u32 slot, id;
	int error = warder_subject_list(session, &list, &count);

	for (slot = 0; slot < WARDER_IMAGES_MAX && !error; slot++) {
		if (!image_in_use(session, list, count, slot) &&
		    warder_session_inner_id(session, WARDER_MAP_images, slot, &id) == -ENOENT)
			return slot;
	}
	return error < 0 ? error : -ENOSPC;
}

/* A generation that nobody else will ever get. */
static int next_generation(struct warder_session *session, __u64 *ret_generation)
{
	struct warder_state state;
	int error = warder_session_state(session, &state);

	if (error < 0)
		return error;
	*ret_generation = state.next_generation++;
	return warder_session_state_write(session, &state);
}

static int write_pages(int fd, const struct warder_image *image, __u64 generation)
{
	_cleanup_free_ struct warder_image *copy = malloc(warder_image_size(image));
	__u32 i;
	int error = 0;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, image, warder_image_size(image));
	warder_image_assign(copy, generation);
	for (i = 0; i < image->page_count && !error; i++)
		error = bpf_map_update_elem(fd, &i, (const union warder_page *)copy + i, BPF_ANY);
	return error;
}

static int publish(struct warder_session *session, const struct warder_image *image, __u32 slot,
		   __u64 *ret_generation)
{
	const struct warder_inner inner = {.type = "warder_page",
					   .size = WARDER_PAGE_SIZE,
					   .count = image->page_count,
					   .flags = BPF_F_INNER_MAP};
	_cleanup_close_ int fd = -1;
	__u64 generation;
	int error = next_generation(session, &generation);

	if (!error)
		error = warder_session_inner_map(session, &inner, &fd);
	if (!error)
		error = write_pages(fd, image, generation);
	if (!error)
		error = bpf_map_freeze(fd);
	if (!error)
		error = bpf_map_update_elem(session->map_fd[WARDER_MAP_images], &slot, &fd,
					    BPF_ANY);
	if (!error)
		*ret_generation = generation;
	return error;
}

static int install(struct warder_session *session, const struct warder_image *image,
		   const char *policy, struct warder_image_ref *ret_ref,
		   struct warder_error *reterr)
{
	struct warder_image_ref ref = {};
	int slot, error = share_image(session, image, policy, &ref, reterr);

	if (error < 0)
		return error;
	if (!error) {
		slot = free_slot(session);
		if (slot < 0) {
			warder_image_collect(session);
			slot = free_slot(session);
		}
		if (slot < 0)
			return warder_error_set(reterr, slot,
						"%u policies are loaded, and that is "
						"the most there can be\n"
						"end the subjects of one (`warder ps` lists them, "
						"`warder kill` ends them)",
						WARDER_IMAGES_MAX);
		ref.slot = slot;
		error = publish(session, image, slot, &ref.generation);
		if (error < 0)
			return warder_error_set(reterr, error,
						"cannot load policy \"%s\":", policy);
	}
	session->installed[ref.slot].generation = ref.generation;
	snprintf(session->installed[ref.slot].policy, WARDER_NAME_MAX, "%s", policy);
	*ret_ref = ref;
	return 0;
}

int warder_image_install(struct warder_session *session, const struct warder_image *image,
			 const char *policy, const char *source, struct warder_image_ref *ret_ref,
			 struct warder_error *reterr)
{
	const char *fault = warder_image_fault(image);
	int error;

	if (!fault && strlen(policy) >= WARDER_NAME_MAX)
		fault = "the name is too long";
	if (fault)
		return warder_error_set(reterr, -EINVAL, "policy \"%s\" is no usable image: %s",
					policy, fault);
	error = warder_session_lock(session, reterr);
	if (error < 0)
		return error;
	error = install(session, image, policy, ret_ref, reterr);
	warder_session_unlock(session);
	if (error < 0 && source)
		warder_error_wrap(reterr, error, "%s", source);
	return error;
}

bool warder_image_matches(const struct warder_session *session, const struct warder_image_ref *ref)
{
	union warder_page page;

	return read_head(session, ref->slot, &page) == 0 && page.head.generation == ref->generation;
}

bool warder_image_exists(const struct warder_session *session, __u64 generation)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0, i;

	if (warder_subject_list(session, &list, &count) < 0)
		return true; /* cannot tell: keep what belongs to it */
	for (i = 0; i < count; i++) {
		if (list[i].generation == generation)
			return true;
	}
	for (i = 0; i < WARDER_IMAGES_MAX; i++) {
		if (session->installed[i].generation == generation)
			return true;
	}
	return false;
}

/* Empty every slot that nobody uses. */
static int collect(struct warder_session *session)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0;
	__u32 slot;
	int error = warder_subject_list(session, &list, &count);

	for (slot = 0; slot < WARDER_IMAGES_MAX && !error; slot++) {
		if (!image_in_use(session, list, count, slot))
			bpf_map_delete_elem(session->map_fd[WARDER_MAP_images], &slot);
	}
	return error;
}

static int release(struct warder_session *session, const struct warder_image_ref *ref)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0;
	int error;

	if (!warder_image_matches(session, ref))
		return 0;
	error = warder_subject_list(session, &list, &count);
	if (error < 0)
		return error;
	memset(&session->installed[ref->slot], 0, sizeof(session->installed[ref->slot]));
	if (!image_in_use(session, list, count, ref->slot))
		bpf_map_delete_elem(session->map_fd[WARDER_MAP_images], &ref->slot);
	return 0;
}

int warder_image_release(struct warder_session *session, const struct warder_image_ref *ref)
{
	int error = warder_session_lock(session, NULL);

	if (error < 0)
		return error;
	error = release(session, ref);
	warder_session_unlock(session);
	return error;
}

int warder_image_collect(struct warder_session *session)
{
	int error = warder_session_lock(session, NULL);

	if (error < 0)
		return error;
	error = collect(session);
	warder_session_unlock(session);
	return error;
}
