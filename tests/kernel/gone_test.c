// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * gone_test.c - subjects that are given up, and subjects and images that are not there.
 *
 * Given up by an operator is free; gone is deny, because nobody can tell what it was.
 */
#include "acts.h"
#include "sockets.h"

#include <bpf/bpf.h>

#include "load/publish.h"

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    network: { connect: ['tcp:127.0.0.1:7001'] }\n"
			     "    files: { read: ['{DIR}/open'] }\n";

#define CLOSED TO(AF_INET, SOCK_STREAM, "127.0.0.1", PORT_CLOSED)
#define OPENED TO(AF_INET, SOCK_STREAM, "127.0.0.1", PORT_OPEN)

static bool open_subject(struct kt_subject *s, struct warder_subject *ret)
{
	if (!kt_subject_open(s, "code", policy))
		return false;
	kt_write("%s/open", "text", s->dir);
	kt_write("%s/closed", "text", s->dir);
	return kt_check("the subject is read", !warder_subject_read(kt_session(), s->binding, ret));
}

TEST(released)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_subject subject, released;

	if (!open_subject(&s, &subject))
		return;
	listeners_open();
	kt_result("confined", kt_inside(&s, act_read, "closed"), -EACCES);
	released = subject;
	released.flags |= WARDER_SUBJECT_RELEASED;
	kt_check("given up", !warder_subject_publish(kt_session(), &released));
	kt_result("read", kt_inside(&s, act_read, "closed"), 0);
	kt_result("connect", kt_inside(&s, act_connect, CLOSED), 0);
	kt_check("taken back", !warder_subject_publish(kt_session(), &subject));
	kt_result("confined again", kt_inside(&s, act_read, "closed"), -EACCES);
	kt_result("connect again", kt_inside(&s, act_connect, CLOSED), -EACCES);
	listeners_close();
}

static void check_gone(struct kt_subject *s)
{
	__u64 before = 0, after = 0;

	warder_session_total(kt_session(), WARDER_TOTAL_NO_SUBJECT, &before);
	kt_result("read", kt_inside(s, act_read, "open"), -EACCES);
	kt_result("connect", kt_inside(s, act_connect, OPENED), -EBADF);
	kt_result("control", kt_outside(s, act_connect, OPENED), 0);
	warder_session_total(kt_session(), WARDER_TOTAL_NO_SUBJECT, &after);
	kt_check_why("counted", after >= before + 2, "%llu", after - before);
}

TEST(subject_is_gone)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_subject subject;
	__u32 slot;

	if (!open_subject(&s, &subject))
		return;
	listeners_open();
	slot = WARDER_SLOT(s.binding);
	kt_check("removed", !bpf_map_delete_elem(
				    warder_session_map(kt_session(), WARDER_MAP_subjects), &slot));
	check_gone(&s);
	kt_check("put back", !warder_subject_publish(kt_session(), &subject));
	kt_result("as before", kt_inside(&s, act_read, "open"), 0);
	listeners_close();
}

TEST(slot_belongs_to_somebody_else)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_subject subject, other;

	if (!open_subject(&s, &subject))
		return;
	listeners_open();
	other = subject;
	other.binding += 1ull << WARDER_SLOT_BITS;
	kt_check("exchanged", !warder_subject_publish(kt_session(), &other));
	check_gone(&s);
	kt_check("put back", !warder_subject_publish(kt_session(), &subject));
	listeners_close();
}

TEST(image_is_gone)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_subject subject, other;

	if (!open_subject(&s, &subject))
		return;
	listeners_open();
	other = subject;
	other.generation++;
	kt_check("another generation is named", !warder_subject_publish(kt_session(), &other));
	check_gone(&s);
	other = subject;
	other.image_slot = WARDER_IMAGES_MAX - 1;
	kt_check("an empty slot is named", !warder_subject_publish(kt_session(), &other));
	check_gone(&s);
	other.image_slot = WARDER_IMAGES_MAX + 5;
	kt_check("a slot beyond the table is named", !warder_subject_publish(kt_session(), &other));
	check_gone(&s);
	kt_check("put back", !warder_subject_publish(kt_session(), &subject));
	listeners_close();
}
