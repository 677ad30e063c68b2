/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * explain.h - the rule behind an event: which line of which policy, or "no rule".
 *
 * The kernel reports keys, not rules. The policy text of every loaded generation is kept
 * below WARDER_RUN_DIR/policies while it is loaded, so that any warder process can explain
 * the events of any subject, also after its runner died and the file was edited.
 */
#ifndef WARDER_AUDIT_EXPLAIN_H
#define WARDER_AUDIT_EXPLAIN_H

#include "audit/event.h"
#include "compile/explain.h"
#include "load/session.h"
#include "policy/policy.h"

/* Longest explanation. */
#define WARDER_RULE_TEXT_MAX 1024

/*
 * Keep the text of a policy, and the values of its variables, for a generation. -EEXIST: others
 * are kept for it. The image is the same, and yet a grant by name or the line of an event
 * would mean something else. The same text may come from another file; the first name stays.
 */
int warder_policy_keep(__u64 generation, const struct warder_policy *policy);

/* The same below any directory (tests). */
int warder_policy_keep_in(const char *directory, __u64 generation,
			  const struct warder_policy *policy);

/* Load the policy that was kept for a generation. -ENOENT there is none. */
int warder_policy_recall(__u64 generation, struct warder_policy **ret_policy,
			 struct warder_error *reterr);

/* The same from any directory, read as `options` say but for the variables (tests). */
int warder_policy_recall_in(const char *directory, __u64 generation,
			    const struct warder_policy_options *options,
			    struct warder_policy **ret_policy, struct warder_error *reterr);

/* Remove kept policies whose generation is not loaded any more. `session` may be NULL: all. */
void warder_policy_sweep(const struct warder_session *session);

/*
 * Ask the policy about an event. `held` are the keys the subject holds. -ENOENT: no rule is
 * the reason, or `policy` is NULL. -ESTALE: the policy disagrees with the kernel, as when a
 * grant began or ended since. Other errors: it cannot be asked about this object.
 */
int warder_event_explain(const struct warder_event *event, const char *text,
			 const struct warder_policy *policy, __u64 held,
			 struct warder_explanation *ret_explanation);

/*
 * The rule, or what the reason says by itself when `explanation` is NULL. Returns `buffer`.
 */
const char *warder_event_rule(const struct warder_event *event,
			      const struct warder_explanation *explanation, char *buffer,
			      size_t size);

/* Names of keys, comma-separated; numbers when the policy is not known. Returns `buffer`. */
const char *warder_key_names(const struct warder_policy *policy, __u64 keys, char *buffer,
			     size_t size);

#endif
