/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * policy.h - a policy as it was written: keys, sets, rules, each with its place.
 *
 *	text -> warder_policy_load -> struct warder_policy -> warder_compile -> struct warder_image
 *
 * Everything here is owned by the policy and valid until warder_policy_free(). Nothing
 * in it can be changed afterwards; readers may share it between threads.
 *
 * Functions return 0 or a negative errno and leave their outputs untouched on failure.
 */
#ifndef WARDER_POLICY_POLICY_H
#define WARDER_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <warder/access.h>
#include <warder/limits.h>

#include "policy/diagnostic.h"
#include "policy/endpoint.h"
#include "policy/pattern.h"

/* Name of the set that `run` starts, and of the one that holds generated code. */
#define WARDER_SET_AGENT   "agent"
#define WARDER_SET_SANDBOX "sandbox"

enum warder_model {
	WARDER_AGENT_IN_SANDBOX, /* generated code runs in its agent's subject */
	WARDER_SANDBOX_AS_TOOL,	 /* generated code runs in a subject of its own */
};

/* Where something was written. */
struct warder_place {
	const char *file; /* as given, or "preset base" */
	unsigned int line, column;
};

/* A bundle of rights. The index in warder_policy.keys is its bit in every mask. */
struct warder_key {
	char name[WARDER_NAME_MAX]; /* of the tool or the set */
	bool tool;		    /* can be granted by name; else the base key of a set */
	bool shared;		    /* the tool reserves nothing */
	char *summary;		    /* of a tool; NULL when none */
	struct warder_place place;
};

/* `env:` of a set. Without the section nothing passes. */
struct warder_env {
	char **pass; /* names with * and ?; which variables of the starter pass */
	size_t pass_count;
	char **set; /* "NAME=value", in place of what would pass */
	size_t set_count;
};

/* What a set can leave unjudged (`files: ungoverned`): bits of warder_set.ungoverned. */
enum warder_class {
	WARDER_CLASS_FILES = 1,
	WARDER_CLASS_EXEC = 2,
	WARDER_CLASS_NETWORK = 4,
	WARDER_CLASS_UNIX = 8,
	WARDER_CLASS_SYSCALLS = 16,
	WARDER_CLASS_CAPABILITIES = 32,
};

/* The filter of system calls that a set starts from (`syscalls: {profile: ...}`). */
enum warder_profile {
	WARDER_PROFILE_NONE, /* no filter; also when nothing is said */
	WARDER_PROFILE_DEFAULT,
	WARDER_PROFILE_STRICT,
};

/* `limits:` of a set; 0: none. */
struct warder_limits {
	__u64 memory; /* bytes */
	__u32 pids;
	__u32 cpu; /* percent of one CPU; 250: two and a half */
};

/* `allow-users:`: who may start code in it. */
struct warder_users {
	char **list; /* "joe", "group:dev" */
	size_t count, capacity;
};

struct warder_set {
	char name[WARDER_NAME_MAX];
	unsigned int key; /* its base key */
	__u64 tools;	  /* keys of the tools it starts with */
	struct warder_env env;
	struct warder_place place;
	__u64 capabilities; /* bits by number: what the list names */
	/* What this version does not enforce: only with accept_unenforced anything but 0. */
	unsigned int ungoverned; /* enum warder_class; what is not judged */
	enum warder_profile profile;
	struct warder_place profile_place; /* file is NULL: none is named */
	struct warder_limits limits;
	bool kill;     /* `on-violation: kill`: refused first, then killed */
	bool separate; /* not held to the rights of its ancestors as well */
	__u64 may_run; /* base keys of the sets that its subjects may start code in */
	struct warder_users users;
};

/* A pattern, and what it is once symbolic links in its literal part are followed. */
struct warder_rule_path {
	struct warder_pattern *pattern;	 /* as written (subject-relative names replaced) */
	struct warder_pattern *resolved; /* NULL: no link in it */
	char *text;			 /* as written */
};

struct warder_path_rule {
	struct warder_place place;
	const char *section; /* "files.read", "exec", "unix.connect", "files.deny.read"; static */
	unsigned int key;
	bool deny;
	bool hide;    /* of a deny: the path answers ENOENT */
	bool names;   /* of a tool's exec or unix.connect: the object belongs to the tool */
	bool all;     /* in place of rules: the class is ungoverned */
	__u32 rights; /* WARDER_READ...; on the object, or on all below a tree */
	struct warder_rule_path path;
	struct warder_rule_path *except; /* of a deny */
	size_t except_count;
};

struct warder_net_rule {
	struct warder_place place;
	unsigned int key;
	bool deny;
	bool names; /* of a tool: the address belongs to it */
	struct warder_endpoint endpoint;
	char *text; /* as written */
};

/* What the rule is about, as an image has it. */
static inline enum warder_net_op warder_net_rule_op(const struct warder_net_rule *rule)
{
	return (enum warder_net_op)rule->endpoint.act;
}

/*
 * Is it about this address (normalised as in decide.h)? A deny to bind is also about the
 * any-address, which would answer at what is denied: :: for all of them, 0.0.0.0 for IPv4 ones.
 */
bool warder_net_rule_names(const struct warder_net_rule *rule, struct warder_address address);

/* The same with protocol and port. */
bool warder_net_rule_contains(const struct warder_net_rule *rule, __u8 proto,
			      struct warder_address address, __u16 port);

/* "network.connect", "network.deny.bind". Static. */
const char *warder_net_rule_section(const struct warder_net_rule *rule);

struct warder_syscall_rule {
	struct warder_place place;
	unsigned int key;
	unsigned int number; /* x86-64 */
	bool deny;	     /* else allow: beyond the profile */
	char *text;	     /* its name */
};

/* A socket family beside IPv4, IPv6 and unix. */
struct warder_family_rule {
	struct warder_place place;
	unsigned int key;
	int family;   /* AF_NETLINK */
	int protocol; /* of netlink; -1: any */
	char *text;   /* "netlink:route" */
};

/* A capability that a set names. */
struct warder_capability_rule {
	struct warder_place place;
	unsigned int key;
	unsigned int number;
	char *text; /* its name */
};

/* A part of the kernel's surface that a set or tool names. */
struct warder_surface_rule {
	struct warder_place place;
	unsigned int key;
	unsigned int surface; /* enum warder_surface */
	bool deny;
	char *text; /* its name */
};

enum warder_mode {
	WARDER_MODE_ENFORCE,
	WARDER_MODE_AUDIT, /* the same decision, recorded and not applied */
	WARDER_MODE_LEARN,
};

/* One entry of `bind:`: a cgroup, or a container with an annotation, is a subject. */
struct warder_bind_rule {
	struct warder_place place;
	struct warder_pattern *cgroup; /* NULL: by annotation */
	char *annotation, *value;      /* NULL: by cgroup */
	unsigned int set;
	enum warder_mode mode;
	bool attach_cgroup; /* `attach: cgroup`: nothing global for it */
};

/*
 * A variable, and its value in this instance. A value is a literal; one from outside lies within
 * one of the patterns.
 */
struct warder_variable {
	char name[WARDER_NAME_MAX];
	struct warder_place place;
	struct warder_rule_path *within; /* none: a constant of the policy */
	size_t within_count;
	char *value;
	bool given; /* by the options, and not equal to the default */
	bool used;
};

/*
 * One entry of `expect:`: a test that the policy brings along. Only parsed here: what ACCESS
 * means, and whether it holds, is a question to the compiled rules.
 */
struct warder_expect {
	struct warder_place place; /* of ACCESS */
	unsigned int set; /* whose subject tries it; of a preset: the set that includes it */
	__u64 tools;	  /* keys it holds besides those of the set (`with:`) */
	bool allow;	  /* else deny */
	bool preset;	  /* a test of a preset: holds for its rules alone */
	char *access;	  /* ACCESS, "exec /usr/sbin/sendmail" */
};

struct warder_policy {
	char name[WARDER_NAME_MAX];
	/*
	 * The policy with these values of its variables: the name, and where values other
	 * than the defaults were given, "@" and 16 hex digits made of them. What is loaded is known
	 * under it: instances stand beside each other.
	 */
	char instance[WARDER_NAME_MAX];
	enum warder_model model;
	struct warder_source source; /* the text it was read from */
	struct warder_key *keys;     /* at most WARDER_KEYS_MAX, in order of appearance */
	size_t key_count, key_capacity;
	struct warder_set *sets; /* in order of appearance; at least one */
	size_t set_count, set_capacity;
	unsigned int code_set; /* where generated code goes under sandbox-as-tool */
	bool has_code_set;     /* false: agent-in-sandbox and no such set */
	struct warder_path_rule *path_rules;
	size_t path_count, path_capacity;
	struct warder_net_rule *net_rules;
	size_t net_count, net_capacity;
	struct warder_syscall_rule *syscall_rules; /* deny, by a hook */
	size_t syscall_count, syscall_capacity;
	struct warder_capability_rule *capability_rules;
	size_t capability_count, capability_capacity;
	struct warder_surface_rule *surface_rules;
	size_t surface_count, surface_capacity;
	/* Rules that no image holds yet; none without accept_unenforced. */
	struct warder_path_rule *unix_binds; /* names that may be bound; no rights */
	size_t unix_bind_count, unix_bind_capacity;
	struct warder_family_rule *family_rules;
	size_t family_count, family_capacity;
	/* Deny: what only a seccomp filter holds. Allow: beyond the profile. */
	struct warder_syscall_rule *filter_rules;
	size_t filter_count, filter_capacity;
	struct warder_bind_rule *bind_rules;
	size_t bind_count, bind_capacity;
	struct warder_users users;	   /* of every set that names none */
	struct warder_variable *variables; /* in order of appearance */
	size_t variable_count, variable_capacity;
	struct warder_expect *expects;
	size_t expect_count, expect_capacity;
	/*
	 * Constructs in it that this version does not enforce. Not 0: it was read with
	 * accept_unenforced and must never be loaded.
	 */
	unsigned int unenforced;
	char **files; /* names of included presets, for places */
	size_t file_count, file_capacity;
};

struct warder_policy_options {
	/*
	 * Directory that is "/" to the subjects: symbolic links in patterns are
	 * resolved below it. NULL: "/".
	 */
	const char *root;
	bool keep_links; /* do not look at the file system at all */
	/*
	 * Who may own a link that is followed and the directories it lies in; 0 in
	 * production. Whoever owns a root directory that was unpacked elsewhere can
	 * change everything in it, so `check --root` trusts that owner.
	 */
	uid_t trusted_uid;
	/*
	 * Read what the engine does not enforce, with a note for each, in place of an error:
	 * for `check`, and for nobody who loads the policy.
	 */
	bool accept_unenforced;
	/* Values of variables, "NAME=VALUE" each (`--var`). */
	const char *const *variables;
	size_t variable_count;
};

/*
 * Read a policy file. `options` may be NULL (all zero). Diagnostics are added, with
 * warnings and notes also on success.
 * -EINVAL: the diagnostics say what is wrong. -ENOMEM.
 * -ENOENT, -EACCES, -EISDIR, ...: the file cannot be read (a diagnostic says so too).
 */
int warder_policy_load(const char *path, const struct warder_policy_options *options,
		       struct warder_diagnostics *diagnostics, struct warder_policy **ret_policy);

/* The same from memory; `name` is what diagnostics and places call it. */
int warder_policy_parse(const char *name, const char *text, size_t size,
			const struct warder_policy_options *options,
			struct warder_diagnostics *diagnostics, struct warder_policy **ret_policy);

/* Accepts NULL and *policy == NULL. */
void warder_policy_free(struct warder_policy **policy);

/* "agent-in-sandbox" or "sandbox-as-tool". Static. */
const char *warder_model_name(enum warder_model model);

/*
 * The values that make this instance of the policy: "NAME=VALUE" with a NUL behind each, as the
 * options take them. With the text of the policy they say all. malloc'ed; *ret_size counts
 * the NULs and is 0 when every variable has its default. -ENOMEM.
 */
int warder_policy_arguments(const struct warder_policy *policy, char **ret_text, size_t *ret_size);

/* Find a set. -ENOENT. */
int warder_policy_find_set(const struct warder_policy *policy, const char *name,
			   unsigned int *ret_set);

/* The set that `run` starts when none is named: `agent`, or the first. */
unsigned int warder_policy_run_set(const struct warder_policy *policy);

/*
 * The set that generated code of an agent runs in. -ENOENT: under agent-in-sandbox it
 * runs in the agent's own subject.
 */
int warder_policy_code_set(const struct warder_policy *policy, unsigned int *ret_set);

/* The keys that a subject of this set holds from the start. */
__u64 warder_policy_keyring(const struct warder_policy *policy, unsigned int set);

/* Key of a tool, by name. -ENOENT: no such key. -EISNAM: that is a set, not a tool. */
int warder_policy_find_tool(const struct warder_policy *policy, const char *name,
			    unsigned int *ret_key);

/*
 * The environment of a program that is started in a set: the variables of `environment`
 * that pass, then the ones that are set. NULL-terminated; one malloc'ed block holds the
 * pointers and is freed with free(). The strings of variables that pass belong to
 * `environment`, the others to the policy. -ENOMEM.
 */
int warder_env_build(const struct warder_policy *policy, unsigned int set, char *const *environment,
		     char ***ret_environment);

#define _cleanup_policy_ __attribute__((cleanup(warder_policy_free)))

#endif
