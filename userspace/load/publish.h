/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * publish.h - put a complete subject where the kernel reads it; for load/ only.
 */
#ifndef WARDER_LOAD_PUBLISH_H
#define WARDER_LOAD_PUBLISH_H

#include "load/session.h"

/* Write a new inner map and swap it into the subject's slot: atomic for readers. */
int warder_subject_publish(struct warder_session *session, const struct warder_subject *subject);

#endif
