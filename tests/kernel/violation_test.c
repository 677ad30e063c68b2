// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * violation_test.c - `on-violation: kill`: what is refused is refused first, and then its process
 * is dead; what was no violation after all costs nobody his life.
 */
#include "harness.h"

#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "acts.h"

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    on-violation: %s\n"
			     "    files: { read: ['{DIR}', '{DIR}/open/**'],\n"
			     "             write: ['{DIR}/open/**'] }\n"
			     "    exec: ['{DIR}/open/odd']\n";

static int act_make_executable(const void *path)
{
	return chmod(path, 0755) < 0 ? -errno : 0;
}

static bool open_subject(struct kt_subject *s, const char *reaction)
{
	_cleanup_free_ char *text = NULL;

	if (asprintf(&text, policy, reaction) < 0)
		abort();
	if (!kt_subject_open(s, "code", text))
		return false;
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/closed/file", "text", s->dir);
	kt_write("%s/open/odd", "\1\2\3\4 no known format", s->dir);
	kt_result("a program of no known format", kt_outside(s, act_make_executable, "open/odd"),
		  0);
	return true;
}

#define KILLED (KT_CRASHED - SIGKILL)

/* The one that was refused goes on: how far does it come? */
static int mark(int result)
{
	*(int *)kt_shared() = 1;
	return result;
}

static int act_create_twice(const void *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0)
		return 0;
	fd = open("closed/other", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	return mark(fd < 0 ? -errno : 0);
}

static int act_create_and_look(const void *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0)
		return 0;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return mark(fd < 0 ? -errno : 0);
}

static int act_mount(const void *unused)
{
	return mount("none", "open", "tmpfs", 0, NULL) < 0 ? -errno : 0;
}

static int act_socket(const void *unused)
{
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	return fd < 0 ? -errno : 0;
}

static int act_signal_parent(const void *unused)
{
	return kill(getppid(), 0) < 0 ? -errno : 0;
}

static int act_fork_and_read(const void *path)
{
	pid_t child = fork();
	int status = 0;

	if (child < 0)
		return -errno;
	if (!child)
		_exit(act_read(path) < 0 ? 1 : 0);
	if (waitpid(child, &status, 0) < 0)
		return -errno;
	return WIFSIGNALED(status) ? WTERMSIG(status) : -EILSEQ;
}

static const struct deed {
	const char *name;
	kt_act *act;
	const char *path;
	int refused; /* result with `deny` */
} deeds[] = {
	{"read", act_read, "closed/file", -EACCES},
	{"write", act_write, "closed/file", -EACCES},
	{"truncate", act_truncate, "closed/file", -EACCES},
	{"unlink", act_unlink, "closed/file", -EACCES},
	{"mkdir", act_mkdir, "closed/dir", -EACCES},
	{"exec", act_exec, "/bin/true", -EACCES},
	{"mount", act_mount, NULL, -EPERM},
	{"socket", act_socket, NULL, -EACCES},
	{"signal", act_signal_parent, NULL, -EPERM},
	{"create, and again", act_create_twice, "closed/new", -EACCES},
};

static __u64 killed(const struct kt_subject *s)
{
	struct warder_stats stats = {};

	warder_subject_stats(kt_session(), s->binding, &stats);
	return stats.killed;
}

static bool has_killed_event(struct kt_subject *s)
{
	size_t i;

	kt_event_find(s, &(struct kt_match){.hook = -1, .reason = -1});
	for (i = 0; i < s->event_count; i++) {
		if (s->events[i].event.flags & WARDER_EVENT_KILLED)
			return true;
	}
	return false;
}

TEST(killed)
{
	_cleanup_subject_ struct kt_subject kill = {}, deny = {};
	char name[128];
	size_t i;

	if (!open_subject(&kill, "kill") || !open_subject(&deny, "deny"))
		return;
	for (i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		const struct deed *deed = &deeds[i];
		__u64 digest = kt_tree_digest(kill.dir), before = killed(&kill);

		kt_events_clear(&kill);
		*(int *)kt_shared() = 0;
		snprintf(name, sizeof(name), "%s: dead", deed->name);
		kt_result(name, kt_inside(&kill, deed->act, deed->path), KILLED);
		snprintf(name, sizeof(name), "%s: refused first", deed->name);
		kt_check(name, kt_tree_digest(kill.dir) == digest);
		snprintf(name, sizeof(name), "%s: it went no further", deed->name);
		kt_check(name, !*(int *)kt_shared());
		snprintf(name, sizeof(name), "%s: counted", deed->name);
		kt_check_why(name, killed(&kill) > before, "%llu killed", killed(&kill));
		snprintf(name, sizeof(name), "%s: reported", deed->name);
		kt_check(name, has_killed_event(&kill));
		kt_events_clear(&deny);
		snprintf(name, sizeof(name), "%s: with deny it lives", deed->name);
		kt_result(name, kt_inside(&deny, deed->act, deed->path), deed->refused);
		snprintf(name, sizeof(name), "%s: and nobody says killed", deed->name);
		kt_check(name, !has_killed_event(&deny) && !killed(&deny));
	}
	kt_result("control", kt_outside(&kill, act_read, "closed/file"), 0);
}

static int act_execve(const void *path)
{
	char *argv[] = {(char *)path, NULL}, *envp[] = {NULL};

	execve(path, argv, envp);
	return -errno;
}

/*
 * For a file of no known format the kernel looks for a module: that is no deed of the program's.
 * Kernels from 6.14 on do not look.
 */
TEST(unknown_format_lives)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!open_subject(&s, "kill"))
		return;
	kt_result("as outside", kt_inside(&s, act_execve, "open/odd"), -ENOEXEC);
	kt_check("nobody is killed", !killed(&s) && !has_killed_event(&s));
	if (kt_kernel_is("6.1") || kt_kernel_is("6.12"))
		kt_check("no module is looked for",
			 kt_event_find(&s,
				       &(struct kt_match){.hook = WARDER_HOOK_KERNEL_MODULE_REQUEST,
							  .reason = -1}));
	kt_result("control", kt_outside(&s, act_execve, "open/odd"), -ENOEXEC);
}

/* The process that did it, and not the subject. */
TEST(its_parent_lives)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!open_subject(&s, "kill"))
		return;
	kt_result("the child alone", kt_inside(&s, act_fork_and_read, "closed/file"), SIGKILL);
	kt_check("one", killed(&s) == 1);
}

/* A creation that was refused, and did not exist: known when the next act begins. */
TEST(creation_then_another_act)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[160];

	if (!open_subject(&s, "kill"))
		return;
	*(int *)kt_shared() = 0;
	kt_result("dead", kt_inside(&s, act_create_and_look, "closed/new"), KILLED);
	snprintf(path, sizeof(path), "%s/closed/new", s.dir);
	kt_check("nothing was created", access(path, F_OK));
	kt_check("one", killed(&s) == 1);
}

static int act_list_attributes(const void *path)
{
	char names[4096];

	return listxattr(path, names, sizeof(names)) < 0 ? -errno : 0;
}

/*
 * No violation: a check that the kernel makes by itself. (A creation that turns out to be none:
 * create_test.c.)
 */
TEST(probe_lives)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_stats before = {}, after = {};

	if (!kt_subject_open(&s, "code",
			     "sets:\n"
			     "  code:\n"
			     "    on-violation: kill\n"
			     "    files: { read: ['{DIR}/open/**'] }\n"))
		return;
	kt_write("%s/open/file", "text", s.dir);
	warder_subject_stats(kt_session(), s.binding, &before);
	kt_result("probed", kt_inside(&s, act_list_attributes, "open/file"), 0);
	warder_subject_stats(kt_session(), s.binding, &after);
	kt_check("it was a refusal", after.quiet > before.quiet);
	kt_check("nobody is killed for it", !killed(&s));
}

/* The one whose rules refuse says what it costs; so does the subject itself. */
TEST(above)
{
	_cleanup_subject_ struct kt_subject parent = {}, child = {};
	_cleanup_free_ char *text = NULL;
	char closed[160], other[160];

	if (!open_subject(&parent, "kill"))
		return;
	if (asprintf(&text,
		     "sets: { code: { files: { read: ['%s/open/**', '%s/closed/file'] } } }\n",
		     parent.dir, parent.dir) < 0)
		abort();
	if (!kt_subject_open_for(&child, "code", text, &parent))
		return;
	snprintf(closed, sizeof(closed), "%s/closed/file", parent.dir);
	snprintf(other, sizeof(other), "%s/closed", parent.dir);
	kt_result("refused by the parent", kt_inside(&child, act_read, closed), KILLED);
	kt_result("refused by itself", kt_inside(&child, act_list, other), -EACCES);
}
