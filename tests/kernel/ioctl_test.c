// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ioctl_test.c - control calls: the right `ioctl`, what needs none, and what nobody gets.
 */
#include "acts.h"

#include <linux/fs.h>
#include <net/if.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, files: { write: ['{DIR}/**'], ioctl: ['{DIR}/**'] } }\n"
	"  terminal: { shared: true, files: { ioctl: ['/dev/ptmx', '/dev/pts/ptmx'] } }\n"
	"sets:\n"
	"  code:\n"
	"    files:\n"
	"      read: ['{DIR}/readable/**']\n"
	"      write: ['{DIR}/open/**', '/dev/**']\n"
	"      ioctl: ['{DIR}/open/**']\n"
	"      deny: { ioctl: ['{DIR}/open/fixed'] }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/readable/file", "text", s->dir);
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/open/fixed", "text", s->dir);
}

/* A command that no file system knows: who may ask is told so. */
#define NOBODYS 0x12345678

static int control(const char *path, unsigned long command, void *argument)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -EBADF;
	return ioctl(fd, command, argument) < 0 ? -errno : 0;
}

static int act_unknown(const void *path)
{
	return control(path, NOBODYS, NULL);
}

/* "Not to be dumped": a flag that tmpfs keeps. */
static int act_flags(const void *path)
{
	int flags = FS_NODUMP_FL;

	return control(path, FS_IOC_SETFLAGS, &flags);
}

static int act_project(const void *path)
{
	struct fsxattr set = {.fsx_xflags = FS_XFLAG_NODUMP};

	return control(path, FS_IOC_FSSETXATTR, &set);
}

static const struct kt_case files[] = {
	{KT_REFUSED("a command of a file", act_unknown, "readable/file", -EACCES, FILE_IOCTL,
		    NO_RULE, WARDER_IOCTL, "{DIR}/readable/file"),
	 .outside = -ENOTTY, .quiet = true, .key = "all"},
	{KT_REFUSED("a command of a directory", act_unknown, "readable", -EACCES, FILE_IOCTL,
		    NO_RULE, WARDER_IOCTL, "{DIR}/readable"),
	 .outside = -ENOTTY, .quiet = true},
	{KT_REFUSED("a denied file", act_unknown, "open/fixed", -EACCES, FILE_IOCTL, DENY_RULE,
		    WARDER_IOCTL, "{DIR}/open/fixed"),
	 .outside = -ENOTTY, .quiet = true},
	{KT_REFUSED("a command of a device", act_unknown, "/dev/null", -EACCES, FILE_IOCTL, NO_RULE,
		    WARDER_IOCTL, "/dev/null"),
	 .outside = -ENOTTY, .quiet = true},
	{KT_REFUSED("flags", act_flags, "readable/file", -EACCES, FILE_IOCTL, NO_RULE,
		    WARDER_CHATTR, "{DIR}/readable/file"),
	 .quiet = true, .key = "all"},
	{KT_REFUSED("flags of both kinds", act_project, "readable/file", -EACCES, FILE_IOCTL,
		    NO_RULE, WARDER_CHATTR, "{DIR}/readable/file"),
	 .quiet = true, .key = "all"},
	{KT_ALLOWED("flags", act_flags, "open/file")},
};

TEST(files)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	KT_CASES(&s, build, files);
	build(&s);
	kt_result("with the right the file system is asked",
		  kt_inside(&s, act_unknown, "open/file"), -ENOTTY);
}

/* The flag is there afterwards, or not: the digest of a tree does not tell. */
static int act_has_flag(const void *path)
{
	int flags = 0, error = control(path, FS_IOC_GETFLAGS, &flags);

	return error ? error : !!(flags & FS_NODUMP_FL);
}

TEST(flags_are_kept)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("refused", kt_inside(&s, act_flags, "readable/file"), -EACCES);
	kt_result("not set", kt_outside(&s, act_has_flag, "readable/file"), 0);
	kt_result("control", kt_outside(&s, act_flags, "readable/file"), 0);
	kt_result("set", kt_inside(&s, act_has_flag, "readable/file"), 1);
}

/* --- terminals --- */

static int act_resize(const void *unused)
{
	struct winsize wanted = {.ws_row = 33, .ws_col = 77}, got = {};
	int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC), error;

	if (terminal < 0)
		return -EBADF;
	error = ioctl(terminal, TIOCSWINSZ, &wanted) < 0 ? -errno : 0;
	if (ioctl(terminal, TIOCGWINSZ, &got) < 0)
		return -EIO;
	return error == (got.ws_row == 33 ? 0 : -EACCES) ? error : -EPROTO;
}

static int act_open_terminal(const void *unused)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char name[64];

	if (terminal < 0 || ptsname_r(terminal, name, sizeof(name)))
		return -EBADF;
	if (unlockpt(terminal) < 0)
		return -errno;
	return open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) < 0 ? -errno : 0;
}

/* The upper half of the register is the caller's noise. */
static int act_type_in(const void *unused)
{
	int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (terminal < 0)
		return -EBADF;
	return syscall(SYS_ioctl, terminal, 0x7700000000ul | TIOCSTI, "x") < 0 ? -errno : 0;
}

static int act_discipline(const void *unused)
{
	int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC), number = 0;

	if (terminal < 0)
		return -EBADF;
	return ioctl(terminal, TIOCSETD, &number) < 0 ? -errno : 0;
}

TEST(terminals)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("resize refused", kt_inside(&s, act_resize, NULL), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_IOCTL,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_IOCTL});
	kt_result("resize control", kt_outside(&s, act_resize, NULL), 0);
	kt_result("unlock refused", kt_inside(&s, act_open_terminal, NULL), -EACCES);
	kt_result("unlock control", kt_outside(&s, act_open_terminal, NULL), 0);
	if (kt_grant(&s, "terminal", 0)) {
		kt_result("resize granted", kt_inside(&s, act_resize, NULL), 0);
		kt_result("unlock granted", kt_inside(&s, act_open_terminal, NULL), 0);
		kt_result("typing is nobody's", kt_inside(&s, act_type_in, NULL), -EPERM);
		kt_result("nor are line disciplines", kt_inside(&s, act_discipline, NULL), -EPERM);
		kt_result("control", kt_outside(&s, act_discipline, NULL), 0);
	}
}

/* --- what needs no right --- */

/* 0 unless one of them is refused: what it does not apply to says so in other words. */
static int act_free(int fd)
{
	static const unsigned long commands[] = {FIOCLEX,    FIONBIO,	FIONREAD,
						 FIGETBSZ,   FIOQSIZE,	TCGETS,
						 TIOCGWINSZ, TIOCGPGRP, FS_IOC_GETFLAGS};
	char answer[512];
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		memset(answer, 0, sizeof(answer));
		if (ioctl(fd, commands[i], answer) < 0 && (errno == EACCES || errno == EPERM))
			return -errno;
	}
	return 0;
}

static int act_free_all(const void *unused)
{
	int ends[2], fds[] = {open("readable/file", O_RDONLY),
			      open("readable", O_RDONLY),
			      open("/dev/null", O_RDWR),
			      open("/dev/ptmx", O_RDWR | O_NOCTTY),
			      socket(AF_UNIX, SOCK_STREAM, 0),
			      memfd_create("own", MFD_CLOEXEC),
			      inotify_init1(0),
			      -1};
	size_t i;
	int error = 0;

	if (pipe(ends) < 0)
		return -EBADF;
	fds[7] = ends[0];
	for (i = 0; i < sizeof(fds) / sizeof(fds[0]) && !error; i++)
		error = fds[i] < 0 ? -EBADF : act_free(fds[i]);
	return error;
}

/* Copies of extents: the kernel asks how both files were opened; tmpfs then has none. */
static int act_clone(const void *unused)
{
	int from = open("readable/file", O_RDONLY | O_CLOEXEC);
	int to = open("open/file", O_WRONLY | O_CLOEXEC), error;

	if (from < 0 || to < 0)
		return -EBADF;
	if (ioctl(from, FICLONE, to) >= 0 || errno != EBADF)
		return -EPROTO;
	error = ioctl(to, FICLONE, from) < 0 ? -errno : 0;
	return error == -EOPNOTSUPP ? 0 : error;
}

/* Files without a name are their makers'. */
static int act_nameless(const void *unused)
{
	int ends[2], fds[] = {eventfd(0, EFD_CLOEXEC), memfd_create("own", MFD_CLOEXEC), -1};
	size_t i;

	if (pipe(ends) < 0)
		return -EBADF;
	fds[2] = ends[0];
	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (ioctl(fds[i], NOBODYS, NULL) >= 0 || errno != ENOTTY)
			return -errno;
	}
	return 0;
}

TEST(without_a_right)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("answers", kt_inside(&s, act_free_all, NULL), 0);
	kt_result("clones", kt_inside(&s, act_clone, NULL), 0);
	kt_result("nameless files", kt_inside(&s, act_nameless, NULL), 0);
	kt_check("no refusal", !kt_event_find(&s, &(struct kt_match){.hook = WARDER_HOOK_FILE_IOCTL,
								     .reason = -1}));
}

/* --- sockets --- */

static int interface(unsigned long command)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = {.ifr_name = "lo"};

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return -EBADF;
	return ioctl(fd, command, &request) < 0 ? -errno : 0;
}

static int act_index(const void *unused)
{
	return interface(SIOCGIFINDEX);
}

static int act_up(const void *unused)
{
	return interface(SIOCSIFFLAGS);
}

TEST(sockets)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("number of an interface", kt_inside(&s, act_index, NULL), 0);
	kt_result("flags of an interface", kt_inside(&s, act_up, NULL), -EPERM);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_IOCTL,
				    .reason = WARDER_REASON_SURFACE,
				    .text = "control of a socket"});
	kt_result("control", kt_outside(&s, act_up, NULL), 0);
}
