/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * object.h - the BPF object in this process: opened, fitted to the kernel, loaded.
 */
#ifndef WARDER_LOAD_OBJECT_H
#define WARDER_LOAD_OBJECT_H

#include "load/session.h"

struct bpf_object;
struct warder_object;

/* Open and load. The verifier's log of a failure goes to WARDER_RUN_DIR/load.log. */
int warder_object_load(const struct warder_session_options *options,
		       struct warder_object **ret_object, struct warder_error *reterr);

/* Close; what is pinned stays. Accepts NULL. */
void warder_object_free(struct warder_object **object);

/* Descriptor of a map, owned by the object; negative errno when there is none. */
int warder_object_map(const struct warder_object *object, const char *name);

struct bpf_object *warder_object_bpf(const struct warder_object *object);

#define _cleanup_object_ __attribute__((cleanup(warder_object_free)))

#endif
