// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * live.c - the verdict on a running subject, from what is loaded in the kernel.
 */
#include "audit/live.h"

#include <errno.h>
#include <string.h>

#include "audit/explain.h"
#include "base/duration.h"
#include "compile/validate.h"

#define DENY_ALL "the subject has no policy: everything is refused"
#define GONE	 "the loaded policy is gone: everything is refused"

/* The image that the kernel judges by; NULL where it finds none, which refuses. */
static int read_image(const struct warder_session *session, struct warder_live *live,
		      struct warder_error *reterr)
{
	struct warder_image *image;
	const char *fault;
	int error = warder_image_read(session, live->subject.image_slot, &image);

	if (error == -ENOENT)
		return 0;
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot read the image of \"%s\":", live->subject.name);
	if (image->generation != live->subject.generation) {
		free(image);
		return 0;
	}
	live->image = image;
	fault = warder_image_fault(image);
	if (fault)
		return warder_error_set(
			reterr, -EBADMSG,
			"the loaded image of \"%s\" (generation %llu) is damaged: %s",
			live->subject.name, image->generation, fault);
	return 0;
}

static int judge(const struct warder_session *session, const struct warder_access *access,
		 struct warder_live *live, struct warder_error *reterr)
{
	int error;

	live->now = warder_boottime();
	live->judged = !(live->subject.flags & WARDER_SUBJECT_RELEASED);
	live->verdict = (struct warder_verdict){.allowed = !live->judged, .agrees = true};
	if (!live->judged)
		return 0;
	if (live->subject.flags & WARDER_SUBJECT_DENY_ALL) {
		live->verdict.fixed = DENY_ALL;
		return 0;
	}
	error = read_image(session, live, reterr);
	if (error < 0)
		return error;
	if (!live->image) {
		live->verdict.fixed = GONE;
		return 0;
	}
	/* Without the text the verdict stands, and only its rule is not known. */
	warder_policy_recall(live->subject.generation, &live->policy, NULL);
	live->side = (struct warder_side){.policy = live->policy,
					  .image = live->image,
					  .held = warder_held(&live->subject, live->now),
					  .base = live->subject.base};
	error = warder_verdict_find(&live->side, access, &live->verdict);
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot judge for \"%s\":", live->subject.name);
	return 0;
}

/* The subject, then those above it, which have to allow as well: as the kernel asks them. */
static int judge_all(const struct warder_session *session, const char *subject,
		     const struct warder_access *access, struct warder_chain *chain,
		     struct warder_error *reterr)
{
	struct warder_live *first = &chain->list[0];
	int error = warder_subject_find(session, subject, &first->subject, reterr);

	if (error < 0)
		return error;
	chain->count = 1;
	error = judge(session, access, first, reterr);
	while (!error && chain->count < WARDER_NESTING_MAX &&
	       first->subject.above[chain->count - 1]) {
		struct warder_live *live = &chain->list[chain->count];
		__u64 binding = first->subject.above[chain->count - 1];

		if (warder_subject_read(session, binding, &live->subject) < 0)
			return warder_error_set(reterr, -ESRCH,
						"a subject above \"%s\" is gone (binding %llu): "
						"everything is refused to it",
						first->subject.name, binding);
		chain->count++;
		error = judge(session, access, live, reterr);
	}
	return error;
}

int warder_chain_judge(struct warder_session *session, const char *subject,
		       const struct warder_access *access, struct warder_chain *ret_chain,
		       struct warder_error *reterr)
{
	struct warder_chain chain = {0};
	int error = warder_session_lock(session, reterr);

	if (error < 0)
		return error;
	error = judge_all(session, subject, access, &chain, reterr);
	warder_session_unlock(session);
	if (error < 0) {
		warder_chain_release(&chain);
		return error;
	}
	*ret_chain = chain;
	return 0;
}

void warder_chain_release(struct warder_chain *chain)
{
	size_t i;

	for (i = 0; i < chain->count; i++) {
		free(chain->list[i].image);
		warder_policy_free(&chain->list[i].policy);
	}
	chain->count = 0;
}

bool warder_chain_allows(const struct warder_chain *chain)
{
	size_t i;

	for (i = 0; i < chain->count; i++) {
		if (!chain->list[i].verdict.allowed)
			return false;
	}
	return true;
}

bool warder_chain_agrees(const struct warder_chain *chain)
{
	size_t i;

	for (i = 0; i < chain->count; i++) {
		if (!chain->list[i].verdict.agrees)
			return false;
	}
	return true;
}
