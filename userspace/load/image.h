/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * image.h - compiled policies in the kernel: one frozen map each, shared by their subjects.
 */
#ifndef WARDER_LOAD_IMAGE_H
#define WARDER_LOAD_IMAGE_H

#include <warder/image.h>

#include "load/session.h"

/* Where a loaded image is. A slot alone is not enough: it may hold another one later. */
struct warder_image_ref {
	__u32 slot;
	__u32 pad;
	__u64 generation;
};

/*
 * Put an image into a free slot, or find the equal one that subjects of the same policy
 * already use. `image` is copied; its generation field is ignored. `policy` is its name,
 * `source` says where it comes from (for messages; may be NULL).
 * -EEXIST the policy is loaded with other contents; -ENOSPC all slots are used.
 */
int warder_image_install(struct warder_session *session, const struct warder_image *image,
			 const char *policy, const char *source, struct warder_image_ref *ret_ref,
			 struct warder_error *reterr);

/*
 * Say that another policy of this name is in use, which subjects to end before this one can
 * be, and how. `difference` says in what they differ. Returns -EEXIST.
 */
int warder_image_conflict(const struct warder_session *session, const char *policy,
			  const char *difference, struct warder_error *reterr);

/* Read an image back. *ret_image is malloc'ed. -ENOENT the slot is free. */
int warder_image_read(const struct warder_session *session, __u32 slot,
		      struct warder_image **ret_image);

/* Does the slot hold the generation the reference names? */
bool warder_image_matches(const struct warder_session *session, const struct warder_image_ref *ref);

/* Is this generation used by a subject, or kept by this session? */
bool warder_image_exists(const struct warder_session *session, __u64 generation);

/* Remove an image that no subject uses; 0 when it is in use or already gone, too. */
int warder_image_release(struct warder_session *session, const struct warder_image_ref *ref);

/* Remove every image that no subject uses. */
int warder_image_collect(struct warder_session *session);

#endif
