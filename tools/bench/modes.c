// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * modes.c - nothing, empty programs, warder, Landlock and seccomp, one after the other.
 */
#include "tools/bench/modes.h"

#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tools/bench/empty.h"
#include "tools/bench/rows.h"

#define FORBIDDEN BENCH_DIR "/forbidden"

const char *const bench_mode_names[BENCH_MODE_COUNT] = {
	[BENCH_NOTHING] = "nothing", [BENCH_LANDLOCK] = "landlock", [BENCH_SECCOMP] = "seccomp",
	[BENCH_EMPTY] = "empty",     [BENCH_COSTLY] = "costly",	    [BENCH_OUTSIDE] = "outside",
	[BENCH_SUBJECT] = "subject",
};

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    files: { read: ['" BENCH_DIR "/**'] }\n"
			     "    exec: ['" BENCH_DIR "/program']\n"
			     "    network: { connect: ['tcp:127.0.0.1:%u', 'udp:127.0.0.1:%u'] }\n";

/* --- what is loaded --- */

static struct bench_empty *empty;
static struct kt_subject subject;
static bool unloaded;

static bool take_off(void)
{
	bench_empty_close(&empty);
	if (subject.name[0])
		kt_subject_close(&subject);
	if (!unloaded && !kt_unload())
		return false;
	unloaded = true;
	return true;
}

static bool load_empty(bool costly)
{
	int result = take_off() ? bench_empty_open(costly, &empty) : -EBUSY;

	return kt_check_why("empty programs are attached", !result, "%s", strerror(-result));
}

static bool load_warder(void)
{
	char text[512];

	bench_empty_close(&empty);
	if (unloaded && !kt_load(NULL))
		return false;
	unloaded = false;
	if (subject.name[0])
		return true;
	snprintf(text, sizeof(text), policy, bench_port(), bench_port());
	return kt_subject_open(&subject, "code", text);
}

/* --- Landlock, by hand: the headers of the build machine may be older than the kernel --- */

struct ruleset {
	__u64 files, network;
};

struct path_rule {
	__u64 access;
	__s32 fd;
} __attribute__((packed));

struct port_rule {
	__u64 access, port;
};

enum {
	RULE_PATH = 1,
	RULE_PORT = 2,
	FILE_EXECUTE = 1 << 0,
	FILE_READ = 1 << 2,
	FILE_LIST = 1 << 3,
	FILE_ALL = (1 << 13) - 1, /* of ABI 1 */
	CONNECT_TCP = 1 << 1,	  /* from ABI 4 on */
};

unsigned int bench_landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);

	return abi < 0 ? 0 : (unsigned int)abi;
}

static int confine_landlock(void)
{
	bool network = bench_landlock_abi() >= 4;
	struct ruleset ruleset = {FILE_ALL, network ? CONNECT_TCP : 0};
	struct path_rule below = {FILE_EXECUTE | FILE_READ | FILE_LIST, -1};
	struct port_rule to = {CONNECT_TCP, bench_port()};
	int fd = (int)syscall(SYS_landlock_create_ruleset, &ruleset, network ? 16 : 8, 0);

	below.fd = open(BENCH_DIR, O_PATH | O_CLOEXEC);
	if (fd < 0 || below.fd < 0 || syscall(SYS_landlock_add_rule, fd, RULE_PATH, &below, 0) ||
	    (network && syscall(SYS_landlock_add_rule, fd, RULE_PORT, &to, 0)) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_landlock_restrict_self, fd, 0))
		return -errno;
	close(below.fd);
	return close(fd);
}

static int confine_seccomp(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int result = filter ? 0 : -ENOMEM;

	if (!result)
		result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mkdir), 0);
	if (!result)
		result = seccomp_load(filter);
	seccomp_release(filter);
	return result;
}

/* --- running --- */

struct errand {
	enum bench_mode mode;
	kt_act *act;
	const void *argument;
};

static int run_errand(const void *argument)
{
	const struct errand *errand = argument;
	int result;

	/* To copy and close what the parent holds for its mode is no part of a row. */
	if (close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		return -errno;
	result = errand->mode == BENCH_LANDLOCK	 ? confine_landlock()
		 : errand->mode == BENCH_SECCOMP ? confine_seccomp()
						 : 0;

	return result < 0 ? result : errand->act(errand->argument);
}

int bench_run(enum bench_mode mode, kt_act *act, const void *argument)
{
	const struct errand errand = {mode, act, argument};
	struct kt_child child;
	int result = -ECHILD;

	if (mode == BENCH_SUBJECT)
		result = kt_inside(&subject, run_errand, &errand);
	else if (kt_start(&child, NULL, run_errand, &errand))
		result = kt_wait(&child);
	bench_world_drain();
	return result;
}

/* --- proof --- */

/* A refusal, and that nothing happened; or that it worked. */
static bool prove_mkdir(enum bench_mode mode, int expected)
{
	int result = bench_run(mode, bench_act_mkdir, FORBIDDEN);
	bool made = !access(FORBIDDEN, F_OK);

	rmdir(FORBIDDEN);
	return kt_check_why(bench_mode_names[mode], result == expected && made == !expected,
			    "mkdir: %d instead of %d, directory %d", result, expected, made);
}

static bool prove_connect(enum bench_mode mode, int expected)
{
	int result = bench_run(mode, bench_act_connect_closed, NULL);

	return kt_check_why(bench_mode_names[mode], result == expected, "connect: %d instead of %d",
			    result, expected);
}

static void open_once(void)
{
	close(open(BENCH_DIR "/file.txt", O_RDONLY | O_CLOEXEC));
}

static bool prove_runs(void)
{
	long long runs = bench_empty_runs(empty, "hook_file_open", open_once);

	return kt_check_why("an empty program runs", runs == 1, "%lld times", runs);
}

static bool prove(enum bench_mode mode)
{
	switch (mode) {
	case BENCH_LANDLOCK:
		return prove_mkdir(mode, -EACCES) &&
		       prove_connect(mode, bench_landlock_abi() >= 4 ? -EACCES : 0);
	case BENCH_SECCOMP:
		return prove_mkdir(mode, -EPERM) && prove_connect(mode, 0);
	case BENCH_EMPTY:
		return prove_runs() && prove_mkdir(mode, 0) && prove_connect(mode, 0);
	case BENCH_SUBJECT:
		return prove_mkdir(mode, -EACCES) && prove_connect(mode, -EACCES);
	default:
		return prove_mkdir(mode, 0) && prove_connect(mode, 0);
	}
}

bool bench_enter(enum bench_mode mode)
{
	bool ready;

	if (mode == BENCH_EMPTY || mode == BENCH_COSTLY)
		ready = load_empty(mode == BENCH_COSTLY);
	else if (mode == BENCH_OUTSIDE || mode == BENCH_SUBJECT)
		ready = load_warder();
	else
		ready = take_off();
	return ready && prove(mode);
}
