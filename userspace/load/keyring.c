// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * keyring.c - grant and revoke: a subject is written anew and swapped in whole.
 *
 * Grants that ended are folded away by the next write; until then the kernel compares
 * their deadlines.
 */
#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "load/handle.h"
#include "load/publish.h"
#include "load/subject.h"

static void fold_expired(struct warder_subject *subject, __u64 now)
{
	unsigned int key;

	for (key = 0; key < WARDER_KEYS_MAX; key++) {
		if ((subject->granted >> key & 1) && now >= subject->deadline[key])
			subject->granted &= ~(1ull << key);
	}
}

static void recompute_soonest(struct warder_subject *subject)
{
	unsigned int key;

	subject->soonest = WARDER_FOREVER;
	for (key = 0; key < WARDER_KEYS_MAX; key++) {
		if (!(subject->granted >> key & 1))
			subject->deadline[key] = 0;
		else if (subject->deadline[key] < subject->soonest)
			subject->soonest = subject->deadline[key];
	}
}

/* Read, fold, change, publish; under the lock. */
static int keyring_change(struct warder_session *session, __u64 binding,
			  int (*change)(struct warder_subject *subject, unsigned int key,
					__u64 deadline),
			  unsigned int key, __u64 deadline)
{
	struct warder_subject subject;
	int error;

	if (key >= WARDER_KEYS_MAX)
		return -EINVAL;
	error = warder_subject_read(session, binding, &subject);
	if (error < 0)
		return error;
	fold_expired(&subject, warder_boottime());
	error = change(&subject, key, deadline);
	if (error < 0)
		return error;
	recompute_soonest(&subject);
	return warder_subject_publish(session, &subject);
}

static int add_key(struct warder_subject *subject, unsigned int key, __u64 deadline)
{
	if (subject->base >> key & 1)
		return -EALREADY;
	subject->granted |= 1ull << key;
	subject->deadline[key] = deadline;
	return 0;
}

static int take_key(struct warder_subject *subject, unsigned int key, __u64 deadline)
{
	if (!((subject->base | subject->granted) >> key & 1))
		return -ENOENT;
	subject->base &= ~(1ull << key);
	subject->granted &= ~(1ull << key);
	return 0;
}

int warder_subject_grant(struct warder_session *session, __u64 binding, unsigned int key,
			 __u64 deadline, struct warder_error *reterr)
{
	int error = warder_session_lock(session, reterr);

	if (error < 0)
		return error;
	error = keyring_change(session, binding, add_key, key, deadline);
	warder_session_unlock(session);
	if (error == -EALREADY)
		return warder_error_set(reterr, error, "the subject's set holds this key already");
	if (error < 0)
		return warder_error_set(reterr, error, "cannot change the keyring:");
	return 0;
}

int warder_subject_revoke(struct warder_session *session, __u64 binding, unsigned int key,
			  struct warder_error *reterr)
{
	int error = warder_session_lock(session, reterr);

	if (error < 0)
		return error;
	error = keyring_change(session, binding, take_key, key, 0);
	warder_session_unlock(session);
	if (error == -ENOENT)
		return warder_error_set(reterr, error, "the subject does not hold this key");
	if (error < 0)
		return warder_error_set(reterr, error, "cannot change the keyring:");
	return 0;
}
