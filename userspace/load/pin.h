/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pin.h - names in the bpf file system, by which maps and links outlive their makers.
 *
 * Everything is pinned twice, in two bpf file systems, so that no removal of one name, nor of all
 * of one file system, changes what is enforced. In either place there are maps/<map>, and
 * links/<kind>/<name> with the kinds global (LSM), twin (lsm_cgroup), net (socket addresses), tp
 * (tracepoints) and iter (the list of members).
 */
#ifndef WARDER_LOAD_PIN_H
#define WARDER_LOAD_PIN_H

#include <stdbool.h>

#include "base/error.h"
#include "load/session.h"

/* A bpf file system of warder's own, and the second place in it. */
#define WARDER_SECOND_MOUNT   WARDER_RUN_DIR "/bpf"
#define WARDER_SECOND_PIN_DIR WARDER_SECOND_MOUNT "/warder"

/* Mount the second file system, and make the directories, root's alone. */
int warder_pin_prepare(struct warder_error *reterr);

int warder_pin_map(int fd, const char *name, struct warder_error *reterr);
int warder_pin_link(int fd, const char *kind, const char *name, struct warder_error *reterr);

/* Open what is pinned; -ENOENT. The caller closes it. */
int warder_pin_open_map(const char *name, int *ret_fd);
int warder_pin_open_link(const char *kind, const char *name, int *ret_fd);

/* In how many of the two places is it? */
unsigned int warder_pin_count_link(const char *kind, const char *name);
unsigned int warder_pin_count_map(const char *name);

/* Pin anew what is missing in one place only; mounts the second one where it is gone. */
int warder_pin_mend(struct warder_error *reterr);

/* Is anything there at all? */
bool warder_pin_exists(void);

/*
 * Remove every pin, links first. The kernel takes the programs off one after the other,
 * 0.1 s each; `wait`: return when it lists none of the links, or -EBUSY when a process
 * keeps one alive.
 */
int warder_pin_remove(bool wait, struct warder_error *reterr);

#endif
