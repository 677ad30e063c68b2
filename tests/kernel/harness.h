/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * harness.h - kernel tests: real system calls, inside a subject and outside of it.
 *
 * A test binary is one tests/kernel/NAME_test.c with functions declared by TEST(); main() is
 * in harness.c. All run as root in the virtual machine. The first binary loads warder, the
 * later ones adopt it (tests/kernel/run).
 *
 *	TEST(read_is_refused)
 *	{
 *		_cleanup_subject_ struct kt_subject s = {};
 *
 *		if (!kt_subject_open(&s, "code", "sets: { code: { files: { read: ['/a'] } } }\n"))
 *			return;
 *		kt_write("%s/b", "secret", s.dir);
 *		kt_result("refused inside", kt_inside(&s, act_read, "b"), -EACCES);
 *		kt_event(&s, "reported", &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN});
 *		kt_result("control", kt_outside(&s, act_read, "b"), 0);
 *	}
 *
 * Every assertion prints one line, "ok NAME" or "not ok NAME: file:line: why". What cannot
 * run is a failure, unless kt_skip_on() names the kernel and the reason.
 */
#ifndef WARDER_TESTS_KERNEL_HARNESS_H
#define WARDER_TESTS_KERNEL_HARNESS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <warder/event.h>
#include <warder/hook.h>
#include <warder/surface.h>

#include "audit/ring.h"
#include "base/cleanup.h"
#include "compile/compile.h"
#include "load/cgroup.h"
#include "load/session.h"
#include "load/subject.h"

/* --- tests and assertions --- */

/* Declare a test; tests run in the order of the file. */
#define TEST(name)                                                     \
	static void test_##name(void);                                 \
	__attribute__((constructor)) static void register_##name(void) \
	{                                                              \
		kt_register(#name, test_##name);                       \
	}                                                              \
	static void test_##name(void)

void kt_register(const char *name, void (*function)(void));

/* One assertion; `name` is printed behind the test's. Returns the condition. */
bool kt_check_at(const char *file, int line, const char *name, bool ok, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
#define kt_check(name, condition) kt_check_at(__FILE__, __LINE__, name, condition, "%s", #condition)
/* The same with a reason of one's own. */
#define kt_check_why(name, condition, ...) \
	kt_check_at(__FILE__, __LINE__, name, condition, __VA_ARGS__)

/* Is a result (0 or more, or a negative errno) the expected one? */
bool kt_result_at(const char *file, int line, const char *name, int got, int expected);
#define kt_result(name, got, expected) kt_result_at(__FILE__, __LINE__, name, got, expected)

/*
 * Does this kernel lack what the test needs? `kernel` is a prefix of uname -r up to a dot:
 * "6.1". Then counts a skip with its reason and returns true.
 */
bool kt_skip_on(const char *kernel, const char *name, const char *reason);
bool kt_kernel_is(const char *kernel);

/* A figure for people: "figure NAME: ...". Asserts nothing. */
void kt_figure(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- the session --- */

/* The one session of this process: adopted, or loaded with pins kept. Exits on failure. */
struct warder_session *kt_session(void);

/*
 * Unload and load again, with other options (NULL: none). For tests that damage or resize
 * what all binaries share: call it at the end, too. No subject may be open.
 */
bool kt_reload(const struct warder_session_options *options);
/* The two halves of it; in between there is no session. */
bool kt_unload(void);
bool kt_load(const struct warder_session_options *options);

/* --- subjects --- */

struct kt_event_record {
	struct warder_event event;
	char text[WARDER_TEXT_MAX + 1]; /* NUL-terminated */
};

struct kt_subject {
	char dir[128]; /* {DIR}: a fresh directory on tmpfs, 0777 */
	char name[64]; /* of the policy, and the last component of dir and cgroup */
	char cgroup[256];
	int cgroup_fd;
	__u64 binding;
	struct warder_policy *policy;
	struct warder_ring *ring;
	struct kt_event_record *events; /* since kt_events_clear() */
	size_t event_count;
};

/*
 * Compile a policy, make a cgroup below warder's own, bind it to the set `set`. The text
 * begins at `tools:` or `sets:`; version, policy name and model are put in front of it,
 * and {DIR} in it is replaced. False (and counted as a failure) when anything fails.
 */
bool kt_subject_open(struct kt_subject *s, const char *set, const char *text);

/* The same, with the cgroup in another place (path of an existing cgroup directory). */
bool kt_subject_open_in(struct kt_subject *s, const char *set, const char *text,
			const char *parent);

/* A second subject with a policy, directory and cgroup of its own, but the directory of `peer`. */
bool kt_subject_open_beside(struct kt_subject *s, const char *set, const char *text,
			    const struct kt_subject *peer);

/* One nested in `parent`: started for it, with a policy, cgroup and directory of its own. */
bool kt_subject_open_for(struct kt_subject *s, const char *set, const char *text,
			 const struct kt_subject *parent);

/* Kill what lives in it or was moved out of it, unbind, remove cgroup and directory. Accepts a
 * zeroed one. */
void kt_subject_close(struct kt_subject *s);
#define _cleanup_subject_ __attribute__((cleanup(kt_subject_close)))

/* Give the key of a tool, or of another set, for `seconds` (0: for ever); take it away. */
bool kt_grant(struct kt_subject *s, const char *key, unsigned int seconds);
bool kt_revoke(struct kt_subject *s, const char *key);

/* --- acts: a C function in a child process --- */

/*
 * Runs in a child, with {DIR} as its working directory. Returns 0 or a positive number, or
 * -errno. No stdio buffers, no malloc'ed state that matters: it is a fork.
 */
typedef int kt_act(const void *argument);

#define KT_CRASHED (-10000) /* minus the signal */
#define KT_HUNG	   (-20000) /* killed after KT_SECONDS */
#define KT_SECONDS 60

/* Run an act as a subject (the child is in the cgroup from its first instruction) ... */
int kt_inside(struct kt_subject *s, kt_act *act, const void *argument);
/* ... and the control: in the same place, outside every subject. */
int kt_outside(struct kt_subject *s, kt_act *act, const void *argument);

/* The same as another user; the child is moved into the cgroup (no capability helps there). */
int kt_inside_as(struct kt_subject *s, uid_t uid, kt_act *act, const void *argument);
int kt_outside_as(struct kt_subject *s, uid_t uid, kt_act *act, const void *argument);

/* Start without waiting; kt_wait() gives the result. `s` may be NULL: outside. */
struct kt_child {
	pid_t pid;
	int pidfd;
	int *result; /* shared with the child */
};
bool kt_start(struct kt_child *child, struct kt_subject *s, kt_act *act, const void *argument);
int kt_wait(struct kt_child *child);

/* 64 KiB that parent and children share; zeroed at the begin of each test. */
void *kt_shared(void);

/* --- events --- */

/* What an event must have; a zero field is not looked at, and so are hook and reason -1. */
struct kt_match {
	int hook;	  /* enum warder_hook; 0 is file_open */
	int reason;	  /* enum warder_reason; 0 is granted-key */
	__u32 missing;	  /* these rights are among the refused ones */
	const char *text; /* the object, whole; "{DIR}" at its begin is replaced */
	__u32 number;
	__u16 family, port;
	int error; /* negative errno */
};

/* The first event since kt_events_clear() that matches, or NULL. Reads the ring. */
const struct kt_event_record *kt_event_find(struct kt_subject *s, const struct kt_match *match);
void kt_events_clear(struct kt_subject *s);

/* Assert that there is one; what was seen is printed otherwise. */
bool kt_event_at(const char *file, int line, struct kt_subject *s, const char *name,
		 const struct kt_match *match);
#define kt_event(s, name, ...) kt_event_at(__FILE__, __LINE__, s, name, __VA_ARGS__)

/* --- the world outside --- */

/* Make a file with this content, parents included; the path is a format. */
void kt_write(const char *path_format, const char *content, ...)
	__attribute__((format(printf, 1, 3)));
void kt_mkdir(const char *path_format, ...) __attribute__((format(printf, 1, 2)));
/* Copy a program of the guest ("/bin/true"), executable. */
void kt_copy(const char *from, const char *path_format, ...) __attribute__((format(printf, 2, 3)));
/* Remove a tree; not across mounts. */
void kt_remove(const char *path);

/*
 * A number that changes when anything below the directory does: names, types, modes, owners,
 * sizes, contents, links, devices, extended attributes, and times of change
 * of the first days of 1970. What was refused must leave it as it was.
 */
__u64 kt_tree_digest(const char *path);

/* --- tables: one row, four runs --- */

struct kt_case {
	const char *name;
	kt_act *act;
	const void *argument;
	int inside;  /* expected result as a subject, 0 or -errno */
	int outside; /* of the control; 0 unless the act gives a number */
	int hook;    /* of the event of a refusal; -1: do not look */
	int reason;
	__u32 missing;
	const char *text; /* object of the event; NULL: any */
	const char *key;  /* with this key granted the result is that of the control */
	bool quiet;	  /* the control changes nothing below {DIR} */
};

/* Begin a row; further fields may follow: { KT_REFUSED(...), .key = "all" }. */
#define KT_REFUSED(name_, act_, argument_, error_, HOOK, REASON, missing_, text_)          \
	.name = name_, .act = act_, .argument = argument_, .inside = error_,               \
	.hook = WARDER_HOOK_##HOOK, .reason = WARDER_REASON_##REASON, .missing = missing_, \
	.text = text_
#define KT_ALLOWED(name_, act_, argument_) \
	.name = name_, .act = act_, .argument = argument_, .hook = -1

/*
 * For each row: build the world, run inside, compare result, side effects (the tree is as it
 * was when refused) and event; build again, run the control, which must succeed; build again,
 * grant, run inside. `build` makes {DIR}'s contents, which are removed before.
 */
void kt_cases_run(struct kt_subject *s, void (*build)(struct kt_subject *s),
		  const struct kt_case *cases, size_t count);
#define KT_CASES(s, build, cases) kt_cases_run(s, build, cases, sizeof(cases) / sizeof((cases)[0]))

#endif
