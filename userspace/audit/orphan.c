// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * orphan.c - read the rings that nobody reads: of subjects whose runner died.
 */
#include "audit/orphan.h"

#include "audit/narrator.h"
#include "audit/ring.h"
#include "base/cleanup.h"

static int drain_one(struct warder_session *session, const struct warder_subject *subject)
{
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_ring_ struct warder_ring *ring = NULL;
	struct warder_narrator narrator = {.session = session, .subject = *subject, .log = true};
	int count = 0;

	/* Busy: its runner reads. */
	if (warder_subject_adopt(session, subject->binding) < 0)
		return 0;
	if (subject->generation)
		warder_policy_recall(subject->generation, &policy, NULL);
	narrator.policy = policy;
	if (warder_ring_open(session, subject->binding, warder_narrator_tell, &narrator, &ring) ==
	    0)
		count = warder_ring_drain(ring);
	warder_narrator_release(&narrator);
	warder_subject_abandon(session, subject->binding);
	return count < 0 ? 0 : count;
}

int warder_orphans_drain(struct warder_session *session)
{
	_cleanup_free_ struct warder_subject *list = NULL;
	struct warder_subject unbound;
	size_t count = 0, i;
	int events = 0, error = warder_subject_list(session, &list, &count);

	if (error < 0)
		return error;
	for (i = 0; i < count; i++)
		events += drain_one(session, &list[i]);
	if (warder_subject_read(session, WARDER_BINDING_UNBOUND, &unbound) == 0)
		events += drain_one(session, &unbound);
	return events;
}
