/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pin.h - names in the bpf file system, by which maps and links outlive their makers.
 *
 * WARDER_PIN_DIR/maps/<map>, and links/<kind>/<name> with the kinds
 * global (LSM), twin (lsm_cgroup), net (socket addresses), tp (tracepoints) and iter (the
 * list of members).
 */
#ifndef WARDER_LOAD_PIN_H
#define WARDER_LOAD_PIN_H

#include <stdbool.h>

#include "base/error.h"

/* Make the directories, root's alone. */
int warder_pin_prepare(struct warder_error *reterr);

int warder_pin_map(int fd, const char *name, struct warder_error *reterr);
int warder_pin_link(int fd, const char *kind, const char *name, struct warder_error *reterr);

/* Open what is pinned; -ENOENT. The caller closes it. */
int warder_pin_open_map(const char *name, int *ret_fd);
int warder_pin_open_link(const char *kind, const char *name, int *ret_fd);
bool warder_pin_has_link(const char *kind, const char *name);

/* Is anything there at all? */
bool warder_pin_exists(void);

/*
 * Remove every pin, links first. The kernel takes the programs off one after the other,
 * 0.1 s each; `wait`: return when it lists none of the links, or -EBUSY when a process
 * keeps one alive.
 */
int warder_pin_remove(bool wait, struct warder_error *reterr);

#endif
