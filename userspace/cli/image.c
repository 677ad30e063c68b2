// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * image.c - a loaded image as text, read back from the kernel.
 */
#include "cli/image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "audit/explain.h"
#include "base/cleanup.h"
#include "cli/say.h"
#include "compile/compile.h"
#include "compile/validate.h"
#include "load/image.h"
#include "load/subject.h"

/* Which image the policy's subjects have. */
static int find_image(const struct warder_session *session, const char *policy,
		      struct warder_image_ref *ret_ref, struct warder_error *reterr)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	size_t count = 0, i;
	int error = warder_subject_list(session, &list, &count);

	if (error < 0)
		return warder_error_set(reterr, error, "cannot list the subjects:");
	for (i = 0; i < count; i++) {
		if (strcmp(list[i].policy, policy) || list[i].flags & WARDER_SUBJECT_DENY_ALL)
			continue;
		*ret_ref = (struct warder_image_ref){.slot = list[i].image_slot,
						     .generation = list[i].generation};
		return 0;
	}
	return warder_error_set(reterr, -ENOENT,
				"no subject is judged by a policy \"%s\"\n"
				"`warder ps` lists the subjects and their policies",
				policy);
}

static int read_image(const struct warder_session *session, const char *policy,
		      const struct warder_image_ref *ref, struct warder_image **ret_image,
		      struct warder_error *reterr)
{
	_cleanup_free_ struct warder_image *image = NULL;
	int error = warder_image_read(session, ref->slot, &image);
	const char *fault;

	if (error < 0)
		return warder_error_set(reterr, error, "cannot read the image of \"%s\":", policy);
	fault = warder_image_fault(image);
	if (!fault && image->generation != ref->generation)
		fault = "it is of another generation";
	if (fault)
		return warder_error_set(reterr, -EBADMSG,
					"what is loaded for policy \"%s\" is no usable image: %s",
					policy, fault);
	*ret_image = TAKE_PTR(image);
	return 0;
}

int warder_cli_image(const struct warder_session *session, const char *policy,
		     struct warder_error *reterr)
{
	_cleanup_free_ struct warder_image *image = NULL;
	_cleanup_policy_ struct warder_policy *kept = NULL;
	struct warder_image_ref ref = {};
	struct warder_error ignored = {};
	int error = find_image(session, policy, &ref, reterr);

	if (!error)
		error = read_image(session, policy, &ref, &image, reterr);
	if (error < 0)
		return error;
	if (warder_policy_recall(ref.generation, &kept, &ignored) < 0)
		warder_say("%s\nkeys are shown by their numbers", ignored.text);
	error = warder_image_print(image, kept, stdout);
	return error < 0 ? warder_error_set(reterr, error, "cannot print the image:") : 0;
}
