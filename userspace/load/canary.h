/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * canary.h - the proof that attached programs are asked.
 */
#ifndef WARDER_LOAD_CANARY_H
#define WARDER_LOAD_CANARY_H

#include "load/attach.h"

/*
 * Let a child in a scratch cgroup below warder's own, a subject that may do nothing, try an
 * act that only programs of `net` judge, and the caller, outside, the same act. 0 when the
 * kernel refused the first and allowed the second. Its refusals are in nobody's events. Call it for
 * WARDER_NET_SECOND before the global programs are attached: afterwards either net would answer.
 */
int warder_canary_try(struct warder_session *session, enum warder_net net,
		      struct warder_error *reterr);

#endif
