/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * explain.h - why an access is allowed or refused: the rule, its file and line.
 *
 * The image knows keys, not rules; here the rules are looked at one by one, each with the
 * program its automaton was made of. The verdict is the same one (a test holds them
 * together).
 */
#ifndef WARDER_COMPILE_EXPLAIN_H
#define WARDER_COMPILE_EXPLAIN_H

#include "policy/policy.h"

enum warder_cause {
	WARDER_CAUSE_ALLOWED,  /* the rule allows it */
	WARDER_CAUSE_DENIED,   /* the rule denies it */
	WARDER_CAUSE_RESERVED, /* the rule names the object for a tool that is not held */
	WARDER_CAUSE_NO_RULE,  /* no rule of a held key gives the right */
};

struct warder_explanation {
	enum warder_cause cause;
	bool allowed;
	__u32 right;	      /* the one right that decided (WARDER_READ...); 0 for net, syscall */
	int key;	      /* key of the rule; -1 when there is none */
	const char *key_name; /* NULL when there is none */
	struct warder_place place; /* of the rule; file is NULL when there is none */
	const char *section;	   /* "files.read", "network.connect", ...; NULL */
	const char *rule;	   /* the rule as written; NULL */
};

/*
 * May a subject that holds the keys `held` do `rights` to the object? The path is given as the
 * kernel feeds it ("/usr/bin/id", "@name"). The first right that a rule denies is explained;
 * or else the first that is missing; or, when none is, the first one asked for. -EINVAL: not
 * an absolute, clean path, or no right is asked. -ENOMEM.
 */
int warder_explain_path(const struct warder_policy *policy, __u64 held, __u32 rights,
			const char *path, size_t length, struct warder_explanation *ret);

/*
 * Which rule denies to rename something below a directory? (The directory cannot be renamed
 * then, either.) The cause is DENIED, or NO_RULE and allowed when there is none. -E2BIG, -ENOMEM.
 */
int warder_explain_below(const struct warder_policy *policy, __u64 held, const char *path,
			 size_t length, struct warder_explanation *ret);

/* May it do this with an address? To connect, the address need not be normalised. */
int warder_explain_net(const struct warder_policy *policy, __u64 held, enum warder_net_op op,
		       __u8 proto, struct warder_address address, __u16 port,
		       struct warder_explanation *ret);

/* May it use a system call (x86-64 number)? */
int warder_explain_syscall(const struct warder_policy *policy, __u64 held, int number,
			   struct warder_explanation *ret);

/* May it use a capability? */
int warder_explain_capability(const struct warder_policy *policy, __u64 held, int number,
			      struct warder_explanation *ret);

/* May it use a part of the kernel's surface (enum warder_surface)? */
int warder_explain_surface(const struct warder_policy *policy, __u64 held, int surface,
			   struct warder_explanation *ret);

/*
 * One line for people: "policy.yaml:12: files.deny.read /srv/keys/key", "no rule",
 * "reserved for tool send-email (policy.yaml:6: exec /usr/sbin/sendmail)". Cut to fit;
 * returns `out`.
 */
char *warder_explanation_text(const struct warder_explanation *explanation, char *out, size_t size);

#endif
