/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * prerequisite.h - what a kernel must have before warder can enforce on it.
 *
 * One table of {name, sentence, probe}. Loading walks it and stops at the first that is
 * missing; `warder doctor` prints all of it.
 */
#ifndef WARDER_LOAD_PREREQUISITE_H
#define WARDER_LOAD_PREREQUISITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum warder_prerequisite_state {
	WARDER_PREREQUISITE_OK,
	WARDER_PREREQUISITE_MISSING,
	WARDER_PREREQUISITE_UNKNOWN, /* cannot be told by this user */
};

struct warder_prerequisite_result {
	enum warder_prerequisite_state state;
	char found[512];  /* what was seen: "6.12.48", "lockdown,yama,apparmor" */
	char remedy[768]; /* what to do about it; "" when OK */
};

/* Where the probes look: a root directory and the answers of uname, so that tests can fake both. */
struct warder_prerequisite_host {
	const char *root;    /* "" for the machine itself */
	const char *release; /* uname -r */
	const char *version; /* uname -v */
	const char *machine; /* uname -m */
	bool privileged;     /* effective uid 0 in the initial user namespace */
};

struct warder_prerequisite {
	const char *name; /* short, stable: "btf" */
	const char *text; /* what is needed: what "missing" and "needs" can stand before */
	const char *why;  /* and what for */
	/*
	 * Is loading refused when it is missing? `bpf` in the LSM list is not asked
	 * for before loading: only the canary's refused act proves that, and securityfs
	 * may not be mounted.
	 */
	bool gates_load;
	void (*probe)(const struct warder_prerequisite_host *host,
		      struct warder_prerequisite_result *result);
};

extern const struct warder_prerequisite warder_prerequisites[];
extern const size_t warder_prerequisite_count;

/* This machine. The strings live in static storage. */
void warder_prerequisite_host_init(struct warder_prerequisite_host *ret_host);

/*
 * Check what loading depends on. -EPERM not root; -EOPNOTSUPP something is missing; the
 * message says what, why and the remedy.
 */
int warder_prerequisite_check(struct warder_error *reterr);

/* The row of that name; NULL when there is none. */
const struct warder_prerequisite *warder_prerequisite_find(const char *name);

#endif
